/**
 * What a page leaves in the origin's storage as it goes: what the mirror was not seen to have by then, since nothing
 * asynchronous is sure to be carried out any more. The next document takes it over and removes it.
 */

import type { Mirror } from '../mirror/mirror.js';
import type { URI } from '../protocol/state.js';
import type { KeyValueStore } from './environment.js';

export const leftoverKinds = ['draft', 'outbox'] as const;
export type LeftoverKind = (typeof leftoverKinds)[number];

export interface Leftover {
  readonly clientId: string;
  readonly channel: URI;
  readonly localKey: string;
}

/** Characters for one of them; the storage is shared by everything on the origin. */
export const maxLeftover = 256 * 1024;

/** Not where memory was chosen, where the visitor forbids storage, or after somebody has signed out. */
export const mayLeave = ({ notKept }: Pick<Mirror, 'notKept'>): boolean =>
  notKept !== 'memory' && notKept !== 'no-storage' && notKept !== 'cleared';

const toPrefix = (kind: LeftoverKind, key: string) => `ahp-chat:${kind}:${key}:`;

/** `key` is host and account, as in the name of the database. */
export const toLeftoverKey = (kind: LeftoverKind, key: string, clientId: string, channel: URI): string =>
  toPrefix(kind, key) + clientId + ':' + channel;

/** What all clients of this host and account have left. */
export function listLeftovers(local: KeyValueStore, kind: LeftoverKind, key: string): readonly Leftover[] {
  const prefix = toPrefix(kind, key);
  return local.keys().flatMap((localKey) => {
    if (!localKey.startsWith(prefix)) return [];
    const rest = localKey.slice(prefix.length);
    const end = rest.indexOf(':');
    return end < 0 ? [] : [{ clientId: rest.slice(0, end), channel: rest.slice(end + 1), localKey }];
  });
}
