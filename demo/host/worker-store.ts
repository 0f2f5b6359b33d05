/**
 * What the host in a worker still knows after a reload: a snapshot and the entries since, in an IndexedDB of its own. As
 * on disk nobody is told before it is kept: a worker ends without a warning, and takes what is being written with it.
 */

import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import type { Link } from '../../src/protocol/link.js';
import type { JournalEntry } from '../../src/host/hooks.js';
import type { HostExport } from '../../src/host/persistence.js';

export interface WorkerSnapshot {
  readonly host?: HostExport;
  /** The workspace's files; absent before the first change. */
  readonly files?: Readonly<Record<string, string>>;
}

interface Schema extends DBSchema {
  snapshot: { key: 'host' | 'files'; value: HostExport | Readonly<Record<string, string>> };
  journal: { key: number; value: readonly JournalEntry[] };
  versions: { key: string; value: string };
}

export class WorkerStore {
  readonly #db: IDBPDatabase<Schema>;
  #waiting: JournalEntry[] = [];
  #isQueued = false;
  #kept: Promise<unknown> = Promise.resolve();

  private constructor(db: IDBPDatabase<Schema>) {
    this.#db = db;
  }

  /** Rejects where there is no IndexedDB. */
  static async open(name: string): Promise<WorkerStore> {
    const db = await openDB<Schema>(name, 1, {
      upgrade(upgraded) {
        upgraded.createObjectStore('snapshot');
        upgraded.createObjectStore('journal', { autoIncrement: true });
        upgraded.createObjectStore('versions');
      },
    });
    return new WorkerStore(db);
  }

  async load(): Promise<{ snapshot: WorkerSnapshot; journal: JournalEntry[] }> {
    const transaction = this.#db.transaction(['snapshot', 'journal']);
    const snapshots = transaction.objectStore('snapshot');
    const [host, files, lists] = await Promise.all([
      snapshots.get('host') as Promise<WorkerSnapshot['host']>,
      snapshots.get('files') as Promise<WorkerSnapshot['files']>,
      transaction.objectStore('journal').getAll(),
    ]);
    return { snapshot: { ...(host && { host }), ...(files && { files }) }, journal: lists.flat() };
  }

  /** Entries that come while others are written go together. */
  append(entry: JournalEntry): void {
    this.#waiting.push(entry);
    if (this.#isQueued) return;
    this.#isQueued = true;
    this.#kept = this.#kept.then(() => {
      const entries = this.#waiting;
      this.#waiting = [];
      this.#isQueued = false;
      return this.#db.add('journal', entries).catch(report);
    });
  }

  /** The link, with each frame held back until everything that was to be kept before it is. */
  behind(link: Link): Link {
    let last: Promise<unknown> = Promise.resolve();
    const afterKept = (act: () => void): void => {
      last = Promise.all([last, this.#kept]).then(act);
    };
    return {
      send: (text) => afterKept(() => link.send(text)),
      close: () => afterKept(() => link.close()),
      get onmessage() {
        return link.onmessage;
      },
      set onmessage(listener) {
        link.onmessage = listener;
      },
      get onclose() {
        return link.onclose;
      },
      set onclose(listener) {
        link.onclose = listener;
      },
    };
  }

  /** Puts the state in the place of all entries so far. */
  async compact(host: HostExport): Promise<void> {
    const transaction = this.#db.transaction(['snapshot', 'journal'], 'readwrite');
    await Promise.all([
      transaction.objectStore('snapshot').put(host, 'host'),
      transaction.objectStore('journal').clear(),
      transaction.done,
    ]);
  }

  putFiles(files: Readonly<Record<string, string>>): void {
    this.#kept = Promise.all([this.#kept, this.#db.put('snapshot', files, 'files').catch(report)]);
  }

  putVersion(id: string, text: string): void {
    this.#kept = Promise.all([this.#kept, this.#db.put('versions', text, id).catch(report)]);
  }

  getVersion(id: string): Promise<string | undefined> {
    return this.#db.get('versions', id);
  }
}

/** A demonstration that cannot keep something goes on, and says so where developers look. */
function report(error: unknown): void {
  console.warn('The demo host in this page could not keep something:', error);
}
