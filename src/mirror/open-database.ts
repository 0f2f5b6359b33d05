/**
 * One attempt to open the database, and one to delete it, each with an end: whatever the browser and other pages do, the
 * attempt settles in bounded time, and an attempt that was given up changes nothing later.
 */

import { wrap } from 'idb';
import type { NotKeptReason } from './mirror.js';
import { storesAfter, type UpgradeStep } from './schema.js';
import type { Connection } from './write.js';

/** Calls `run` once after `delayMs`; the result ends the wait. */
export type Schedule = (delayMs: number, run: () => void) => () => void;

/** How long other pages have to close an old database after they were told. */
export const BLOCKED_MS = 1000;
/** How long an attempt may take altogether. */
export const OPEN_MS = 3000;

export interface DatabasePlace {
  readonly factory: IDBFactory;
  readonly name: string;
  readonly schedule: Schedule;
}

export interface OpenFailure {
  readonly reason: NotKeptReason;
  /** Another attempt may succeed. */
  readonly canRetry: boolean;
  readonly cause?: unknown;
}

export type OpenResult = { readonly connection: Connection } | { readonly failure: OpenFailure };

export interface Opening {
  readonly result: Promise<OpenResult>;
  /** Gives the attempt up. `result` may then stay open for ever. */
  abandon(): void;
}

/** Opens the database at the version that `steps` lead to, taking the steps that are missing. Never rejects. */
export function openDatabase(place: DatabasePlace, steps: readonly UpgradeStep[]): Opening {
  let request: IDBOpenDBRequest;
  try {
    request = place.factory.open(place.name, steps.length);
  } catch (cause) {
    // A sandboxed page, or one whose visitor forbids storage.
    const failure: OpenFailure = { reason: 'no-storage', canRetry: false, cause };
    return { result: Promise.resolve({ failure }), abandon: () => {} };
  }

  let isOver = false;
  const timers: (() => void)[] = [];
  const end = (): void => {
    isOver = true;
    for (const cancel of timers) cancel();
  };
  const result = new Promise<OpenResult>((resolve) => {
    const fail = (failure: OpenFailure): void => {
      if (isOver) return;
      end();
      resolve({ failure });
    };
    const failAfter = (delayMs: number, reason: NotKeptReason): void => {
      timers.push(place.schedule(delayMs, () => fail({ reason, canRetry: false })));
    };

    request.onupgradeneeded = ({ oldVersion }) => {
      // Given up: other pages go on with the version that was there.
      if (isOver) request.transaction?.abort();
      else takeSteps(steps, request, oldVersion);
    };
    request.onblocked = () => failAfter(BLOCKED_MS, 'blocked');
    request.onerror = (event) => {
      // It is handled; without this it is reported as if it were not.
      event.preventDefault();
      fail(toFailure(request.error));
    };
    request.onsuccess = () => {
      const database = request.result;
      const isOurs = storesAfter(steps.length).every((store) => database.objectStoreNames.contains(store));
      if (isOver || !isOurs) {
        database.close();
        fail({ reason: 'storage-failed', canRetry: false });
        return;
      }
      end();
      // idb cannot know the schema; the stores were looked at just now.
      resolve({ connection: wrap(database) as unknown as Connection });
    };
    failAfter(OPEN_MS, 'storage-failed');
  });

  const abandon = (): void => {
    end();
    // A page is not to be frozen in the middle of an upgrade.
    if (request.readyState === 'pending') request.transaction?.abort();
  };
  return { result, abandon };
}

function takeSteps(steps: readonly UpgradeStep[], request: IDBOpenDBRequest, oldVersion: number): void {
  const { result: database, transaction } = request;
  if (!transaction) return;
  for (const step of steps.slice(oldVersion)) step(database, transaction);
}

function toFailure(error: DOMException | null): OpenFailure {
  switch (error?.name) {
    case 'VersionError':
      return { reason: 'newer-version', canRetry: false, cause: error };
    case 'QuotaExceededError':
      return { reason: 'quota', canRetry: false, cause: error };
    // How private windows and forbidden storage answer.
    case 'InvalidStateError':
    case 'SecurityError':
    case 'NotAllowedError':
      return { reason: 'no-storage', canRetry: false, cause: error };
    default:
      return { reason: 'storage-failed', canRetry: true, cause: error };
  }
}

/**
 * Deletes the database. Other pages that have it open are told and close it. Resolves with what is in the way, if one of
 * them does not in time or the browser refuses.
 */
export function deleteDatabase(place: DatabasePlace): Promise<OpenFailure | undefined> {
  let request: IDBOpenDBRequest;
  try {
    request = place.factory.deleteDatabase(place.name);
  } catch (cause) {
    return Promise.resolve({ reason: 'no-storage', canRetry: false, cause });
  }
  return new Promise((resolve) => {
    const cancel = place.schedule(BLOCKED_MS, () => resolve({ reason: 'blocked', canRetry: false }));
    request.onsuccess = () => {
      cancel();
      resolve(undefined);
    };
    request.onerror = (event) => {
      event.preventDefault();
      cancel();
      resolve(toFailure(request.error));
    };
  });
}
