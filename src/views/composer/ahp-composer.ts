import { LitElement, html, nothing, type PropertyValues } from 'lit';
import { property, query } from 'lit/decorators.js';
import type { ChatServices, SessionInfo } from '../../chat/store.js';
import { LanguageProvider } from '../../i18n/localize.js';
import type { Strings } from '../../i18n/strings.js';
import type { ChatInputRequest, Message, MessageAttachment, URI } from '../../protocol/state.js';
import type { Clock } from '../clock.js';
import { define } from '../define.js';
import { AhpDraftChangeEvent, AhpSendEvent, AhpStopEvent, type Delivery } from '../events.js';
import { icon } from '../icons.js';
import '../attachments/ahp-attachment-list.js';
import { loadAnswerMode, loadAssist, loadModelSettings } from '../parts/lazy.js';
import type { AnswerMode } from './answer-mode.js';
import type { Assist } from './assist.js';
import { composerStyles } from './ahp-composer.styles.js';
import type { AhpQueue } from './ahp-queue.js';
import './ahp-queue.js';
import { renderAgents, renderModels, withOffered } from './choices.js';
import { GrowController } from './grow-controller.js';
import { CompositionGuard, keepTyping } from './keys.js';
import type * as ModelSettings from './model-settings.js';
import { renderCommandHint, renderNotice, renderOffer, type ComposerNotice } from './notices.js';

const emptyMessage: Message = { text: '', origin: { kind: 'user' } };
const noIds: ReadonlySet<string> = new Set();

/**
 * Where a person writes. The `<textarea>` keeps its own text, so caret, undo and input methods stay the browser's: the
 * text given in `message` replaces it only when `revision` says that it was changed from outside. The field is never
 * disabled, so the focus never leaves it by itself.
 *
 * @customElement ahp-composer
 * @summary The message field with its queue, attachments, choices, Send and Stop.
 * @slot composer-start - Before the choices in the toolbar, for example an attach button.
 * @slot composer-end - Before Send in the toolbar.
 * @fires {AhpDraftChangeEvent} ahp-draft-change - The message being written has changed.
 * @fires {AhpSendEvent} ahp-send - The message is to be sent; prevented, it stays.
 * @fires {AhpStopEvent} ahp-stop - The running turn is to end.
 * @fires {AhpInputCompleteEvent} ahp-input-complete - The text answers the open question; prevented, it stays.
 * @fires {AhpAttachmentRemoveEvent} ahp-attachment-remove - An attachment is to leave the draft.
 * @fires {AhpQueueRemoveEvent} ahp-queue-remove - A waiting message is to be removed.
 * @fires {AhpQueueEditEvent} ahp-queue-edit - A waiting message is to be changed.
 * @fires {AhpQueueMoveEvent} ahp-queue-move - The queue is to be sent in another order.
 * @fires {AhpDraftOfferEvent} ahp-draft-offer - The offered draft is taken or dismissed.
 * @fires {AhpNoticeEvent} ahp-notice - The notice was read.
 * @csspart composer - The rounded box.
 * @csspart textarea - The text field.
 * @csspart attachment - One attachment chip.
 * @csspart queue - The list of waiting messages.
 * @csspart queue-row - One waiting message.
 * @csspart send - The Send button; it says Queue while a turn runs.
 * @csspart steer - The button that sends into the running turn.
 * @csspart stop - The Stop button.
 */
export class AhpComposer extends LitElement {
  static override styles = composerStyles;

  readonly #language = new LanguageProvider(this);

  /** The draft. Its text is shown when `revision` changes; model, agent and attachments always. */
  @property({ attribute: false }) message: Message = emptyMessage;

  /** Counts the changes of the draft's text that were not made by typing here: another device, a restore, a refusal. */
  @property({ type: Number }) revision = 0;

  /** Whether a turn runs: Send queues, and Stop is there. */
  @property({ type: Boolean }) busy = false;

  /** Whether the running turn was asked to stop. */
  @property({ type: Boolean }) stopping = false;

  /** Whether a message can be taken at all: there is a chat to send it to, even while offline. */
  @property({ type: Boolean, attribute: 'can-send' }) canSend = false;

  /** What Enter does; Ctrl or Command with Enter always sends. */
  @property({ attribute: 'enter-key' }) enterKey: 'send' | 'newline' = 'send';

  /** Replaces the localized placeholder. */
  @property() placeholder = '';

  /** The chat that is written to: what is half done stays with it. */
  @property() chat: URI | undefined;

  /** What is half written in place of waiting messages; without it they cannot be edited. */
  @property({ attribute: false }) edits: AhpQueue['edits'];

