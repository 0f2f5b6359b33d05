/**
 * Loads turns that stand before those in memory: first what this device has kept, then page by page from the host, whose
 * cursors are opaque and die with the connection. One load at a time. Source: AHP, fetchTurns.
 */

import type { MirroredChat } from '../mirror/mirror.js';
import { AhpError, isRpcError, RpcCode } from '../protocol/errors.js';
import type { Turn } from '../protocol/state.js';

/** The chat whose turns are loaded. */
export interface PagedChat {
  /** The first turn in memory. */
  findFirstTurn(): string | undefined;
  /** Whether the person is told that there is more. */
  readonly hasOlder: boolean;
  readonly isLive: boolean;
  readKept(beforeTurnId: string, count: number): Promise<{ turns: readonly Turn[]; older: MirroredChat['older'] }>;
  /** Puts kept turns in front; `cursor` is the host's, if one is known. */
  prepend(turns: readonly Turn[], older: MirroredChat['older'], cursor: string | undefined): void;
  /** There is nothing more to be had. */
  hideOlder(): void;
  /** Asks for a new snapshot, for the sake of its cursor. */
  refresh(): Promise<void>;
  /** Resolves when the host has sent its page and answered. */
  fetch(cursor: string): Promise<void>;
}

const pageSize = 50;
/** Pages that hold nothing new are skipped, since kept turns may reach beyond the host's window; not without end. */
const maxEmptyPages = 200;

export class OlderTurns {
  readonly #chat: PagedChat;
  #older: MirroredChat['older'] = 'unknown';
  /** The host's, of the present connection. */
  #cursor: string | undefined;
  #pages = 0;
  #loading: Promise<void> | undefined;

  constructor(chat: PagedChat) {
    this.#chat = chat;
  }

  /** What the mirror has before the turns in memory. */
  setKept(older: MirroredChat['older']): void {
    this.#older = older;
  }

  /** A snapshot came. `isContinued`: what was in memory before its turns is still there. */
  onSnapshot(cursor: string | undefined, isContinued: boolean): void {
    this.#cursor = cursor;
    if (!isContinued) this.#older = 'unknown';
  }

  /** The host sent a page. */
  onPage(cursor: string | undefined): void {
    this.#cursor = cursor;
    this.#pages++;
  }

  onLost(): void {
    this.#cursor = undefined;
  }

  /** Resolves when a page is there, or when none can be had now. Rejects with `AhpError` as the host does. */
  load(): Promise<void> {
    this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  async #load(): Promise<void> {
    const first = this.#chat.findFirstTurn();
    if (!this.#chat.hasOlder) return;
    if (this.#older === 'mirror' && first !== undefined && (await this.#loadKept(first))) return;
    if (this.#chat.isLive) await this.#fetchNew(first);
  }

  async #loadKept(first: string): Promise<boolean> {
    try {
      const { turns, older } = await this.#chat.readKept(first, pageSize);
      if (this.#chat.findFirstTurn() !== first) return true;
      this.#older = older;
      if (turns.length > 0) this.#chat.prepend(turns, older, this.#cursor);
      return turns.length > 0;
    } catch (error) {
      // A disk that fails is told by the mirror; the host has the turns as well.
      if (!(error instanceof AhpError)) throw error;
      this.#older = 'unknown';
      return false;
    }
  }

  /** Fetches until something new stands in front of `first`. */
  async #fetchNew(first: string | undefined): Promise<void> {
    let mayRefresh = true;
    for (let page = 0; page < maxEmptyPages; page++) {
      if (this.#cursor === undefined) {
        if (!mayRefresh) return;
        mayRefresh = false;
        await this.#chat.refresh();
        // The snapshot has none: it is complete, or begins the run anew.
        if (this.#cursor === undefined || this.#chat.findFirstTurn() !== first) return;
      }
      const pages = this.#pages;
      const isAnswered = await this.#fetch(this.#cursor, mayRefresh);
      if (isAnswered && this.#pages === pages) return this.#chat.hideOlder();
      if (this.#chat.findFirstTurn() !== first) return;
      if (isAnswered) mayRefresh = false;
    }
  }

  /** Whether the host took the cursor; one of an earlier connection is forgotten. */
  async #fetch(cursor: string, mayRefresh: boolean): Promise<boolean> {
    try {
      await this.#chat.fetch(cursor);
      return true;
    } catch (error) {
      // A host without paging: nothing more will come.
      if (isRpcError(error, RpcCode.MethodNotFound)) return true;
      if (!mayRefresh || !isRpcError(error, RpcCode.InvalidParams)) throw error;
      this.#cursor = undefined;
      return false;
    }
  }
}
