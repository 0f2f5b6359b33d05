/**
 * The intents of one chat on their way to the host: written down, sent in order, followed until their fate is known. Holds
 * the `Reconciled` state and carries out what `chat/reconcile.ts` decides. Knows neither views nor drafts. Source: AHP,
 * exactly-once outbox; architecture, IndexedDB mirror.
 */

import { queueInstead } from '../chat/actions.js';
import { isAnswer, isOwnResult, isQuiet, wasSent, type PendingAction } from '../chat/pending-action.js';
import { messageOf, newestTurnId } from '../chat/proof.js';
import {
  adoptReplay,
  adoptSnapshot,
  createReconciled,
  discard,
  disconnect,
  enqueue,
  expire,
  expiresAt,
  markSent,
  prependTurns,
  receive,
  retry,
  sendable,
  type ChatSnapshot,
  type Reconciled,
  type Reconciliation,
} from '../chat/reconcile.js';
import type { Rejection, SessionInfo } from '../chat/store.js';
import type { Mirror, MirroredChat, OutboxEntry, StoredDraft } from '../mirror/mirror.js';
import type { ActionEnvelope, ClientChatAction } from '../protocol/actions.js';
import { AhpError } from '../protocol/errors.js';
import { compose } from '../protocol/record.js';
import type { Message, PendingMessage, Turn, URI } from '../protocol/state.js';
import type { AhpClient } from './ahp-client.js';
import type { Cancel, Environment } from './environment.js';
import { within } from './wait.js';
import { Outbox, toPending } from './outbox.js';
import { holdsCollection, toWire, type WireHost } from './to-wire.js';
import { Unheard } from './unheard.js';

export interface ChatSyncOptions {
  readonly client: AhpClient;
  readonly environment: Environment;
  readonly mirror: Mirror;
  /** Host and account, as in the name of the database. */
  readonly key: string;
  readonly channel: URI;
  /** What is known of the session now. */
  findSession(): SessionInfo | undefined;
  /** The newest finished turn of any chat known here. */
  findLastTurn(chat: URI): string | undefined;
}

export interface ChatSyncHandlers {
  /** Something may have changed. */
  onChange(): void;
  /** A message left the hands of the person. */
  onSending(message: Message): void;
  /** What has to be kept of the draft, without the message that is being sent. */
  findDraft(): StoredDraft | undefined;
  onRejected(rejection: Rejection): void;
  /** A snapshot is in `state`; what it settles is not forgotten yet. */
  onAdopted(): void;
  /** Asks the host for the chat as it is. Resolves when it was taken; rejects with `AhpError`. */
  refresh(): Promise<void>;
}

type Group = readonly ClientChatAction[];

/** Entries taken over from a client that is gone wait so long: its last frames may still be on their way to the host. */
const adoptionDelayMs = 2_000;
/** How long the host may take to say how things stand before an intent counts as not confirmed. */
const askPatienceMs = 2_000;
/** Stands for the cursor while none of the present connection is known, so that views see that there is more. */
const unknownCursor = 'unknown';

export class ChatSync {
  readonly #options: ChatSyncOptions;
  readonly #handlers: ChatSyncHandlers;
  readonly #client: AhpClient;
  readonly #environment: Environment;
  readonly #outbox: Outbox;
  #state: Reconciled = createReconciled();
  readonly #unheard = new Unheard();
  /** Intents from while it is not known whose they are: before the first opening, and from each departure on. */
  #early: readonly Group[] | undefined = [];
  /** Taken over while live; they join after a moment. */
  #adopted: readonly PendingAction[] = [];
  #cancelAdoption: Cancel | undefined;
  #cancelSend: Cancel | undefined;
  #cancelExpiry: Cancel | undefined;
  #hasSeenCollection = false;
  /** The host is asked how things stand; nothing is sent or given up meanwhile. */
  #asking: Promise<void> | undefined;
  #isAway = false;
  #isClosed = false;

  constructor(options: ChatSyncOptions, handlers: ChatSyncHandlers) {
    this.#options = options;
    this.#handlers = handlers;
    this.#client = options.client;
    this.#environment = options.environment;
    this.#outbox = new Outbox({ ...options, onChange: () => this.advance() });
  }

  get state(): Reconciled {
    return this.#state;
  }

  /** Whether the host is in step and can be sent to. */
  get isLive(): boolean {
    return this.#state.isCurrent && this.#client.state.phase === 'connected';
  }

