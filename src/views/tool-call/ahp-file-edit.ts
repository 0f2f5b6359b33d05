import { LitElement, html, nothing } from 'lit';
import { property } from 'lit/decorators.js';
import { Localized } from '../../i18n/localize.js';
import type { Strings } from '../../i18n/strings.js';
import type { FileEdit } from '../../protocol/state.js';
import { define } from '../define.js';
import { AhpOpenResourceEvent } from '../events.js';
import { icon } from '../icons.js';
import { toLabel, toResourceName } from '../label.js';
import { loadDiff } from '../parts/lazy.js';
import { whenLoaded } from '../parts/when-loaded.js';
import { announceFold } from '../transcript/fold.js';
import type { PartScope } from '../transcript/part-scope.js';
import { renderDiffCounts } from './diff-counts.js';

/**
 * One file that a tool makes, deletes, moves or changes: a line that says so, and below it the changed lines, which are
 * loaded when they are opened. Has no shadow root: it is styled by the transcript.
 *
 * @customElement ahp-file-edit
 * @summary A file edit of a tool call.
 * @fires {AhpOpenResourceEvent} ahp-open-resource - The file was pressed.
 */
export class AhpFileEdit extends LitElement {
  readonly #language = new Localized(this);

  @property({ attribute: false }) edit: FileEdit | undefined;
  @property({ attribute: false }) scope: PartScope | undefined;

  /** Names it in the view memory. */
  @property({ attribute: false }) memoryKey = '';

  /** Whether the changed lines are there before anybody asks. */
  @property({ attribute: false }) unfolded = false;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  get #isOpen(): boolean {
    // What is remembered is that it was pressed, whichever way it stood.
    return this.unfolded !== (this.scope?.memory.isOpen(this.memoryKey) ?? false);
  }

  readonly #onToggle = (): void => {
    announceFold(this);
    const memory = this.scope?.memory;
    memory?.setOpen(this.memoryKey, !memory.isOpen(this.memoryKey));
    this.requestUpdate();
  };

  readonly #onOpen = (): void => {
    this.dispatchEvent(new AhpOpenResourceEvent(toUri(this.edit)));
  };

  override render() {
    const { edit, scope } = this;
    if (!edit || !scope) return nothing;
    const { strings } = this.#language.value;
    const uri = toUri(edit);
    const name = toLabel(toResourceName(uri));
    const isOpen = this.#isOpen;
    return html`<div class="file-edit">
        ${icon('file')}
        <span>${toEditWord(edit, strings)}</span>
        <button class="link-button" type="button" title=${toLabel(uri)} @click=${this.#onOpen}>
          <bdi class="code">${name}</bdi>
        </button>
        ${renderDiffCounts(edit, strings)}
        ${
          scope.services?.readResource
            ? html`<button
                class="icon-button"
                type="button"
                aria-expanded=${isOpen}
                aria-label=${strings.changesIn(name)}
                @click=${this.#onToggle}
              >
                ${icon('chevron')}
              </button>`
            : nothing
        }
      </div>
      ${
        isOpen && scope.services?.readResource
          ? whenLoaded(loadDiff, () => html`<ahp-diff .edit=${edit} .scope=${scope}></ahp-diff>`, strings)
          : nothing
      }`;
  }
}

const toUri = (edit: FileEdit | undefined): string => edit?.after?.uri ?? edit?.before?.uri ?? '';

function toEditWord({ before, after }: FileEdit, strings: Strings): string {
  if (!before) return strings.fileCreated;
  if (!after) return strings.fileDeleted;
  return before.uri === after.uri ? strings.fileEdited : strings.fileMoved;
}

define('ahp-file-edit', AhpFileEdit);

declare global {
  interface HTMLElementTagNameMap {
    'ahp-file-edit': AhpFileEdit;
  }
}
