/**
 * A `ChatStore` fed by a chat channel: what the mirror remembers is shown at once, and what the host says replaces it.
 * Intents take their way through `chat-sync.ts`. Source: architecture, main types and data flow.
 */

import type { ChatServices, ChatStore, ChatStoreStatus, Rejection, SessionInfo } from '../chat/store.js';
import { inputAnswerChanged, pendingMessageRemoved } from '../chat/actions.js';
import { splitMessage } from '../chat/joined-message.js';
import { isLateEdit, messageOf } from '../chat/proof.js';
import { isTaken, openInputRequests, pendingIdsOf, waitingMessages } from '../chat/selectors.js';
import type { ChatRecord, MirroredChat, OutboxEntry, StoredDraft } from '../mirror/mirror.js';
import type { ActionEnvelope, ClientChatAction } from '../protocol/actions.js';
import type { Snapshot } from '../protocol/commands.js';
import { AhpError } from '../protocol/errors.js';
import { compose } from '../protocol/record.js';
import type { ChatState, InputAnswer, McpAuthRequirement, Message, URI } from '../protocol/state.js';
import type { AnswerWire } from './answer-session.js';
import type { AhpClient } from './ahp-client.js';
import { AuthWatch } from './auth-watch.js';
import type { ChannelListener, ChannelSubscription } from './channels.js';
import { ChatSaver } from './chat-saver.js';
import { ChatSync, type ChatSyncOptions } from './chat-sync.js';
import { isSameDraft } from './draft-message.js';
import type { DraftWire } from './draft-session.js';
import type { Cancel } from './environment.js';
import { findLateEdits, type PendingMessageSet } from './late-edits.js';
import { Listeners } from './listeners.js';
import { OlderTurns, type PagedChat } from './older-turns.js';
import { StallWatch } from './stall-watch.js';
import { toStatus, type StatusFacts } from './store-status.js';

export interface SyncedChatStoreOptions extends ChatSyncOptions {
  /** Host and account. */
  readonly key: string;
  /** Finished turns asked for in a snapshot. */
  readonly turns: number;
  readonly services?: ChatServices;
  /** The session that lists the chat, also before anything is known of it. */
  findSessionUri(): URI | undefined;
}

/** Whoever writes the next message hears what becomes of messages and of the host's draft. */
export interface DraftObserver {
  noteSent(message: Message): void;
  /** The draft as it has to be kept now; `undefined` if there is nothing to keep. */
  findRow(): StoredDraft | undefined;
  giveBack(message: Message): void;
  onHostDraft(draft: Message | undefined, isOwn: boolean): void;
  onLive(draft: Message | undefined): void;
}

/** Whoever keeps what is entered into forms hears what becomes of requests. */
export interface AnswerObserver {
  onHost(state: ChatState): void;
  onLive(state: ChatState): void;
  onCompleted(requestId: string, by: 'own' | 'other' | 'host'): void;
  onRefused(requestId: string, reason: string): void;
}

const maxLatencyMs = 50;

export class SyncedChatStore implements ChatStore, ChannelListener, DraftWire, AnswerWire {
  readonly channel: URI;
  readonly services?: ChatServices;
  readonly #options: SyncedChatStoreOptions;
  readonly #client: AhpClient;
  readonly #sync: ChatSync;
  readonly #saver: ChatSaver;
  readonly #older: OlderTurns;
  readonly #stall: StallWatch;
  readonly #auth: AuthWatch;
  readonly #listeners = new Listeners<[]>();
  readonly #rejections = new Listeners<[Rejection]>();
  readonly #ends: readonly Cancel[];
  #drafts: DraftObserver | undefined;
  #answers: AnswerObserver | undefined;
  #subscription: ChannelSubscription | undefined;
  #failure: AhpError | undefined;
  #facts: StatusFacts | undefined;
  #status: ChatStoreStatus;
  #state: ChatState | undefined;
  #session: SessionInfo | undefined;

