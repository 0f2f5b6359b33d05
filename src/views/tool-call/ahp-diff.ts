import { Task, TaskStatus } from '@lit/task';
import { LitElement, html, nothing, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { Localized } from '../../i18n/localize.js';
import type { FileEdit } from '../../protocol/state.js';
import { adoptStyles } from '../adopt-styles.js';
import { define } from '../define.js';
import { icon } from '../icons.js';
import { FocusKeeper } from '../focus-keeper.js';
import { toLabel, toResourceName } from '../label.js';
import '../parts/ahp-content-ref.js';
import { pause } from '../pause.js';
import { announceFold } from '../transcript/fold.js';
import type { PartScope } from '../transcript/part-scope.js';
import { compareEdit, type Comparison } from './diff-content.js';
import { renderRows, type RowActions } from './diff-row-view.js';
import { countLines, openGap, toRows, type DiffRow, type Opened } from './diff-rows.js';
import { diffStyles } from './ahp-diff.styles.js';

/** Bytes of both sides together that are read without being asked. */
const SMALL = 1_048_576;
/** Rows that are drawn at first, and more with each press or when the end comes near: as many as a frame can take. */
const FIRST_ROWS = 400;
const MORE_ROWS = 1_000;
/** How near the end, in heights of the box. */
const NEAR = 2;

type Text = Extract<Comparison, { kind: 'text' }>;

/**
 * The changed lines of a file: read on demand, compared in pieces, drawn as far as they are looked at. A lazy chunk. Has
 * no shadow root: the surface around it takes its styles on.
 *
 * @customElement ahp-diff
 * @summary What a file edit changes, line by line.
 * @csspart diff - The box that scrolls.
 */
export class AhpDiff extends LitElement {
  readonly #language = new Localized(this);

  /** Another object that says the same is not read again. */
  @property({ attribute: false, hasChanged: (a, b) => !isSame(a as FileEdit, b as FileEdit) })
  edit: FileEdit | undefined;

  /** Reads the content of the file. */
  @property({ attribute: false }) scope: PartScope | undefined;

  @state() private opened: Opened = new Map();
  @state() private shown = FIRST_ROWS;
  @state() private isAsked = false;
  @state() private whole: ReadonlySet<string> = new Set();

  #rows: readonly DiffRow[] = [];
  #of: readonly [Text, Opened] | undefined;

  readonly #task = new Task(this, {
    args: () => [this.edit, this.scope?.services, this.isAsked || isSmall(this.edit)] as const,
    task: async ([edit, services, mayRead], { signal }) => {
      if (!edit || !services?.readResource || !mayRead) return undefined;
      return compareEdit(edit, services, pause, signal);
    },
  });

  constructor() {
    super();
    // Rows are drawn anew: what is left of a gap takes the focus of its button, else the box.
    new FocusKeeper(this, (lost) => {
      const { gap } = (lost as HTMLElement).dataset;
      return this.querySelector<HTMLElement>(`[data-gap="${gap}"]`) ?? this.querySelector<HTMLElement>('.diff');
    });
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    adoptStyles(this, diffStyles);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#task.abort();
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (!changed.has('edit')) return;
    this.opened = new Map();
    this.shown = FIRST_ROWS;
  }

  get #name(): string {
    return toLabel(toResourceName(this.edit?.after?.uri ?? this.edit?.before?.uri ?? ''));
  }

  readonly #onRead = (): void => {
    this.isAsked = true;
    if (this.#task.status === TaskStatus.ERROR) void this.#task.run();
  };

  readonly #onMore = (): void => {
    announceFold(this);
    this.shown += MORE_ROWS;
  };

  readonly #onScroll = ({ currentTarget }: Event): void => {
    const { scrollTop, scrollHeight, clientHeight } = currentTarget as Element;
    const isNear = scrollHeight - clientHeight - scrollTop < clientHeight * NEAR;
    if (isNear && this.shown < this.#rows.length) this.shown += MORE_ROWS;
  };

  get #actions(): RowActions {
    return {
      onGap: (key) => {
        announceFold(this);
        this.opened = openGap(this.opened, key);
      },
      whole: this.whole,
      onWhole: (line) => {
        announceFold(this);
        this.whole = new Set([...this.whole, line]);
      },
    };
  }

  override render() {
    const { strings, format } = this.#language.value;
    const { edit } = this;
    if (!edit) return nothing;
    switch (this.#task.status) {
      case TaskStatus.ERROR:
        return html`<p class="plain">
            <span class="danger">${strings.loadFailed}</span>
            <button
              class="link-button"
              type="button"
              aria-label="${strings.tryAgain}: ${this.#name}"
              @click=${this.#onRead}
            >
              ${strings.tryAgain}
            </button>
          </p>
          ${this.#renderSides(edit)}`;
      case TaskStatus.COMPLETE:
        if (this.#task.value) return this.#renderComparison(this.#task.value, edit);
        return html`<button class="button" type="button" @click=${this.#onRead}>
          ${strings.showChanges(format.bytes(sizeOf(edit)))}
        </button>`;
      default:
        return html`<p class="plain quiet">${strings.loading}</p>`;
    }
  }

  #renderComparison(comparison: Comparison, edit: FileEdit): TemplateResult {
    const { strings } = this.#language.value;
    switch (comparison.kind) {
      case 'text':
        return this.#renderText(comparison, edit);
      case 'binary':
        return html`<p class="plain quiet">${comparison.isSame ? strings.sameContent : strings.binaryFile}</p>
          ${this.#renderSides(edit)}`;
      case 'too-large':
        return html`<p class="plain quiet">${strings.tooLargeToCompare}</p>
          ${this.#renderSides(edit)}`;
    }
  }

  /** What cannot be compared can be looked at, or saved; what was refused can be asked for. */
  #renderSides({ before, after }: FileEdit): TemplateResult {
    const { strings } = this.#language.value;
    const side = (word: string, file: FileEdit['before']) =>
      file
        ? html`<div class="field">
            <div class="field-name">${word}</div>
            <ahp-content-ref .content=${file.content} .scope=${this.scope}></ahp-content-ref>
          </div>`
        : nothing;
    return html`${side(strings.contentBefore, before)}${side(strings.contentAfter, after)}`;
  }

  #renderText(text: Text, edit: FileEdit): TemplateResult {
    const { strings, format } = this.#language.value;
    const rows = this.#toRows(text);
    const hidden = rows.length - this.shown;
    const isMoved = edit.before && edit.after && edit.before.uri !== edit.after.uri;
    return html`${isMoved ? this.#renderMove(edit) : nothing} ${this.#renderNotes(text, edit)}
    ${
      text.changes.length === 0
        ? html`<p class="plain quiet">${strings.sameContent}</p>`
        : html`<div
            class="diff"
            part="diff"
            role="group"
            tabindex="0"
            aria-label=${strings.changesIn(this.#name)}
            @scroll=${this.#onScroll}
          >
            ${renderRows(rows, Math.min(rows.length, this.shown), text, { strings, format }, this.#actions)}
            ${
              hidden > 0
                ? html`<button class="diff-more" type="button" @click=${this.#onMore}>
                    ${strings.moreRows(hidden)}
                  </button>`
                : nothing
            }
          </div>`
    }`;
  }

  #renderMove({ before, after }: FileEdit): TemplateResult {
    const { strings } = this.#language.value;
    return html`<p class="plain quiet">
      ${strings.movedFrom} <bdi class="code">${toLabel(before!.uri)}</bdi> ${strings.movedTo}
      <bdi class="code">${toLabel(after!.uri)}</bdi>
    </p>`;
  }

  /** What cannot be seen in lines; and the counts, where the host has not told them. */
  #renderNotes({ old, now, changes }: Text, { before, after, diff }: FileEdit) {
    const { strings } = this.#language.value;
    const names = { none: 'LF', lf: 'LF', crlf: 'CRLF', mixed: strings.mixedEndings };
    const hasOther = before && after && old.ending !== 'none' && now.ending !== 'none' && old.ending !== now.ending;
    const { added, removed } = countLines(changes);
    const isCounted = diff?.added !== undefined || diff?.removed !== undefined || changes.length === 0;
    return html`${
      hasOther
        ? html`<p class="plain">${icon('alert')} ${strings.lineEndings(names[old.ending], names[now.ending])}</p>`
        : nothing
    }${
      isCounted
        ? nothing
        : html`<p class="plain quiet">
            ${[added ? strings.linesAdded(added) : '', removed ? strings.linesRemoved(removed) : ''].filter(Boolean).join(', ')}
          </p>`
    }`;
  }

  #toRows(text: Text): readonly DiffRow[] {
    if (this.#of?.[0] !== text || this.#of[1] !== this.opened) {
      this.#of = [text, this.opened];
      this.#rows = toRows(text.changes, text.old.lines.length, text.now.lines.length, this.opened);
    }
    return this.#rows;
  }
}

const sizeOf = ({ before, after }: FileEdit): number =>
  (before?.content.sizeHint ?? 0) + (after?.content.sizeHint ?? 0);

const isSmall = (edit: FileEdit | undefined): boolean => edit !== undefined && sizeOf(edit) <= SMALL;

function isSame(a: FileEdit | undefined, b: FileEdit | undefined): boolean {
  if (a === b) return true;
  if (!a || !b) return false;
  const key = ({ before, after }: FileEdit) =>
    JSON.stringify([before, after].map((side) => side && [side.uri, side.content?.uri, side.content?.nonce]));
  return key(a) === key(b);
}

define('ahp-diff', AhpDiff);

declare global {
  interface HTMLElementTagNameMap {
    'ahp-diff': AhpDiff;
  }
}
