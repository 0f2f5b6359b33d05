import { LitElement, html, nothing, type PropertyValues } from 'lit';
import { property, query, state } from 'lit/decorators.js';
import { guard } from 'lit/directives/guard.js';
import { repeat } from 'lit/directives/repeat.js';
import { isBlocking } from '../../chat/parts.js';
import type { AnswerDrafts } from '../../chat/answer-drafts.js';
import type { Edits } from '../../chat/edits.js';
import type { ChatServices, ChatStoreStatus, UnconfirmedIntent } from '../../chat/store.js';
import { LanguageProvider } from '../../i18n/localize.js';
import type { ActiveTurn, ChatSummary, Turn, URI } from '../../protocol/state.js';
import type { Clock } from '../clock.js';
import { define } from '../define.js';
import { AhpLoadOlderEvent } from '../events.js';
import { icon } from '../icons.js';
import { loadSelectionBar } from '../parts/lazy.js';
import { transcriptStyles } from './ahp-transcript.styles.js';
import './ahp-turn.js';
import type { AhpTurn } from './ahp-turn.js';
import { Held } from './held.js';
import { isSameScope, noAbilities, type PartScope, type TurnAbilities, type TurnToMarkdown } from './part-scope.js';
import { toProgress, type Progress } from './progress.js';
import { RequestBar } from './request-bar.js';
import { ScrollController } from './scroll-controller.js';
import type { SelectionBar } from './selection-bar.js';
import { TurnEdits } from './turn-edits.js';
import { isResumable, isRetryable } from './turn-facts.js';
import { toPlace } from './turn-keys.js';
import { toTurnName } from './turn-name.js';
import { TurnWindow, type AnyTurn } from './turn-window.js';
import { ViewMemory } from './view-memory.js';
import { toWorkers, type Worker } from './workers.js';

/** How near an edge, in views and pixels, the next page comes in: further than a fling goes in a frame. */
const NEAR_VIEWS = 1.5;
const NEAR_PX = 1_000;

