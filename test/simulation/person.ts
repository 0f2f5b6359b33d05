/** What a person does in a tab of the simulation: writes, attaches, chooses, sends, answers, and deals with what came of it. */

import {
  editAndResend,
  inputCompleted,
  pendingMessageEdited,
  pendingMessageRemoved,
  queuedMessagesReordered,
  toolCallApproved,
  toolCallDenied,
  toolCallResultConfirmed,
  truncated,
  turnCancelled,
  turnResume,
  turnStarted,
} from '../../src/chat/actions.js';
import { blockedCalls, findResumable, openInputRequests } from '../../src/chat/selectors.js';
import type { ClientChatAction } from '../../src/protocol/actions.js';
import type { ChatState, Message, MessageAttachment, PendingMessage } from '../../src/protocol/state.js';
import type { Tab } from '../helpers/browser.js';
import { userMessage, type ScriptedHost } from '../helpers/scripted-host.js';
import type { Agent } from './agent.js';
import type { Ledger } from './ledger.js';
import type { Step } from './steps.js';

export type Act = Extract<Step, { does: 'person' }>['act'];

export interface PersonOptions {
  readonly ledger: Ledger;
  readonly agent: Agent;
  readonly random: () => number;
  readonly host: Pick<ScriptedHost, 'runsRepeats'>;
}

export class Person {
  readonly #options: PersonOptions;
  #texts = 0;

  constructor(options: PersonOptions) {
    this.#options = options;
  }

  act(tab: Tab, act: Act): void {
    const { ledger } = this.#options;
    const { draft, store } = tab;
    switch (act) {
      case 'type':
        return this.#type(tab);
      case 'attach':
        return this.#attach(tab);
      case 'choose':
        return this.#choose(tab);
      case 'send':
      case 'steer':
        return this.#send(tab, act === 'steer');
      case 'type and send':
        this.#type(tab);
        return this.#send(tab, false);
      case 'attach and send':
        this.#attach(tab);
        return this.#send(tab, false);
      case 'retry':
        for (const { id, actions, canRetry } of store.status.unconfirmed.slice(0, 1)) {
          if (!canRetry) continue;
          this.#noteRetry(actions);
          store.retry(id);
        }
        break;
      case 'discard':
        for (const { id, actions } of store.status.unconfirmed.slice(0, 1)) {
          ledger.giveUp(JSON.stringify(actions));
          store.discard(id);
        }
        break;
      case 'take offer':
        // What stood here before is what the person gives up for it.
        if (draft.offer) ledger.giveUp(JSON.stringify(draft.message));
        draft.acceptOffer();
        break;
      case 'dismiss offer':
        ledger.giveUp(JSON.stringify(draft.offer ?? ''));
        draft.dismissOffer();
        break;
      case 'older':
        // A page that cannot be had is told by the store.
        void store.loadOlderTurns().catch(() => undefined);
        break;
      default:
        if (store.state) this.#answer(tab, store.state, act);
    }
  }

  /* -------------------------------------------------------------- writing */

