/** What a scene does and sees in a page besides keys and navigation. Scenes call it by name, in every engine alike. */

import type { AhpChat } from '../../../src/element/ahp-chat.js';
import type { ChatStoreStatus } from '../../../src/chat/store.js';
import type { ChatState } from '../../../src/protocol/state.js';

/** What a person sees, and what the element says of it. */
export interface Screen {
  readonly phase: ChatStoreStatus['phase'] | undefined;
  readonly pending: number;
  readonly unconfirmed: number;
  readonly notKept: string | undefined;
  /** The words of the strip about connection and storage. */
  readonly strip: string;
  /** The messages in the transcript. */
  readonly prompts: readonly string[];
  readonly waiting: readonly string[];
  /** Everything in the transcript, as words. */
  readonly transcript: string;
  /** What can be pressed there. */
  readonly buttons: readonly string[];
  /** What stands in the fields of open requests. */
  readonly fields: readonly string[];
  readonly composer: string;
  /** What hangs on the message being written. */
  readonly attached: readonly string[];
  /** What is suggested for it. */
  readonly offered: readonly string[];
  /** What is chosen for it: model and agent. */
  readonly chosen: readonly string[];
  readonly isFocused: boolean;
  readonly state: ChatState | undefined;
  /** Who this document is for the host. */
  readonly clientId: string | undefined;
}

const findChat = () => document.querySelector<AhpChat>('ahp-chat');
const within = (element: Element | null | undefined, selector: string): HTMLElement[] => [
  ...(element?.shadowRoot?.querySelectorAll<HTMLElement>(selector) ?? []),
];
const wordsOf = (element: HTMLElement | undefined) => element?.innerText.trim() ?? '';

const isVisible = (element: HTMLElement) => element.checkVisibility();
const fieldsOf = (transcript: HTMLElement | undefined) =>
  within(transcript, 'input, textarea').filter((one): one is HTMLInputElement => 'value' in one);

const selectsOf = (composer: HTMLElement | undefined) =>
  within(composer, 'select').filter((one) => one instanceof HTMLSelectElement);

const isDone = (request: IDBRequest) =>
  new Promise<unknown>((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error!);
  });

/** Kept open for as long as the page lives, whatever it is asked. */
const held: IDBDatabase[] = [];

/** What has failed in this document, as the element has told. */
const failures: string[] = [];
document.documentElement.addEventListener('ahp-error', ({ error }) => failures.push(error.code));

let returns: boolean[] = [];
addEventListener('pageshow', ({ persisted }) => (returns = [...returns, persisted]));

