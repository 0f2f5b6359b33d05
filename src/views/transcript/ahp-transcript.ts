import { LitElement, html, nothing, type PropertyValues } from 'lit';
import { property, query, state } from 'lit/decorators.js';
import { guard } from 'lit/directives/guard.js';
import { repeat } from 'lit/directives/repeat.js';
import { isBlocking } from '../../chat/parts.js';
import type { AnswerDrafts } from '../../chat/answer-drafts.js';
import type { Edits } from '../../chat/edits.js';
import type { ChatServices, ChatStoreStatus } from '../../chat/store.js';
import { LanguageProvider } from '../../i18n/localize.js';
import type { ActiveTurn, ChatSummary, Turn, URI } from '../../protocol/state.js';
import type { Clock } from '../clock.js';
import { define } from '../define.js';
import { icon } from '../icons.js';
import { loadSelectionBar } from '../parts/lazy.js';
import { transcriptStyles } from './ahp-transcript.styles.js';
import './ahp-turn.js';
import { noAbilities, toPartScope, type PartScope, type TurnAbilities, type TurnToMarkdown } from './part-scope.js';
import { toProgress, type Progress } from './progress.js';
import { RequestBar } from './request-bar.js';
import { ScrollController, type ScrollView } from './scroll-controller.js';
import type { SelectionBar } from './selection-bar.js';
import { TurnEdits } from './turn-edits.js';
import { isResumable, isRetryable } from './turn-facts.js';
import { TurnFocus } from './turn-focus.js';
import { toTurnName } from './turn-name.js';
import { TurnPager } from './turn-pager.js';
import type { AnyTurn } from './turn-window.js';
import { ViewMemory } from './view-memory.js';
import type { Worker } from './workers.js';

const noTurns: readonly Turn[] = [];
const noOrigins: readonly string[] = [];
const noChats: readonly Worker[] = [];

/**
 * The conversation. The document holds a window of turns around what is looked at; finished turns are never touched again.
 * It stays with the end until the reader moves up, and otherwise keeps what is read in place, whatever arrives or changes
 * its size.
 *
 * @customElement ahp-transcript
 * @summary The scrolling list of turns.
 * @slot header - Above the oldest turn; scrolls along.
 * @slot empty - Shown while there is no turn.
 * @fires {AhpLoadOlderEvent} ahp-load-older - Turns older than those in memory are wanted.
 * @fires {AhpToolConfirmEvent} ahp-tool-confirm - A tool call or its result is allowed or denied.
 * @fires {AhpToolCancelEvent} ahp-tool-cancel - A call that waits for a sign-in is given up.
 * @fires {AhpAuthRequestEvent} ahp-auth-request - Somebody has to sign in.
 * @fires {AhpInputCompleteEvent} ahp-input-complete - A question is answered, declined or cancelled.
 * @fires {AhpInputAnswerEvent} ahp-input-answer - What is entered into a form has changed.
 * @fires {AhpOpenResourceEvent} ahp-open-resource - A resource, or a link that does not navigate, was pressed.
 * @fires {AhpOpenChatEvent} ahp-open-chat - Another chat is to be shown.
 * @fires {AhpResumeEvent} ahp-resume - A failed turn is to go on.
 * @fires {AhpForkEvent} ahp-fork - Another chat is to begin at a turn, or beside it.
 * @csspart scroller - The box that scrolls.
 * @csspart jump - The button that goes back to the end.
 * @csspart selection-bar - What can be done with a selected piece of an answer.
 * @csspart request-bar - The bar that leads to an open question out of view.
 * @csspart older - The button for older turns.
 * @csspart turn - One turn.
 * @csspart message - What started a turn.
 * @csspart attachment - One attachment chip.
 * @csspart markdown - One block of answer text.
 * @csspart reasoning - Reasoning with its fold.
 * @csspart tool-call - One tool call.
 * @csspart tool-call-line - The quiet line of a tool call.
 * @csspart tool-call-body - What opens below that line.
 * @csspart tool-run - A run of quiet tool calls.
 * @csspart confirmation - The raised card of a tool call that waits.
 * @csspart input-request - A question.
 * @csspart content-ref - Content that is read on demand.
 * @csspart error - A failure.
 * @csspart footer - The footer of a turn.
 */
