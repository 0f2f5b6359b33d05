/**
 * One class for each thing a view reports. An *intent* says what the person wants; it is cancelable, and who prevents it
 * has decided that nothing happens: the view then keeps what it shows. A *fact* says what has happened. Both are composed,
 * so that they leave the surface they come from; `<ahp-chat>` stops them at its own root and dispatches a `clone()` from
 * itself where an event is public.
 */

import type { ChatStoreStatus, Rejection } from '../chat/store.js';
import type { AhpError } from '../protocol/errors.js';
import type {
  CancellationReason,
  ChatSelection,
  InputAnswer,
  InputResponse,
  McpAuthRequirement,
  Message,
  PendingMessageKind,
  TurnState,
  URI,
} from '../protocol/state.js';

export abstract class IntentEvent extends Event {
  constructor(type: string) {
    super(type, { bubbles: true, composed: true, cancelable: true });
  }
  /** A fresh event that says the same; an event that was dispatched cannot be dispatched to somebody else. */
  abstract clone(): IntentEvent;
}

abstract class FactEvent extends Event {
  constructor(type: string) {
    super(type, { bubbles: true, composed: true });
  }
  abstract clone(): FactEvent;
}

/* ---------------------------------------------------------------- composer */

/** `auto`: starts a turn when idle and queues while one runs. `steering`: goes into the running turn. */
export type Delivery = 'auto' | 'steering';

/** A message is to be sent. Prevented, the text stays in the composer. */
export class AhpSendEvent extends IntentEvent {
  readonly message: Message;
  readonly delivery: Delivery;
  /** The turn the message takes the place of: that one and all after it go. Absent for a message at the end. */
  readonly replaces: string | undefined;
  constructor(message: Message, delivery: Delivery = 'auto', replaces?: string) {
    super('ahp-send');
    this.message = message;
    this.delivery = delivery;
    this.replaces = replaces;
  }
  clone(): AhpSendEvent {
    return new AhpSendEvent(this.message, this.delivery, this.replaces);
  }
}

/** The running turn is to end. */
export class AhpStopEvent extends IntentEvent {
  constructor() {
    super('ahp-stop');
  }
  clone(): AhpStopEvent {
    return new AhpStopEvent();
  }
}

/** The message being written has changed: its text, model, agent or attachments. */
export class AhpDraftChangeEvent extends FactEvent {
  readonly message: Message;
  constructor(message: Message) {
    super('ahp-draft-change');
    this.message = message;
  }
  clone(): AhpDraftChangeEvent {
    return new AhpDraftChangeEvent(this.message);
  }
}

/** What to do with the draft from elsewhere that the composer offers. */
export class AhpDraftOfferEvent extends IntentEvent {
  readonly answer: 'use' | 'dismiss';
  constructor(answer: 'use' | 'dismiss') {
    super('ahp-draft-offer');
    this.answer = answer;
  }
  clone(): AhpDraftOfferEvent {
    return new AhpDraftOfferEvent(this.answer);
  }
}

/** The notice above the text was read, for example about a message the host refused. */
export class AhpNoticeEvent extends IntentEvent {
  constructor() {
    super('ahp-notice');
  }
  clone(): AhpNoticeEvent {
    return new AhpNoticeEvent();
  }
}

/** Something happened under the person's hands that a screen reader has to say. */
export class AhpAnnounceEvent extends FactEvent {
  readonly text: string;
  constructor(text: string) {
    super('ahp-announce');
    this.text = text;
  }
  clone(): AhpAnnounceEvent {
    return new AhpAnnounceEvent(this.text);
  }
}

/** An attachment is to leave the draft, by its place in `message.attachments`. */
export class AhpAttachmentRemoveEvent extends IntentEvent {
  readonly index: number;
  constructor(index: number) {
    super('ahp-attachment-remove');
    this.index = index;
  }
  clone(): AhpAttachmentRemoveEvent {
    return new AhpAttachmentRemoveEvent(this.index);
  }
}

