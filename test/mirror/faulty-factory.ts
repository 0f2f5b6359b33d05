/** Real IndexedDB with a hand in it: counts what is asked of it, and fails where a test says so. */

export class FaultyFactory {
  /** What to hand to `openMirror`. */
  readonly factory: IDBFactory;
  /** Every request to open, in order. */
  readonly opens: IDBOpenDBRequest[] = [];
  /** Stores and mode of every transaction. */
  readonly transactions: string[] = [];
  /** Store of every put, and of every read that gives values. */
  readonly puts: string[] = [];
  readonly reads: string[] = [];
  /** May throw instead of a transaction. */
  onTransaction: (database: IDBDatabase) => void = () => {};
  /** May throw instead of a put. */
  onPut: (store: string, value: unknown) => void = () => {};
  /** May throw instead of an attempt to open. */
  onOpen: () => void = () => {};

  constructor() {
    this.factory = new Proxy(indexedDB, {
      get: (target, key) => {
        if (key === 'open') return (name: string, version?: number) => this.#open(name, version);
        const value: unknown = Reflect.get(target, key);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
  }

  /** The connection in use. */
  get database(): IDBDatabase {
    return this.opens.at(-1)!.result;
  }

  /** As when the browser takes the connection away. */
  loseConnection(): void {
    const { database } = this;
    database.close();
    database.dispatchEvent(new Event('close'));
  }

  #open(name: string, version?: number): IDBOpenDBRequest {
    this.onOpen();
    const request = indexedDB.open(name, version);
    this.opens.push(request);
    // Before the mirror's own listener.
    request.addEventListener('success', () => this.#watch(request.result));
    return request;
  }

  #watch(database: IDBDatabase): void {
    const begin = database.transaction.bind(database);
    database.transaction = (stores, mode, options) => {
      this.onTransaction(database);
      this.transactions.push(`${mode ?? 'readonly'} ${typeof stores === 'string' ? stores : [...stores].join()}`);
      const transaction = begin(stores, mode, options);
      const open = transaction.objectStore.bind(transaction);
      transaction.objectStore = (name) => this.#watchStore(open(name));
      return transaction;
    };
  }

  #watchStore(store: IDBObjectStore): IDBObjectStore {
    if (Object.hasOwn(store, 'put')) return store;
    const put = store.put.bind(store);
    store.put = (value, key) => {
      this.onPut(store.name, value);
      this.puts.push(store.name);
      return put(value, key);
    };
    for (const name of ['get', 'getAll'] as const) {
      const read = store[name].bind(store) as (...args: unknown[]) => IDBRequest;
      store[name] = (...args: unknown[]) => {
        const request = read(...args);
        request.addEventListener('success', () => {
          const found: unknown = request.result;
          this.reads.push(`${store.name} ${Array.isArray(found) ? found.length : Number(found !== undefined)}`);
        });
        return request as never;
      };
    }
    return store;
  }
}

export const fault = (name: string): DOMException => new DOMException(`injected ${name}`, name);

/** Resolves with the next event of `type`. */
export const next = (target: EventTarget, type: string): Promise<Event> =>
  new Promise((resolve) => target.addEventListener(type, resolve, { once: true }));

/** Resolves when `notKept` changes. */
export const changed = (mirror: { onNotKept(listener: () => void): () => void }): Promise<void> =>
  new Promise((resolve) => {
    const end = mirror.onNotKept(() => {
      end();
      resolve();
    });
  });

/** The error a promise is rejected with; fails if it is not. */
export async function rejection(promise: Promise<unknown>): Promise<Error & { code?: string }> {
  try {
    await promise;
  } catch (error) {
    return error as Error;
  }
  throw new Error('It was not rejected.');
}
