import { Task, TaskStatus } from '@lit/task';
import { LitElement, html, nothing, type PropertyValues } from 'lit';
import { property } from 'lit/decorators.js';
import type { ChatServices } from '../../chat/store.js';
import { Localized } from '../../i18n/localize.js';
import type { Strings } from '../../i18n/strings.js';
import type { ContentRef } from '../../protocol/state.js';
import { define } from '../define.js';
import { icon } from '../icons.js';
import { shortenMiddle, toLabel, toResourceName } from '../label.js';
import { announceFold } from '../transcript/fold.js';
import { renderCodeBox } from './code-box.js';

/** What is read: base64 or text. */
interface Loaded {
  readonly data: string;
  readonly isBase64: boolean;
  readonly contentType: string;
}

type Content = ContentRef | { readonly data: string; readonly contentType: string };

/** Bytes up to which a reference is read without being asked. */
const SMALL = 32_768;
/** UTF-16 units of base64 up to which a picture is decoded. */
const MAX_PICTURE = 12_000_000;
const picture = /^image\/(png|jpeg|gif|webp|avif)\b/i;
const textual = /^(text\/|application\/(json|xml|javascript|typescript|x-sh|yaml|toml)\b|[^;]*\+(json|xml)\b)/i;

/**
 * Content that is somewhere else, or too raw to stand in the text: a name, its size, and what can be shown of it. A small
 * reference is read by itself, a larger one when it is asked for. What cannot be shown can be saved; nothing of it ever
 * runs. Has no shadow root: it is styled by the surface around it.
 *
 * @customElement ahp-content-ref
 * @summary Content that is read on demand.
 * @csspart content-ref - The box.
 */
export class AhpContentRef extends LitElement {
  readonly #language = new Localized(this);

  @property({ attribute: false }) content: Content | undefined;
  @property({ attribute: false }) services: ChatServices | undefined;

  readonly #task = new Task(this, {
    autoRun: false,
    args: () => [this.content] as const,
    task: async ([content], { signal }) => this.#read(content, signal),
  });

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('content') || !this.content || isSame(this.content, changed.get('content'))) return;
    const isSmall = 'data' in this.content || (this.content.sizeHint ?? Infinity) <= SMALL;
    if (isSmall && this.#canRead) void this.#task.run();
  }

  get #canRead(): boolean {
    return !!this.content && ('data' in this.content || !!this.services?.readResource);
  }

  async #read(content: Content | undefined, signal: AbortSignal): Promise<Loaded> {
    if (!content) throw new Error('there is nothing to read');
    if ('data' in content) return { data: content.data, isBase64: true, contentType: content.contentType };
    const result = await this.services!.readResource!(content, signal);
    return {
      data: result.data,
      isBase64: result.encoding === 'base64',
      contentType: result.contentType ?? content.contentType ?? '',
    };
  }

  readonly #onLoad = (): void => {
    announceFold(this);
    void this.#task.run();
  };

  override render() {
    const { content } = this;
    if (!content) return nothing;
    const { strings, format } = this.#language.value;
    const name = 'uri' in content ? toLabel(toResourceName(content.uri)) : strings.content;
    const size = 'uri' in content && content.sizeHint !== undefined ? format.bytes(content.sizeHint) : '';
    const loaded = this.#task.value;
    return html`<div class="content-ref" part="content-ref">
      <div class="content-head">
        ${icon(picture.test(content.contentType ?? '') ? 'image' : 'file')}
        <bdi class="code" title=${name}>${shortenMiddle(name, 48)}</bdi>
        <span class="quiet">${size}</span>
        ${this.#renderAction(name, strings)}
      </div>
      ${loaded ? renderLoaded(loaded, name, strings) : nothing}
    </div>`;
  }

  #renderAction(name: string, strings: Strings) {
    switch (this.#task.status) {
      case TaskStatus.PENDING:
        return html`<span class="quiet">${strings.loading}</span>`;
      case TaskStatus.COMPLETE: {
        const loaded = this.#task.value!;
        return html`<button
          class="link-button"
          type="button"
          aria-label=${strings.saveNamed(name)}
          @click=${() => save(loaded, name)}
        >
          ${strings.save}
        </button>`;
      }
      default: {
        const hasFailed = this.#task.status === TaskStatus.ERROR;
        return html`${hasFailed ? html`<span class="danger">${strings.loadFailed}</span>` : nothing}
        ${
          this.#canRead
            ? html`<button
                class="link-button"
                type="button"
                aria-label="${hasFailed ? strings.tryAgain : strings.load}: ${name}"
                @click=${this.#onLoad}
              >
                ${hasFailed ? strings.tryAgain : strings.load}
              </button>`
            : nothing
        }`;
      }
    }
  }
}

function renderLoaded({ data, isBase64, contentType }: Loaded, name: string, strings: Strings) {
  if (picture.test(contentType) && isBase64 && data.length <= MAX_PICTURE) {
    return html`<img class="picture" alt=${name} decoding="async" src="data:${contentType};base64,${data}" />`;
  }
  if (!isBase64) return renderCodeBox(name, data);
  if (textual.test(contentType)) return renderCodeBox(name, new TextDecoder().decode(toBytes(data)));
  return html`<p class="plain quiet">${strings.noPreview}</p>`;
}

/** As bytes of no type, so that a browser that opens the file runs nothing of it in this page's name. */
function save({ data, isBase64 }: Loaded, name: string): void {
  const blob = new Blob([isBase64 ? toBytes(data) : data], { type: 'application/octet-stream' });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

function toBytes(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    // No base64 at all: a host's mistake, shown as nothing rather than as an exception in a turn.
    return new Uint8Array();
  }
}

/** A state that was copied holds the same reference in another object; it is not read again for that. */
const isSame = (a: Content, b: Content | undefined): boolean =>
  b !== undefined &&
  ('data' in a
    ? 'data' in b && a.data === b.data
    : 'uri' in b && a.uri === b.uri && a.nonce === b.nonce && a.sizeHint === b.sizeHint);

define('ahp-content-ref', AhpContentRef);

declare global {
  interface HTMLElementTagNameMap {
    'ahp-content-ref': AhpContentRef;
  }
}
