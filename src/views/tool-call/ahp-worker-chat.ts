import { LitElement, html, nothing, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { hasOlderTurns } from '../../chat/selectors.js';
import type { ChatStoreStatus, OpenChat } from '../../chat/store.js';
import { Localized } from '../../i18n/localize.js';
import type { Strings } from '../../i18n/strings.js';
import type { AhpError } from '../../protocol/errors.js';
import { Status, type ChatState, type ToolResultContent, type Turn, type URI } from '../../protocol/state.js';
import { hasStatus } from '../../protocol/status.js';
import { adoptStyles } from '../adopt-styles.js';
import { define } from '../define.js';
import { AhpOpenChatEvent, type AhpEventMap } from '../events.js';
import { framePacer } from '../frame-pacer.js';
import { icon, type IconName } from '../icons.js';
import { toLabel } from '../label.js';
import { toReadFailure } from '../parts/read-failure.js';
import '../transcript/ahp-transcript.js';
import { announceFold } from '../transcript/fold.js';
import type { PartScope } from '../transcript/part-scope.js';
import { workerChatStyles } from './ahp-worker-chat.styles.js';

export type WorkerBlock = Extract<ToolResultContent, { type: 'subagent' }>;

/** Chats inside one another that are shown; hosts may nest without end. Source: AHP, chat origin. */
const DEEPEST = 16;

/** Of the transcript's box, and room for the button for older turns, in pixels. */
const EDGES = 24;

const noTurns: readonly Turn[] = [];
const live: ChatStoreStatus = { phase: 'live', pending: 0, unconfirmed: [] };

/** What a person may do in a chat that is only read, besides looking: everything else stops here. */
const stopped = [
  'ahp-send',
  'ahp-stop',
  'ahp-tool-confirm',
  'ahp-tool-cancel',
  'ahp-auth-request',
  'ahp-input-answer',
  'ahp-input-complete',
  'ahp-resume',
] as const satisfies readonly (keyof AhpEventMap)[];

/**
 * A worker that a tool has called: who it is and how it stands. Opened, its chat is shown in place, for reading only, over
 * a channel of its own, and inside it the workers that it has called. A chat that is shown already is not shown inside
 * itself again. Has no shadow root: it is styled by the surface around it.
 *
 * @customElement ahp-worker-chat
 * @summary A worker's chat, in place.
 * @fires {AhpOpenChatEvent} ahp-open-chat - The chat is to be shown by itself.
 * @csspart worker-chat - The card.
 */
export class AhpWorkerChat extends LitElement {
  readonly #language = new Localized(this);

  @property({ attribute: false }) block: WorkerBlock | undefined;
  @property({ attribute: false }) scope: PartScope | undefined;

  /** Names it in the view memory. */
  @property({ attribute: false }) memoryKey = '';

  @state() private isLoadingOlder = false;

  #channel: { readonly of: URI; readonly chat: OpenChat; readonly unsubscribe: () => void } | undefined;
  #state: ChatState | undefined;
  #failure: AhpError | undefined;

  readonly #sizes = new ResizeObserver(([entry]) => this.#fit(entry!.target as HTMLElement));
  #measured: Element | undefined;

  /** The same list for the same place, which the transcript inside compares it by. */
  #path: readonly URI[] = [];

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    adoptStyles(this, workerChatStyles);
    for (const name of stopped) this.addEventListener(name, stop);
    this.addEventListener('ahp-load-older', this.#onLoadOlder);
    if (this.hasUpdated) this.requestUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#sizes.disconnect();
    this.#measured = undefined;
    this.#close();
  }

  protected override willUpdate(): void {
    const { scope, block } = this;
    const { chat, ancestors = [] } = scope ?? {};
    const path = chat === undefined ? ancestors : [...ancestors, chat];
    if (path.length !== this.#path.length || path.some((uri, place) => uri !== this.#path[place])) this.#path = path;
    const open = scope?.services?.openChat;
    if (!block || !open || !this.#canShow || !this.#isOpen || !this.isConnected) return this.#close();
    if (this.#channel?.of === block.resource) return;
    this.#close();
    if (this.#failure) return;
    const opened = open(block.resource);
    const unsubscribe = opened.subscribe(() => framePacer.request(this.#onFrame));
    this.#channel = { of: block.resource, chat: opened, unsubscribe };
    this.#take();
  }

  protected override updated(): void {
    void this.#measure();
  }

  /** A short chat takes no more room than it needs. */
  async #measure(): Promise<void> {
    const transcript = this.querySelector('ahp-transcript');
    await transcript?.updateComplete;
    const list = transcript?.shadowRoot?.querySelector('.turns') ?? undefined;
    if (list === this.#measured || !this.isConnected) return;
    this.#sizes.disconnect();
    this.#measured = list;
    if (list) this.#sizes.observe(list);
  }

  /** In the next frame: a size that is set while sizes are told would be told too late. */
  #fit(list: HTMLElement): void {
    requestAnimationFrame(() => {
      const transcript = this.querySelector<HTMLElement>('ahp-transcript');
      transcript?.style.setProperty('--_content', `${list.offsetHeight + EDGES}px`);
    });
  }

  get #isOpen(): boolean {
    return this.scope?.memory.isOpen(this.memoryKey) ?? false;
  }

  /** Why it cannot be shown in place; absent where it can. */
  #findObstacle(strings: Strings): string | undefined {
    const { block } = this;
    if (!block) return undefined;
    if (this.#path.includes(block.resource)) return strings.workerAbove;
    return this.#path.length >= DEEPEST ? strings.workerTooDeep : undefined;
  }

  get #isHidden(): boolean {
    return (this.#state ?? this.#findSummary())?.interactivity === 'hidden';
  }

  get #canShow(): boolean {
    const isFree = this.#findObstacle(this.#language.value.strings) === undefined;
    return isFree && !this.#isHidden && !!this.scope?.services?.openChat;
  }

  #findSummary() {
    return this.scope?.workers.find(({ resource }) => resource === this.block?.resource);
  }

  readonly #onFrame = (): void => {
    this.#take();
    this.requestUpdate();
  };

  #take(): void {
    const { chat } = this.#channel ?? {};
    if (!chat) return;
    this.#state = chat.state ?? this.#state;
    this.#failure = chat.error;
  }

  #close(): void {
    framePacer.cancel(this.#onFrame);
    this.#channel?.unsubscribe();
    this.#channel?.chat.close();
    this.#channel = undefined;
    // What is shown while it is closed is what the session says.
    if (!this.#isHidden) this.#state = undefined;
  }

  readonly #onToggle = (): void => {
    announceFold(this);
    this.#failure = undefined;
    this.scope?.memory.setOpen(this.memoryKey, !this.#isOpen);
    this.requestUpdate();
  };

  readonly #onRetry = (): void => {
    this.#close();
    this.#failure = undefined;
    this.requestUpdate();
    this.querySelector<HTMLElement>('.worker-title')?.focus();
  };

  readonly #onOpenChat = (): void => {
    if (this.block) this.dispatchEvent(new AhpOpenChatEvent(this.block.resource));
  };

  readonly #onLoadOlder = (event: Event): void => {
    event.stopPropagation();
    void this.#loadOlder();
  };

  async #loadOlder(): Promise<void> {
    if (this.isLoadingOlder) return;
    this.isLoadingOlder = true;
    try {
      await this.#channel?.chat.loadOlderTurns?.();
    } catch {
      // The button is there again: whoever pressed it can press once more.
    } finally {
      this.isLoadingOlder = false;
    }
  }

  /* ------------------------------------------------------------ render */

  override render() {
    const { block, scope } = this;
    if (!block || !scope) return nothing;
    const { strings } = this.#language.value;
    const title = toLabel(block.title ?? '') || strings.subagent;
    return html`<div class="worker" part="worker-chat" role="group" aria-label=${title}>
      <div class="worker-head">
        ${this.#renderTitle(title, strings)}
        ${
          this.#isHidden
            ? nothing
            : html`<button
                class="button"
                type="button"
                aria-label=${strings.openChatNamed(title)}
                @click=${this.#onOpenChat}
              >
                ${strings.openChat}
              </button>`
        }
      </div>
      ${block.description ? html`<p class="literal quiet" dir="auto">${toText(block.description)}</p>` : nothing}
      ${this.#renderBody(title, strings)}
    </div>`;
  }

  #renderTitle(title: string, strings: Strings): TemplateResult {
    const { agentName } = this.block!;
    const words = html`${icon('bot')}<span class="worker-words"
        ><bdi class="strong">${title}</bdi>
        ${agentName ? html`<bdi class="quiet">${toLabel(agentName)}</bdi>` : nothing}
        ${this.#renderStatus(strings)}</span
      >`;
    if (!this.#canShow) return html`<div class="worker-title" tabindex="-1">${words}</div>`;
    return html`<button class="line worker-title" type="button" aria-expanded=${this.#isOpen} @click=${this.#onToggle}>
      ${words}${icon('chevron')}
    </button>`;
  }

  /** From the chat itself while it is open, else from the session's list. */
  #renderStatus(strings: Strings) {
    const status = (this.#state ?? this.#findSummary())?.status;
    const mark = status === undefined ? undefined : toMark(status, strings);
    return mark ? html`<span class="worker-status ${mark.tone}">${icon(mark.sign)}${mark.word}</span>` : nothing;
  }

  #renderBody(title: string, strings: Strings) {
    const obstacle = this.#findObstacle(strings);
    if (obstacle) return html`<p class="plain quiet">${obstacle}</p>`;
    if (!this.#canShow || !this.#isOpen) return nothing;
    const chat = this.#state;
    return html`${this.#renderFailure(strings)}${
      this.#failure && !chat ? nothing : this.#renderTranscript(chat, title, strings)
    }`;
  }

  #renderFailure(strings: Strings) {
    if (!this.#failure) return nothing;
    if (toReadFailure(this.#failure).kind === 'gone') return html`<p class="plain quiet">${strings.workerGone}</p>`;
    return html`<p class="plain">
      <span class="danger">${strings.loadFailed}</span>
      <button class="link-button" type="button" @click=${this.#onRetry}>${strings.tryAgain}</button>
    </p>`;
  }

  #renderTranscript(chat: ChatState | undefined, title: string, strings: Strings): TemplateResult {
    const scope = this.scope!;
    return html`<ahp-transcript
      .label=${strings.conversationOf(title)}
      .turns=${chat?.turns ?? noTurns}
      .activeTurn=${chat?.activeTurn}
      .activity=${chat?.activity}
      .hasOlder=${!!chat && hasOlderTurns(chat)}
      .loadingOlder=${this.isLoadingOlder}
      .loading=${!chat}
      .status=${live}
      .readOnly=${true}
      .withoutReasoning=${scope.withoutReasoning}
      .services=${scope.services}
      .clock=${scope.clock}
      .imageOrigins=${scope.imageOrigins}
      .chat=${this.block!.resource}
      .ancestors=${this.#path}
      .chats=${scope.workers}
    ></ahp-transcript>`;
  }
}

interface Mark {
  readonly sign: IconName;
  readonly word: string;
  readonly tone: string;
}

function toMark(status: number, strings: Strings): Mark | undefined {
  if (hasStatus(status, Status.InputNeeded)) return { sign: 'shield', word: strings.workerNeedsInput, tone: 'warning' };
  if (hasStatus(status, Status.InProgress)) return { sign: 'running', word: strings.workerRunning, tone: 'quiet' };
  if (hasStatus(status, Status.Error)) return { sign: 'alert', word: strings.workerFailed, tone: 'danger' };
  return hasStatus(status, Status.Idle) ? { sign: 'check', word: strings.workerDone, tone: 'quiet' } : undefined;
}

const toText = (value: unknown): string => (typeof value === 'string' ? value : '');

function stop(event: Event): void {
  event.preventDefault();
  event.stopPropagation();
}

define('ahp-worker-chat', AhpWorkerChat);

declare global {
  interface HTMLElementTagNameMap {
    'ahp-worker-chat': AhpWorkerChat;
  }
}