/** A pending message is not to be sent after all. */
export class AhpQueueRemoveEvent extends IntentEvent {
  readonly kind: PendingMessageKind;
  readonly id: string;
  constructor(kind: PendingMessageKind, id: string) {
    super('ahp-queue-remove');
    this.kind = kind;
    this.id = id;
  }
  clone(): AhpQueueRemoveEvent {
    return new AhpQueueRemoveEvent(this.kind, this.id);
  }
}

/** A pending message is to say something else; its place stays. */
export class AhpQueueEditEvent extends IntentEvent {
  readonly kind: PendingMessageKind;
  readonly id: string;
  readonly message: Message;
  constructor(kind: PendingMessageKind, id: string, message: Message) {
    super('ahp-queue-edit');
    this.kind = kind;
    this.id = id;
    this.message = message;
  }
  clone(): AhpQueueEditEvent {
    return new AhpQueueEditEvent(this.kind, this.id, this.message);
  }
}

/** The queue is to be sent in another order: the ids of all queued messages. */
export class AhpQueueMoveEvent extends IntentEvent {
  readonly order: readonly string[];
  constructor(order: readonly string[]) {
    super('ahp-queue-move');
    this.order = order;
  }
  clone(): AhpQueueMoveEvent {
    return new AhpQueueMoveEvent(this.order);
  }
}

/* ---------------------------------------------------------------- tool calls and questions */

export interface ToolAnswer {
  readonly turnId: string;
  readonly toolCallId: string;
  /** Whether the call or its result is confirmed. */
  readonly stage: 'call' | 'result';
  readonly approved: boolean;
  /** The host's option that was pressed; absent for a plain answer. */
  readonly optionId?: string;
  /** Why not; only with a denial. */
  readonly reason?: CancellationReason;
  /** What to do instead; only with a denial. */
  readonly suggestion?: Message;
  /** The input as the person changed it; only with an approval of an editable call. */
  readonly editedToolInput?: string;
}

/** A tool call, or its result, is allowed or denied. */
export class AhpToolConfirmEvent extends IntentEvent {
  readonly answer: ToolAnswer;
  constructor(answer: ToolAnswer) {
    super('ahp-tool-confirm');
    this.answer = answer;
  }
  clone(): AhpToolConfirmEvent {
    return new AhpToolConfirmEvent(this.answer);
  }
}

/** A call that waits for a sign-in is to be given up. */
export class AhpToolCancelEvent extends IntentEvent {
  readonly turnId: string;
  readonly toolCallId: string;
  constructor(turnId: string, toolCallId: string) {
    super('ahp-tool-cancel');
    this.turnId = turnId;
    this.toolCallId = toolCallId;
  }
  clone(): AhpToolCancelEvent {
    return new AhpToolCancelEvent(this.turnId, this.toolCallId);
  }
}

/** Somebody has to sign in; the page does it and calls `authenticate`. May carry a client secret: never log it. */
export class AhpAuthRequestEvent extends IntentEvent {
  readonly requirement: McpAuthRequirement;
  /** The call that waits, when there is one. */
  readonly toolCallId: string | undefined;
  constructor(requirement: McpAuthRequirement, toolCallId?: string) {
    super('ahp-auth-request');
    this.requirement = requirement;
    this.toolCallId = toolCallId;
  }
  clone(): AhpAuthRequestEvent {
    return new AhpAuthRequestEvent(this.requirement, this.toolCallId);
  }
}

/** Nobody will sign in at a resource that requests wait for. */
export class AhpAuthGiveUpEvent extends IntentEvent {
  readonly resource: string;
  constructor(resource: string) {
    super('ahp-auth-give-up');
    this.resource = resource;
  }
  clone(): AhpAuthGiveUpEvent {
    return new AhpAuthGiveUpEvent(this.resource);
  }
}

/** A question is answered, declined or cancelled for good. */
export class AhpInputCompleteEvent extends IntentEvent {
  readonly requestId: string;
  readonly response: InputResponse;
  readonly answers: Readonly<Record<string, InputAnswer>> | undefined;
  constructor(requestId: string, response: InputResponse, answers?: Readonly<Record<string, InputAnswer>>) {
    super('ahp-input-complete');
    this.requestId = requestId;
    this.response = response;
    this.answers = answers;
  }
  clone(): AhpInputCompleteEvent {
    return new AhpInputCompleteEvent(this.requestId, this.response, this.answers);
  }
}

