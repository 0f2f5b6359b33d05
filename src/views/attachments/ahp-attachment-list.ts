import { LitElement, html, nothing } from 'lit';
import { property } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import { Localized } from '../../i18n/localize.js';
import type { Strings } from '../../i18n/strings.js';
import type { MemberAttachment, MessageAttachment } from '../../protocol/state.js';
import { define } from '../define.js';
import { AhpAttachmentRemoveEvent, AhpOpenChatEvent, AhpOpenResourceEvent } from '../events.js';
import { icon, type IconName } from '../icons.js';
import { shortenMiddle, toLabel, toResourceName } from '../label.js';
import { ViewMemory } from '../transcript/view-memory.js';
import { announceFold } from '../transcript/fold.js';

/** Pictures that a browser shows without running anything; others keep their icon. */
const safeImage = /^image\/(png|jpeg|gif|webp|avif)$/i;
/** Base64 units; above it a picture is not decoded for a chip of 24 pixels. */
const MAX_THUMBNAIL = 2_000_000;

/**
 * The attachments of a message as chips. A collection is one chip that opens into its pieces; an attachment of a type
 * this page does not know keeps its label. Has no shadow root: it is styled by the surface around it.
 *
 * @customElement ahp-attachment-list
 * @summary Attachments of a message.
 * @fires {AhpOpenResourceEvent} ahp-open-resource - A referenced resource was pressed.
 * @fires {AhpOpenChatEvent} ahp-open-chat - A chat was pressed.
 * @fires {AhpAttachmentRemoveEvent} ahp-attachment-remove - A chip's remove button was pressed.
 * @csspart attachment - One chip.
 */
export class AhpAttachmentList extends LitElement {
  readonly #language = new Localized(this);

  @property({ attribute: false }) attachments: readonly MessageAttachment[] = [];

  /** Whether each chip has a remove button. */
  @property({ type: Boolean }) removable = false;

  /** Where it is kept which collections are open, and under which name. */
  @property({ attribute: false }) memory = new ViewMemory();
  @property({ attribute: false }) memoryKey = '';

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override render() {
    const { strings } = this.#language.value;
    // There is no id; the same attachment twice is rare and then keyed by its place as well.
    const keyed = this.attachments.map((attachment, index) => ({ attachment, index }));
    return html`<ul class="chips" aria-label=${strings.attachments}>
      ${repeat(
        keyed,
        ({ attachment, index }) => `${index} ${attachment.label}`,
        ({ attachment, index }) => html`<li>${this.#renderItem(attachment, index, strings)}</li>`,
      )}
    </ul>`;
  }

  #renderItem(attachment: MessageAttachment, index: number, strings: Strings) {
    const name = toName(attachment);
    const isOpen = attachment.type === 'collection' && this.memory.isOpen(this.#key(index));
    return html`<span class="chip" part="attachment">
        ${
          attachment.type === 'collection'
            ? html`<button
                class="chip-main"
                type="button"
                aria-expanded=${isOpen}
                title=${name}
                @click=${() => this.#toggle(index)}
              >
                ${renderFace(attachment, name, strings)}
                <span class="quiet">${strings.piecesCount(attachment.attachments.length)}</span>
              </button>`
            : this.#renderMember(attachment, name, strings)
        }
        ${
          this.removable
            ? html`<button
                class="icon-button"
                type="button"
                aria-label=${strings.removeNamed(name)}
                @click=${() => this.dispatchEvent(new AhpAttachmentRemoveEvent(index))}
              >
                ${icon('x')}
              </button>`
            : nothing
        }
      </span>
      ${
        isOpen
          ? html`<ul class="chips pieces" aria-label=${strings.showPieces(name)}>
              ${attachment.attachments.map(
                (piece) =>
                  html`<li><span class="chip">${this.#renderMember(piece, toName(piece), strings)}</span></li>`,
              )}
            </ul>`
          : nothing
      }`;
  }

  #renderMember(attachment: MemberAttachment, name: string, strings: Strings) {
    const open = toOpenEvent(attachment);
    const face = renderFace(attachment, name, strings);
    return open
      ? html`<button class="chip-main" type="button" title=${name} @click=${() => this.dispatchEvent(open())}>
          ${face}
        </button>`
      : html`<span class="chip-main" title=${name}>${face}</span>`;
  }

  #toggle(index: number): void {
    const key = this.#key(index);
    announceFold(this);
    this.memory.setOpen(key, !this.memory.isOpen(key));
    this.requestUpdate();
  }

  #key(index: number): string {
    return `${this.memoryKey} attachment ${index}`;
  }
}

function toName(attachment: MessageAttachment): string {
  const label = attachment.label || ('uri' in attachment ? toResourceName(attachment.uri) : '') || attachment.type;
  return toLabel(label);
}

function renderFace(attachment: MessageAttachment, name: string, strings: Strings) {
  const [picture, kind] = toKind(attachment, strings);
  return html`${renderThumbnail(attachment) ?? icon(picture)}<span class="hidden-text">${kind}: </span
    ><bdi>${shortenMiddle(name)}</bdi>`;
}

function renderThumbnail(attachment: MessageAttachment) {
  if (attachment.type !== 'embeddedResource' || attachment.data.length > MAX_THUMBNAIL) return undefined;
  if (!safeImage.test(attachment.contentType)) return undefined;
  return html`<img alt="" decoding="async" src="data:${attachment.contentType};base64,${attachment.data}" />`;
}

function toOpenEvent(attachment: MemberAttachment): (() => Event) | undefined {
  switch (attachment.type) {
    case 'resource':
      return () => new AhpOpenResourceEvent(attachment.uri, attachment.contentType);
    case 'chat':
      return () => new AhpOpenChatEvent(attachment.resource);
    default:
      return undefined;
  }
}

/** What an attachment shows as; a kind that is not known looks like its type. */
export function toKind(attachment: MessageAttachment, strings: Strings): readonly [IconName, string] {
  switch (attachment.displayKind) {
    case 'image':
      return ['image', strings.kindImage];
    case 'document':
      return ['file', strings.kindDocument];
    case 'directory':
      return ['folder', strings.kindDirectory];
    case 'symbol':
      return ['symbol', strings.kindSymbol];
    case 'selection':
      return ['quote', strings.kindSelection];
    case 'element':
      return ['pointer', strings.kindElement];
    default:
      return toTypeKind(attachment, strings);
  }
}

function toTypeKind(attachment: MessageAttachment, strings: Strings): readonly [IconName, string] {
  switch (attachment.type) {
    case 'annotations':
      return ['quote', strings.kindAnnotations];
    case 'chat':
      return ['chat', strings.kindChat];
    case 'collection':
      return ['layers', strings.kindCollection];
    default: {
      const isImage = 'contentType' in attachment && attachment.contentType?.startsWith('image/');
      return isImage ? ['image', strings.kindImage] : ['file', strings.kindFile];
    }
  }
}

define('ahp-attachment-list', AhpAttachmentList);

declare global {
  interface HTMLElementTagNameMap {
    'ahp-attachment-list': AhpAttachmentList;
  }
}
