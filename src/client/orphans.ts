/**
 * Finds what clients that are gone have left on this device, and takes it over: intents nobody sends any more, and drafts.
 * A client is gone when nobody holds its lock; without locks, when it has not said anything for a minute. Source:
 * architecture, IndexedDB mirror.
 */

import type { Mirror, OutboxEntry, StoredDraft } from '../mirror/mirror.js';
import type { URI } from '../protocol/state.js';
import { rescueDraft } from './draft-keeper.js';
import type { Cancel, Environment } from './environment.js';
import { toClientLock, type Identity } from './identity.js';
import { leftoverKinds, listLeftovers, type LeftoverKind } from './leftovers.js';
import { rescueOutbox } from './outbox.js';

const silenceMs = 60_000;
/** More numbers than one client ever leaves behind. */
const reserved = 1_000_000;

export interface OrphanOptions {
  readonly environment: Environment;
  readonly mirror: Mirror;
  readonly identity: Identity;
  /** Host and account. */
  readonly key: string;
}

/** What was found. It is on disk under the client's own id already. */
export interface Estate {
  readonly entries: readonly OutboxEntry[];
  /** Of the chats asked for. */
  readonly drafts: readonly { readonly channel: URI; readonly draft: StoredDraft }[];
}

/**
 * Moves into the mirror what this client itself has left at the origin; what others have left comes on top of it there.
 * Rejects with `AhpError` where the disk fails; what is left stays where it is then.
 */
export async function takeLeftovers(options: OrphanOptions, kinds: readonly LeftoverKind[]): Promise<Estate> {
  const { identity } = options;
  // A duplicate of the tab may have the name by now, and knows nothing of the numbers that were used since.
  const { nextClientSeq, ...estate } = await rescue(options, identity.clientId, identity.reserve(0), kinds);
  identity.raise(nextClientSeq);
  return estate;
}

/**
 * Takes over everything of everybody who is gone; drafts of `open` chats are told as well. Rejects with `AhpError` where
 * the disk fails; nothing is lost then.
 */
export async function adoptOrphans(options: OrphanOptions, open: readonly URI[]): Promise<Estate> {
  const { environment, mirror, identity, key } = options;
  const own = identity.clientId;
  const known = await mirror.listClients();
  const left = leftoverKinds.flatMap((kind) => listLeftovers(environment.local, kind, key));
  const seen = new Map(left.map(({ clientId }) => [clientId, 0]));
  for (const { clientId, seenAt } of known) seen.set(clientId, seenAt);
  const entries: OutboxEntry[] = [];
  const drafts: { channel: URI; draft: StoredDraft }[] = [];
  for (const [clientId, seenAt] of seen) {
    if (clientId === own) continue;
    const release = await lockGone(environment, clientId, seenAt);
    if (!release) continue;
    try {
      // So that what is moved is found again, should this page be left before it has taken it over.
      if (!known.some((client) => client.clientId === clientId)) await mirror.openClient(clientId, 0);
      await rescue(options, clientId, 1, leftoverKinds);
      for (const channel of open) {
        const { draft } = await mirror.loadChat(channel, { clientId, turns: 0, now: environment.now() });
        if (draft) drafts.push({ channel, draft });
      }
      // The page was left meanwhile: whatever the disk gave it cannot be taken over in its name.
      if (!identity.holds(own)) break;
      const adoption = await mirror.adopt(clientId, own, identity.reserve(reserved));
      identity.raise(adoption.nextClientSeq);
      entries.push(...adoption.entries);
    } finally {
      release();
    }
  }
  return { entries, drafts };
}

/** Moves what one client has left at the origin into the mirror. Its counter becomes `nextClientSeq` at least. */
async function rescue(
  { environment, mirror, key }: OrphanOptions,
  clientId: string,
  nextClientSeq: number,
  kinds: readonly LeftoverKind[],
): Promise<Estate & { readonly nextClientSeq: number }> {
  const { local } = environment;
  const list = (kind: LeftoverKind) =>
    kinds.includes(kind) ? listLeftovers(local, kind, key).filter((leftover) => leftover.clientId === clientId) : [];
  const entries: OutboxEntry[] = [];
  const drafts: { channel: URI; draft: StoredDraft }[] = [];
  for (const leftover of list('draft')) {
    const draft = await rescueDraft(local, mirror, leftover, environment.now());
    if (draft) drafts.push({ channel: leftover.channel, draft });
  }
  let next = nextClientSeq;
  for (const leftover of list('outbox')) {
    const rescued = await rescueOutbox(local, mirror, leftover, next);
    next = rescued.nextClientSeq;
    entries.push(...rescued.entries);
  }
  return { entries, drafts, nextClientSeq: next };
}

/** Holds the name of a client that is gone; `undefined` while it lives. */
async function lockGone(environment: Environment, clientId: string, seenAt: number): Promise<Cancel | undefined> {
  const bySilence = () => (environment.now() - seenAt > silenceMs ? () => undefined : undefined);
  if (!environment.locks) return bySilence();
  try {
    return await environment.locks.tryAcquire(toClientLock(clientId));
  } catch {
    // A document that may not have locks, such as a sandboxed one.
    return bySilence();
  }
}
