/**
 * Opens mirrors. Those of one database in one document share one connection, which is counted: however many elements a
 * page mounts in a tick, the database is asked for once.
 */

import { ChatWriter } from './chat-writer.js';
import { MirrorDatabase } from './database.js';
import { IdbMirror, type SharedDatabase } from './idb-mirror.js';
import { MemoryMirror } from './memory-mirror.js';
import type { Mirror } from './mirror.js';
import type { Schedule } from './open-database.js';
import { toDatabaseName, UPGRADE_STEPS, type UpgradeStep } from './schema.js';

export interface MirrorOptions {
  /** Calls `run` once after `delayMs`; the result ends the wait. */
  readonly schedule: Schedule;
  /** Replaces the browser's IndexedDB, to inject faults. */
  readonly factory?: IDBFactory;
  /** Replaces the released steps, to test upgrades. */
  readonly steps?: readonly UpgradeStep[];
}

interface Counted extends SharedDatabase {
  users: number;
}

/** By factory, so that an injected one never meets the browser's; by database name in it. */
const open = new Map<IDBFactory | undefined, Map<string, Counted>>();

/**
 * Opens the mirror of one host and account. Gives it at once: its calls wait for the database, or are done in memory
 * where there is none. Never throws.
 */
export function openMirror(hostKey: string, options: MirrorOptions): Mirror {
  const name = toDatabaseName(hostKey);
  const factory = options.factory ?? findFactory();
  const databases = open.get(factory) ?? new Map<string, Counted>();
  open.set(factory, databases);
  const shared = databases.get(name) ?? share(name, factory, options, () => databases.delete(name));
  databases.set(name, shared);
  shared.users += 1;
  return new IdbMirror(shared);
}

function share(name: string, factory: IDBFactory | undefined, options: MirrorOptions, forget: () => void): Counted {
  const memory = new MemoryMirror();
  const chats: ChatWriter = new ChatWriter(() => database);
  const database = new MirrorDatabase({
    name,
    factory,
    memory,
    schedule: (delayMs, run) => options.schedule(delayMs, run),
    steps: options.steps ?? UPGRADE_STEPS,
    onReset: () => chats.forgetAll(),
  });
  const shared: Counted = {
    database,
    chats,
    memory,
    users: 0,
    release: async () => {
      shared.users -= 1;
      if (shared.users > 0) return;
      // Whoever opens it from now on gets a connection of its own.
      forget();
      // A save may wait for the one before it. While the page is frozen neither is carried out.
      if (!database.isSuspended) await chats.settled();
      await database.close();
    },
  };
  return shared;
}

function findFactory(): IDBFactory | undefined {
  try {
    return globalThis.indexedDB;
  } catch {
    // Reading the property throws where the visitor forbids storage.
    return undefined;
  }
}
