/**
 * What the element shows and writes to: the page's own store, or a chat of the host the page has named. Joins when the
 * element is on the page, leaves when it is gone, starts over when the page asks for another chat.
 */

import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { isBlank } from '../chat/joined-message.js';
import { Edits } from '../chat/edits.js';
import type { ChatStore, Rejection } from '../chat/store.js';
import type { TokenOptions } from '../client/authenticator.js';
import type { ClientTool } from '../client/client-tools.js';
import type { Token } from '../client/websocket-transport.js';
import { AhpError } from '../protocol/errors.js';
import type { AhpTransport } from '../protocol/link.js';
import type { McpAuthRequirement, Message, URI } from '../protocol/state.js';
import type { HostStay } from './host-stay.js';
import type { EditFate } from './lost-edits.js';
import { MemoryAnswers, type Answers } from './memory-answers.js';
import { MemoryDraft, type Draft } from './memory-draft.js';
import { environment } from './page-environment.js';
import { StatusStore } from './status-store.js';

export { environment };

/** What the page has set on the element. */
export interface HostSettings {
  readonly src: string | undefined;
  readonly token: Token | undefined;
  readonly session: URI | undefined;
  readonly chat: URI | undefined;
  readonly turns: number;
  readonly storage: 'indexeddb' | 'memory';
  readonly storageKey: string | undefined;
  readonly transport: AhpTransport | undefined;
}

/** A change of one of these asks for another chat; a new token only counts at the next connection. */
const identifying = ['src', 'session', 'chat', 'turns', 'storage', 'storageKey', 'transport'] as const;

export interface HostListener {
  /** `isGivenBack`: the text stands in the draft again. */
  onRejected(rejection: Rejection, isGivenBack: boolean): void;
  /** A message went while it was being changed; what was written is in the draft. */
  onEditLost(fate: EditFate): void;
  onAuthRequired(requirement: McpAuthRequirement, toolCallId?: string): void;
  onDiagnostic(code: string, text: string): void;
}

export class HostController implements ReactiveController {
  readonly #element: ReactiveControllerHost;
  readonly #listener: HostListener;
  #settings: HostSettings | undefined;
  #isConnected = false;
  #cancelLeave: (() => void) | undefined;
  /** The page asked to leave. */
  #isLeft = false;
  #ownStore: ChatStore | undefined;
  #store: ChatStore | undefined;
  #draft: Draft | undefined;
  #answers: Answers | undefined;
  #edits: Edits | undefined;
  #stay: Promise<HostStay> | undefined;
  /** Shown until the stay has found its chat; also tells one stay from another. */
  #search: StatusStore | undefined;
  #ends: (() => void)[] = [];
  #tools: readonly ClientTool[] = [];
  /** What was written before there was a chat to write to. */
  #early: Message | undefined;

  constructor(element: ReactiveControllerHost, listener: HostListener) {
    this.#element = element;
    this.#listener = listener;
    element.addController(this);
  }

  get store(): ChatStore | undefined {
    return this.#store;
  }

  get draft(): Draft | undefined {
    return this.#draft;
  }

  get answers(): Answers | undefined {
    return this.#answers;
  }

  /** What is half written in place of messages. */
  get edits(): Edits | undefined {
    return this.#edits;
  }

  /** The page's own store; wins over everything else. */
  get ownStore(): ChatStore | undefined {
    return this.#ownStore;
  }