  /** Whether everything that waits for proof is on disk. */
  get isKept(): boolean {
    return this.#outbox.isKept;
  }

  /** Something went out of which nobody has heard yet: the state may lack what it has changed. */
  get isInDoubt(): boolean {
    return (
      this.#unheard.entries.length > 0 || this.#state.pending.some(wasSent) || this.#state.unconfirmed.some(wasSent)
    );
  }

  /** Intents that are not in `state` yet. */
  get waiting(): number {
    return (this.#early?.length ?? 0) + new Set(this.#adopted.map(({ group }) => group)).size;
  }

  /* -------------------------------------------------------------- from the disk */

  /** Begins with what the mirror remembers, or with nothing where it has not answered in time. */
  open(mirrored: MirroredChat | undefined): void {
    this.#outbox.open(this.#client.clientId, []);
    if (mirrored) this.#remember(mirrored);
    // What a page that is left holds is in the origin's storage by now, until it comes back.
    if (!this.#isAway) this.#takeEarly();
  }

  /** The mirror answered after all; what the host has said meanwhile is newer. */
  openLate(mirrored: MirroredChat): void {
    if (this.#state.confirmed) this.adopt(mirrored.outbox);
    else this.#remember(mirrored);
  }

  /** Takes over what another client left behind, which the mirror has moved to this client's id. */
  adopt(entries: readonly OutboxEntry[]): void {
    const known = new Set([...this.#state.pending, ...this.#state.unconfirmed].map(({ clientSeq }) => clientSeq));
    const adopted = entries.map(toPending).filter(({ clientSeq }) => !known.has(clientSeq));
    this.#outbox.note(adopted);
    this.#adopted = [...this.#adopted, ...adopted];
    if (!this.#state.isCurrent) this.#joinAdopted();
    else this.#cancelAdoption ??= this.#environment.schedule(adoptionDelayMs, () => this.#joinAdopted());
  }

  /** All that is kept on this device was deleted: nothing is written again but what comes from now on. */
  onCleared(): void {
    this.#outbox.onCleared();
  }

  /** The page is left; synchronous. */
  leave(): void {
    this.#isAway = true;
    this.#early = this.#outbox.reclaim(this.#early ?? []);
    const groups = this.#early.map((actions) => ({ actions, group: this.#environment.createId() }));
    const entries = groups.flatMap(({ actions, group }) => actions.map((action) => ({ group, action })));
    this.#outbox.leave(entries.map((entry, index) => ({ ...entry, clientSeq: index + 1, sends: 0 })));
  }

  /**
   * The page is back. `outbox` is what the disk has under the client's id now: while the page was away another document
   * may have sent or taken over what was pending. Without it the disk has not answered, and what is in memory counts.
   * `isSameClient`: the id is the one from before.
   */
  reopen(outbox: readonly OutboxEntry[] | undefined, isSameClient: boolean): void {
    this.#isAway = false;
    if (outbox) this.#compare(outbox, isSameClient);
    this.#takeEarly();
  }

  /** The page is back, and nothing was moved into the mirror since. */
  noteReturn(): void {
    this.#outbox.noteReturn();
  }

  #compare(outbox: readonly OutboxEntry[], isSameClient: boolean): void {
    const known = [...this.#state.pending, ...this.#state.unconfirmed, ...this.#adopted];
    const { taken } = this.#outbox;
    const stored = outbox.map(toPending);
    const onDisk = new Set(stored.map(({ group }) => group));
    // Nobody else can have what never reached the disk, unless it was taken from where the page left it.
    const isUnkept = ({ clientSeq }: PendingAction) => !this.#outbox.isEntryKept(clientSeq) && !taken.has(clientSeq);
    const isOurs = (entry: PendingAction) => isUnkept(entry) || (isSameClient && isOwnResult(entry));
    const toOwn = (entry: PendingAction) =>
      isSameClient ? entry : { ...entry, clientSeq: this.#client.nextClientSeq() };
    const unkept = known.filter((entry) => !onDisk.has(entry.group) && isOurs(entry)).map(toOwn);
    const kept = stored.filter((entry) => !unkept.some((own) => own.clientSeq === entry.clientSeq));
    this.#adopted = [];
    // Somebody else has taken these over, and hears what became of them.
    const here = new Set([...kept, ...unkept].map(({ group }) => group));
    this.#unheard.entries = known.filter((entry) => wasSent(entry) && !here.has(entry.group)).map(toOwn);
    this.#outbox.open(this.#client.clientId, kept);
    if (unkept.length > 0) this.#put(unkept);
    this.#rebuild([...kept, ...unkept]);
  }

  /** Turns that this device has kept, in front of those in memory; without any, what is known of them. */
  prepend(turns: readonly Turn[], older: MirroredChat['older'], cursor: string | undefined): void {
    const isComplete = older === 'none';
    const turnsNextCursor = isComplete ? undefined : (cursor ?? unknownCursor);
    this.#state = prependTurns(this.#state, turns, { turnsNextCursor, isComplete });
  }

  /** The host gives no older turns, whatever it has. */
  hideOlder(): void {
    this.#state = prependTurns(this.#state, [], { turnsNextCursor: undefined, isComplete: false });
  }

  /* -------------------------------------------------------------- from the person */

  /** Takes one intent. */
  dispatch(group: Group): void {
    if (this.#early) this.#early = [...this.#outbox.reclaim(this.#early), group];
    else this.#enqueue(group);
  }

  /** Sends an unconfirmed intent once more; a message goes behind a turn that runs by now. */
  retry(id: string): void {
    const actions = this.#state.unconfirmed.filter((entry) => entry.group === id).map(({ action }) => action);
    const start = actions.find((action) => action.type === 'chat/turnStarted');
    const active = this.#state.confirmed?.activeTurn;
    const isCut = actions.some(({ type }) => type === 'chat/truncated');
    const isQueued = start && active && active.id !== start.turnId && !isCut;
    const toQueued = (action: ClientChatAction) => (action === start ? queueInstead(start, start.turnId) : action);
    this.#take(isQueued ? retry(this.#state, id, toQueued) : retry(this.#state, id));
    this.advance();
  }

  discard(id: string): void {
    this.#take(discard(this.#state, id));
  }

  /** Sends an action that nobody misses if it is lost. */
  sendOnce(action: ClientChatAction): void {
    const wire = toWire(action, this.#toWireHost());
    if (wire && this.isLive) this.#client.dispatch(this.#options.channel, this.#client.nextClientSeq(), wire);
  }

  /* -------------------------------------------------------------- from the host */

  /** `hasGap`: see `ChannelListener`. */
  adoptSnapshot(snapshot: ChatSnapshot, early: readonly ActionEnvelope[], hasGap: boolean): void {
    const doubts = { unheard: this.#unheard.entries, hasGap };
    const step = adoptSnapshot(this.#state, snapshot, early, this.#client.clientId, doubts);
    this.#state = step.next;
    // The copy on disk may lack what this one proves: nothing of it is forgotten before that is made good.
    this.#handlers.onAdopted();
    this.#take({ ...step, settled: [...this.#unheard.release(), ...step.settled] });
  }

  adoptReplay(envelopes: readonly ActionEnvelope[]): void {
    const { clientId } = this.#client;
    const sent = [...this.#state.pending, ...this.#state.unconfirmed, ...this.#unheard.entries].filter(wasSent);
    const heard = this.#unheard.listHeard(this.#state, envelopes, clientId);
    this.#takeHeard(adoptReplay(this.#state, envelopes, clientId), heard);
    // An echo that was lost before the last number seen is in no replay, and neither is what it has changed.
    if (sent.some(({ clientSeq }) => !heard.has(clientSeq))) this.#ask();
  }

  receive(envelope: ActionEnvelope): void {
    this.#hasSeenCollection ||= holdsCollection(envelope.action);
    const { clientId } = this.#client;
    const { unconfirmed } = this.#state;
    const heard = this.#unheard.listHeard(this.#state, [envelope], clientId);
    this.#takeHeard(receive(this.#state, envelope, clientId), heard);
    // An echo may have been lost on its way; what the host says of the whole decides.
    if (this.#state.unconfirmed.length > unconfirmed.length) this.#ask();
  }

  /** The connection or the channel is gone. */
  disconnect(): void {
    this.#state = disconnect(this.#state);
    this.#hasSeenCollection = false;
    this.stop();
    this.#joinAdopted();
  }

  /* -------------------------------------------------------------- sending */

  /** Sends what can be sent now, and sets the timers for what cannot be yet. */
  advance(): void {
    this.#send();
    this.#expireLater();
    this.#handlers.onChange();
  }

  /** Ends all timers but that of an adoption, which cannot be put off for ever. */
  stop(): void {
    this.#cancelSend?.();
    this.#cancelExpiry?.();
    this.#cancelSend = this.#cancelExpiry = undefined;
  }

  close(): void {
    this.#isClosed = true;
    this.stop();
    this.#cancelAdoption?.();
  }

  #send(): void {
    this.#cancelSend?.();
    this.#cancelSend = undefined;
    if (!this.isLive || this.#asking || this.#state.pending.every(({ sentAt }) => sentAt !== undefined)) return;
    const now = this.#environment.monotonic();
    const step = sendable(this.#state, now, this.#client.connectedAt);
    this.#takeHeard(step);
    const sent: number[] = [];
    for (const entry of step.send) {
      // Refused together with another action of its intent.
      if (!this.#state.pending.includes(entry)) continue;
      if (this.#isTooEarly(entry.action) || !this.#outbox.isReady(this.#withNewest(entry))) break;
      const action = toWire(entry.action, this.#toWireHost());
      if (!action) this.#refuse(entry);
      else if (this.#client.dispatch(this.#options.channel, entry.clientSeq, action)) sent.push(entry.clientSeq);
      else break;
    }
    this.#state = markSent(this.#state, sent, now);
    if (step.waitUntil === undefined) return;
    this.#cancelSend = this.#environment.schedule(step.waitUntil - now, () => this.advance());
  }

  /** A session that is being made takes no turns yet. */
  #isTooEarly(action: ClientChatAction): boolean {
    return action.type === 'chat/turnStarted' && this.#options.findSession()?.lifecycle === 'creating';
  }

  /** This host has no such action; as if it had said so. */
  #refuse(entry: PendingAction): void {
    const actions = this.#state.pending.filter(({ group }) => group === entry.group).map(({ action }) => action);
    this.#take(discard(this.#state, entry.group));
    // An older host marks nothing as read; nobody asked for that to be said.
    if (actions.every(isQuiet)) return;
    this.#handlers.onRejected({ actions, reason: 'The host does not support this.' });
  }

  #expireLater(): void {
    this.#cancelExpiry?.();
    const at = this.isLive && !this.#asking ? expiresAt(this.#state) : undefined;
    if (at === undefined) return;
    // An echo may be all that was lost, so the host is asked before a person is.
    const delayMs = Math.max(0, at - this.#environment.monotonic());
    this.#cancelExpiry = this.#environment.schedule(delayMs, () => this.#ask());
  }

  /** Has the host say how things stand; then what is here decides, answer or not. */
  #ask(): void {
    this.#asking ??= this.#hasAsked().then(() => {
      this.#asking = undefined;
      if (this.#isClosed) return;
      if (this.isLive) this.#takeHeard(expire(this.#state, this.#environment.monotonic()));
      this.advance();
    });
  }

  async #hasAsked(): Promise<void> {
    try {
      await within(this.#handlers.refresh(), this.#environment, askPatienceMs);
    } catch (error) {
      if (!(error instanceof AhpError)) throw error;
    }
  }

  #takeEarly(): void {
    const early = this.#outbox.reclaim(this.#early ?? []);
    this.#early = undefined;
    // What was sent before the disk was read is not the draft that stands there.
    for (const group of early) this.#enqueue(group, { clearDraft: false });
  }

  #enqueue(group: Group, options: { readonly clearDraft?: boolean } = {}): void {
    const id = this.#environment.createId();
    const entries = group.map((action) =>
      this.#withNewest({ clientSeq: this.#client.nextClientSeq(), group: id, action, sends: 0 }),
    );
    for (const action of group) this.#noteSending(action);
    this.#state = enqueue(this.#state, entries);
    this.#put(entries, { isLeaving: this.isLive, ...options });
  }

  /** With the newest turn there is, if it is about to go out for the first time. */
  #withNewest(entry: PendingAction): PendingAction {
    const { confirmed, isCurrent } = this.#state;
    const isFirst = entry.sends === 0 && entry.sentAfter === undefined;
    const sentAfter = isFirst && isCurrent && confirmed ? newestTurnId(confirmed) : undefined;
    return sentAfter === undefined ? entry : { ...entry, sentAfter };
  }

  #put(
    entries: readonly PendingAction[],
    { isLeaving = false, clearDraft = entries.some(({ action }) => messageOf(action)) } = {},
  ): void {
    const nextClientSeq = Math.max(...entries.map(({ clientSeq }) => clientSeq)) + 1;
    const draft = clearDraft ? this.#handlers.findDraft() : undefined;
    this.#outbox.put(entries, { nextClientSeq, clearDraft, draft, isLeaving });
  }

  /* -------------------------------------------------------------- what a step leads to */

  /** Takes a step that a snapshot was no part of: what it settles unheard is asked about. */
  #takeHeard(step: Reconciliation, heard?: ReadonlySet<number>): void {
    const before = this.#unheard.entries;
    this.#take(this.#unheard.hold(step, heard));
    if (this.#unheard.entries.some((entry) => !before.includes(entry))) this.#ask();
  }

  #take({ next, settled, changed, rejections, lost }: Reconciliation): void {
    this.#state = next;
    // What is given back has to be written down again before it is forgotten.
    for (const rejection of rejections) this.#handlers.onRejected(rejection);
    this.#outbox.remove(settled);
    this.#outbox.update(changed);
    if (lost.length > 0) this.#offer(lost);
  }

  /** The host had these in its queue and has lost them: the person decides. */
  #offer(lost: readonly PendingMessage[]): void {
    const entries = lost.map(({ id, message }): PendingAction => ({
      clientSeq: this.#client.nextClientSeq(),
      group: this.#environment.createId(),
      action: { type: 'chat/pendingMessageSet', kind: 'queued', id, message },
      sends: 0,
      isHeld: true,
    }));
    this.#state = { ...this.#state, unconfirmed: [...this.#state.unconfirmed, ...entries] };
    this.#put(entries);
  }

  #remember({ record, outbox }: MirroredChat): void {
    const kept = outbox.map(toPending);
    this.#outbox.note(kept);
    for (const { action } of kept) this.#noteSending(action);
    const { pending, unconfirmed } = this.#state;
    const isComplete = record?.isComplete === true;
    const state = record?.state;
    const confirmed = state && (isComplete ? state : { ...state, turnsNextCursor: unknownCursor });
    const remembered = { isComplete, outbox: [...kept, ...pending, ...unconfirmed] };
    // Another tab may have written it, which followed the host's counting at another time.
    const isOwnEpoch = record !== undefined && record.epoch === this.#client.handshake?.epoch;
    const appliedSeq = isOwnEpoch ? record.appliedSeq : undefined;
    this.#state = createReconciled(compose(remembered, { confirmed, appliedSeq }));
  }

  #joinAdopted(): void {
    this.#cancelAdoption?.();
    this.#cancelAdoption = undefined;
    const entries = this.#adopted;
    if (entries.length === 0) return;
    this.#adopted = [];
    for (const { action } of entries) this.#noteSending(action);
    const { pending, unconfirmed, isCurrent } = this.#state;
    if (!isCurrent) return this.#rebuild([...pending, ...unconfirmed, ...entries]);
    // What the other document showed when it was answered is not known here: answers wait for the person.
    const isForPerson = (entry: PendingAction) => entry.isHeld === true || isAnswer(entry);
    const held = entries.filter(isForPerson).map((entry) => ({ ...entry, isHeld: true }));
    const withHeld = { ...this.#state, unconfirmed: [...unconfirmed, ...held] };
    this.#state = enqueue(
      withHeld,
      entries.filter((entry) => !isForPerson(entry)),
    );
    this.adoptReplay([]);
    this.advance();
  }

  /** The same confirmed state with other entries, none of which is sent before the host is heard. */
  #rebuild(outbox: readonly PendingAction[]): void {
    const { confirmed, appliedSeq, isComplete } = this.#state;
    this.#state = createReconciled(compose({ appliedSeq, isComplete, outbox }, { confirmed }));
  }

  #noteSending(action: ClientChatAction): void {
    const message = messageOf(action);
    if (message) this.#handlers.onSending(message);
  }

  #toWireHost(): WireHost {
    const { handshake } = this.#client;
    return {
      protocolVersion: handshake?.protocolVersion ?? '',
      takesCollections: handshake?.takesCollections === true || this.#hasSeenCollection,
      takesSteeringList: handshake?.takesSteeringList === true,
      capabilities: this.#options.findSession()?.capabilities ?? {},
      findLastTurn: (chat) => this.#options.findLastTurn(chat),
    };
  }
}