  #mark({ environment }: Tab): string {
    const mark = `w${this.#texts++}.`;
    this.#options.ledger.noteTyped(mark, environment);
    return mark;
  }

  #type(tab: Tab): void {
    const { message } = tab.draft;
    const mark = this.#mark(tab);
    tab.draft.change({ ...message, text: message.text === '' ? mark : `${message.text} ${mark}` });
  }

  /** The mark is where the content is, so that a chip that has lost its content has lost it, too. */
  #toAttachment(tab: Tab): MessageAttachment {
    const mark = this.#mark(tab);
    return this.#options.random() < 0.5
      ? { type: 'embeddedResource', label: 'notes', contentType: 'text/plain', data: mark }
      : { type: 'resource', label: 'notes', uri: `file:///${mark}` };
  }

  #attach(tab: Tab): void {
    tab.draft.change(withAttachment(tab.draft.message, this.#toAttachment(tab)));
  }

  /** Of what the host offers. */
  #choose({ draft, store }: Tab): void {
    const { models = [], agents = [] } = store.session ?? {};
    const model = this.#pick(models);
    const agent = this.#pick(agents);
    draft.change({
      ...draft.message,
      ...(model && { model: { id: model.id } }),
      ...(agent && { agent: { uri: agent.uri } }),
    });
  }

  #pick<T>(all: readonly T[]): T | undefined {
    return all[Math.floor(this.#options.random() * all.length)];
  }

  #send(tab: Tab, steers: boolean): void {
    const { ledger } = this.#options;
    const { message } = tab.draft;
    const group = tab.draft.takeForSend(tab.store.state, { steers });
    const [action] = group;
    if (action?.type === 'chat/turnStarted') ledger.noteSent(action.turnId, message, 'start');
    if (action?.type === 'chat/pendingMessageSet') ledger.noteSent(action.id, message, action.kind);
    tab.store.dispatch(...group);
  }

  /**
   * Nothing at the host tells whether a steering message that is gone was read, and some hosts forget what they have run:
   * then a person who sends it again may be heard twice.
   */
  #noteRetry(actions: readonly ClientChatAction[]): void {
    const { agent, host, ledger } = this.#options;
    for (const action of actions) {
      if (action.type !== 'chat/pendingMessageSet' && action.type !== 'chat/turnStarted') continue;
      const id = action.type === 'chat/turnStarted' ? action.turnId : action.id;
      const wasRead = agent.steered.some((read) => read.id === id);
      if (wasRead || host.runsRepeats) ledger.noteSent(id, action.message, 'again');
    }
  }

  /* -------------------------------------------------------------- what stands there */

  #answer(tab: Tab, state: ChatState, act: string): void {
    const { ledger } = this.#options;
    const { store } = tab;
    const queued = state.queuedMessages ?? [];
    const waiting = queued.at(-1);
    switch (act) {
      case 'stop':
        if (state.activeTurn) store.dispatch(turnCancelled(state.activeTurn.id, 1));
        break;
      case 'resume': {
        const failed = findResumable(state);
        if (failed) store.dispatch(turnResume(failed.id));
        break;
      }
      case 'allow':
      case 'deny':
      case 'use result':
      case 'discard result':
        return this.#decide(tab, state, act);
      case 'answer': {
        const open = openInputRequests(state)[0]?.request;
        if (!open || store.status.pendingIds?.has(open.id)) break;
        const answers = { q: { state: 'submitted' as const, value: { kind: 'text' as const, value: 'x' } } };
        store.dispatch(inputCompleted(open.id, 'accept', answers));
        break;
      }
      case 'remove':
        if (!waiting) break;
        ledger.giveUp(JSON.stringify(waiting.message));
        store.dispatch(pendingMessageRemoved('queued', waiting.id));
        break;
      case 'change':
        if (waiting)
          this.#change(tab, waiting, { ...waiting.message, text: `${waiting.message.text} ${this.#mark(tab)}` });
        break;
      case 'attach to queued':
        if (waiting) this.#change(tab, waiting, withAttachment(waiting.message, this.#toAttachment(tab)));
        break;
      case 'reorder':
        if (queued.length > 1) store.dispatch(queuedMessagesReordered(queued.map(({ id }) => id).reverse()));
        break;
      case 'edit and resend': {
        if (state.turns.length === 0 || state.activeTurn) break;
        const message = userMessage(this.#mark(tab));
        const id = tab.environment.createId();
        ledger.noteSent(id, message, 'start');
        const start = turnStarted(id, message, new Date(tab.environment.now()).toISOString());
        store.dispatch(...editAndResend(state.turns.at(-2)?.id, start));
        break;
      }
      case 'cut off': {
        const keep = state.turns.at(-2);
        if (keep && !state.activeTurn) store.dispatch(truncated(keep.id));
        break;
      }
    }
  }

  #decide({ store }: Tab, state: ChatState, act: 'allow' | 'deny' | 'use result' | 'discard result'): void {
    const isAboutResult = act === 'use result' || act === 'discard result';
    const status = isAboutResult ? 'pending-result-confirmation' : 'pending-confirmation';
    const call = blockedCalls(state).find((each) => each.status === status);
    const turnId = state.activeTurn?.id;
    if (!call || turnId === undefined || store.status.pendingIds?.has(call.toolCallId)) return;
    const address = { turnId, toolCallId: call.toolCallId };
    if (isAboutResult) store.dispatch(toolCallResultConfirmed(address, act === 'use result'));
    else store.dispatch(act === 'allow' ? toolCallApproved(address) : toolCallDenied(address));
  }

  #change(tab: Tab, { id }: PendingMessage, message: Message): void {
    this.#options.ledger.noteSent(id, message, 'change');
    tab.store.dispatch(pendingMessageEdited('queued', id, message));
  }
}

const withAttachment = (message: Message, attachment: MessageAttachment): Message => ({
  ...message,
  attachments: [...(message.attachments ?? []), attachment],
});