  /** Models and agents to choose from. */
  @property({ attribute: false }) session: SessionInfo | undefined;

  /** Messages that go into the running turn, and those that wait for its end. */
  @property({ attribute: false }) steering: AhpQueue['steering'] = [];
  @property({ attribute: false }) queued: AhpQueue['queued'] = [];
  @property({ attribute: false }) pendingIds = noIds;

  /** A draft from elsewhere that would overwrite what is written here. */
  @property({ attribute: false }) offer: Message | undefined;

  @property({ attribute: false }) notice: ComposerNotice | undefined;

  /** A request with one open question, which the text may answer. */
  @property({ attribute: false }) question: ChatInputRequest | undefined;

  /** Asked for suggestions while a trigger character is typed; absent while nobody can answer. */
  @property({ attribute: false }) services: ChatServices | undefined;

  /** Paces the questions; without one each is asked at once. */
  @property({ attribute: false }) clock: Clock | undefined;

  @query('[part=textarea]') private readonly field!: HTMLTextAreaElement | null;

  readonly #composition = new CompositionGuard();
  /** Here with the first question. */
  #answerMode: AnswerMode | undefined;
  readonly #grow = new GrowController(this, () => this.field);
  /** The text as the field has it; also before the field exists. */
  #text = '';
  /** The draft as last given or last reported, whichever is newer: two changes in one frame must not undo each other. */
  #draft: Message = emptyMessage;
  #isFocusLost = false;
  #assist: Assist | undefined;
  #modelSettings: typeof ModelSettings | undefined;
  /** The message as it was before what was written while the help was on its way. */
  #unfollowed: Message | undefined;
  /** Where the text was when a list was wanted and its code not yet there. */
  #triggeredAt = 0;

  /** What is written at the moment. */
  get text(): string {
    return this.#text;
  }

  override focus(options?: FocusOptions): void {
    this.field?.focus(options);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    for (const type of ['keydown', 'keypress', 'keyup'] as const) this.renderRoot.addEventListener(type, onTyping);
  }

