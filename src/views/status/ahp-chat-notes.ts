import { LitElement, css, html, nothing } from 'lit';
import { property, state } from 'lit/decorators.js';
import { LanguageProvider } from '../../i18n/localize.js';
import type { Strings } from '../../i18n/strings.js';
import type { BackgroundWork, ChatOrigin, ChatSummary, URI } from '../../protocol/state.js';
import type { Clock } from '../clock.js';
import { define } from '../define.js';
import { AhpOpenChatEvent } from '../events.js';
import { hostStyles } from '../host.styles.js';
import { icon } from '../icons.js';
import { showHidden, toLabel } from '../label.js';
import { ago } from '../transcript/ago.js';

const noChats: readonly ChatSummary[] = [];

/**
 * Quiet lines above the conversation: where the chat comes from, that it was put away, and what of it still runs although
 * no turn does. A chat it came from may be gone; then its name is all that is missing.
 *
 * @customElement ahp-chat-notes
 * @summary Where a chat comes from and what runs beside it.
 * @fires {AhpOpenChatEvent} ahp-open-chat - The chat it came from, or one that works in the background, is to be shown.
 * @csspart note - One line.
 */
export class AhpChatNotes extends LitElement {
  static override styles = [
    hostStyles,
    css`
      :host {
        display: grid;
        gap: 4px;
        padding: 6px 16px;
        border-block-end: 1px solid var(--_border);
        color: var(--_quiet);
        font-size: 0.875em;
      }
      .note {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        justify-content: center;
        gap: 4px 6px;
        margin: 0;
        text-align: center;
        overflow-wrap: anywhere;
      }
      blockquote {
        display: -webkit-box;
        max-inline-size: var(--_measure);
        margin: 0 auto;
        padding-inline-start: 8px;
        border-inline-start: 2px solid var(--_border);
        overflow: hidden;
        overflow-wrap: anywhere;
        -webkit-box-orient: vertical;
        -webkit-line-clamp: 3;
      }
      .fold {
        font-size: 1em;
      }
      .fold .icon-chevron:dir(rtl) {
        scale: -1 1;
      }
      .fold[aria-expanded='true'] .icon-chevron {
        rotate: 90deg;
      }
      .fold[aria-expanded='true'] .icon-chevron:dir(rtl) {
        rotate: -90deg;
      }
      ul {
        display: grid;
        gap: 4px;
        margin: 0;
        padding: 0;
        list-style: none;
      }
      code {
        font-family: var(--_font-code);
        font-size: 0.92em;
      }
    `,
  ];

  readonly #language = new LanguageProvider(this);

  @property({ attribute: false }) origin: ChatOrigin | undefined;

  /** What the session lists, for the names of other chats. */
  @property({ attribute: false }) chats = noChats;

  @property({ attribute: false }) session: URI | undefined;

  @property({ type: Boolean }) archived = false;

  @property({ attribute: false }) work: readonly BackgroundWork[] = [];

  @property({ attribute: false }) clock: Clock | undefined;

  @state() private isOpen = false;

  override render() {
    const { strings } = this.#language.value;
    return html`${this.#renderOrigin(strings)}
    ${this.archived ? html`<p class="note" part="note">${strings.archivedChat}</p>` : nothing}
    ${this.#renderWork(strings)}`;
  }

  #renderOrigin(strings: Strings) {
    const { origin } = this;
    if (!origin || !('chat' in origin)) return nothing;
    const words = { fork: strings.forkedFrom, sideChat: strings.besideChat, tool: strings.workerOf }[origin.kind];
    const selection = origin.kind === 'sideChat' ? origin.selection?.text : undefined;
    return html`<p class="note" part="note">
        ${icon('chat')}${words} ${this.#renderChat(origin.chat, strings.otherChat)}
      </p>
      ${selection ? html`<blockquote dir="auto">${showHidden(selection)}</blockquote>` : nothing}`;
  }

  /** A link where the session lists the chat, else words. */
  #renderChat(chat: URI, fallback: string) {
    const listed = this.chats.find(({ resource }) => resource === chat);
    const name = toLabel(listed?.title ?? '') || fallback;
    if (!listed || listed.interactivity === 'hidden') return html`<bdi>${name}</bdi>`;
    const open = () => this.dispatchEvent(new AhpOpenChatEvent(chat, this.session));
    return html`<button class="link-button" type="button" @click=${open}><bdi>${name}</bdi></button>`;
  }

  #renderWork(strings: Strings) {
    const { work } = this;
    if (work.length === 0) return nothing;
    return html`<p class="note" part="note">
        <button
          class="button quiet fold"
          type="button"
          aria-expanded=${this.isOpen}
          @click=${() => (this.isOpen = !this.isOpen)}
        >
          ${icon('running')}${strings.backgroundWork(work.length)}${icon('chevron')}
        </button>
      </p>
      ${
        this.isOpen
          ? html`<ul>
              ${work.map((each) => this.#renderOne(each, strings))}
            </ul>`
          : nothing
      }`;
  }

  /** Kinds of later versions show their label. */
  #renderOne({ label, command, chat, startedAt }: BackgroundWork, strings: Strings) {
    const time = Date.parse(startedAt);
    return html`<li class="note" part="note">
      <bdi>${toLabel(label)}</bdi>
      ${command ? html`<code dir="ltr">${toLabel(command)}</code>` : nothing}
      ${chat === undefined ? nothing : this.#renderChat(chat, strings.otherChat)}
      ${
        Number.isNaN(time) || !this.clock
          ? nothing
          : html`<time datetime=${startedAt} title=${this.#language.value.format.exact(time)}
              >${ago(time, this.#language.value, this.clock)}</time
            >`
      }
    </li>`;
  }
}

define('ahp-chat-notes', AhpChatNotes);

declare global {
  interface HTMLElementTagNameMap {
    'ahp-chat-notes': AhpChatNotes;
  }
}