const noTurns: readonly Turn[] = [];
const noIds: ReadonlySet<string> = new Set();
const noIntents: readonly UnconfirmedIntent[] = [];
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

  readonly #window = new TurnWindow();
  readonly #memory = new ViewMemory();
  readonly #edits = new TurnEdits(this, this.#memory, () => this.edits);
  readonly #requestBar: RequestBar = new RequestBar(this, () => void this.#onShowRequest());
  readonly #scroll = new ScrollController(this, {
    find: () => ({ scroller: this.scroller, list: this.list }),
    isEndShown: () => this.#window.isAtEnd,
    onMove: (direction) => this.#onMove(direction),
  });
  #selectionBar: SelectionBar | undefined;
  #scope: PartScope | undefined;
  /** The first turn when older ones were asked for; asked again only when it has changed or the wait has ended. */
  #askedBefore: string | undefined;
  #hasUnseen = false;
  /** The turn that has the focus, or had it last. */
  #current: string | undefined;
  #progress: Progress | undefined;
  #frame: number | undefined;
  #hadFocus = false;

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
    this.#window.showAround(place);
    this.requestUpdate();
    await this.#turnsRendered();
    const turn = this.#findTurn(id);
    if (turn) this.#scroll.show(turn);
    return turn !== undefined;
  }

  /** Puts the focus on a turn, by default the one that had it last or the newest. */
  override focus(options?: FocusOptions): void {
    const turn = this.#findTurn(this.#current) ?? (this.list?.lastElementChild as HTMLElement | null);
    turn?.focus({ ...options, preventScroll: true });
    if (turn && !options?.preventScroll) this.#scroll.reveal(turn);
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
    this.#hadFocus = Boolean(this.shadowRoot?.activeElement?.closest('ahp-turn'));
    if (changed.has('turns') || changed.has('activeTurn')) this.#takeTurns();
    if (changed.has('loadingOlder') && !this.loadingOlder) this.#askedBefore = undefined;
    if (changed.has('follow'))
      this.#scroll.target = ({ auto: 'end', 'turn-start': 'turn', off: 'none' } as const)[this.follow];
    if (this.abilities.sideChat) void this.#loadSelectionBar();
    this.#refreshScope();
  }

  async #loadSelectionBar(): Promise<void> {
    const module = await loadSelectionBar();
    if (module) this.#selectionBar ??= new module.SelectionBar(this);
  }

  #takeTurns(): void {
    const hadTurns = this.#window.count > 0;
    const last = this.#window.at(this.#window.count - 1);
    this.#window.set(this.turns, this.activeTurn);
    if (this.turns[0]?.id !== this.#askedBefore) this.#askedBefore = undefined;
    const isNew = hadTurns && this.#window.at(this.#window.count - 1) !== last;
    if (isNew && !this.#scroll.isFollowing) this.#hasUnseen = true;
  }

  #refreshScope(): void {
    const phase = this.status?.phase ?? 'live';
    const next: PartScope = {
      services: this.services,
      clock: this.clock,
      memory: this.#memory,
      answerDrafts: this.answerDrafts,
      answers: this.readOnly ? 'no' : phase === 'live' ? 'yes' : 'waiting',
      pendingIds: this.status?.pendingIds ?? noIds,
      refusals: this.refusals,
      unconfirmed: this.status?.unconfirmed.length ? this.status.unconfirmed : noIntents,
      withoutReasoning: this.withoutReasoning,
      imageOrigins: this.imageOrigins,
      chat: this.chat,
      ancestors: this.ancestors,
      workers: toWorkers(this.chats, this.#scope?.workers ?? noChats),
      abilities: this.abilities,
      toMarkdown: this.toMarkdown,
      edits: this.edits,
      edit: this.#edits.begin,
    };
    if (!this.#scope || !isSameScope(this.#scope, next)) this.#scope = next;
  }

  protected override updated(): void {
    if (this.#hadFocus && !this.shadowRoot?.activeElement) this.focus({ preventScroll: true });
    this.#dropSurplus();
    this.#later();
  }

  /* ------------------------------------------------------------ moving */

  #onMove(direction: 'up' | 'down' | 'none'): void {
    const isAtEnd = this.#scroll.isAtEnd();
    if (isAtEnd) this.#hasUnseen = false;
    this.jump = isAtEnd || this.#scroll.isFollowing ? 'none' : this.#hasUnseen ? 'new' : 'end';
    const { scrollTop, scrollHeight, clientHeight } = this.scroller;
    const near = clientHeight * NEAR_VIEWS + NEAR_PX;
    if (direction === 'up' && scrollTop < near) this.#showOlder();
    if (direction === 'down' && scrollHeight - clientHeight - scrollTop < near && !this.#window.isAtEnd) {
      this.#window.growDown();
      this.requestUpdate();
    }
    this.#later();
  }

  /** More from memory; from the host when that is used up. */
  #showOlder(): void {
    if (this.#window.first > 0) {
      this.#window.growUp();
      this.requestUpdate();
    } else this.#askForOlder();
  }

  #askForOlder(): void {
    const first = this.turns[0]?.id ?? '';
    if (!this.hasOlder || this.loadingOlder || this.#askedBefore === first) return;
    this.#askedBefore = first;
    this.dispatchEvent(new AhpLoadOlderEvent());
  }

  /** What needs the layout is done once a frame, not in the middle of it. */
  #later(): void {
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined;
      // Few or low turns: the view is not full, or at its top although more is in memory, where no scroll can ask for it.
      const { scrollHeight, scrollTop, clientHeight } = this.scroller;
      const isShort = scrollHeight <= clientHeight || (!this.#scroll.isFollowing && scrollTop < clientHeight);
      if (this.#window.first > 0 && isShort) this.#showOlder();
      this.#lookForRequest();
    });
  }

  /** Far turns go, a page at a time and never in the update that brought others: each step is corrected by itself. */
  #dropSurplus(): void {
    const surplus = this.#window.surplus;
    if (surplus === 0) return;
    requestAnimationFrame(() => {
      const { list, scroller } = this;
      if (!this.isConnected || this.#window.surplus === 0) return;
      const held = new Held(this.shadowRoot!);
      const middle = scroller.scrollTop + scroller.clientHeight / 2;
      const isReadingLate = middle > scroller.scrollHeight / 2;
      const turns = [...list.children];
      if (!isReadingLate) turns.reverse();
      const kept = turns.slice(0, surplus).findIndex((turn) => held.has(turn));
      const count = kept < 0 ? surplus : kept;
      if (count === 0) return;
      if (isReadingLate) this.#window.dropFromTop(count);
      else this.#window.dropFromBottom(count);
      this.requestUpdate();
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

  /* ------------------------------------------------------------ keyboard */

  readonly #onFocusIn = (event: FocusEvent): void => {
    const turn = (event.target as Element).closest('ahp-turn');
    if (!turn?.turn || turn.turn.id === this.#current) return;
    this.#current = turn.turn.id;
    // The one that Tab reaches may be it already: it is the newest, and the one before it is gone.
    if (turn.tabIndex < 0) this.requestUpdate();
  };

  readonly #onKeydown = (event: KeyboardEvent): void => {
    const turn = event.target as AhpTurn;
    if (turn.localName !== 'ahp-turn' || event.ctrlKey || event.metaKey || event.altKey) return;
    const place = this.#window.find(this.#current);
    const next = toPlace(event.key, { turn, scroller: this.scroller, place, count: this.#window.count });
    if (next === undefined || next === place) return;
    event.preventDefault();
    void this.#focusTurn(next);
  };

  async #focusTurn(place: number): Promise<void> {
    const id = this.#window.at(place)?.id;
    this.#window.showAround(place);
    this.#current = id;
    this.requestUpdate();
    await this.#turnsRendered();
    const turn = this.#findTurn(id);
    turn?.focus({ preventScroll: true });
    if (turn) this.#scroll.reveal(turn);
  }

  /* ------------------------------------------------------------ render */

  async #turnsRendered(): Promise<void> {
    await this.updateComplete;
    await Promise.all([...this.list.children].map((turn) => (turn as AhpTurn).updateComplete));
  }

  #findTurn(id: string | undefined): AhpTurn | undefined {
    if (id === undefined) return undefined;
    return ([...(this.list?.children ?? [])] as AhpTurn[]).find(({ turn }) => turn?.id === id);
  }

  override render() {
    const { strings } = this.#language.value;
    const { count } = this.#window;
    this.#progress = toProgress(this.activeTurn, this.status, this.activity, strings, this.#progress);
    // One turn can be reached with Tab: the one that had the focus last, at first the newest.
    const current = (this.#window.at(this.#window.find(this.#current)) ?? this.#window.at(count - 1))?.id;
    const hasEarlier = this.hasOlder || this.#window.first > 0;
    return html`<div class="scroller follow-${this.follow}" part="scroller">
        <slot name="header"></slot>
        <div class="older" ?hidden=${!hasEarlier}>
          <button class="button quiet" part="older" type="button" @click=${this.#showOlder}>
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
          @focusin=${this.#onFocusIn}
          @keydown=${this.#onKeydown}
        >
          ${repeat(
            this.#window.shown(),
            ({ id }) => id,
            (turn, index) => this.#renderTurn(turn, this.#window.first + index, current),
          )}
        </div>
      </div>
      <div class="floating">
        ${this.abilities.sideChat ? this.#selectionBar?.render(strings) : nothing}${this.#requestBar.render(strings)}${this.#renderJump()}
      </div>`;
  }

  #renderTurn(turn: AnyTurn, place: number, current: string | undefined) {
    const { strings } = this.#language.value;
    const isActive = turn === this.activeTurn;
    const isLast = place === this.#window.count - 1;
    return html`<ahp-turn
      part="turn"
      role="article"
      tabindex=${turn.id === current ? 0 : -1}
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
