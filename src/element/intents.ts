/**
 * One table from what a view reports to what happens. An entry runs only after the page had its say: a public intent was
 * dispatched from `<ahp-chat>` and not prevented. Entries decide at once and only hand on: to the store, to the draft, or
 * to the element itself. Source: architecture, public API.
 */

import {
  inputCompleted,
  pendingMessageEdited,
  pendingMessageRemoved,
  queuedMessagesReordered,
  toolCallApproved,
  toolCallAuthCancelled,
  toolCallDenied,
  toolCallResultConfirmed,
  turnCancelled,
  turnResume,
} from '../chat/actions.js';
import { findResumable, isBusy, waitingMessages } from '../chat/selectors.js';
import type { ChatStore } from '../chat/store.js';
import { isSameDraft } from '../client/draft-message.js';
import type { Environment } from '../client/environment.js';
import { toSendGroup } from '../client/send-group.js';
import type { ClientChatAction } from '../protocol/actions.js';
import { AhpError } from '../protocol/errors.js';
import type { Message, URI } from '../protocol/state.js';
import type { AhpEventMap, ToolAnswer } from '../views/events.js';
import type { Answers } from './memory-answers.js';
import type { Draft } from './memory-draft.js';
import type { Outcomes } from './outcomes.js';
import type * as TurnIntents from './turn-intents.js';

/** What an intent may touch. */
export interface IntentTarget {
  readonly store: ChatStore;
  readonly draft: Draft;
  readonly answers: Answers;
  readonly environment: Environment;
  readonly outcomes: Outcomes;
  /** Milliseconds since a running turn was first seen here, by a clock that never jumps. */
  turnAge(turnId: string): number;
  /** The person has sent something: the view goes to the end, and what has become of it is said. */
  onSent(fact: 'sent' | 'queued' | 'steering'): void;
  /** Raises `ahp-open-chat`, for a chat that was made. */
  openChat(chat: URI, session: URI | undefined): void;
  /** Shows another chat in this element. */
  showChat(chat: URI, session: URI | undefined): void;
  loadOlder(): void;
}

type Handler<Name extends keyof AhpEventMap> = (event: AhpEventMap[Name], target: IntentTarget) => void;

/** What the page does, and nobody else: without a listener nothing happens. */
const forThePage = (): void => undefined;