const hands = {
  look(): Screen | undefined {
    const chat = findChat();
    const [transcript] = within(chat, 'ahp-transcript');
    const [composer] = within(chat, 'ahp-composer');
    const [field] = within(composer, 'textarea');
    if (!chat || !(field instanceof HTMLTextAreaElement)) return undefined;
    const { status } = chat;
    const named = Object.keys(sessionStorage).find((key) => key.startsWith('ahp-chat:client:'));
    const { clientId } = JSON.parse(sessionStorage.getItem(named ?? '') ?? '{}') as { clientId?: string };
    return {
      phase: status?.phase,
      pending: status?.pending ?? 0,
      unconfirmed: status?.unconfirmed.length ?? 0,
      notKept: status?.notKept,
      strip: within(within(chat, 'ahp-status')[0], '[part~=status]').map(wordsOf).join('\n'),
      prompts: within(transcript, 'ahp-turn [part~=message]').map(wordsOf),
      waiting: within(composer, '[part~=queue-row]').map(wordsOf),
      transcript: within(transcript, 'ahp-turn').map(wordsOf).join('\n'),
      buttons: within(transcript, 'button').filter(isVisible).map(wordsOf),
      fields: fieldsOf(transcript).map(({ value }) => value),
      composer: field.value,
      attached: within(composer, '[part~=attachment]').map(wordsOf),
      offered: within(composer, '[role=option]').map(wordsOf),
      chosen: selectsOf(composer).map(({ selectedOptions }) => wordsOf(selectedOptions[0])),
      isFocused: composer?.shadowRoot?.activeElement === field,
      state: chat.state,
      clientId,
    };
  },

  focus(): void {
    findChat()!.focus();
  },

  /** Presses the button of these words, wherever it stands in the chat, once it can be pressed. */
  press(words: string): boolean {
    const buttons = (root: ParentNode): HTMLElement[] =>
      [...root.querySelectorAll<HTMLElement>('*')].flatMap((element) => [
        ...(element.matches('button') ? [element] : []),
        ...(element.shadowRoot ? buttons(element.shadowRoot) : []),
      ]);
    const button = buttons(document).find(
      (one) => one.checkVisibility() && one.ariaDisabled !== 'true' && [wordsOf(one), one.ariaLabel].includes(words),
    );
    button?.click();
    return button !== undefined;
  },

  /** Writes into the field of an open request that is called so, once it is there. */
  fill(label: string, text: string): boolean {
    const [transcript] = within(findChat(), 'ahp-transcript');
    const field = fieldsOf(transcript).find(({ labels }) =>
      [...(labels ?? [])].some((one) => one.innerText.includes(label)),
    );
    if (!field) return false;
    field.focus();
    field.value = text;
    field.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
    return true;
  },

  setHash(hash: string): void {
    location.hash = hash;
  },

  /** Chooses in the menu of the composer that is called so. */
  choose(label: string, words: string): void {
    const [composer] = within(findChat(), 'ahp-composer');
    const menu = selectsOf(composer).find(({ ariaLabel }) => ariaLabel === label);
    const option = [...(menu?.options ?? [])].find(({ text }) => text.trim() === words);
    if (!menu || !option) throw new Error(`There is no "${words}" in a menu called "${label}".`);
    menu.value = option.value;
    menu.dispatchEvent(new Event('change', { bubbles: true }));
  },

  failures: () => failures,

  clearMirror: () => findChat()!.clearMirror(),

  /** From the next frame that holds `text` on nothing is sent, as by a page that ends just before; see `hasSwallowed`. */
  swallow(text: string): void {
    const send = WebSocket.prototype.send;
    WebSocket.prototype.send = function (this: WebSocket, data) {
      hasSwallowed ||= typeof data === 'string' && data.includes(text);
      if (!hasSwallowed) send.call(this, data);
    };
  },

  hasSwallowed: () => hasSwallowed,

  /* -------------------------------------------------------------- the page */

  leave(): void {
    location.href = '/other.html';
  },

  /** By the event that showed this document, each time: whether it came from the back/forward cache. */
  returns: () => returns,

  /** Why the page was not kept for going back, where the engine says so. */
  notRestoredReasons(): unknown {
    const [entry] = performance.getEntriesByType('navigation');
    return (entry as { notRestoredReasons?: unknown } | undefined)?.notRestoredReasons ?? null;
  },

  duplicate(): void {
    open(location.href);
  },

  async locks(): Promise<readonly string[]> {
    const { held: locks = [] } = await navigator.locks.query();
    return locks.flatMap(({ name }) => name ?? []);
  },

  left: () => Object.keys(localStorage),

  isSecure: () => isSecureContext,

  /* -------------------------------------------------------------- the disk */

  async databases(): Promise<readonly string[]> {
    return (await indexedDB.databases()).flatMap(({ name }) => name ?? []);
  },

  /** Opens a database as a page of another build does, and keeps it open. */
  async hold(name: string, version: number): Promise<void> {
    const request = indexedDB.open(name, version);
    request.onupgradeneeded = () => request.result.createObjectStore('theirs').put('untouched', 'mark');
    held.push((await isDone(request)) as IDBDatabase);
  },

  letGo(): void {
    for (const database of held.splice(0)) database.close();
  },

  /** What a store holds, of a database as it is; nothing where there is none. */
  async read(name: string, store: string): Promise<unknown> {
    if (!(await hands.databases()).includes(name)) return [];
    const database = (await isDone(indexedDB.open(name))) as IDBDatabase;
    try {
      return await isDone(database.transaction(store).objectStore(store).getAll());
    } finally {
      database.close();
    }
  },

  async remove(name: string): Promise<void> {
    await isDone(indexedDB.deleteDatabase(name));
  },
};

let hasSwallowed = false;

export type Hands = typeof hands;

declare global {
  var hands: Hands;
}

globalThis.hands = hands;
