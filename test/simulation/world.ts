/**
 * One host, its network, one disk and the tabs of one person, on one clock. Everything that happens follows from the seed
 * and the steps: the same of both give the same run.
 */

import {
  editAndResend,
  inputCompleted,
  pendingMessageEdited,
  pendingMessageRemoved,
  queuedMessagesReordered,
  toolCallApproved,
  toolCallDenied,
  turnCancelled,
  turnResume,
  turnStarted,
  truncated,
} from '../../src/chat/actions.js';
import { findResumable, openInputRequests } from '../../src/chat/selectors.js';
import type { HostClientOptions } from '../../src/client/host-client.js';
import type { ClientChatAction } from '../../src/protocol/actions.js';
import type { ChatState, PendingMessage, ToolCallState } from '../../src/protocol/state.js';
import { Browser, Tab } from '../helpers/browser.js';
import { createRandom, ManualStore } from '../helpers/manual-environment.js';
import { CHAT, SESSION, testAgent, userMessage } from '../helpers/scripted-host.js';
import { Agent } from './agent.js';
import { Disk, type DocumentMirror } from './disk.js';
import { SimDocument } from './document.js';
import { Hazards } from './hazards.js';
import { Ledger } from './ledger.js';
import { Network } from './network.js';
import { disturb, runsRepeats, strike, type Outside } from './outside.js';
import type { Step } from './steps.js';

export interface WorldOptions {
  readonly seed: number;
  /** Envelopes the host keeps for clients that come back. */
  readonly ringSize: number;
  /** As on plain http. */
  readonly hasLocks: boolean;
}

/** A tab of the simulation, and what its person sees of it. */
export interface SimTab {
  readonly tab: Tab;
  readonly document: SimDocument;
  readonly mirror: DocumentMirror;
  /** Left, and possibly to come back. */
  isAway: boolean;
}

/** How long until everything is as true as it gets: two missed answers, the longest backoff, a minute of silence. */
const restMs = 150_000;
const mostTabs = 5;

export class World extends Browser {
  readonly network: Network;
  readonly sim: Disk;
  readonly agent: Agent;
  readonly ledger = new Ledger();
  readonly hazards = new Hazards();
  /** Faults by kind. */
  readonly faults = new Map<string, number>();
  readonly tabs: SimTab[] = [];
  readonly #random: () => number;
  #texts = 0;
  #seed: number;

  constructor({ seed, ringSize, hasLocks }: WorldOptions) {
    const next = createRandom(seed);
    const random = () => next() / 2 ** 32;
    let agent: Agent | undefined;
    super({
      isLocal: false,
      hasLocks,
      ringSize,
      agents: [testAgent],
      agent: (turn) => agent?.run(turn),
    });
    const schedule = (delayMs: number, run: () => void) => this.environment.schedule(delayMs, run);
    this.agent = agent = new Agent({ random, schedule });
    this.host.runsRepeats = runsRepeats(seed);
    this.#random = random;
    this.#seed = seed;
    this.network = new Network({
      random,
      schedule,
      now: () => this.environment.monotonic(),
      connect: (signal) => this.host.transport.connect(signal),
      onHeard: (text) => this.ledger.noteHeard(text),
      onFault: (fault) => this.#noteFault(fault),
    });
    this.sim = new Disk({ random, schedule, onKept: (words) => this.ledger.noteKept(JSON.stringify(words)) });
  }

