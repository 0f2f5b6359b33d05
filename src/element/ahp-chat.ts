import { LitElement, html, nothing, type PropertyValues } from 'lit';
import { property, query, state } from 'lit/decorators.js';
import { canWrite, findAnswerable, hasOlderTurns, isBusy, needsInput, waitingMessages } from '../chat/selectors.js';
import type { ChatStore, ChatStoreStatus, Rejection } from '../chat/store.js';
import type { ClientTool } from '../client/client-tools.js';
import { emptyMessage } from '../client/draft-message.js';
import { LanguageProvider } from '../i18n/localize.js';
import type { Strings } from '../i18n/strings.js';
import type { AhpError } from '../protocol/errors.js';
import type { AhpTransport } from '../protocol/link.js';
import type { ChatState, ChatSummary, Message, Turn, URI } from '../protocol/state.js';
import type { AhpComposer } from '../views/composer/ahp-composer.js';
import '../views/composer/ahp-composer.js';
import { toNoticeText, type ComposerNotice } from '../views/composer/notices.js';
import { define } from '../views/define.js';
import {
  AhpAuthRequestEvent,
  AhpDiagnosticEvent,
  AhpDraftChangeEvent,
  AhpErrorEvent,
  AhpOpenChatEvent,
  AhpRejectedEvent,
  AhpSendEvent,
  AhpStopEvent,
  type AhpEventMap,
} from '../views/events.js';
import type { AhpAnnouncer, AnnouncedFact } from '../views/status/ahp-announcer.js';
import '../views/status/ahp-announcer.js';
import '../views/status/ahp-status.js';
import { StoreController } from '../views/store-controller.js';
import type { AhpTranscript } from '../views/transcript/ahp-transcript.js';
import '../views/transcript/ahp-transcript.js';
import type { TurnAbilities } from '../views/transcript/part-scope.js';
import { chatStyles } from './ahp-chat.styles.js';
import { renderChatNotes } from './chat-notes.js';
import { Facts } from './facts.js';
import { HostController, environment } from './host-controller.js';
import { intentNames, isPublic, perform, type IntentName, type IntentTarget } from './intents.js';
import { toTurnAbilities } from './turn-abilities.js';
import { TurnExport } from './turn-export.js';

const noOrigins: readonly string[] = [];
const noTurns: readonly Turn[] = [];
const noChats: readonly ChatSummary[] = [];
const noTools: readonly ClientTool[] = [];
const noIds: ReadonlySet<string> = new Set();
const toList = (value: string | null): readonly string[] => value?.split(/[\s,]+/).filter(Boolean) ?? noOrigins;

/** Parts of the surfaces inside, handed on under their own names. */
const transcriptParts =
  'scroller, jump, selection-bar, request-bar, older, turn, message, attachment, markdown, reasoning, tool-call, tool-call-line, tool-call-body, tool-run, confirmation, input-request, content-ref, error, footer';
const composerParts = 'composer, textarea, attachment, queue, queue-row, send, steer, stop';