  override disconnectedCallback(): void {
    for (const type of ['keydown', 'keypress', 'keyup'] as const) this.renderRoot.removeEventListener(type, onTyping);
    super.disconnectedCallback();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('message')) this.#draft = this.message;
    if (changed.has('revision') || !this.hasUpdated) {
      this.#text = this.message.text;
      this.#unfollowed = undefined;
    }
    this.#followQuestion();
    if (hasTies(this.#draft)) this.#loadAssist();
    // A button that goes away must not take the focus along.
    const focused = this.shadowRoot?.activeElement;
    this.#isFocusLost = !!focused && focused !== this.field;
  }

  protected override updated(): void {
    const { field } = this;
    if (field && field.value !== this.#text) {
      field.value = this.#text;
      this.#grow.fit();
    }
    if (!this.#isFocusLost) return;
    // The queue mends its own rows first.
    void this.updateComplete.then(() => {
      const focused = this.shadowRoot?.activeElement;
      if (!focused || (focused as HTMLElement).hidden) this.field?.focus();
    });
  }

  readonly #onInput = (event: InputEvent): void => {
    const before: Message = { ...this.#draft, text: this.#text };
    this.#text = this.field?.value ?? '';
    this.#grow.fit();
    if (this.#assist) {
      this.#report(this.#assist.follow(before, event));
      this.#assist.onInput(event);
    } else {
      if (hasTies(before)) this.#unfollowed = before;
      this.#report(withoutTies({ ...before, text: this.#text }));
      if (this.#isTriggered()) {
        this.#triggeredAt = this.field?.selectionEnd ?? 0;
        this.#loadAssist();
      }
    }
    this.requestUpdate();
  };

  #isTriggered(): boolean {
    const written = this.#text.slice(0, this.field?.selectionEnd);
    const triggers = this.session?.completionTriggerCharacters ?? [];
    return !!this.services?.complete && triggers.some((trigger) => trigger && written.endsWith(trigger));
  }

  #loadAssist(): void {
    if (this.#assist) return;
    void loadAssist().then((module) => {
      if (!module || this.#assist) return;
      this.#assist = new module.Assist({
        composer: this,
        strings: () => this.#language.value.strings,
        field: () => this.field,
        message: () => ({ ...this.#draft, text: this.#text }),
      });
      if (this.#unfollowed) this.#report(this.#assist.catchUp(this.#unfollowed));
      this.#unfollowed = undefined;
      if (this.field?.matches(':focus')) this.#assist.begin(this.#triggeredAt);
      this.requestUpdate();
    });
  }

  readonly #onKeydown = (event: KeyboardEvent): void => {
    if (this.#composition.owns(event) || this.#assist?.onKeydown(event)) return;
    if (event.key === 'Escape' && this.#answerMode?.state === 'on') return this.#setAnswering(false, event);
    if (event.key !== 'Enter') return;
    const isCommand = event.ctrlKey || event.metaKey;
    const isPlain = this.enterKey === 'send' && !event.shiftKey && !event.altKey;
    if (!isCommand && !isPlain) return;
    // Also for the repeats of a key held down: they neither send again nor break the line.
    event.preventDefault();
    // The key that sends anyway does not steer as well: where Enter breaks the line, Shift makes the difference.
    const isSteering = isCommand && (this.enterKey === 'send' || event.shiftKey);
    if (!event.repeat) this.#send(isSteering && this.busy ? 'steering' : 'auto');
  };

  readonly #onSendClick = (event: MouseEvent): void => this.#onDelivery(event, 'auto');
  readonly #onSteerClick = (event: MouseEvent): void => this.#onDelivery(event, 'steering');

  #onDelivery(event: MouseEvent, delivery: Delivery): void {
    // The second click of a double click is no second message.
    if (event.detail > 1) return;
    this.#send(delivery);
    if (!matchMedia('(pointer: coarse)').matches) this.focus();
  }

  readonly #onStopClick = (event: MouseEvent): void => {
    // Stop stands where Send was a moment ago: the second click of a double click on Send is not meant for it.
    if (event.detail > 1 || this.stopping) return;
    this.dispatchEvent(new AhpStopEvent());
  };

  #send(delivery: Delivery): void {
    if (!this.canSend || !this.#hasContent()) return;
    this.#followQuestion();
    if (this.#answerMode?.state === 'on') return this.#answerQuestion();
    const offered = withOffered(this.#draft, this.session);
    if (offered !== this.#draft) this.#report(offered);
    const message: Message = { ...this.#draft, text: this.#text };
    if (!this.dispatchEvent(new AhpSendEvent(message, delivery))) return;
    // Emptied in the same moment, so that nothing can send it twice; the draft itself is the owner's to clear. What it
    // gave back meanwhile wins.
    if (this.#text !== message.text) return;
    this.#text = '';
    this.#draft = { ...this.#draft, text: '', attachments: [] };
    if (this.field) this.field.value = '';
    this.#grow.fit();
    this.requestUpdate();
  }

  /** What is typed before the mode is here stays a message until the person says otherwise. */
  #followQuestion(): void {
    const { module } = loadAnswerMode;
    if (this.question && module) this.#answerMode ??= new module.AnswerMode();
    else if (this.question) void loadAnswerMode().then((loaded) => loaded && this.requestUpdate());
    this.#answerMode?.follow(this.question, this.#text, this.#language.value.strings);
  }

  /** The text goes into the answer; files stay, because no answer takes them. */
  #answerQuestion(): void {
    const event = this.#answerMode?.toEvent();
    const text = this.#text;
    if (!event || !this.dispatchEvent(event) || this.#text !== text) return;
    this.#text = '';
    if (this.field) this.field.value = '';
    this.#grow.fit();
    this.#report({ ...this.#draft, text: '' });
    this.requestUpdate();
  }

  readonly #setAnswering = (isAnswering: boolean, event: Event): void => {
    // This Escape has done its work.
    event.stopPropagation();
    this.#answerMode?.hold(!isAnswering);
    this.focus();
    this.requestUpdate();
  };

  readonly #report = (message: Message): void => {
    this.#draft = message;
    this.dispatchEvent(new AhpDraftChangeEvent(message));
  };

  /** What is chosen shows at once, also where nobody hands the draft back. */
  readonly #reportChoice = (message: Message): void => {
    this.#report(message);
    this.requestUpdate();
  };

  #hasContent(): boolean {
    return this.#text.trim() !== '' || (this.#draft.attachments?.length ?? 0) > 0;
  }

  override render() {
    const { strings } = this.#language.value;
    const attachments = this.#draft.attachments ?? [];
    return html`<div class="composer">
      <div class="rows">
        ${renderNotice(this.notice, this, strings)}${renderOffer(this.offer, this, strings)}
        ${this.#answerMode?.render(attachments.length > 0, this.#setAnswering, strings) ?? nothing}
      </div>
      <ahp-queue
        part="queue"
        .steering=${this.steering}
        .queued=${this.queued}
        .pendingIds=${this.pendingIds}
        .edits=${this.edits}
      ></ahp-queue>
      <div class="box" part="composer">
        ${
          attachments.length > 0
            ? html`<div class="attached">
                <ahp-attachment-list removable .attachments=${attachments}></ahp-attachment-list>
              </div>`
            : nothing
        }
        <div class="field">
          <div class="backdrop" aria-hidden="true"></div>
          <textarea
            part="textarea"
            rows="1"
            dir="auto"
            enterkeyhint=${this.enterKey === 'send' ? 'send' : 'enter'}
            aria-label=${strings.message}
            aria-describedby=${this.#answerMode ? 'answer-mode command-hint' : 'command-hint'}
            placeholder=${this.placeholder || strings.placeholder}
            @input=${this.#onInput}
            @keydown=${this.#onKeydown}
            @keyup=${this.#composition.handleEvent}
            @compositionstart=${this.#composition.handleEvent}
            @compositionend=${this.#composition.handleEvent}
          ></textarea>
          ${this.#assist?.render()}
        </div>
        ${renderCommandHint(this.#text, this.session, strings)}
        <div class="toolbar" role="group" aria-label=${strings.composerTools}>
          <slot name="composer-start"></slot>
          ${renderModels(this.#draft, this.session, this.#reportChoice, strings)} ${this.#renderSettings(strings)}
          ${renderAgents(this.#draft, this.session, this.#reportChoice, strings)}
          <span class="space"></span>
          <slot name="composer-end"></slot>
          ${this.#renderSteer(strings)}${this.#renderSend(strings)}${this.#renderStop(strings)}
        </div>
      </div>
    </div>`;
  }

  /** Only a model that was chosen has settings here: which one the host takes otherwise, nobody knows. */
  #renderSettings(strings: Strings) {
    const { model } = this.#draft;
    const info = this.session?.models.find(({ id }) => id === model?.id);
    if (!model || !info?.configSchema || Object.keys(info.configSchema.properties).length === 0) return nothing;
    if (!this.#modelSettings) {
      void loadModelSettings().then((module) => {
        this.#modelSettings = module;
        if (module) this.requestUpdate();
      });
      return nothing;
    }
    const root = this.renderRoot as ShadowRoot;
    const { name, configSchema: schema } = info;
    const { renderModelSettings } = this.#modelSettings;
    return renderModelSettings({
      root,
      model,
      name,
      schema,
      message: this.#draft,
      report: this.#reportChoice,
      strings,
    });
  }

  #renderSend(strings: Strings) {
    const isAnswer = this.#answerMode?.state === 'on';
    const name = isAnswer ? strings.sendAnswer : this.busy ? strings.queueMessage : strings.send;
    const hasContent = this.#hasContent();
    return html`<button
      class="button send filled"
      part="send"
      type="button"
      title=${name}
      aria-label=${name}
      aria-disabled=${!this.canSend || !hasContent}
      ?hidden=${this.busy && !hasContent}
      @click=${this.#onSendClick}
    >
      ${icon('send')}
    </button>`;
  }