export class AhpTranscript extends LitElement {
  static override styles = transcriptStyles;

  readonly #language = new LanguageProvider(this);

  /** Finished turns, oldest first. A turn that is the same object is not looked at again. */
  @property({ attribute: false }) turns: readonly Turn[] = noTurns;

  @property({ attribute: false }) activeTurn: ActiveTurn | undefined;

  /** Whether the host has turns older than the first one. */
  @property({ type: Boolean, attribute: 'has-older' }) hasOlder = false;

  /** Whether older turns are on their way. */
  @property({ type: Boolean, attribute: 'loading-older' }) loadingOlder = false;

  /** Whether there is nothing to show yet. */
  @property({ type: Boolean }) loading = false;

  /** What is going on in the running turn, in the host's words. */
  @property({ attribute: false }) activity: string | undefined;

  /** Connection and outbox: what is under way, and whether what is shown may be out of date. */
  @property({ attribute: false }) status: ChatStoreStatus | undefined;

  /** `auto` stays with the newest text, `turn-start` with the top of the newest turn, `off` stays put. */
  @property() follow: 'auto' | 'turn-start' | 'off' = 'auto';

  @property({ attribute: false }) refusals = 0;

  /** Whether nothing may be answered here. */
  @property({ type: Boolean, attribute: 'readonly' }) readOnly = false;

  @property({ type: Boolean, attribute: 'without-reasoning' }) withoutReasoning = false;

  /** Reads content on demand; without it previews are all there is. */
  @property({ attribute: false }) services: ChatServices | undefined;

  /** What was entered into forms and is not answered for good. */
  @property({ attribute: false }) answerDrafts: AnswerDrafts | undefined;

  /** What is half written in place of messages; without it none can be edited. */
  @property({ attribute: false }) edits: Edits | undefined;

  /** What it is called, where there is more than one. */
  @property() label = '';

  /** Which chat it is. */
  @property({ attribute: false }) chat: URI | undefined;

  /** The chats it is shown in, the outermost first. */
  @property({ attribute: false }) ancestors: readonly URI[] = noOrigins;

  /** The chats of the session, for what they say of workers. */
  @property({ attribute: false }) chats: readonly (Worker | ChatSummary)[] = noChats;

  /** Without one there are no relative times. */
  @property({ attribute: false }) clock: Clock | undefined;

  /** Origins whose pictures are loaded by themselves. */
  @property({ attribute: false }) imageOrigins: readonly string[] = noOrigins;

  /** What may be done with the turns. */
  @property({ attribute: false }) abilities: TurnAbilities = noAbilities;

  /** Gives a turn as Markdown; without it only the answer can be copied. */
  @property({ attribute: false }) toMarkdown: TurnToMarkdown | undefined;

  /** Whether the end is out of view, and whether something has come there since. */
  @state() private jump: 'none' | 'end' | 'new' = 'none';

  @query('.scroller') private readonly scroller!: HTMLElement;
  @query('.turns') private readonly list!: HTMLElement;

