import { LitElement, html, nothing, type PropertyValues } from 'lit';
import { property, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import {
  chatToOpen,
  isArchivedEntry,
  isSessionUnread,
  isUnread,
  markOf,
  type Catalogue,
  type CatalogueTarget,
  type ListedChat,
  type ListedSession,
} from '../../chat/catalogue.js';
import { LanguageProvider } from '../../i18n/localize.js';
import type { Strings } from '../../i18n/strings.js';
import type { URI } from '../../protocol/state.js';
import type { Clock } from '../clock.js';
import { CompositionGuard, keepTyping } from '../composer/keys.js';
import { define } from '../define.js';
import { AhpOpenChatEvent } from '../events.js';
import { icons } from '../icons-turn.js';
import { icon, type IconName, type IconNode } from '../icons.js';
import { toLabel } from '../label.js';
import { ago } from '../transcript/ago.js';
import { catalogueStyles } from './ahp-catalogue.styles.js';
import {
  AhpCatalogueArchiveEvent,
  AhpCatalogueCreateEvent,
  AhpCatalogueRemoveEvent,
  AhpCatalogueRenameEvent,
} from './catalogue-events.js';

/** One line of the list. */
interface Row {
  readonly key: string;
  readonly target: CatalogueTarget;
  readonly title: string;
  readonly status: number | undefined;
  readonly modifiedAt: string | undefined;
  readonly activity: string | undefined;
  readonly isUnread: boolean;
  readonly isReadOnly: boolean;
  /** What opens on a press. */
  readonly opens: URI | undefined;
  readonly isNested: boolean;
  readonly canRename: boolean;
}

/**
 * A list of sessions and chats on plain properties, and a list of those that were put away. Tab reaches each of them;
 * arrows go up and down through one, and sideways to what can be done with a line; one line at a time is renamed, or asked
 * about before it is deleted.
 *
 * @customElement ahp-catalogue
 * @summary Sessions and chats as a list.
 * @fires {AhpOpenChatEvent} ahp-open-chat - A chat is to be shown.
 * @fires {AhpCatalogueCreateEvent} ahp-catalogue-create - Another chat or session is to be made.
 * @fires {AhpCatalogueRenameEvent} ahp-catalogue-rename - A session is to have another title.
 * @fires {AhpCatalogueArchiveEvent} ahp-catalogue-archive - An entry is to be put away, or back.
 * @fires {AhpCatalogueRemoveEvent} ahp-catalogue-remove - An entry is to be deleted.
 * @csspart row - One line.
 * @csspart new - The button for another chat.
 */
export class AhpCatalogue extends LitElement {
  static override styles = catalogueStyles;

  readonly #language = new LanguageProvider(this);
  readonly #composition = new CompositionGuard();

  @property({ attribute: false }) catalogue: Catalogue = { phase: 'loading', sessions: [] };

  /** Lists the chats of its one session, and not the session. */
  @property({ type: Boolean }) single = false;

  /** What is on screen elsewhere. */
  @property({ attribute: false }) current: URI | undefined;

  /** Only opens. */
  @property({ type: Boolean, attribute: 'readonly' }) readOnly = false;

  /** Whether the host turned out not to delete chats. */
  @property({ type: Boolean, attribute: 'keeps-chats' }) keepsChats = false;

  /** Why the last thing did not work. */
  @property({ attribute: false }) failure: string | undefined;

  @property({ attribute: false }) clock: Clock | undefined;

  @state() private editing: string | undefined;
  @state() private asking: string | undefined;
  @state() private showsArchived = false;
  /** The line that had the focus last. */
  #active: string | undefined;
  /** What takes the focus after the next update: a line and a part of it. */
  #focus: { readonly key: string; readonly part: string } | undefined;
  #hadFocus = false;

  override focus(options?: FocusOptions): void {
    this.renderRoot.querySelector<HTMLElement>('.open[tabindex="0"]')?.focus(options);
  }

  protected override willUpdate(): void {
    this.#hadFocus = this.shadowRoot?.activeElement?.closest('li') != null;
  }

  protected override updated(_changed: PropertyValues): void {
    const focus = this.#focus;
    this.#focus = undefined;
    if (focus) return this.#find(focus.key, focus.part)?.focus();
    // A line that is gone takes the focus along.
    if (this.#hadFocus && !this.shadowRoot?.activeElement) this.focus();
  }

  #find(key: string, part: string): HTMLElement | undefined {
    const row = [...this.renderRoot.querySelectorAll<HTMLElement>('[data-row]')].find((one) => one.dataset.row === key);
    return row?.querySelector<HTMLElement>(part) ?? undefined;
  }

  /* ------------------------------------------------------------ rows */

  #listRows(isArchived: boolean): readonly Row[] {
    const sessions = this.catalogue.sessions.filter(
      (session) => this.single || isArchivedEntry(session) === isArchived,
    );
    return sessions.flatMap((session) => {
      const chats = session.chats.filter((chat) => isArchivedEntry(chat) === (this.single && isArchived));
      if (this.single) return chats.map((chat) => this.#toChatRow(session, chat));
      // A session with one chat is that chat.
      const nested = session.chats.length > 1 ? chats.map((chat) => this.#toChatRow(session, chat)) : [];
      return [this.#toSessionRow(session), ...nested];
    });
  }

  #toSessionRow(session: ListedSession): Row {
    const { resource, title, status, modifiedAt, activity } = session;
    return {
      key: resource,
      target: { session: resource },
      title: this.#toTitle(title),
      status,
      modifiedAt,
      activity,
      isUnread: isSessionUnread(session),
      isReadOnly: false,
      opens: chatToOpen(session),
      isNested: false,
      canRename: true,
    };
  }

  #toChatRow(session: ListedSession, chat: ListedChat): Row {
    const { resource, title, status, modifiedAt, activity, isReadOnly } = chat;
    return {
      key: resource,
      target: { session: session.resource, chat: resource },
      title: this.#toTitle(title || session.title),
      status,
      modifiedAt,
      activity,
      isUnread: isUnread(chat),
      isReadOnly,
      opens: resource,
      isNested: !this.single,
      canRename: false,
    };
  }

  readonly #toTitle = (title: string): string => toLabel(title) || this.#language.value.strings.untitled;

  /* ------------------------------------------------------------ keyboard */

  readonly #onKeydown = (event: KeyboardEvent): void => {
    const { key, ctrlKey, metaKey, altKey } = event;
    const button = event.target as HTMLElement;
    if (ctrlKey || metaKey || altKey || button.localName !== 'button') return;
    if (key === 'Escape' && this.asking !== undefined) {
      event.stopPropagation();
      return this.#endAsking();
    }
    const next = this.#toNext(key, button);
    if (!next) return;
    event.preventDefault();
    next.focus();
  };

  #toNext(key: string, button: HTMLElement): HTMLElement | undefined {
    const row = button.closest<HTMLElement>('[data-row]');
    if (!row) return undefined;
    const rows = [...row.parentElement!.querySelectorAll<HTMLElement>('[data-row]')];
    const place = rows.indexOf(row);
    const buttons = [...row.querySelectorAll('button')];
    const isRtl = getComputedStyle(this).direction === 'rtl';
    const first = (at: HTMLElement | undefined) => at?.querySelector('button') ?? undefined;
    switch (key) {
      case 'ArrowDown':
        return first(rows[place + 1]);
      case 'ArrowUp':
        return first(rows[place - 1]);
      case 'Home':
        return first(rows[0]);
      case 'End':
        return first(rows.at(-1));
      case isRtl ? 'ArrowLeft' : 'ArrowRight':
        return buttons[buttons.indexOf(button as HTMLButtonElement) + 1];
      case isRtl ? 'ArrowRight' : 'ArrowLeft':
        return buttons[buttons.indexOf(button as HTMLButtonElement) - 1];
      default:
        return undefined;
    }
  }

  readonly #onFocusIn = (event: FocusEvent): void => {
    const row = (event.target as Element).closest<HTMLElement>('[data-row]');
    if (!row || row.dataset.row === this.#active) return;
    this.#active = row.dataset.row;
    if (!row.querySelector('[tabindex="0"]')) this.requestUpdate();
  };

  /* ------------------------------------------------------------ what a person does */

  #open(row: Row): void {
    if (row.opens !== undefined) this.dispatchEvent(new AhpOpenChatEvent(row.opens, row.target.session));
  }

  /** Puts the focus on a part of a line, once that is there. */
  #goTo(key: string, part: string): void {
    this.#active = key;
    this.#focus = { key, part };
  }

  #edit(row: Row): void {
    this.editing = row.key;
    this.#goTo(row.key, 'input');
  }

  #endEditing(row: Row): void {
    this.editing = undefined;
    this.#goTo(row.key, '.open');
  }

  #rename(row: Row): void {
    const title = this.#find(row.key, 'input') as HTMLInputElement | undefined;
    const text = title?.value.trim() ?? '';
    const isNew = text !== '' && text !== row.title;
    if (isNew && !this.dispatchEvent(new AhpCatalogueRenameEvent(row.target.session, text))) return;
    this.#endEditing(row);
  }

  readonly #onTitleKey = (event: KeyboardEvent, row: Row): void => {
    keepTyping(event);
    if (this.#composition.owns(event)) return;
    if (event.key === 'Enter') {
      event.preventDefault();
      this.#rename(row);
    } else if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      this.#endEditing(row);
    }
  };

  #ask(row: Row): void {
    this.asking = row.key;
    // What does nothing has the focus: the Enter that opened the question must not answer it.
    this.#goTo(row.key, '.keep');
  }

  #endAsking(): void {
    if (this.asking !== undefined) this.#goTo(this.asking, '.open');
    this.asking = undefined;
  }

  #remove(row: Row): void {
    if (!this.dispatchEvent(new AhpCatalogueRemoveEvent(row.target))) return;
    this.#endAsking();
  }

  #archive(row: Row): void {
    this.dispatchEvent(new AhpCatalogueArchiveEvent(row.target, !isArchivedEntry(row)));
  }

  readonly #onCreate = (): void => {
    const [session] = this.catalogue.sessions;
    this.dispatchEvent(new AhpCatalogueCreateEvent(this.single ? session?.resource : undefined));
  };

  /* ------------------------------------------------------------ render */

  override render() {
    const { strings } = this.#language.value;
    const { phase, sessions } = this.catalogue;
    const rows = this.#listRows(false);
    const archived = this.#listRows(true);
    return html`${this.#renderHead(strings)}
      <p class="note" role="status">
        ${this.failure ? html`${icon('warning')}<bdi>${strings.didNotWork(toLabel(this.failure))}</bdi>` : nothing}
        ${phase === 'offline' ? html`${icon('offline')}${strings.listOffline}` : nothing}
        ${phase === 'failed' && !this.failure ? html`${icon('warning')}${strings.listFailed}` : nothing}
      </p>
      ${
        phase === 'loading' && sessions.length === 0
          ? html`<div class="skeleton" aria-hidden="true"><i></i><i></i><i></i></div>`
          : nothing
      }
      ${phase !== 'loading' && rows.length === 0 ? html`<p class="note">${strings.listEmpty}</p>` : nothing}
      ${rows.length > 0 ? this.#renderList(rows, strings.chatList) : nothing}
      ${
        archived.length > 0
          ? html`<button
              class="button quiet fold"
              type="button"
              aria-expanded=${this.showsArchived}
              @click=${() => (this.showsArchived = !this.showsArchived)}
            >
              ${strings.archivedCount(archived.length)}${icon('chevron')}
            </button>`
          : nothing
      }
      ${this.showsArchived && archived.length > 0 ? this.#renderList(archived, strings.archived) : nothing}`;
  }

  #renderHead(strings: Strings) {
    const [session] = this.catalogue.sessions;
    const isAble = this.single ? session?.canCreateChat === true : true;
    if (this.readOnly || !isAble) return nothing;
    return html`<button
      class="button new"
      part="new"
      type="button"
      aria-disabled=${!this.#isLive}
      @click=${() => this.#isLive && this.#onCreate()}
    >
      ${icon(icons.plus)}${strings.newChat}
    </button>`;
  }

  get #isLive(): boolean {
    return this.catalogue.phase === 'live';
  }

  #renderList(rows: readonly Row[], name: string) {
    // One line can be reached with Tab: the one that had the focus last, else the one on screen, else the first.
    const isListed = (key: string | undefined) => rows.some((row) => row.key === key);
    const reachable = [this.#active, this.current].find(isListed) ?? rows[0]?.key;
    return html`<ul aria-label=${name} @keydown=${this.#onKeydown} @focusin=${this.#onFocusIn}>
      ${repeat(
        rows,
        ({ key }) => key,
        (row) =>
          html`<li class=${row.isNested ? 'nested' : ''} data-row=${row.key} part="row">
            ${this.#renderRow(row, row.key === reachable ? 0 : -1)}
          </li>`,
      )}
    </ul>`;
  }

  #renderRow(row: Row, tabindex: number) {
    if (this.editing === row.key) return this.#renderTitleField(row);
    if (this.asking === row.key) return this.#renderQuestion(row);
    const isCurrent =
      this.current !== undefined && row.opens === this.current && (row.isNested || !this.#hasNested(row));
    return html`<button
        class="open ${row.isUnread ? 'unread' : ''}"
        type="button"
        tabindex=${tabindex}
        aria-current=${isCurrent ? 'true' : nothing}
        @click=${() => this.#open(row)}
      >
        ${this.#renderFace(row)}
      </button>
      ${this.readOnly ? nothing : this.#renderActions(row, tabindex)}`;
  }

  #hasNested(row: Row): boolean {
    const session = this.catalogue.sessions.find(({ resource }) => resource === row.key);
    return (session?.chats.length ?? 0) > 1;
  }

  #renderFace(row: Row) {
    const { strings } = this.#language.value;
    const mark = markOf(row);
    const marks: Record<NonNullable<typeof mark>, readonly [IconName, string]> = {
      input: ['shield', strings.waitingForYou],
      running: ['running', strings.working],
      error: ['alert', strings.turnFailed],
    };
    const [drawing, words] = mark ? marks[mark] : (['chat', ''] as const);
    const time = Date.parse(row.modifiedAt ?? '');
    return html`<span class="mark ${mark ?? ''}">${icon(drawing)}</span>
      <span class="title"><bdi>${row.title}</bdi></span>
      ${words ? html`<span class=${mark === 'input' ? 'word input' : 'hidden-text'}>${words}</span>` : nothing}
      ${row.isReadOnly ? html`<span class="lock">${icon('lock')}<span class="hidden-text">${strings.readOnlyChat}</span></span>` : nothing}
      ${row.isUnread ? html`<span class="dot"></span><span class="hidden-text">${strings.unread}</span>` : nothing}
      ${
        Number.isNaN(time) || !this.clock
          ? nothing
          : html`<time class="quiet" datetime=${row.modifiedAt!} title=${this.#language.value.format.exact(time)}
              >${ago(time, this.#language.value, this.clock)}</time
            >`
      }`;
  }

  #renderActions(row: Row, tabindex: number) {
    const { strings } = this.#language.value;
    const isArchived = isArchivedEntry(row);
    const action = (name: string, drawing: IconNode, onPress: () => void) =>
      html`<button
        class="icon-button"
        type="button"
        tabindex=${tabindex}
        title=${name}
        aria-label=${strings.actionOn(name, row.title)}
        aria-disabled=${!this.#isLive}
        @click=${() => this.#isLive && onPress()}
      >
        ${icon(drawing)}
      </button>`;
    return html`<span class="actions">
      ${row.canRename ? action(strings.rename, icons.edit, () => this.#edit(row)) : nothing}
      ${
        row.isReadOnly
          ? nothing
          : isArchived
            ? action(strings.unarchive, icons.unarchive, () => this.#archive(row))
            : action(strings.archive, icons.archive, () => this.#archive(row))
      }
      ${row.target.chat !== undefined && this.keepsChats ? nothing : action(strings.delete, icons.trash, () => this.#ask(row))}
    </span>`;
  }

  #renderTitleField(row: Row) {
    const { strings } = this.#language.value;
    return html`<input
        type="text"
        dir="auto"
        aria-label=${strings.titleOf(row.title)}
        .value=${row.title}
        @keydown=${(event: KeyboardEvent) => this.#onTitleKey(event, row)}
        @keypress=${keepTyping}
        @keyup=${this.#onKeyup}
        @compositionstart=${this.#composition.handleEvent}
        @compositionend=${this.#composition.handleEvent}
      /><button class="button filled" type="button" @click=${() => this.#rename(row)}>${strings.rename}</button>
      <button class="button quiet" type="button" @click=${() => this.#endEditing(row)}>${strings.cancel}</button>`;
  }

  readonly #onKeyup = (event: KeyboardEvent): void => {
    keepTyping(event);
    this.#composition.handleEvent(event);
  };

  #renderQuestion(row: Row) {
    const { strings } = this.#language.value;
    return html`<div class="question" role="group" aria-label=${strings.deleteAsk(row.title)}>
      <bdi>${strings.deleteAsk(row.title)}</bdi>
      <button class="button danger" type="button" @click=${() => this.#remove(row)}>${strings.delete}</button>
      <button class="button quiet keep" type="button" @click=${() => this.#endAsking()}>${strings.keep}</button>
    </div>`;
  }
}

define('ahp-catalogue', AhpCatalogue);

declare global {
  interface HTMLElementTagNameMap {
    'ahp-catalogue': AhpCatalogue;
  }
}
