import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import { findCursor, turnsLoaded, windowOf, windowStart } from '../../src/host/window.js';
import type { ChatAction } from '../../src/protocol/actions.js';
import type { ChatState } from '../../src/protocol/state.js';
import { CHAT, createFixture, finishedTurns, SESSION, turnStarted } from '../helpers/host-fixture.js';
import type { RawClient } from '../helpers/raw-client.js';

const state: ChatState = { resource: CHAT, status: 1, modifiedAt: '', turns: finishedTurns(5) };

describe('a window', () => {
  it('of everything is the state itself', () => {
    expect(windowOf(state, windowStart(state, 5))).to.equal(state);
    expect(windowOf(state, windowStart(state, 99))).to.equal(state);
  });

  it('names where the page before it ends', () => {
    const { turnsNextCursor = '' } = windowOf(state, 3);

    expect(findCursor(state, turnsNextCursor)).to.equal(3);
  });

  it('keeps a valid cursor while turns are added and cut off after it', () => {
    const { turnsNextCursor = '' } = windowOf(state, 3);
    const cut = { ...state, turns: state.turns.slice(0, 4) };

    expect(findCursor(cut, turnsNextCursor)).to.equal(3);
    expect(findCursor({ ...state, turns: [] }, turnsNextCursor)).to.equal(undefined);
  });

  it('moves back by pages without a cursor at the end', () => {
    expect(turnsLoaded(state, 1, 3)).to.have.property('turnsNextCursor');
    expect(turnsLoaded(state, 0, 3)).not.to.have.property('turnsNextCursor');
    expect(turnsLoaded(state, 1, 3).turns.map(({ id }) => id)).to.deep.equal(['t2', 't3']);
  });
});

/* What happens, in the words of the property below. Numbers choose among what is there. */
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: fc.constant('turn' as const), fails: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('start' as const) }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('grow' as const) }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('truncate' as const), at: fc.nat({ max: 30 }) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('clear' as const) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('resume' as const) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('start again' as const), at: fc.nat({ max: 30 }) }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('fetch' as const), client: fc.nat({ max: 2 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({ does: fc.constant('fork' as const), client: fc.nat({ max: 2 }), at: fc.nat({ max: 30 }) }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('leave' as const), client: fc.nat({ max: 2 }) }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('return' as const), client: fc.nat({ max: 2 }) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

describe('what a client with a window reduces', () => {
  it('is the tail of what the host has, whatever happens (property)', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: 12 }),
        fc.tuple(fc.nat({ max: 6 }), fc.nat({ max: 6 }), fc.nat({ max: 6 })),
        fc.array(step, { maxLength: 25 }),
        async (count, sizes, steps) => {
          const world = await createWorld(count, sizes);

          for (const each of steps) await world.take(each);
          await world.comeBack();

          for (const client of world.clients) await world.check(client);
        },
      ),
      { numRuns: 150 },
    );
  });
});

async function createWorld(count: number, sizes: readonly number[]) {
  const { host, client: create, relink } = createFixture({ turns: finishedTurns(count) });
  const clients: RawClient[] = [];
  for (const [index, turns] of sizes.entries()) clients.push(await create(`c${index}`, [CHAT], { turns }));
  const away = new Set<RawClient>();
  /** Clients that came back hold what they held, and the host supposes less. */
  const returned = new Set<RawClient>();
  let next = 1;
  let forks = 0;
  const chat = () => host.getChat(CHAT)!;
  const pick = (at: number) => chat().turns[at % Math.max(1, chat().turns.length)]?.id;
  const dispatch = (action: ChatAction) => host.dispatch(CHAT, action);

  const end = (fails: boolean) => {
    const turnId = chat().activeTurn?.id ?? '';
    const part = { kind: 'error', error: { errorType: 'x', message: 'x' }, resumable: true } as const;
    dispatch(
      fails ? { type: 'chat/error', turnId, duration: 1, part } : { type: 'chat/turnComplete', turnId, duration: 1 },
    );
  };
  const start = () => {
    if (!chat().activeTurn) dispatch(turnStarted(`n${next++}`));
  };
  const comeBack = async (client: RawClient) => {
    if (!away.delete(client)) return;
    returned.add(client);
    relink(client);
    await client.reconnect();
  };

  return {
    clients,
    async comeBack() {
      for (const client of clients) await comeBack(client);
      await clients[0]?.settle();
    },
    async take(each: Step): Promise<void> {
      const client = 'client' in each ? clients[each.client]! : clients[0]!;
      const turnId = 'at' in each ? pick(each.at) : undefined;
      switch (each.does) {
        case 'turn':
          start();
          end(each.fails);
          break;
        case 'start':
          start();
          break;
        case 'grow': {
          const id = chat().activeTurn?.id ?? '';
          dispatch({ type: 'chat/responsePart', turnId: id, part: { kind: 'markdown', id: 'p', content: '' } });
          dispatch({ type: 'chat/delta', turnId: id, partId: 'p', content: 'x' });
          break;
        }
        case 'truncate':
          if (turnId !== undefined) dispatch({ type: 'chat/truncated', turnId });
          break;
        case 'clear':
          dispatch({ type: 'chat/truncated' });
          break;
        case 'resume':
          dispatch({ type: 'chat/turnResume', turnId: chat().turns.at(-1)?.id ?? '' });
          break;
        case 'start again':
          if (turnId !== undefined) dispatch(turnStarted(turnId));
          break;
        case 'fetch':
          if (!away.has(client)) await client.request('fetchTurns', { channel: CHAT });
          break;
        case 'fork':
          if (away.has(client) || turnId === undefined) break;
          await client.request('createChat', {
            channel: SESSION,
            chat: `ahp-chat:/fork-${forks++}`,
            source: { kind: 'fork', chat: CHAT, turnId },
          });
          break;
        case 'leave':
          // Some of what is under way is lost.
          client.cut();
          away.add(client);
          await client.settle();
          break;
        case 'return':
          await comeBack(client);
          break;
      }
    },
    async check(client: RawClient): Promise<void> {
      await client.settle();
      const { turns, turnsNextCursor, ...rest } = client.chat(CHAT);
      const { turns: all, ...whole } = chat();
      const length = turns.length;
      expect(turns).to.deep.equal(length === 0 ? [] : all.slice(-length));
      expect(rest).to.deep.equal(whole);
      if (length < all.length) expect(turnsNextCursor).to.be.a('string');
      else if (!returned.has(client)) expect(turnsNextCursor).to.equal(undefined);

      // Every older page leads on, until the client has all there is.
      for (let page = 0; page <= all.length && client.chat(CHAT).turnsNextCursor !== undefined; page++) {
        await client.request('fetchTurns', { channel: CHAT, cursor: client.chat(CHAT).turnsNextCursor });
      }
      expect(client.chat(CHAT)).to.deep.equal(chat());
    },
  };
}