const handlers = {
  'ahp-send': (event, target) => {
    if (event.replaces !== undefined) return withTurns(target, ({ resend }) => resend(event, target), event.message);
    const { message, delivery } = event;
    const { store, draft, environment, onSent } = target;
    const { state, session } = store;
    const steers = delivery === 'steering';
    const steering = { steers, takesSteeringList: session?.takesSteeringList === true };
    // What the composer holds leaves the draft; what the page sends leaves it alone.
    const isDraft = isSameDraft(message, draft.message);
    store.dispatch(
      ...(isDraft ? draft.takeForSend(state, steering) : toSendGroup(message, { environment, state, ...steering })),
    );
    onSent(state && isBusy(state) ? (steers ? 'steering' : 'queued') : 'sent');
  },
  'ahp-stop': (_event, { store, turnAge }) => {
    const turn = store.state?.activeTurn;
    if (turn) store.dispatch(turnCancelled(turn.id, turnAge(turn.id)));
  },
  'ahp-draft-change': ({ message }, { draft }) => draft.change(message),
  'ahp-draft-offer': ({ answer }, { draft }) => (answer === 'use' ? draft.acceptOffer() : draft.dismissOffer()),
  'ahp-notice': (_event, { outcomes }) => outcomes.setNotice(undefined),
  'ahp-announce': ({ text }, { outcomes }) => outcomes.say(text),
  'ahp-attachment-remove': ({ index }, { draft }) => {
    const attachments = draft.message.attachments?.filter((_attachment, place) => place !== index);
    draft.change({ ...draft.message, attachments: attachments ?? [] });
  },
  'ahp-queue-remove': ({ kind, id }, { store }) => store.dispatch(pendingMessageRemoved(kind, id)),
  'ahp-queue-edit': ({ kind, id, message }, target) => {
    const { state } = target.store;
    if (!state || !waitingMessages(state).some((entry) => entry.id === id)) return giveBack(message, target);
    target.store.dispatch(pendingMessageEdited(kind, id, message));
  },
  'ahp-queue-move': ({ order }, { store }) => store.dispatch(queuedMessagesReordered(order)),
  'ahp-tool-confirm': ({ answer }, { store }) => store.dispatch(toAnswer(answer)),
  'ahp-tool-cancel': (call, { store, outcomes }) =>
    store.dispatch(toolCallAuthCancelled(call, outcomes.strings.answerCancelled)),
  'ahp-input-complete': ({ requestId, response, answers: given }, { store, answers }) => {
    answers.complete(requestId, given);
    store.dispatch(inputCompleted(requestId, response, given));
  },
  'ahp-input-answer': ({ requestId, questionId, answer, isLeft }, { answers }) => {
    answers.change(requestId, questionId, answer);
    if (isLeft) answers.flush();
  },
  'ahp-resume': ({ turnId }, { store }) => {
    if (store.state && findResumable(store.state)?.id === turnId) store.dispatch(turnResume(turnId));
  },
  'ahp-fork': (event, target) => withTurns(target, ({ fork }) => void fork(event, target)),
  'ahp-load-older': (_event, { loadOlder }) => loadOlder(),
  'ahp-reconnect': (_event, { store }) => store.reconnectNow?.(),
  'ahp-retry': ({ id }, { store }) => store.retry(id),
  'ahp-discard': ({ id }, { store }) => store.discard(id),
  'ahp-auth-request': forThePage,
  'ahp-auth-give-up': ({ resource }, { store }) => store.giveUpSignIn?.(resource),
  'ahp-open-resource': forThePage,
  'ahp-open-chat': ({ resource, session }, { showChat }) => showChat(resource, session),
} satisfies { readonly [Name in keyof AhpEventMap]?: Handler<Name> };

export type IntentName = keyof typeof handlers;

export const intentNames = Object.keys(handlers) as readonly IntentName[];

/** Those that the page sees, and may prevent. `ahp-draft-change` is a fact: it happened in the text field already. */
const publicNames: ReadonlySet<string> = new Set<IntentName>([
  'ahp-send',
  'ahp-stop',
  'ahp-draft-change',
  'ahp-tool-confirm',
  'ahp-input-complete',
  'ahp-input-answer',
  'ahp-auth-request',
  'ahp-open-resource',
  'ahp-open-chat',
  'ahp-resume',
  'ahp-fork',
]);

export const isPublic = (name: IntentName): boolean => publicNames.has(name);

/** Carries an intent out. */
export function perform(event: AhpEventMap[IntentName], target: IntentTarget): void {
  const handler = handlers[event.type as IntentName] as (event: Event, target: IntentTarget) => void;
  handler(event, target);
}

/** The host was faster: what was written goes into the composer, and the person is told. */
function giveBack(message: Message, { draft, outcomes }: IntentTarget): void {
  draft.giveBack(message);
  outcomes.setNotice({ kind: 'taken', reason: '' });
}

/** What is done with finished turns is loaded when it is first done; a message that waits for it is never lost. */
function withTurns(target: IntentTarget, run: (turns: typeof TurnIntents) => void, message?: Message): void {
  import('./turn-intents.js').then(run, (cause: unknown) => {
    if (message) target.draft.giveBack(message);
    const text = 'A part of the chat could not be loaded. Check the connection, then try again.';
    target.outcomes.showFailure(new AhpError('disconnected', text, { cause }));
  });
}

function toAnswer(answer: ToolAnswer): ClientChatAction {
  const { stage, approved, optionId, suggestion, editedToolInput } = answer;
  if (stage === 'result') return toolCallResultConfirmed(answer, approved);
  const option = optionId === undefined ? {} : { selectedOptionId: optionId };
  if (approved)
    return toolCallApproved(answer, { ...option, ...(editedToolInput === undefined ? {} : { editedToolInput }) });
  const reason = answer.reason === 'skipped' ? 'skipped' : 'denied';
  return toolCallDenied(answer, { ...option, reason, ...(suggestion ? { userSuggestion: suggestion } : {}) });
}