  constructor(options: SyncedChatStoreOptions) {
    const { client, environment, mirror, channel, services } = options;
    this.channel = channel;
    if (services) this.services = services;
    this.#options = options;
    this.#client = client;
    this.#sync = new ChatSync(options, {
      onChange: () => this.#publish(),
      onSending: (message) => this.#drafts?.noteSent(message),
      findDraft: () => this.#drafts?.findRow(),
      onRejected: (rejection) => this.#onRejected(rejection),
      onAdopted: () => this.#saver.note(),
      refresh: async () => this.#subscription?.refresh(),
    });
    this.#saver = new ChatSaver({ ...options, find: () => this.#toRecord() });
    this.#stall = new StallWatch(environment, () => this.#publish());
    this.#auth = new AuthWatch(client);
    this.#older = new OlderTurns(this.#toPagedChat());
    this.#facts = this.#toFacts();
    this.#status = toStatus(this.#facts);
    this.#ends = [
      client.onState(() => this.#sync.advance()),
      client.onSignIns(() => this.#publish()),
      mirror.onNotKept(() => this.#publish()),
    ];
  }

  get state(): ChatState | undefined {
    return this.#state;
  }

  get session(): SessionInfo | undefined {
    return this.#session;
  }

  get status(): ChatStoreStatus {
    return this.#status;
  }

  subscribe(listener: () => void): Cancel {
    return this.#listeners.add(listener);
  }

  onRejected(listener: (rejection: Rejection) => void): Cancel {
    return this.#rejections.add(listener);
  }

  onAuthRequired(listener: (requirement: McpAuthRequirement, toolCallId?: string) => void): Cancel {
    return this.#auth.onRequired(listener);
  }

  dispatch(...group: readonly ClientChatAction[]): void {
    if (group.length === 0) return;
    this.#sync.dispatch(group);
    this.#publish();
  }

  retry(id: string): void {
    this.#sync.retry(id);
  }

  discard(id: string): void {
    this.#sync.discard(id);
    this.#publish();
  }

  /** See `ChatStore`. Rejects with `AhpError` when the host refuses a page. */
  loadOlderTurns(): Promise<void> {
    return this.#older.load();
  }

  reconnectNow(): void {
    this.#client.reconnectNow();
    if (this.#failure) void this.#subscription?.refresh().catch(shownByStatus);
  }

  giveUpSignIn(resource: string): void {
    this.#client.giveUpSignIn(resource);
  }

  /* -------------------------------------------------------------- life */

  observeDrafts(drafts: DraftObserver): void {
    this.#drafts = drafts;
  }

  observeAnswers(answers: AnswerObserver): void {
    this.#answers = answers;
  }

  /** Begins with what the mirror remembers, if it has answered in time, and subscribes. */
  open(mirrored: MirroredChat | undefined): void {
    this.#sync.open(mirrored);
    if (mirrored) this.#older.setKept(mirrored.older);
    this.#subscription = this.#client.subscribe(this.channel, this, {
      kind: 'chat',
      view: { turns: this.#options.turns },
      delivery: { maxLatencyMs },
    });
    void this.#saver.start();
    this.#publish();
  }

  /** The mirror answered after all. */
  openLate(mirrored: MirroredChat): void {
    const hadState = this.#sync.state.confirmed !== undefined;
    this.#sync.openLate(mirrored);
    if (!hadState) this.#older.setKept(mirrored.older);
    this.#publish();
  }

  /** Takes over what a client that is gone left behind for this chat. */
  adopt(entries: readonly OutboxEntry[]): void {
    const own = entries.filter(({ channel }) => channel === this.channel);
    if (own.length === 0) return;
    this.#sync.adopt(own);
    this.#publish();
  }

  /** All that is kept on this device was deleted: nothing is written again but what comes from now on. */
  onCleared(): void {
    this.#sync.onCleared();
    this.#saver.onCleared();
  }

  /** The page is left; synchronous. */
  suspend(): void {
    this.#sync.leave();
    this.#saver.suspend();
  }

  /** The page is back, and nothing was moved into the mirror since. */
  noteReturn(): void {
    this.#sync.noteReturn();
  }

  /** Goes on; see `ChatSync.reopen`. */
  resume(outbox: readonly OutboxEntry[] | undefined, isSameClient: boolean): void {
    this.#sync.reopen(outbox, isSameClient);
    void this.#saver.start();
    this.#publish();
  }

  /** Ends the subscription and all timers; what is not written is written. */
  close(): void {
    for (const end of this.#ends) end();
    this.#saver.stop();
    this.#stall.stop();
    this.#auth.stop();
    this.#sync.close();
    this.#subscription?.release();
  }

  /** What is shown of the session changed, or what the session allows. */
  onSession(): void {
    this.#saver.note();
    this.#sync.advance();
  }

  /* -------------------------------------------------------------- drafts */

  get isLive(): boolean {
    return this.#sync.isLive;
  }

  sendDraft(draft: Message | undefined): void {
    this.#sync.sendOnce(compose({ type: 'chat/draftChanged' as const }, { draft }));
  }

  holds(message: Message): boolean {
    const { confirmed } = this.#sync.state;
    if (!confirmed) return false;
    const started = [...confirmed.turns, ...(confirmed.activeTurn ? [confirmed.activeTurn] : [])];
    return [...started, ...waitingMessages(confirmed)].some((sent) => isSameDraft(sent.message, message));
  }

  isSending(message: Message): boolean {
    const { pending, unconfirmed } = this.#sync.state;
    const sent = [...pending, ...unconfirmed].flatMap(({ action }) => messageOf(action) ?? []);
    return sent.some((each) => isSameDraft(each, message));
  }

  /** Sends an action that nobody misses if it is lost, beside the outbox. */
  sendOnce(action: ClientChatAction): void {
    this.#sync.sendOnce(action);
  }

  /* -------------------------------------------------------------- answers */

  /** What the host has said, without what is under way. */
  get confirmed(): ChatState | undefined {
    return this.#sync.state.confirmed;
  }

  isOpen(requestId: string): boolean {
    const { optimistic } = this.#sync.state;
    return !!optimistic && openInputRequests(optimistic).some(({ request }) => request?.id === requestId);
  }

  sendAnswer(requestId: string, questionId: string, answer: InputAnswer | undefined): void {
    this.#sync.sendOnce(inputAnswerChanged(requestId, questionId, answer));
  }

  /* -------------------------------------------------------------- from the host */

  current(): Snapshot | undefined {
    const { confirmed, appliedSeq } = this.#sync.state;
    return confirmed && appliedSeq >= 0 ? { resource: this.channel, state: confirmed, fromSeq: appliedSeq } : undefined;
  }

  onSnapshot(snapshot: Snapshot, early: readonly ActionEnvelope[], hasGap: boolean): void {
    const first = this.#sync.state.confirmed?.turns[0]?.id;
    // The channel was opened as a chat, by which `parse.ts` has read the state.
    const state = snapshot.state as ChatState;
    this.#sync.adoptSnapshot({ state, fromSeq: snapshot.fromSeq }, early, hasGap);
    const isContinued = first !== undefined && this.#sync.state.confirmed?.turns[0]?.id === first;
    this.#older.onSnapshot(state.turnsNextCursor, isContinued);
    this.#onLive();
  }

  onReplay(envelopes: readonly ActionEnvelope[]): void {
    const late = findLateEdits(envelopes, this.#sync.state, this.#client.clientId);
    this.#sync.adoptReplay(envelopes);
    for (const edit of late) this.#takeBack(edit);
    this.#onLive();
  }

  onEnvelope(envelope: ActionEnvelope): void {
    const isNew = envelope.serverSeq > this.#sync.state.appliedSeq && envelope.rejectionReason === undefined;
    const late = findLateEdits([envelope], this.#sync.state, this.#client.clientId);
    this.#sync.receive(envelope);
    if (isNew) this.#note(envelope);
    this.#stall.onHeard(this.#sync.state.confirmed);
    this.#saver.note();
    for (const edit of late) this.#takeBack(edit);
    this.#sync.advance();
  }

  onLost(): void {
    this.#onDown(undefined);
  }

  onFailed(error: AhpError): void {
    this.#onDown(error);
  }

  #onLive(): void {
    this.#failure = undefined;
    this.#stall.onHeard(this.#sync.state.confirmed);
    this.#saver.note();
    this.#sync.advance();
  }

  #onDown(error: AhpError | undefined): void {
    this.#failure = error;
    this.#older.onLost();
    this.#stall.stop();
    this.#sync.disconnect();
    this.#publish();
  }

  #note({ action, origin }: ActionEnvelope): void {
    const { confirmed } = this.#sync.state;
    if (action.type === 'chat/turnsLoaded') this.#older.onPage(confirmed?.turnsNextCursor);
    const isOwn = origin?.clientId === this.#client.clientId;
    if (action.type === 'chat/draftChanged') this.#drafts?.onHostDraft(confirmed?.draft, isOwn);
    if (action.type === 'chat/inputCompleted' && 'requestId' in action)
      this.#answers?.onCompleted(String(action.requestId), isOwn ? 'own' : origin ? 'other' : 'host');
  }

  #onRejected({ actions, reason }: Rejection): void {
    const { confirmed } = this.#sync.state;
    // Sent again although the first had arrived and is a turn by now: nothing was refused that anybody misses.
    if (confirmed && actions.some((action) => isKnownAsTurn(action, confirmed))) return;
    const isTakenBefore = confirmed !== undefined && actions.some((action) => isLateEdit(action, confirmed));
    this.#giveBack(isTakenBefore ? { actions, reason, code: 'taken' } : { actions, reason });
  }

  #giveBack(rejection: Rejection): void {
    for (const action of rejection.actions) {
      const message = messageOf(action);
      if (message) this.#drafts?.giveBack(this.#withoutJoined(message));
      if (action.type === 'chat/inputCompleted') this.#answers?.onRefused(action.requestId, rejection.reason);
    }
    this.#rejections.call(rejection);
  }

  /** What still waits at the host is not given back with what was put behind it. */
  #withoutJoined(message: Message): Message {
    const first = this.#sync.state.confirmed?.steeringMessage;
    return first && pendingIdsOf(message)[1] === first.id ? splitMessage(message, first.message) : message;
  }

  /** To the host it was a new message. It has run as it was before, so the change goes back to who made it. */
  #takeBack(action: PendingMessageSet): void {
    this.#sync.dispatch([pendingMessageRemoved(action.kind, action.id)]);
    this.#giveBack({ actions: [action], reason: 'The host took the message before it was changed.', code: 'taken' });
  }

  /* -------------------------------------------------------------- what is shown */

  /** Tells the listeners if anything they can see is another object than before. */
  #publish(): void {
    const facts = this.#toFacts();
    const status = toStatus(facts, this.#facts, this.#status);
    this.#facts = facts;
    const state = this.#sync.state.optimistic;
    const session = this.#options.findSession();
    if (status === this.#status && state === this.#state && session === this.#session) return;
    const wasLive = this.#status.phase === 'live';
    const { confirmed } = this.#sync.state;
    this.#status = status;
    this.#state = state;
    this.#session = session;
    this.#auth.look(this.#sync.isLive ? this.#sync.state.confirmed : undefined);
    // Forms know what was entered before they are shown what the host says.
    if (confirmed && wasLive) this.#answers?.onHost(confirmed);
    this.#listeners.call();
    if (wasLive || status.phase !== 'live') return;
    this.#drafts?.onLive(confirmed?.draft);
    if (confirmed) this.#answers?.onLive(confirmed);
  }

  #toFacts(): StatusFacts {
    const { optimistic, pending, unconfirmed, stoppingTurnId } = this.#sync.state;
    return {
      connection: this.#client.state,
      failure: this.#failure,
      isLive: this.#sync.isLive,
      hasState: optimistic !== undefined,
      pending,
      unconfirmed,
      waiting: this.#sync.waiting,
      notKept: this.#options.mirror.notKept ?? (this.#sync.isKept ? undefined : 'storage-failed'),
      stoppingTurnId,
      isStalled: this.#stall.isStalled,
      signIns: this.#client.signIns,
    };
  }

  #toRecord(): ChatRecord | undefined {
    const { confirmed, appliedSeq, isComplete } = this.#sync.state;
    const { handshake } = this.#client;
    // A later document goes on from what was there before the gap.
    if (!confirmed || !handshake || this.#subscription?.hasGap) return undefined;
    const { protocolVersion } = handshake;
    // What may lack something is shown by a later document, but not gone on from.
    const epoch = this.#sync.isInDoubt ? '' : handshake.epoch;
    return compose(
      { state: confirmed, isComplete, appliedSeq, epoch, protocolVersion },
      { session: this.#options.findSessionUri() },
    );
  }

  #toPagedChat(): PagedChat {
    const { mirror, channel } = this.#options;
    const sync = this.#sync;
    return {
      findFirstTurn: () => sync.state.confirmed?.turns[0]?.id,
      get hasOlder() {
        return sync.state.confirmed?.turnsNextCursor !== undefined;
      },
      get isLive() {
        return sync.isLive;
      },
      readKept: (turnId, count) => mirror.loadTurnsBefore(channel, turnId, count),
      prepend: (turns, older, cursor) => {
        sync.prepend(turns, older, cursor);
        this.#publish();
      },
      hideOlder: () => {
        sync.hideOlder();
        this.#publish();
      },
      refresh: async () => this.#subscription?.refresh(),
      fetch: async (cursor) => {
        await this.#client.request('fetchTurns', { channel, cursor });
      },
    };
  }
}

function isKnownAsTurn(action: ClientChatAction, state: ChatState): boolean {
  if (action.type === 'chat/steeringMessageSet') return isTaken(state, action.steeringMessage.id);
  return action.type === 'chat/pendingMessageSet' && !isLateEdit(action, state) && isTaken(state, action.id);
}

/** A refusal arrives at the listener of the channel and becomes the status. */
function shownByStatus(error: unknown): void {
  if (!(error instanceof AhpError)) throw error;
}