  readonly #find = (): ScrollView => ({ scroller: this.scroller, list: this.list });
  readonly #memory = new ViewMemory();
  readonly #edits = new TurnEdits(this, this.#memory, () => this.edits);
  readonly #requestBar: RequestBar = new RequestBar(this, () => void this.#onShowRequest());
  readonly #pager = new TurnPager(this, this.#find);
  readonly #window = this.#pager.window;
  readonly #scroll = new ScrollController(this, {
    find: this.#find,
    isEndShown: () => this.#window.isAtEnd,
    onMove: (direction) => this.#onMove(direction),
  });
  readonly #focus = new TurnFocus(this, { pager: this.#pager, scroll: this.#scroll, find: this.#find });
  #selectionBar: SelectionBar | undefined;
  #scope: PartScope | undefined;
  #hasUnseen = false;
  #progress: Progress | undefined;
  #frame: number | undefined;

  /** Whether the view stays with the end. */
  get isFollowing(): boolean {
    return this.#scroll.isFollowing;
  }

  /** Whether the end of the newest turn can be seen. */
  readonly isEndInView = (): boolean => this.hasUpdated && this.#window.isAtEnd && this.#scroll.isAtEnd();

  /** Goes to the end and stays with it; to be called when this person has sent something. */
  scrollToEnd(): void {
    this.#window.showEnd();
    this.#hasUnseen = false;
    this.requestUpdate();
    void this.updateComplete.then(() => this.#scroll.follow());
  }

  /** Brings a turn in memory to the top of the view. Resolves with whether there is such a turn. */
  async scrollToTurn(id: string): Promise<boolean> {
    const place = this.#window.find(id);
    if (place < 0) return false;
    const turn = await this.#pager.bring(place);
    if (turn) this.#scroll.show(turn);
    return turn !== undefined;
  }

  /** Puts the focus on the turn that had it last, else on the newest; where there is none, on the box they will be in. */
  override focus(options?: FocusOptions): void {
    this.#focus.focus(options);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    window.addEventListener('beforeprint', this.#onBeforePrint);
  }

  override disconnectedCallback(): void {
    window.removeEventListener('beforeprint', this.#onBeforePrint);
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    this.#frame = undefined;
    super.disconnectedCallback();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('turns') || changed.has('activeTurn')) this.#takeTurns();
    if (changed.has('loadingOlder') && !this.loadingOlder) this.#pager.endWait();
    if (changed.has('follow'))
      this.#scroll.target = ({ auto: 'end', 'turn-start': 'turn', off: 'none' } as const)[this.follow];
    if (this.abilities.sideChat) void this.#loadSelectionBar();
    this.#scope = toPartScope(this, { memory: this.#memory, edit: this.#edits.begin }, this.#scope);
  }

  async #loadSelectionBar(): Promise<void> {
    const module = await loadSelectionBar();
    if (module) this.#selectionBar ??= new module.SelectionBar(this);
  }

  #takeTurns(): void {
    if (this.#pager.take() && !this.#scroll.isFollowing) this.#hasUnseen = true;
  }

  protected override updated(): void {
    this.#later();
  }

  /* ------------------------------------------------------------ moving */

  #onMove(direction: 'up' | 'down' | 'none'): void {
    const isAtEnd = this.#scroll.isAtEnd();
    if (isAtEnd) this.#hasUnseen = false;
    this.jump = isAtEnd || this.#scroll.isFollowing ? 'none' : this.#hasUnseen ? 'new' : 'end';
    this.#pager.onMove(direction);
    this.#later();
  }

  /** What needs the layout is done once a frame, not in the middle of it. */
  #later(): void {
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined;
      this.#pager.fill(this.#scroll.isFollowing);
      this.#lookForRequest();
    });
  }

  #lookForRequest(): void {
    const isOpen = !this.readOnly && (this.activeTurn?.responseParts?.some(isBlocking) ?? false);
    this.#requestBar.look(isOpen, this.#findRequest(), this.scroller);
  }

  #findRequest(): HTMLElement | null {
    return this.list.querySelector<HTMLElement>('[data-needs-answer]');
  }

  readonly #onJump = (): void => {
    this.scrollToEnd();
    // The button goes; the newest turn takes its focus.
    void this.updateComplete.then(() =>
      (this.list.lastElementChild as HTMLElement | null)?.focus({ preventScroll: true }),
    );
  };

  readonly #onShowRequest = async (): Promise<void> => {
    if (!this.activeTurn) return;
    if (!this.#window.isAtEnd) await this.scrollToTurn(this.activeTurn.id);
    const request = this.#findRequest();
    if (!request) return;
    this.#scroll.show(request);
    // The card and none of its buttons: the next Enter must not answer.
    request.focus({ preventScroll: true });
  };

  /** Printing takes what the document holds. */
  readonly #onBeforePrint = (): void => {
    this.#window.showAll();
    this.requestUpdate();
    this.performUpdate();
  };

  /* ------------------------------------------------------------ render */

  override render() {
    const { strings } = this.#language.value;
    const { count } = this.#window;
    this.#progress = toProgress(this.activeTurn, this.status, this.activity, strings, this.#progress);
    const { reachable } = this.#focus;
    const hasEarlier = this.hasOlder || this.#window.first > 0;
    return html`<div class="scroller follow-${this.follow}" part="scroller" tabindex="-1">
        <slot name="header"></slot>
        <div class="older" ?hidden=${!hasEarlier}>
          <button class="button quiet" part="older" type="button" @click=${this.#pager.showOlder}>
            ${this.loadingOlder ? strings.loadingOlder : strings.showOlder}
          </button>
        </div>
        <p class="print-note">${hasEarlier && this.hasOlder ? strings.olderNotPrinted : nothing}</p>
        <div class="empty" ?hidden=${count > 0 || this.loading}><slot name="empty"></slot></div>
        <div class="skeleton" aria-hidden="true" ?hidden=${count > 0 || !this.loading}><i></i><i></i><i></i></div>
        <div
          class="turns"
          role="feed"
          ?hidden=${count === 0 && !this.loading}
          aria-label=${this.label || strings.transcript}
          aria-busy=${this.loadingOlder || this.loading}
          @focusin=${this.#focus.onFocusIn}
          @keydown=${this.#focus.onKeydown}
        >
          ${repeat(
            this.#window.shown(),
            ({ id }) => id,
            (turn, index) => this.#renderTurn(turn, this.#window.first + index, reachable),
          )}
        </div>
      </div>
      <div class="floating">
        ${this.abilities.sideChat ? this.#selectionBar?.render(strings) : nothing}${this.#requestBar.render(strings)}${this.#renderJump()}
      </div>`;
  }

  #renderTurn(turn: AnyTurn, place: number, reachable: string | undefined) {
    const { strings } = this.#language.value;
    const isActive = turn === this.activeTurn;
    const isLast = place === this.#window.count - 1;
    return html`<ahp-turn
      part="turn"
      role="article"
      tabindex=${turn.id === reachable ? 0 : -1}
      aria-label=${guard([turn.message, strings], () => toTurnName(turn.message, strings))}
      aria-posinset=${place + 1}
      aria-setsize=${this.hasOlder ? -1 : this.#window.count}
      .turn=${turn}
      .scope=${this.#scope}
      .progress=${isActive ? this.#progress : undefined}
      .resumable=${!this.readOnly && isLast && !isActive && isResumable(turn as Turn)}
      .retryable=${isLast && !isActive && isRetryable(turn as Turn)}
      .editing=${this.#edits.isOpen(turn.id) ? this.#window.count - 1 - place : undefined}
    ></ahp-turn>`;
  }

  #renderJump() {
    if (this.jump === 'none') return nothing;
    const { strings } = this.#language.value;
    const name = this.jump === 'new' ? strings.jumpToNew : strings.jumpToEnd;
    return html`<button
      class="jump ${this.jump}"
      part="jump"
      type="button"
      aria-label=${name}
      title=${name}
      @click=${this.#onJump}
    >
      ${icon('down')}
    </button>`;
  }
}

define('ahp-transcript', AhpTranscript);

declare global {
  interface HTMLElementTagNameMap {
    'ahp-transcript': AhpTranscript;
  }
}