  override openTab(session = new ManualStore(), options: Partial<HostClientOptions> = {}): Tab {
    const document = new SimDocument({
      clock: this.environment.clock,
      locks: this.locks,
      local: this.local,
      session,
      seed: (this.#seed = (this.#seed * 31 + 7) >>> 0),
    });
    const mirror = this.sim.open(document);
    const tab = new Tab(this, document, session, { mirror, transport: this.network.transport(document), ...options });
    this.tabs.push({ tab, document, mirror, isAway: false });
    tab.show(CHAT, { session: SESSION, turns: 3 });
    tab.store.onRejected(() => this.hazards.noteRejection());
    tab.store.subscribe(() => this.hazards.look(tab, (id) => this.ledger.isStart(id)));
    return tab;
  }

  /** Tabs in which a person can do something now. */
  get alive(): readonly SimTab[] {
    return this.tabs.filter(({ isAway, document }) => !isAway && !document.isDead && !document.isFrozen);
  }

  /* -------------------------------------------------------------- steps */

  async take(step: Step): Promise<void> {
    switch (step.does) {
      case 'pass time':
        return this.advance(step.ms);
      case 'person':
        return this.#act(step.tab, step.act);
      case 'page':
        return this.#turn(step.tab, step.act, step.ms);
      case 'network': {
        const picked = this.#pick(step.tab);
        return disturb(this.#outside, picked ? this.network.linksOf(picked.document) : [], step);
      }
      case 'host':
        return strike(this.#outside, step.blow);
    }
  }

  #pick(index: number): SimTab | undefined {
    const { alive } = this;
    return alive[index % alive.length];
  }

  async #act(index: number, act: Extract<Step, { does: 'person' }>['act']): Promise<void> {
    const picked = this.#pick(index);
    if (!picked) return;
    const { tab } = picked;
    const state = tab.store.state;
    for (const other of this.alive) other.tab.draft.setFocused(other, other === picked);
    switch (act) {
      case 'type':
        return this.#type(tab);
      case 'send':
      case 'steer':
        return this.#send(tab, act === 'steer');
      case 'type and send':
        this.#type(tab);
        return this.#send(tab, false);
      case 'retry':
        for (const { id, actions, canRetry } of tab.store.status.unconfirmed.slice(0, 1)) {
          if (!canRetry) continue;
          this.#noteRetry(actions);
          tab.store.retry(id);
        }
        break;
      case 'discard':
        for (const { id, actions } of tab.store.status.unconfirmed.slice(0, 1)) {
          this.ledger.giveUp(JSON.stringify(actions));
          tab.store.discard(id);
        }
        break;
      case 'take offer':
        // What stood here before is what the person gives up for it.
        if (tab.draft.offer) this.ledger.giveUp(tab.draft.message.text);
        tab.draft.acceptOffer();
        break;
      case 'dismiss offer':
        this.ledger.giveUp(tab.draft.offer?.text ?? '');
        tab.draft.dismissOffer();
        break;
      case 'older':
        // A page that cannot be had is told by the store.
        void tab.store.loadOlderTurns().catch(() => undefined);
        break;
      default:
        if (state) this.#answer(tab, state, act);
    }
  }

  /**
   * Nothing at the host tells whether a steering message that is gone was read, and some hosts forget what they have run:
   * then a person who sends it again may be heard twice.
   */
  #noteRetry(actions: readonly ClientChatAction[]): void {
    for (const action of actions) {
      if (action.type !== 'chat/pendingMessageSet' && action.type !== 'chat/turnStarted') continue;
      const id = action.type === 'chat/turnStarted' ? action.turnId : action.id;
      const wasRead = this.agent.steered.some((read) => read.id === id);
      if (wasRead || this.host.runsRepeats) this.ledger.noteSent(id, action.message.text, 'again');
    }
  }