  /** Beside Queue: the label says what is different. */
  #renderSteer(strings: Strings) {
    return html`<button
      class="button steer"
      part="steer"
      type="button"
      title=${strings.steeringHint}
      aria-label=${strings.steerMessage}
      aria-disabled=${!this.canSend}
      aria-keyshortcuts=${this.enterKey === 'send' ? 'Control+Enter' : 'Control+Shift+Enter'}
      ?hidden=${!this.busy || !this.#hasContent() || this.#answerMode?.state === 'on'}
      @click=${this.#onSteerClick}
    >
      ${icon('steer')}<span>${strings.steerMessage}</span>
    </button>`;
  }

  #renderStop(strings: Strings) {
    const name = this.stopping ? strings.stopping : strings.stop;
    return html`<button
      class=${this.#hasContent() ? 'button stop' : 'button stop filled'}
      part="stop"
      type="button"
      title=${name}
      aria-label=${name}
      aria-disabled=${this.stopping}
      ?hidden=${!this.busy}
      @click=${this.#onStopClick}
    >
      ${icon('stop')}
    </button>`;
  }
}

const hasTies = ({ attachments }: Message): boolean => attachments?.some(({ range }) => range) === true;

/** What stands where is not known while nobody follows the text, and then nothing is said of it. */
function withoutTies(message: Message): Message {
  if (!hasTies(message)) return message;
  return { ...message, attachments: message.attachments!.map(({ range: _, ...rest }) => rest as MessageAttachment) };
}

const onTyping = (event: Event): void => keepTyping(event as KeyboardEvent);

define('ahp-composer', AhpComposer);

declare global {
  interface HTMLElementTagNameMap {
    'ahp-composer': AhpComposer;
  }
}
