import { LitElement, css, html, type PropertyValues } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { Catalogue, CatalogueStore, CatalogueTarget } from '../chat/catalogue.js';
import { HostCatalogue } from '../client/catalogue.js';
import type { Lease } from '../client/counted.js';
import type { HostClient } from '../client/host-client.js';
import type { Token } from '../client/websocket-transport.js';
import { LanguageProvider } from '../i18n/localize.js';
import type { Strings } from '../i18n/strings.js';
import { AhpError, isRpcError, RpcCode } from '../protocol/errors.js';
import type { AhpTransport } from '../protocol/link.js';
import type { URI } from '../protocol/state.js';
import '../views/chat-list/ahp-catalogue.js';
import type { AhpCatalogue } from '../views/chat-list/ahp-catalogue.js';
import type { AhpCatalogueEventMap } from '../views/chat-list/catalogue-events.js';
import { define } from '../views/define.js';
import { AhpDiagnosticEvent, AhpErrorEvent, AhpOpenChatEvent } from '../views/events.js';
import type { AhpChat } from './ahp-chat.js';
import { acquireHost, type HostAddress } from './page-hub.js';
import { environment } from './page-environment.js';

const intents = [
  'ahp-open-chat',
  'ahp-catalogue-create',
  'ahp-catalogue-rename',
  'ahp-catalogue-archive',
  'ahp-catalogue-remove',
] as const;
type IntentName = (typeof intents)[number];
type IntentMap = AhpCatalogueEventMap & { 'ahp-open-chat': AhpOpenChatEvent };

const nothingYet: Catalogue = { phase: 'loading', sessions: [] };

/**
 * The sessions of a host, or the chats of one session, on the same connection as the chats beside it. Hidden chats are
 * never listed. Every intent is dispatched from the element before it is carried out; `preventDefault()` keeps it from
 * happening.
 *
 * With `for` it takes its host from an `<ahp-chat>` and opens chats there. Without it, opening is the page's to do: it
 * listens to `ahp-open-chat`.
 *
 * @customElement ahp-chat-list
 * @summary The sessions of a host, or the chats of one of them.
 * @fires {AhpOpenChatEvent} ahp-open-chat - A chat is to be shown.
 * @fires {AhpCatalogueCreateEvent} ahp-catalogue-create - Another session, or another chat in the session, is to be made.
 * @fires {AhpCatalogueRenameEvent} ahp-catalogue-rename - A session is to have another title.
 * @fires {AhpCatalogueArchiveEvent} ahp-catalogue-archive - A session or chat is to be put away, or back.
 * @fires {AhpCatalogueRemoveEvent} ahp-catalogue-remove - A session or chat is to be deleted; the person has said so twice.
 * @fires {AhpDiagnosticEvent} ahp-diagnostic - Something odd that changed nothing; for developers.
 * @fires {AhpErrorEvent} ahp-error - Something did not work that the list shows.
 * @csspart row - One line.
 * @csspart new - The button for another chat.
 */
export class AhpChatList extends LitElement {
  static override styles = css`
    :host {
      display: block;
      box-sizing: border-box;
      min-block-size: 0;
    }
    :host([hidden]) {
      display: none;
    }
    ahp-catalogue {
      block-size: 100%;
    }
  `;

  readonly #language = new LanguageProvider(this);

  /** The id of an `<ahp-chat>` in the same document or shadow root: its host is listed, and chats open in it. */
  @property() for = '';

  /** WebSocket URL of the host; see `<ahp-chat>`. */
  @property() src: string | undefined;

  /** Asked before each connection. */
  @property({ attribute: false }) token: Token | undefined;

  /** Lists the chats of this session; without it, all sessions of the host. */
  @property() session: URI | undefined;

  /** The chat that is marked as shown; with `for`, the one that is shown there. */
  @property() chat: URI | undefined;

  /** See `<ahp-chat>`: elements with the same host, storage and key share one connection. */
  @property() storage: 'indexeddb' | 'memory' = 'indexeddb';

  /** Keeps two accounts on one host apart. */
  @property({ attribute: 'storage-key' }) storageKey: string | undefined;

  /** Nothing can be made, renamed, put away or deleted. */
  @property({ type: Boolean, attribute: 'readonly' }) readOnly = false;

  /** The page's own wording; what it leaves out comes from the language. */
  @property({ attribute: false }) strings: Partial<Strings> | undefined;

  /** Opens the connection instead of a WebSocket to `src`. */
  @property({ attribute: false }) transport: AhpTransport | undefined;

  /** Replaces the host: whatever is a `CatalogueStore` can be listed. */
  @property({ attribute: false }) store: CatalogueStore | undefined;

  @state() private failure: string | undefined;
  @state() private keepsChats = false;

  #host: Lease<HostClient> | undefined;
  #own: HostCatalogue | undefined;
  /** What is listed now, and from where. */
  #joined: readonly unknown[] = [];
  #endStore: (() => void) | undefined;
  #endTarget: (() => void) | undefined;

  override focus(options?: FocusOptions): void {
    this.renderRoot.querySelector<AhpCatalogue>('ahp-catalogue')?.focus(options);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.requestUpdate();
  }

  override disconnectedCallback(): void {
    this.#leave();
    this.#endTarget?.();
    super.disconnectedCallback();
  }