/**
 * Shows one chat of an Agent Host Protocol host and lets a person take part in it. It fills its box, takes fonts and
 * colour scheme from the page, and keeps what is written until the host is proven to have it.
 *
 * Every intent is dispatched from the element before it is carried out; `preventDefault()` keeps it from happening.
 *
 * @customElement ahp-chat
 * @summary One chat of an agent host.
 * @slot header - Above the transcript.
 * @slot empty - Shown while the chat has no turn.
 * @slot composer-start - Before the choices in the composer's toolbar.
 * @slot composer-end - Before Send in the composer's toolbar.
 * @slot footer - Below the composer.
 * @fires {AhpSendEvent} ahp-send - A message is to be sent; prevented, it stays in the composer.
 * @fires {AhpStopEvent} ahp-stop - The running turn is to end.
 * @fires {AhpToolConfirmEvent} ahp-tool-confirm - A tool call, or its result, is allowed or denied.
 * @fires {AhpInputCompleteEvent} ahp-input-complete - A question is answered, declined or cancelled.
 * @fires {AhpInputAnswerEvent} ahp-input-answer - What is entered into a form has changed; prevented, it stays there only.
 * @fires {AhpAuthRequestEvent} ahp-auth-request - Somebody has to sign in; answer with `authenticate()`.
 * @fires {AhpOpenResourceEvent} ahp-open-resource - A resource, or a link that does not navigate, was pressed.
 * @fires {AhpOpenChatEvent} ahp-open-chat - Another chat is to be shown; not prevented, this element shows it.
 * @fires {AhpForkEvent} ahp-fork - Another chat is to begin at a turn; `ahp-open-chat` follows when it is made.
 * @fires {AhpResumeEvent} ahp-resume - A failed turn is to go on.
 * @fires {AhpDraftChangeEvent} ahp-draft-change - The message being written has changed.
 * @fires {AhpTurnStartEvent} ahp-turn-start - A turn has started.
 * @fires {AhpTurnEndEvent} ahp-turn-end - A turn has ended.
 * @fires {AhpStatusChangeEvent} ahp-status-change - Connection, outbox or storage have changed.
 * @fires {AhpRejectedEvent} ahp-rejected - The host has refused an intent.
 * @fires {AhpDiagnosticEvent} ahp-diagnostic - Something odd that changed nothing; for developers.
 * @fires {AhpErrorEvent} ahp-error - Something failed that the status shows.
 * @csspart status - The strip about connection, storage and unconfirmed messages.
 * @csspart transcript - The conversation.
 * @csspart composer - The box in which a message is written.
 * @cssprop --ahp-color-surface - The page of the element.
 * @cssprop --ahp-color-raised - Cards, composer, chips.
 * @cssprop --ahp-color-sunken - Code and output.
 * @cssprop --ahp-color-user - The person's messages.
 * @cssprop --ahp-color-text - Text.
 * @cssprop --ahp-color-quiet - Text of lesser weight.
 * @cssprop --ahp-color-border - Hairlines.
 * @cssprop --ahp-color-control - Edges of inputs and buttons.
 * @cssprop --ahp-color-accent - Filled buttons, links, focus.
 * @cssprop --ahp-color-on-accent - Text on accent.
 * @cssprop --ahp-color-danger - Failures.
 * @cssprop --ahp-color-warning - Risks.
 * @cssprop --ahp-color-success - What went well.
 * @cssprop --ahp-font-body - Text; the page's own font by default.
 * @cssprop --ahp-font-code - Code.
 * @cssprop --ahp-font-size - Size of text; the page's own by default.
 * @cssprop --ahp-space - The unit of all distances, 4px.
 * @cssprop --ahp-radius - Radius of cards and composer, 12px.
 * @cssprop --ahp-measure - The longest line of text, 72ch.
 * @cssprop --ahp-focus-ring - The outline of what has the focus.
 * @cssstate busy - A turn runs.
 * @cssstate offline - There is no connection.
 * @cssstate input-needed - The running turn waits for the person.
 */
export class AhpChat extends LitElement {
  static override styles = chatStyles;

  readonly #language = new LanguageProvider(this);

  /** WebSocket URL of the host. It holds no secret. */
  @property() src: string | undefined;

  /** Asked before each connection. */
  @property({ attribute: false }) token: string | (() => string | Promise<string>) | undefined;

  /** The session to open; without `chat`, its default chat. */
  @property() session: URI | undefined;

  /** The chat to open. Without it and `session`, the last one used on this host, or a new one. */
  @property() chat: URI | undefined;

  /** Finished turns asked for in the first snapshot. */
  @property({ type: Number }) turns = 50;

  /** Where the copy of the chat and unsent messages are kept. */
  @property() storage: 'indexeddb' | 'memory' = 'indexeddb';

  /** Keeps two accounts on one host apart. */
  @property({ attribute: 'storage-key' }) storageKey: string | undefined;

  /** `auto` stays with the newest text, `turn-start` with the top of the newest turn, `off` stays put. */
  @property() follow: 'auto' | 'turn-start' | 'off' = 'auto';

  /** What Enter does in the composer. */
  @property({ attribute: 'enter-key' }) enterKey: 'send' | 'newline' = 'send';

  /** Replaces the composer's localized placeholder. */
  @property() placeholder = '';

  /** Nothing can be sent or answered. A chat that the host marks so is read-only without it. */
  @property({ type: Boolean, attribute: 'readonly' }) readOnly = false;

  /** Only the transcript. */
  @property({ type: Boolean, attribute: 'without-composer' }) withoutComposer = false;

  /** Hides what the agent thought on the way. */
  @property({ type: Boolean, attribute: 'without-reasoning' }) withoutReasoning = false;

