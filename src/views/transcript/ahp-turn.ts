import { LitElement, html, nothing, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import { Localized } from '../../i18n/localize.js';
import type { ResponsePart, ToolCallPart } from '../../protocol/state.js';
import { define } from '../define.js';
import { FocusKeeper } from '../focus-keeper.js';
import { icon } from '../icons.js';
import { shortenEnd, toLabel } from '../label.js';
import { renderMessage } from '../message/render-message.js';
import { loadTurnTools } from '../parts/lazy.js';
import type { PartContext } from '../parts/part-context.js';
import { renderError, renderPart } from '../parts/render-part.js';
import { toWords } from '../parts/words.js';
import { toBlocks, toNewest, type Block } from './blocks.js';
import { announceFold } from './fold.js';
import type { PartScope } from './part-scope.js';
import type { Progress } from './progress.js';
import type { AnyTurn } from './turn-window.js';

const noParts: readonly ResponsePart[] = [];

/** Blocks that are laid out at first, and with each press more: a turn may have a million. */
const MOST_BLOCKS = 1_000;

/** Characters of what one call of a run has done. */
const MOST_WORDS = 60;

/**
 * One turn: what was said, what was answered and done, and a footer. Updates only when its turn is another object. Has no
 * shadow root: it is styled by the transcript, which also gives it its role and place among the others.
 *
 * @customElement ahp-turn
 * @summary One turn of the conversation.
 * @fires {AhpResumeEvent} ahp-resume - A failed turn is to go on.
 * @csspart turn - The whole turn.
 * @csspart message - What started it.
 * @csspart markdown - One block of answer text.
 * @csspart footer - Actions, time, length and tokens.
 */
export class AhpTurn extends LitElement {
  readonly #language = new Localized(this);

  @property({ attribute: false }) turn: AnyTurn | undefined;

  /** Set while it runs. */
  @property({ attribute: false }) progress: Progress | undefined;

  /** Whether it failed and may go on. */
  @property({ attribute: false }) resumable = false;

  /** Whether its message may be sent once more as it is. */
  @property({ attribute: false }) retryable = false;

  /** Set while its message is edited: how many turns would go with it. */
  @property({ attribute: false }) editing: number | undefined;

  @property({ attribute: false }) scope: PartScope | undefined;

  @state() private most = MOST_BLOCKS;

  #blocks: readonly Block[] = [];

  constructor() {
    super();
    // A call that is done may be folded away with others: their line takes the focus.
    new FocusKeeper(this, (lost) => this.#findFolded(lost) ?? this);
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override willUpdate(): void {
    const { turn, scope } = this;
    if (!turn || !scope) return;
    if (!this.progress) void loadTurnTools();
    const toKey = (key: string) => `${turn.id} ${key}`;
    this.#blocks = toBlocks(turn.responseParts ?? noParts, (key) => scope.memory.isOpen(toKey(key)));
    // Opened by what is open in it, a run stays so until it is closed itself.
    for (const block of this.#blocks) if (block.kind === 'run') scope.memory.setOpen(toKey(block.key), block.isOpen);
  }

  #findFolded(lost: Element): HTMLElement | null {
    const key = lost.closest('ahp-tool-call')?.memoryKey;
    const run = this.#blocks.find(
      (block) => block.kind === 'run' && block.calls.some(([place]) => `${this.turn?.id} ${place}` === key),
    );
    return run ? this.querySelector<HTMLElement>(`[data-run="${run.key}"]`) : null;
  }

  override render() {
    const { turn, scope } = this;
    if (!turn || !scope) return nothing;
    const parts = turn.responseParts ?? noParts;
    const { shown, hidden } = toNewest(this.#blocks, this.most);
    return html`${this.#renderMessage(turn, scope)}
      <div class="answer">
        ${hidden > 0 ? this.#renderHidden(hidden) : nothing}
        ${repeat(
          shown,
          ({ key }) => key,
          (block) => this.#renderBlock(block, parts, scope),
        )}
        ${
          'error' in turn && turn.error && parts.at(-1)?.kind !== 'error'
            ? renderError(turn.error, this.#context('error', scope))
            : nothing
        }
        ${this.progress ? renderProgress(this.progress) : this.#renderMark(turn)}
      </div>
      ${this.progress ? nothing : this.#renderFooter(turn, scope)}`;
  }

  #renderHidden(count: number): TemplateResult {
    const onShow = (event: Event) => {
      announceFold(event.currentTarget as Element);
      this.most += MOST_BLOCKS;
    };
    return html`<button class="button quiet" type="button" @click=${onShow}>
      ${this.#language.value.strings.earlierParts(count)}
    </button>`;
  }

  #renderBlock(block: Block, parts: readonly ResponsePart[], scope: PartScope) {
    if (block.kind === 'part') {
      const isLast = block.key === parts.length - 1;
      return renderPart(block.part, {
        ...this.#context(String(block.key), scope),
        isInRun: block.isInRun,
        isGrowing: this.progress !== undefined && isLast,
        isResumable: this.resumable && isLast,
      });
    }
    return this.#renderRun(block, scope);
  }

  /** Steps that need nobody: one line, which opens into all of them. */
  #renderRun({ key, calls, isOpen }: Extract<Block, { kind: 'run' }>, { memory }: PartScope): TemplateResult {
    const { strings, format } = this.#language.value;
    const done = new Map<string, ToolCallPart[]>();
    for (const [, part] of calls) {
      const name = toLabel(part.toolCall.displayName || part.toolCall.toolName || '');
      const same = done.get(name);
      if (same) same.push(part);
      else done.set(name, [part]);
    }
    // What was done once says so in the host's words; what was done often has only its name in common.
    const names = [...done].map(([name, parts]) =>
      parts.length > 1 ? strings.toolTimes(name, parts.length) : toPast(parts[0]!) || name,
    );
    const onToggle = (event: Event) => {
      announceFold(event.currentTarget as Element);
      memory.setOpen(`${this.turn!.id} ${key}`, !isOpen);
      if (isOpen) for (const [place] of calls) memory.setOpen(`${this.turn!.id} ${place}`, false);
      this.requestUpdate();
    };
    return html`<div class="run" part="tool-run">
      <button class="line" type="button" data-run=${key} aria-expanded=${isOpen} @click=${onToggle}>
        ${icon('layers')}<span class="line-text"
          >${strings.toolsDone(calls.length)} <bdi class="quiet">${format.list(names)}</bdi></span
        >${icon('chevron')}
      </button>
    </div>`;
  }

  #renderMark(turn: AnyTurn) {
    const { strings } = this.#language.value;
    if (!('state' in turn) || turn.state === 'complete') return nothing;
    if (turn.state === 'cancelled') return html`<p class="mark quiet">${icon('ban')}${strings.turnCancelled}</p>`;
    // A failure is said by its error; this is for one that came without.
    const isSaid = turn.error !== undefined || turn.responseParts?.at(-1)?.kind === 'error';
    if (turn.state !== 'error' || isSaid) return nothing;
    return html`<p class="mark danger">${icon('alert')}${strings.turnFailed}</p>`;
  }

  /** The message, or the field in which it is changed. */
  #renderMessage({ id, message }: AnyTurn, scope: PartScope) {
    if (this.editing === undefined) return renderMessage(message, this.#context('message', scope));
    return html`<ahp-message-editor
      .turnId=${id}
      .message=${message}
      .scope=${scope}
      .following=${this.editing}
    ></ahp-message-editor>`;
  }

  #renderFooter(turn: AnyTurn, scope: PartScope) {
    return html`<ahp-turn-footer
      class="footer"
      part="footer"
      .turn=${turn}
      .scope=${scope}
      .resumable=${this.resumable}
      .retryable=${this.retryable}
    ></ahp-turn-footer>`;
  }

  #context(place: string, scope: PartScope): PartContext {
    const key = `${this.turn!.id} ${place}`;
    const isOpen = scope.memory.isOpen(key);
    return {
      turnId: this.turn!.id,
      key,
      scope,
      localization: this.#language.value,
      isActive: this.progress !== undefined,
      isInRun: false,
      isGrowing: false,
      isResumable: false,
      isOpen,
      onToggle: (event) => {
        announceFold(event.currentTarget as Element);
        scope.memory.setOpen(key, !isOpen);
        this.requestUpdate();
      },
    };
  }
}

/** What the host says that the call has done. */
const toPast = ({ toolCall }: ToolCallPart): string =>
  'pastTenseMessage' in toolCall ? shortenEnd(toWords(toolCall.pastTenseMessage), MOST_WORDS) : '';

function renderProgress({ text, isBusy }: Progress): TemplateResult {
  return html`<p class="progress quiet">${icon(isBusy ? 'running' : 'alert')}<bdi>${text}</bdi></p>`;
}

define('ahp-turn', AhpTurn);

declare global {
  interface HTMLElementTagNameMap {
    'ahp-turn': AhpTurn;
  }
}
