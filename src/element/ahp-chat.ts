import { LitElement, html, nothing, type PropertyValues } from 'lit';
import { property, query } from 'lit/decorators.js';
import { isBlank } from '../chat/joined-message.js';
import { canWrite } from '../chat/selectors.js';
import type { ChatStore, ChatStoreStatus } from '../chat/store.js';
import type { ClientTool } from '../client/client-tools.js';
import { LanguageProvider } from '../i18n/localize.js';
import type { Strings } from '../i18n/strings.js';
import type { AhpTransport } from '../protocol/link.js';
import type { ChatState, Message, URI } from '../protocol/state.js';
import type { AhpComposer } from '../views/composer/ahp-composer.js';
import '../views/composer/ahp-composer.js';
import { define } from '../views/define.js';
import { AhpSendEvent, AhpStopEvent } from '../views/events.js';
import '../views/status/ahp-announcer.js';
import '../views/status/ahp-status.js';
import { StoreController } from '../views/store-controller.js';
import type { AhpTranscript } from '../views/transcript/ahp-transcript.js';
import '../views/transcript/ahp-transcript.js';
import { noAbilities } from '../views/transcript/part-scope.js';
import { chatStyles } from './ahp-chat.styles.js';
import { renderChatNotes } from './chat-notes.js';
import { Facts } from './facts.js';
import { HostController } from './host-controller.js';
import { IntentController } from './intent-controller.js';
import { Outcomes } from './outcomes.js';
import { environment } from './page-environment.js';
import { renderComposer, renderTranscript, type ChatView } from './surfaces.js';
import { canSend, toTurnAbilities } from './turn-abilities.js';
import { TurnExport } from './turn-export.js';

const noOrigins: readonly string[] = [];
const noTools: readonly ClientTool[] = [];
const toList = (value: string | null): readonly string[] => value?.split(/[\s,]+/).filter(Boolean) ?? noOrigins;

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

  readonly #outcomes = new Outcomes(this, this.#language);
  readonly #host = new HostController(this, this.#outcomes);
  readonly #updates = new StoreController(this, environment);
  readonly #intents = new IntentController(this, this.#host, this.#outcomes);
  readonly #export = new TurnExport(this);
  #abilities = noAbilities;

  constructor() {
    super();
    new Facts(this, this.#outcomes);
  }

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
    if (!outgoing || isBlank(outgoing) || !canSend(this.state, this)) return false;
    return this.#intents.intend(new AhpSendEvent(outgoing));
  }

  /** Asks the host to end the running turn. Fires `ahp-stop` first. */
  stop(): boolean {
    return this.state?.activeTurn ? this.#intents.intend(new AhpStopEvent()) : false;
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
  loadOlderTurns(): Promise<void> {
    return this.#intents.loadOlder();
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
    this.#abilities = toTurnAbilities(this.store, this, this.#abilities);
  }

  /* ------------------------------------------------------------ render */

  override render() {
    const { store, state, status } = this;
    const view: ChatView = {
      page: this,
      host: this.#host,
      intents: this.#intents,
      outcomes: this.#outcomes,
      abilities: this.#abilities,
      toMarkdown: this.#export.toMarkdown,
    };
    return html`<ahp-announcer .clock=${environment}></ahp-announcer>
      <slot name="header"></slot>
      ${renderChatNotes(store)} ${renderTranscript(view)}
      <ahp-status exportparts="status" .status=${status} .clock=${environment}></ahp-status>
      ${this.withoutComposer || (state && !canWrite(state)) ? nothing : renderComposer(view)}
      <slot name="footer"></slot>`;
  }
}

define('ahp-chat', AhpChat);

declare global {
  interface HTMLElementTagNameMap {
    'ahp-chat': AhpChat;
  }
}