  set ownStore(store: ChatStore | undefined) {
    if (store === this.#ownStore) return;
    this.#leave();
    this.#ownStore = store;
    this.#join();
  }

  /** Takes what the page has set; joins another chat when that asks for one. */
  configure(settings: HostSettings): void {
    const before = this.#settings;
    this.#settings = pick(settings);
    if (before && identifying.every((name) => before[name] === settings[name])) return;
    if (this.#ownStore) return;
    const leave = this.#part();
    this.#join();
    // The connection goes over from one stay to the next where they are at the same host.
    (this.#stay ?? Promise.resolve()).then(leave, leave);
  }

  hostConnected(): void {
    this.#cancelLeave?.();
    this.#cancelLeave = undefined;
    this.#isConnected = true;
    this.#join();
  }

  /** A move within the document disconnects and connects in one task: everything stays as it is then. */
  hostDisconnected(): void {
    this.#isConnected = false;
    this.#cancelLeave = environment.schedule(0, () => this.#leave());
  }

  connect(): void {
    if (this.#isLeft) this.#leave();
    this.#isLeft = false;
    this.#join();
    this.#store?.reconnectNow?.();
  }

  /** What is shown stays, without anybody behind it. */
  disconnect(): void {
    const shown = this.#store;
    this.#leave();
    this.#isLeft = true;
    this.#store = new StatusStore(
      'offline',
      () => this.connect(),
      shown && { state: shown.state, session: shown.session },
    );
    this.#element.requestUpdate();
  }

  /** Takes what is written while there is no chat to write to. */
  keepEarly(message: Message): void {
    if (this.#draft) this.#draft.change(message);
    else this.#early = message;
  }

  /** What the page offers the agent; only a host's agents can use it. */
  set tools(tools: readonly ClientTool[]) {
    if (tools === this.#tools) return;
    this.#tools = tools;
    this.#stay?.then((there) => (there.tools = this.#tools), shownByStatus);
  }

  async authenticate(resource: string, token: string, options: TokenOptions): Promise<void> {
    if (!this.#stay) throw new AhpError('misuse', 'authenticate() needs a host: set src or transport first.');
    await (await this.#stay).authenticate(resource, token, options);
  }

  async clearMirror(): Promise<void> {
    await (await this.#stay)?.clearMirror();
  }

  /* -------------------------------------------------------------- joining */

  #join(): void {
    if (!this.#isConnected || this.#store || this.#isLeft) return;
    const own = this.#ownStore;
    if (own) return this.#show(own, new MemoryDraft(environment), new MemoryAnswers(own, environment), new Edits());
    const settings = this.#settings;
    if (!settings || (settings.src === undefined && !settings.transport)) return;
    const search = new StatusStore('loading', () => void stay.then((there) => there.reconnectNow(), retry));
    const stay = this.#enter(settings, search);
    const retry = () => {
      if (this.#stay !== stay) return;
      this.#leave();
      this.#join();
    };
    this.#store = this.#search = search;
    this.#stay = stay;
    // What went wrong is told by the status, and the next press on it tries again.
    stay.catch((cause: unknown) => {
      const text = 'A part of the chat could not be loaded. Check the connection, then try again.';
      search.status = { ...search.status, phase: 'failed', error: new AhpError('disconnected', text, { cause }) };
    });
    this.#element.requestUpdate();
  }

  async #enter(settings: HostSettings, search: StatusStore): Promise<HostStay> {
    const { HostStay } = await import('./host-stay.js');
    const { onAuthRequired, onDiagnostic } = this.#listener;
    /** The element may have left, or gone elsewhere, meanwhile. */
    const isHere = () => this.#search === search;
    // The connection may outlive the token the page has set by now.
    const token = () => {
      const given = this.#settings?.token;
      return typeof given === 'function' ? given() : given;
    };
    const stay = new HostStay({ ...settings, token }, environment, {
      onSearching: (status, draft) => {
        search.status = status;
        if (isHere() && this.#store === search && this.#draft !== draft) this.#write(draft);
      },
      onFailed: (error) => (search.status = { ...search.status, phase: 'failed', error }),
      onChat: (...shown) => isHere() && this.#show(...shown),
      onChatGone: () => {
        this.#hide();
        this.#store = this.#search = search;
      },
      onAuthRequired,
      onDiagnostic,
    });
    stay.tools = this.#tools;
    search.giveUpSignIn = (resource) => stay.giveUpSignIn(resource);
    return stay;
  }

  #show(store: ChatStore, draft: Draft, answers: Answers, edits: Edits): void {
    this.#hide();
    this.#store = store;
    this.#answers = answers;
    this.#edits = edits;
    this.#write(draft);
    this.#ends.push(store.onRejected((rejection) => this.#listener.onRejected(rejection, this.#takeBack(rejection))));
    void this.#watchEdits(store, draft, edits);
    const endAuth = store.onAuthRequired?.((...demand) => this.#listener.onAuthRequired(...demand));
    if (endAuth) this.#ends.push(endAuth);
    this.#element.requestUpdate();
  }

  /** From here on what is written is in this draft, with what was written before there was any. */
  #write(draft: Draft): void {
    this.#draft = draft;
    const early = this.#early;
    this.#early = undefined;
    if (early && !isBlank(early)) {
      if (draft.revision === 0) draft.change(early);
      else draft.giveBack(early);
    }
    this.#ends.push(draft.subscribe(() => this.#element.requestUpdate()));
    this.#element.requestUpdate();
  }

  /** Without it the texts stay where they are kept, and the next page load tries again. */
  async #watchEdits(store: ChatStore, draft: Draft, edits: Edits): Promise<void> {
    const module = await import('./lost-edits.js').catch(() => undefined);
    if (!module || this.#store !== store) return;
    const { onEditLost } = this.#listener;
    this.#ends.push(module.watchEdits({ store, edits, giveBack: (message) => draft.giveBack(message), onEditLost }));
  }

  /** A chat of the hub gives text back by itself, once for all elements that show it. */
  #takeBack({ actions, reason }: Rejection): boolean {
    for (const action of actions) {
      if (action.type === 'chat/inputCompleted' && this.#ownStore) this.#answers?.onRefused(action.requestId, reason);
    }
    const message = actions.map((action) => ('message' in action ? action.message : undefined)).find(Boolean);
    if (message && this.#ownStore) this.#draft?.giveBack(message);
    return message !== undefined;
  }

  #hide(): void {
    for (const end of this.#ends.splice(0)) end();
    this.#draft = this.#answers = this.#edits = this.#store = undefined;
  }

  #leave(): void {
    this.#part()();
  }

  /** Shows nothing of the stay any more; calling what it returns ends it. */
  #part(): () => void {
    this.#draft?.setFocused(this.#element, false);
    this.#answers?.flush();
    this.#hide();
    const stay = this.#stay;
    this.#stay = this.#search = undefined;
    // A stay that never began has nothing to leave.
    return () => void stay?.then((there) => there.leave(), shownByStatus);
  }
}

const pick = ({ src, token, session, chat, turns, storage, storageKey, transport }: HostSettings): HostSettings => ({
  src,
  token,
  session,
  chat,
  turns,
  storage,
  storageKey,
  transport,
});

/** A stay that never began is told by the status. */
const shownByStatus = (): void => undefined;
