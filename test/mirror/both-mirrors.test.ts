/** Any sequence of calls has the same outcome on disk and in memory. */

import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import { MemoryMirror } from '../../src/mirror/memory-mirror.js';
import type { Mirror } from '../../src/mirror/mirror.js';
import type { Turn } from '../../src/protocol/state.js';
import { deleteRaw, newHostKey, open } from './databases.js';
import { CHAT, OTHER_CHAT, draft, entry, record, state, turn } from './samples.js';

/** One call; its name is what a counterexample prints. */
class Step {
  readonly name: string;
  readonly run: (mirror: Mirror) => Promise<unknown>;

  constructor(name: string, run: (mirror: Mirror) => Promise<unknown>) {
    this.name = name;
    this.run = run;
  }

  toString(): string {
    return this.name;
  }
}

const step = (name: string, run: (mirror: Mirror) => Promise<unknown>): Step => new Step(name, run);

const chat = fc.constantFrom(CHAT, OTHER_CHAT);
const client = fc.constantFrom('me', 'you', 'gone');
const seq = fc.integer({ min: 1, max: 6 });
const time = fc.integer({ min: 1, max: 9 });
const pool: readonly Turn[] = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].flatMap((id) => [turn(id, '1'), turn(id, '2')]);
/** Mostly runs of neighbours, as chats are; sometimes anything. */
const window = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.nat(7), fc.nat(8))
      .map(([from, count]) => pool.filter((_, i) => i % 2 === 0).slice(from, from + count)),
  },
  { weight: 1, arbitrary: fc.array(fc.constantFrom(...pool), { maxLength: 6 }) },
);

const steps: fc.Arbitrary<Step> = fc.oneof(
  fc
    .tuple(chat, window, fc.boolean(), fc.nat(99))
    .map(([channel, turns, isComplete, appliedSeq]) =>
      step(`save ${channel} ${turns.map(({ id }) => id).join('')} ${isComplete} ${appliedSeq}`, (mirror) =>
        mirror.saveChat(channel, record({ state: state({ turns, turnsNextCursor: 'c' }), isComplete, appliedSeq })),
      ),
    ),
  fc
    .tuple(chat, client, fc.nat(5), time)
    .map(([channel, clientId, turns, now]) =>
      step(`load ${channel} ${clientId} ${turns} ${now}`, (mirror) =>
        mirror.loadChat(channel, { clientId, turns, now }),
      ),
    ),
  fc
    .tuple(chat, fc.constantFrom(...pool), fc.nat(4))
    .map(([channel, { id }, count]) =>
      step(`before ${channel} ${id} ${count}`, (mirror) => mirror.loadTurnsBefore(channel, id, count)),
    ),
  chat.map((channel) => step(`claim ${channel}`, async (mirror) => mirror.claimChat(channel))),
  fc.constant(step('last', (mirror) => mirror.findLastChat())),
  fc.constant(step('clients', (mirror) => mirror.listClients())),
  fc.tuple(client, time).map(([id, now]) => step(`open ${id} ${now}`, (mirror) => mirror.openClient(id, now))),
  fc.tuple(client, chat, seq, seq, fc.boolean()).map(([clientId, channel, clientSeq, next, clearDraft]) =>
    step(`put ${clientId} ${channel} ${clientSeq} ${next} ${clearDraft}`, (mirror) =>
      mirror.putOutbox([entry(clientSeq, { clientId, channel }), entry(clientSeq + 1, { clientId, channel })], {
        nextClientSeq: next,
        clearDraft,
      }),
    ),
  ),
  fc
    .tuple(client, seq, fc.nat(3))
    .map(([clientId, clientSeq, sends]) =>
      step(`update ${clientId} ${clientSeq} ${sends}`, (mirror) =>
        mirror.updateOutbox([entry(clientSeq, { clientId, sends, sentAt: 1 })]),
      ),
    ),
  fc
    .tuple(client, seq)
    .map(([clientId, clientSeq]) =>
      step(`remove ${clientId} ${clientSeq}`, (mirror) => mirror.removeOutbox([{ clientId, clientSeq }])),
    ),
  fc
    .tuple(chat, client, seq, time)
    .map(([channel, clientId, revision, updatedAt]) =>
      step(`draft ${channel} ${clientId} ${revision} ${updatedAt}`, (mirror) =>
        mirror.putDraft(channel, clientId, draft(`v${revision}`, revision, updatedAt)),
      ),
    ),
  fc
    .tuple(chat, client, seq)
    .map(([channel, clientId, revision]) =>
      step(`undraft ${channel} ${clientId} ${revision}`, (mirror) => mirror.deleteDraft(channel, clientId, revision)),
    ),
  fc
    .tuple(fc.constantFrom('gone', 'you'), seq)
    .map(([from, first]) => step(`adopt ${from} ${first}`, (mirror) => mirror.adopt(from, 'me', first))),
);

/** Everything both mirrors can tell. */
async function readEverything(mirror: Mirror): Promise<unknown> {
  const found: unknown[] = [await mirror.listClients(), await mirror.findLastChat()];
  for (const channel of [CHAT, OTHER_CHAT]) {
    for (const clientId of ['me', 'you', 'gone']) {
      found.push(await mirror.loadChat(channel, { clientId, turns: 99, now: 10 }));
    }
  }
  return found;
}

describe('the mirror on disk and the one in memory', () => {
  it('do the same, whatever is asked of them in whatever order', async function () {
    this.timeout(60_000);

    await fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: 1, maxLength: 25 }), async (sequence) => {
        const hostKey = newHostKey();
        const stored = open(hostKey).mirror;
        const memory = new MemoryMirror();
        for (const { name, run } of sequence) {
          expect(await run(stored), name).to.deep.equal(await run(memory));
        }
        expect(await readEverything(stored)).to.deep.equal(await readEverything(memory));
        expect(stored.notKept).to.equal(undefined);
        await stored.close();
        await deleteRaw(hostKey);
      }),
      { numRuns: 60 },
    );
  });

  it('do the same when nothing is waited for', async function () {
    this.timeout(60_000);
    // Of saves that wait for one another only the last is done, and WebKit lets a read see what is written after it.
    const left = ['save', 'claim', 'load', 'before', 'last', 'clients'];
    const others = steps.filter(({ name }) => !left.includes(name.split(' ')[0]!));

    await fc.assert(
      fc.asyncProperty(fc.array(others, { minLength: 2, maxLength: 25 }), async (sequence) => {
        const hostKey = newHostKey();
        const stored = open(hostKey).mirror;
        const memory = new MemoryMirror();

        const found = await Promise.all(sequence.map(({ run }) => run(stored)));

        const expected: unknown[] = [];
        for (const { run } of sequence) expected.push(await run(memory));
        expect(found).to.deep.equal(expected);
        expect(await readEverything(stored)).to.deep.equal(await readEverything(memory));
        await stored.close();
        await deleteRaw(hostKey);
      }),
      { numRuns: 30 },
    );
  });
});