  protected override createRenderRoot() {
    const root = super.createRenderRoot();
    for (const name of intents) root.addEventListener(name, this.#onIntent);
    return root;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('strings')) this.#language.overrides = this.strings;
    if (!this.isConnected) return;
    this.#watchTarget();
    this.#join();
  }

  /* ------------------------------------------------------------ the host */

  get #target(): AhpChat | undefined {
    if (this.for === '') return undefined;
    const found = (this.getRootNode() as Document | ShadowRoot).getElementById?.(this.for);
    return found?.localName === 'ahp-chat' ? (found as AhpChat) : undefined;
  }

  /** The chat beside the list may be there later than the list, and go elsewhere at any time. */
  #watchTarget(): void {
    this.#endTarget?.();
    const target = this.#target;
    if (!target) return;
    const onChange = () => this.requestUpdate();
    target.addEventListener('ahp-status-change', onChange);
    this.#endTarget = () => target.removeEventListener('ahp-status-change', onChange);
  }

  #join(): void {
    const { src, storage, storageKey, transport } = this.#target ?? this;
    const joined = [this.store, this.session, src, storage, storageKey, transport];
    if (this.#endStore && joined.every((value, at) => value === this.#joined[at])) return;
    this.#leave();
    const store = this.store ?? this.#enter({ src, token: this.#askToken, storage, storageKey, transport });
    if (!store) return;
    this.#joined = joined;
    this.#endStore = store.subscribe(() => this.requestUpdate());
  }

  /** The connection may outlive the token the page has set by now. */
  readonly #askToken = () => {
    const { token } = this.#target ?? this;
    return typeof token === 'function' ? token() : token;
  };

  #enter(address: HostAddress): CatalogueStore | undefined {
    if (address.src === undefined && !address.transport) return undefined;
    const onDiagnostic = (code: string, text: string) => this.dispatchEvent(new AhpDiagnosticEvent(code, text));
    this.#host = acquireHost(address, environment, onDiagnostic);
    return (this.#own = new HostCatalogue(this.#host.value, this.session));
  }

  #leave(): void {
    this.#endStore?.();
    this.#own?.close();
    this.#host?.release();
    this.#endStore = this.#own = this.#host = undefined;
  }

  /* ------------------------------------------------------------ intents */

  readonly #onIntent = (event: Event): void => {
    event.stopPropagation();
    // Registered for these names only.
    const intent = event as IntentMap[IntentName];
    if (this.dispatchEvent(intent.clone())) this.#perform(intent);
    else event.preventDefault();
  };

  #perform(intent: IntentMap[IntentName]): void {
    const store = this.store ?? this.#own;
    if (!store) return;
    switch (intent.type as IntentName) {
      case 'ahp-open-chat':
        return this.#show(intent as IntentMap['ahp-open-chat']);
      case 'ahp-catalogue-create':
        return void this.#create(store, (intent as IntentMap['ahp-catalogue-create']).session);
      case 'ahp-catalogue-rename': {
        const { session, title } = intent as IntentMap['ahp-catalogue-rename'];
        return void this.#try(store.rename(session, title));
      }
      case 'ahp-catalogue-archive': {
        const { entry, isArchived } = intent as IntentMap['ahp-catalogue-archive'];
        return void this.#try(store.setArchived(entry, isArchived));
      }
      case 'ahp-catalogue-remove':
        return void this.#remove(store, (intent as IntentMap['ahp-catalogue-remove']).entry);
    }
  }

  #show({ resource, session }: AhpOpenChatEvent): void {
    const target = this.#target;
    if (!target) return;
    target.session = session;
    target.chat = resource;
    this.requestUpdate();
  }

  async #create(store: CatalogueStore, session: URI | undefined): Promise<void> {
    const made = await this.#try(store.create(session));
    if (!made || !this.isConnected) return;
    const open = new AhpOpenChatEvent(made.chat, made.session);
    if (this.dispatchEvent(open)) this.#show(open);
  }

  async #remove(store: CatalogueStore, target: CatalogueTarget): Promise<void> {
    try {
      this.failure = undefined;
      await store.remove(target);
    } catch (error) {
      // Many hosts delete sessions only; what cannot be done is not offered again.
      if (target.chat !== undefined && isRpcError(error, RpcCode.MethodNotFound)) this.keepsChats = true;
      this.#fail(error);
    }
  }

  async #try<T>(work: Promise<T>): Promise<T | undefined> {
    try {
      this.failure = undefined;
      return await work;
    } catch (error) {
      return this.#fail(error);
    }
  }

  #fail(error: unknown): undefined {
    if (!(error instanceof AhpError)) throw error;
    this.failure = error.message;
    this.dispatchEvent(new AhpErrorEvent(error));
  }

  override render() {
    const store = this.store ?? this.#own;
    return html`<ahp-catalogue
      exportparts="row, new"
      .catalogue=${store?.catalogue ?? nothingYet}
      .single=${this.session !== undefined}
      .current=${this.#target?.state?.resource ?? this.chat}
      .readOnly=${this.readOnly}
      .keepsChats=${this.keepsChats}
      .failure=${this.failure}
      .clock=${environment}
    ></ahp-catalogue>`;
  }
}

define('ahp-chat-list', AhpChatList);

declare global {
  interface HTMLElementTagNameMap {
    'ahp-chat-list': AhpChatList;
  }
}