/** The draft of one answer has changed; `undefined` clears it. Prevented, it stays in the form and goes nowhere. */
export class AhpInputAnswerEvent extends IntentEvent {
  readonly requestId: string;
  readonly questionId: string;
  readonly answer: InputAnswer | undefined;
  /** Whether it is done for now: a choice was made, or the field was left. */
  readonly isLeft: boolean;
  constructor(requestId: string, questionId: string, answer: InputAnswer | undefined, isLeft = false) {
    super('ahp-input-answer');
    this.isLeft = isLeft;
    this.requestId = requestId;
    this.questionId = questionId;
    this.answer = answer;
  }
  clone(): AhpInputAnswerEvent {
    return new AhpInputAnswerEvent(this.requestId, this.questionId, this.answer, this.isLeft);
  }
}

/* ---------------------------------------------------------------- transcript */

/** Something outside the chat is to be opened: a resource, or a link whose scheme does not navigate. */
export class AhpOpenResourceEvent extends IntentEvent {
  readonly uri: URI;
  readonly contentType: string | undefined;
  constructor(uri: URI, contentType?: string) {
    super('ahp-open-resource');
    this.uri = uri;
    this.contentType = contentType;
  }
  clone(): AhpOpenResourceEvent {
    return new AhpOpenResourceEvent(this.uri, this.contentType);
  }
}

/** Another chat is to be shown: a worker's, the one an attachment names, or the one this chat was forked from. */
export class AhpOpenChatEvent extends IntentEvent {
  readonly resource: URI;
  /** The session that lists it, where that is known. */
  readonly session: URI | undefined;
  constructor(resource: URI, session?: URI) {
    super('ahp-open-chat');
    this.resource = resource;
    this.session = session;
  }
  clone(): AhpOpenChatEvent {
    return new AhpOpenChatEvent(this.resource, this.session);
  }
}

/** What a new chat takes from a turn: its whole history, or only its context for a talk beside it. */
export type ForkKind = 'fork' | 'sideChat';

/** A new chat is to begin at a turn. */
export class AhpForkEvent extends IntentEvent {
  readonly turnId: string;
  readonly kind: ForkKind;
  /** What a side chat is about; absent for the whole turn. */
  readonly selection: ChatSelection | undefined;
  constructor(turnId: string, kind: ForkKind, selection?: ChatSelection) {
    super('ahp-fork');
    this.turnId = turnId;
    this.kind = kind;
    this.selection = selection;
  }
  clone(): AhpForkEvent {
    return new AhpForkEvent(this.turnId, this.kind, this.selection);
  }
}

/** A turn that failed is to go on. */
export class AhpResumeEvent extends IntentEvent {
  readonly turnId: string;
  constructor(turnId: string) {
    super('ahp-resume');
    this.turnId = turnId;
  }
  clone(): AhpResumeEvent {
    return new AhpResumeEvent(this.turnId);
  }
}

/** Turns older than the first one in memory are wanted. Raised once, until turns arrive or `loadingOlder` ends. */
export class AhpLoadOlderEvent extends IntentEvent {
  constructor() {
    super('ahp-load-older');
  }
  clone(): AhpLoadOlderEvent {
    return new AhpLoadOlderEvent();
  }
}

/* ---------------------------------------------------------------- status */

/** The next attempt to connect is to be made now. */
export class AhpReconnectEvent extends IntentEvent {
  constructor() {
    super('ahp-reconnect');
  }
  clone(): AhpReconnectEvent {
    return new AhpReconnectEvent();
  }
}

/** An intent without proof is to be sent once more. */
export class AhpRetryEvent extends IntentEvent {
  readonly id: string;
  constructor(id: string) {
    super('ahp-retry');
    this.id = id;
  }
  clone(): AhpRetryEvent {
    return new AhpRetryEvent(this.id);
  }
}

/** An intent without proof is given up. */
export class AhpDiscardEvent extends IntentEvent {
  readonly id: string;
  constructor(id: string) {
    super('ahp-discard');
    this.id = id;
  }
  clone(): AhpDiscardEvent {
    return new AhpDiscardEvent(this.id);
  }
}