  /** Origins whose pictures are loaded; others wait for a press. */
  @property({ attribute: 'image-origins', converter: { fromAttribute: toList } }) imageOrigins = noOrigins;

  /** The page's own wording; what it leaves out comes from the language. */
  @property({ attribute: false }) strings: Partial<Strings> | undefined;

  /** Tools that the page offers the agent of a host. */
  @property({ attribute: false }) tools: readonly ClientTool[] = noTools;

  /** Opens the connection instead of a WebSocket to `src`. */
  @property({ attribute: false }) transport: AhpTransport | undefined;

  @query('ahp-transcript') private readonly transcript!: AhpTranscript | null;
  @query('ahp-composer') private readonly composer!: AhpComposer | null;
  @query('ahp-announcer') private readonly announcer!: AhpAnnouncer | null;

  @state() private notice: ComposerNotice | undefined;
  @state() private isLoadingOlder = false;
  @state() private refusals = 0;

  readonly #internals = this.attachInternals();
  readonly #facts = new Facts(this);
  readonly #export = new TurnExport(this);
  readonly #updates = new StoreController(this, environment);
  readonly #host = new HostController(this, {
    onRejected: (rejection, isGivenBack) => this.#onRejected(rejection, isGivenBack),
    onEditLost: (fate) =>
      fate === 'unchanged'
        ? this.announcer?.say(this.#language.value.strings.sentAsItWas, 'polite')
        : this.#setNotice({ kind: fate, reason: '' }),
    onAuthRequired: (...demand) => this.dispatchEvent(new AhpAuthRequestEvent(...demand)),
    onDiagnostic: (code, text) => this.dispatchEvent(new AhpDiagnosticEvent(code, text)),
  });
  /** The text the composer reported last; any other text of the draft was written elsewhere. */
  #typed: Message | undefined;
  #draftRevision = 0;
  #abilities: TurnAbilities | undefined;
  /** The running turn and when it was first seen, by the monotonic clock. */
  #running: { readonly id: string; readonly since: number } | undefined;

  /** Replaces host, mirror and connection: whatever is a `ChatStore` can be shown. */
  get store(): ChatStore | undefined {
    return this.#host.store;
  }

  @property({ attribute: false })
  set store(store: ChatStore | undefined) {
    this.#host.ownStore = store;
  }

  /** What is shown, unconfirmed intents included; `undefined` until there is something. */
  get state(): ChatState | undefined {
    return this.store?.state;
  }

  /** Connection, outbox and storage; see `ChatStoreStatus`. */
  get status(): ChatStoreStatus | undefined {
    return this.store?.status;
  }

  /** The message being written. */
  get draft(): Message | undefined {
    return this.#host.draft?.message;
  }

  /* ------------------------------------------------------------ methods */

  /** Connects again after `disconnect()`, or at once instead of later. */
  connect(): void {
    this.#host.connect();
  }

  /** Leaves the host; what is shown stays. The socket closes when no other element of the page uses it. */
  disconnect(): void {
    this.#host.disconnect();
  }

  /**
   * Sends `message`, or what the composer holds. Fires `ahp-send` first. Returns whether it was taken: there was something
   * to send and somebody to send it to, and nobody prevented it.
   */
  send(message?: Message): boolean {
    const outgoing = message ?? this.draft;
    if (!outgoing || !this.store || !this.#canSend) return false;
    if (outgoing.text.trim() === '' && !outgoing.attachments?.length) return false;
    return this.#intend(new AhpSendEvent(outgoing));
  }

  /** Asks the host to end the running turn. Fires `ahp-stop` first. */
  stop(): boolean {
    return this.state?.activeTurn ? this.#intend(new AhpStopEvent()) : false;
  }

  /** Puts the focus into the composer, or on the newest turn where there is none. */
  override focus(options?: FocusOptions): void {
    (this.composer ?? this.transcript)?.focus(options);
  }

  /** Brings a turn to the top of the view. Resolves with whether the turn is in memory. */
  scrollToTurn(id: string): Promise<boolean> {
    return this.transcript?.scrollToTurn(id) ?? Promise.resolve(false);
  }

  /** Loads a page of older turns. Resolves when it is there, or when there is none. */
  async loadOlderTurns(): Promise<void> {
    this.isLoadingOlder = true;
    try {
      await this.store?.loadOlderTurns();
    } finally {
      this.isLoadingOlder = false;
    }
  }

  /**
   * Hands a token to the host; it is kept in memory only. `resource` is one the host asked for. Rejects with `AhpError`
   * when the host refuses it.
   */
  authenticate(
    resource: string,
    token: string,
    options: { readonly scopes?: readonly string[]; readonly expiresIn?: number } = {},
  ): Promise<void> {
    return this.#host.authenticate(resource, token, options);
  }

  /** Deletes everything this page keeps of the host and account, unsent messages included, on disk too. */
  clearMirror(): Promise<void> {
    return this.#host.clearMirror();
  }

  /* ------------------------------------------------------------ lifecycle */

  protected override createRenderRoot() {
    const root = super.createRenderRoot();
    for (const name of intentNames) root.addEventListener(name, this.#onIntent);
    root.addEventListener('focusin', this.#onFocusMove);
    root.addEventListener('focusout', this.#onFocusMove);
    return root;
  }

  protected override firstUpdated(): void {
    const find = () => ({ store: this.#host.ownStore ? undefined : this.store, transcript: this.transcript });
    // Without it nothing is marked as read, and the next page load tries again.
    import('./read-marker.js').then(
      ({ ReadMarker }) => new ReadMarker(this, environment, find),
      () => undefined,
    );
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('strings')) this.#language.overrides = this.strings;
    this.#host.configure(this);
    this.#host.tools = this.tools;
    this.#updates.store = this.store;
    this.#followDraft();
    this.#followTurn();
  }

  protected override updated(): void {
    const { state, status } = this;
    this.#mark('busy', !!state && isBusy(state));
    this.#mark('input-needed', !!state && needsInput(state));
    this.#mark('offline', status?.phase === 'offline');
    this.#facts.observe(this.store, this.announcer);
  }

  #mark(name: string, isSet: boolean): void {
    this.#internals.states[isSet ? 'add' : 'delete'](name);
  }

  /** Counts changes of the draft that the composer did not report: it shows those. */
  #followDraft(): void {
    const message = this.draft;
    if (!message || message === this.#typed) return;
    this.#typed = message;
    this.#draftRevision += 1;
  }

  #followTurn(): void {
    const id = this.state?.activeTurn?.id;
    if (id === this.#running?.id) return;
    this.#running = id === undefined ? undefined : { id, since: environment.monotonic() };
  }

  /* ------------------------------------------------------------ what happens */

  readonly #onIntent = (event: Event): void => {
    event.stopPropagation();
    // Registered for these names only.
    const intent = event as AhpEventMap[IntentName];
    if (intent instanceof AhpDraftChangeEvent) this.#typed = intent.message;
    if (!this.#intend(intent)) event.preventDefault();
  };

  /** Lets the page have its say, then carries the intent out. Returns whether it was. */
  #intend(intent: AhpEventMap[IntentName]): boolean {
    const { store, draft, answers } = this.#host;
    if (!draft && intent instanceof AhpDraftChangeEvent) this.#host.keepEarly(intent.message);
    if (!store || !draft || !answers) {
      // There may be a connection before there is a chat.
      if (intent.type === 'ahp-reconnect') store?.reconnectNow?.();
      return intent.type === 'ahp-reconnect';
    }
    const own = intent.clone();
    if (isPublic(intent.type as IntentName) && !this.dispatchEvent(own)) return false;
    const target: IntentTarget = {
      store,
      draft,
      answers,
      environment,
      strings: this.#language.value.strings,
      turnAge: (id) => (this.#running?.id === id ? environment.monotonic() - this.#running.since : 0),
      onSent: (fact) => this.#onSent(fact),
      say: (text) => this.announcer?.say(text, 'polite'),
      openChat: (resource, inSession) => this.#intend(new AhpOpenChatEvent(resource, inSession)),
      showChat: (resource, inSession) => this.#showChat(resource, inSession),
      showFailure: (error) => this.#showFailure(error),
      loadOlder: () => void this.loadOlderTurns(),
      setNotice: (notice) => this.#setNotice(notice),
    };
    perform(intent, target);
    return true;
  }

  #onSent(fact: AnnouncedFact): void {
    this.notice = undefined;
    this.announcer?.announceFact(fact);
    this.transcript?.scrollToEnd();
  }

  /** A page's own store is one chat; another one is the page's to show. */
  #showChat(chat: URI, session: URI | undefined): void {
    if (this.#host.ownStore) return;
    this.chat = chat;
    if (session !== undefined) this.session = session;
  }

  #showFailure(error: AhpError): void {
    this.#setNotice({ kind: 'failure', reason: error.message });
    this.dispatchEvent(new AhpErrorEvent(error));
  }

  #onRejected(rejection: Rejection, isBack: boolean): void {
    this.refusals += 1;
    // A form says by itself that its answer was refused.
    if (rejection.actions.every(({ type }) => type === 'chat/inputCompleted'))
      this.announcer?.say(this.#language.value.strings.answerRefused(rejection.reason), 'assertive');
    else this.#setNotice({ kind: rejection.code ?? (isBack ? 'back' : 'change'), reason: rejection.reason });
    this.dispatchEvent(new AhpRejectedEvent(rejection));
  }

  #setNotice(notice: ComposerNotice | undefined): void {
    this.notice = notice;
    if (notice) this.announcer?.say(toNoticeText(notice, this.#language.value.strings), 'polite');
  }

  readonly #onFocusMove = (event: Event): void => {
    const isInside = event.type === 'focusin' && event.target === this.composer;
    this.#host.draft?.setFocused(this, isInside);
    if (event.type === 'focusout') this.#host.answers?.flush();
  };

  get #canSend(): boolean {
    const { state, readOnly } = this;
    return !!state && !readOnly && canWrite(state);
  }

  /* ------------------------------------------------------------ render */

  override render() {
    return html`<ahp-announcer .clock=${environment}></ahp-announcer>
      <slot name="header"></slot>
      ${renderChatNotes(this.store)} ${this.#renderTranscript()}
      <ahp-status exportparts="status" .status=${this.status} .clock=${environment}></ahp-status>
      ${this.withoutComposer || (this.state && !canWrite(this.state)) ? nothing : this.#renderComposer()}
      <slot name="footer"></slot>`;
  }

  #renderTranscript() {
    const { state, status, store } = this;
    this.#abilities = toTurnAbilities(store, this, this.#abilities);
    return html`<ahp-transcript
      part="transcript"
      exportparts=${transcriptParts}
      .turns=${state?.turns ?? noTurns}
      .activeTurn=${state?.activeTurn}
      .hasOlder=${!!state && hasOlderTurns(state)}
      .loadingOlder=${this.isLoadingOlder}
      .loading=${status?.phase === 'loading'}
      .activity=${state?.activity}
      .status=${status}
      .follow=${this.follow}
      .refusals=${this.refusals}
      .readOnly=${this.readOnly}
      .withoutReasoning=${this.withoutReasoning}
      .services=${store?.services}
      .chat=${state?.resource}
      .chats=${store?.session?.chats ?? noChats}
      .answerDrafts=${this.#host.answers}
      .edits=${this.#host.edits}
      .clock=${environment}
      .abilities=${this.#abilities}
      .toMarkdown=${this.#export.toMarkdown}
      .imageOrigins=${this.imageOrigins}
    >
      <slot name="empty" slot="empty"></slot>
    </ahp-transcript>`;
  }

  #renderComposer() {
    const { state, status } = this;
    const waiting = state ? waitingMessages(state) : [];
    return html`<ahp-composer
      exportparts=${composerParts}
      .message=${this.draft ?? emptyMessage}
      .revision=${this.#draftRevision}
      .busy=${!!state && isBusy(state)}
      .stopping=${status?.stoppingTurnId !== undefined}
      .canSend=${this.#canSend}
      .enterKey=${this.enterKey}
      .placeholder=${this.placeholder}
      .chat=${state?.resource}
      .session=${this.store?.session}
      .services=${status?.phase === 'live' ? this.store?.services : undefined}
      .clock=${environment}
      .steering=${waiting.filter(({ kind }) => kind === 'steering')}
      .queued=${waiting.filter(({ kind }) => kind === 'queued')}
      .pendingIds=${status?.pendingIds ?? noIds}
      .edits=${this.#host.edits}
      .offer=${this.#host.draft?.offer}
      .notice=${this.notice}
      .question=${this.#canSend && status?.phase === 'live' && state ? findAnswerable(state) : undefined}
    >
      <slot name="composer-start" slot="composer-start"></slot>
      <slot name="composer-end" slot="composer-end"></slot>
    </ahp-composer>`;
  }
}

define('ahp-chat', AhpChat);

declare global {
  interface HTMLElementTagNameMap {
    'ahp-chat': AhpChat;
  }
}