  #type(tab: Tab): void {
    const { text } = tab.draft.message;
    const mark = `w${this.#texts++}.`;
    this.ledger.noteTyped(mark, tab.environment);
    tab.draft.change({ ...tab.draft.message, text: text === '' ? mark : `${text} ${mark}` });
  }

  #send(tab: Tab, steers: boolean): void {
    const { text } = tab.draft.message;
    const group = tab.draft.takeForSend(tab.store.state, { steers });
    const [action] = group;
    if (action?.type === 'chat/turnStarted') this.ledger.noteSent(action.turnId, text, 'start');
    if (action?.type === 'chat/pendingMessageSet') this.ledger.noteSent(action.id, text, action.kind);
    tab.store.dispatch(...group);
  }

  /** What can be done with what stands there. */
  #answer(tab: Tab, state: ChatState, act: string): void {
    const call = openCalls(state)[0];
    const queued = state.queuedMessages ?? [];
    const waiting = queued[queued.length - 1];
    switch (act) {
      case 'stop':
        if (state.activeTurn) tab.store.dispatch(turnCancelled(state.activeTurn.id, 1));
        break;
      case 'resume': {
        const failed = findResumable(state);
        if (failed) tab.store.dispatch(turnResume(failed.id));
        break;
      }
      case 'allow':
      case 'deny':
        if (call && !tab.store.status.pendingIds?.has(call.toolCallId))
          tab.store.dispatch(act === 'allow' ? toolCallApproved(call) : toolCallDenied(call));
        break;
      case 'answer': {
        const open = openInputRequests(state)[0]?.request;
        if (!open || tab.store.status.pendingIds?.has(open.id)) break;
        const answers = { q: { state: 'submitted' as const, value: { kind: 'text' as const, value: 'x' } } };
        tab.store.dispatch(inputCompleted(open.id, 'accept', answers));
        break;
      }
      case 'remove':
        if (!waiting) break;
        this.ledger.giveUp(waiting.message.text);
        tab.store.dispatch(pendingMessageRemoved('queued', waiting.id));
        break;
      case 'change':
        if (waiting) this.#change(tab, waiting);
        break;
      case 'reorder':
        if (queued.length > 1) tab.store.dispatch(queuedMessagesReordered(queued.map(({ id }) => id).reverse()));
        break;
      case 'edit and resend': {
        const last = state.turns.at(-1);
        if (!last || state.activeTurn) break;
        const mark = `w${this.#texts++}.`;
        this.ledger.noteTyped(mark, tab.environment);
        const id = tab.environment.createId();
        this.ledger.noteSent(id, mark, 'start');
        const start = turnStarted(id, userMessage(mark), new Date(this.environment.now()).toISOString());
        tab.store.dispatch(...editAndResend(state.turns.at(-2)?.id, start));
        break;
      }
      case 'cut off': {
        const keep = state.turns.at(-2);
        if (!keep || state.activeTurn) break;
        tab.store.dispatch(truncated(keep.id));
        break;
      }
    }
  }

  #change(tab: Tab, { id, message }: PendingMessage): void {
    const mark = `w${this.#texts++}.`;
    this.ledger.noteTyped(mark, tab.environment);
    const text = `${message.text} ${mark}`;
    this.ledger.noteSent(id, text, 'change');
    tab.store.dispatch(pendingMessageEdited('queued', id, { ...message, text }));
  }

  async #turn(index: number, act: Extract<Step, { does: 'page' }>['act'], ms: number): Promise<void> {
    const picked = this.#pick(index);
    if (act === 'open' || !picked) {
      if (this.alive.length < mostTabs) this.openTab();
      return;
    }
    const { tab, document } = picked;
    this.#noteFault(act);
    switch (act) {
      case 'reload':
        tab.leave();
        this.#bury(picked);
        this.openTab(tab.session);
        return;
      case 'kill':
        this.#kill(picked);
        return;
      case 'crash and reload':
        this.#kill(picked);
        this.openTab(tab.session);
        return;
      case 'close':
        tab.leave();
        this.#bury(picked);
        return;
      case 'duplicate':
        if (this.alive.length < mostTabs) this.openTab(tab.session.copy());
        return;
      case 'back and forward': {
        tab.leave();
        document.freeze();
        if (this.#random() < 0.5) document.loseLocks();
        picked.isAway = true;
        this.environment.schedule(ms, () => this.#bringBack(picked));
        return;
      }
      case 'sleep':
        document.freeze();
        for (const link of this.network.linksOf(document)) link.isHalfOpen = true;
        this.environment.schedule(ms, () => document.wake());
        return;
      case 'hide':
        document.emit('hidden');
        this.environment.schedule(ms, () => document.emit('visible'));
        return;
      case 'offline':
        document.emit('offline');
        for (const link of this.network.linksOf(document)) link.isHalfOpen = true;
        this.environment.schedule(ms, () => document.emit('online'));
        return;
    }
  }

  #bringBack(sim: SimTab): void {
    if (!sim.isAway || sim.document.isDead) return;
    sim.isAway = false;
    sim.document.wake();
    sim.document.emit('pageshow');
  }

  /** The document is gone, as `pagehide` or a crash has left it. */
  #bury({ document, mirror }: SimTab): void {
    mirror.crash();
    document.kill();
    for (const link of this.network.linksOf(document)) link.cut();
  }

  #kill(picked: SimTab): void {
    this.#bury(picked);
    // Typed a moment ago, on no disk and in no other hands: gone with the process.
    this.ledger.noteKilled(picked.document);
  }

  get #outside(): Outside {
    return {
      host: this.host,
      network: this.network,
      ledger: this.ledger,
      random: this.#random,
      schedule: (delayMs, run) => this.environment.schedule(delayMs, run),
      noteFault: (kind) => this.#noteFault(kind),
    };
  }

  #noteFault(kind: string): void {
    this.faults.set(kind, (this.faults.get(kind) ?? 0) + 1);
  }

  /* -------------------------------------------------------------- the end */

  /** Ends all faults and waits until the screen can be true. A tab is left to take over what others have left behind. */
  async rest(): Promise<void> {
    this.network.heal();
    this.host.onReconnect = 'host';
    this.host.forgetVerdicts();
    for (const { document, isAway } of this.tabs) {
      if (document.isDead || isAway) continue;
      document.wake();
      document.emit('online');
      document.emit('visible');
    }
    await this.advance(60_000);
    for (const sim of this.tabs) {
      if (sim.document.isDead) continue;
      this.#bringBack(sim);
      sim.document.emit('online');
    }
    if (this.alive.length === 0) this.openTab();
    await this.advance(restMs);
  }

  /** Closes everything, and lets what the steps have put off for an hour come to nothing. */
  async close(): Promise<void> {
    for (const { tab, document } of this.tabs) if (!document.isDead) await tab.close();
    this.host.close();
    await this.advance(4_000_000);
  }
}

function openCalls(state: ChatState): readonly (ToolCallState & { readonly turnId: string })[] {
  const { activeTurn } = state;
  return (activeTurn?.responseParts ?? []).flatMap((part) =>
    part.kind === 'toolCall' && part.toolCall.status === 'pending-confirmation'
      ? [{ ...part.toolCall, turnId: activeTurn!.id }]
      : [],
  );
}