/* ---------------------------------------------------------------- facts of the whole element */

/** A turn has started, whoever started it. */
export class AhpTurnStartEvent extends FactEvent {
  readonly turnId: string;
  constructor(turnId: string) {
    super('ahp-turn-start');
    this.turnId = turnId;
  }
  clone(): AhpTurnStartEvent {
    return new AhpTurnStartEvent(this.turnId);
  }
}

/** A turn has ended. */
export class AhpTurnEndEvent extends FactEvent {
  readonly turnId: string;
  readonly state: TurnState;
  constructor(turnId: string, state: TurnState) {
    super('ahp-turn-end');
    this.turnId = turnId;
    this.state = state;
  }
  clone(): AhpTurnEndEvent {
    return new AhpTurnEndEvent(this.turnId, this.state);
  }
}

/** The connection or the outbox has changed. */
export class AhpStatusChangeEvent extends FactEvent {
  readonly status: ChatStoreStatus;
  constructor(status: ChatStoreStatus) {
    super('ahp-status-change');
    this.status = status;
  }
  clone(): AhpStatusChangeEvent {
    return new AhpStatusChangeEvent(this.status);
  }
}

/** The host has refused an intent. */
export class AhpRejectedEvent extends FactEvent {
  readonly rejection: Rejection;
  constructor(rejection: Rejection) {
    super('ahp-rejected');
    this.rejection = rejection;
  }
  clone(): AhpRejectedEvent {
    return new AhpRejectedEvent(this.rejection);
  }
}

/** Something odd that changed nothing, for developers: a stable code and a sentence. */
export class AhpDiagnosticEvent extends FactEvent {
  readonly code: string;
  readonly text: string;
  constructor(code: string, text: string) {
    super('ahp-diagnostic');
    this.code = code;
    this.text = text;
  }
  clone(): AhpDiagnosticEvent {
    return new AhpDiagnosticEvent(this.code, this.text);
  }
}

/** Something failed that the person can see in the status. */
export class AhpErrorEvent extends FactEvent {
  readonly error: AhpError;
  constructor(error: AhpError) {
    super('ahp-error');
    this.error = error;
  }
  clone(): AhpErrorEvent {
    return new AhpErrorEvent(this.error);
  }
}

export interface AhpEventMap {
  'ahp-send': AhpSendEvent;
  'ahp-stop': AhpStopEvent;
  'ahp-draft-change': AhpDraftChangeEvent;
  'ahp-draft-offer': AhpDraftOfferEvent;
  'ahp-notice': AhpNoticeEvent;
  'ahp-attachment-remove': AhpAttachmentRemoveEvent;
  'ahp-queue-remove': AhpQueueRemoveEvent;
  'ahp-queue-edit': AhpQueueEditEvent;
  'ahp-queue-move': AhpQueueMoveEvent;
  'ahp-announce': AhpAnnounceEvent;
  'ahp-tool-confirm': AhpToolConfirmEvent;
  'ahp-tool-cancel': AhpToolCancelEvent;
  'ahp-auth-request': AhpAuthRequestEvent;
  'ahp-auth-give-up': AhpAuthGiveUpEvent;
  'ahp-input-complete': AhpInputCompleteEvent;
  'ahp-input-answer': AhpInputAnswerEvent;
  'ahp-open-resource': AhpOpenResourceEvent;
  'ahp-open-chat': AhpOpenChatEvent;
  'ahp-fork': AhpForkEvent;
  'ahp-resume': AhpResumeEvent;
  'ahp-load-older': AhpLoadOlderEvent;
  'ahp-reconnect': AhpReconnectEvent;
  'ahp-retry': AhpRetryEvent;
  'ahp-discard': AhpDiscardEvent;
  'ahp-turn-start': AhpTurnStartEvent;
  'ahp-turn-end': AhpTurnEndEvent;
  'ahp-status-change': AhpStatusChangeEvent;
  'ahp-rejected': AhpRejectedEvent;
  'ahp-diagnostic': AhpDiagnosticEvent;
  'ahp-error': AhpErrorEvent;
}

declare global {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- the map is wanted under a name of its own, too
  interface HTMLElementEventMap extends AhpEventMap {}
}
