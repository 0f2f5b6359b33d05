import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import { blockersOf, toChatSummary } from '../../src/host/catalogue.js';
import type { TurnHandle } from '../../src/host/turn-handle.js';
import { Status } from '../../src/protocol/state.js';
import { ROOT } from '../../src/protocol/uri.js';
import { CHAT, createFixture, message, SESSION, turnStarted } from '../helpers/host-fixture.js';
import { settle } from '../helpers/manual-environment.js';
import type { RawClient } from '../helpers/raw-client.js';

/**
 * Two clients do as they like, allowed or not, while an agent works, sockets come and go and time passes. At the end both
 * must hold what the host holds, and the catalogue must say what the chats say.
 */

const client = fc.nat({ max: 1 });
const id = fc.constantFrom('a', 'b', 'c', 'd');

const clientAction = fc.oneof(
  id.map((turnId) => turnStarted(turnId)),
  fc.constant({ type: 'cancel the running turn' }),
  id.map((turnId) => ({ type: 'chat/turnResume', turnId })),
  fc
    .record({ type: fc.constant('chat/pendingMessageSet'), kind: fc.constantFrom('queued', 'steering'), id })
    .map((action) => ({
      ...action,
      message: message(`pending ${action.id}`),
    })),
  fc.record({ type: fc.constant('chat/pendingMessageRemoved'), kind: fc.constantFrom('queued', 'steering'), id }),
  fc.record({ type: fc.constant('chat/queuedMessagesReordered'), order: fc.array(id, { maxLength: 4 }) }),
  fc
    .option(id, { nil: undefined })
    .map((text) => ({ type: 'chat/draftChanged', ...(text && { draft: message(text) }) })),
  fc.option(id, { nil: undefined }).map((turnId) => ({ type: 'chat/truncated', ...(turnId && { turnId }) })),
  fc.boolean().map((approved) => ({ type: 'confirm', approved })),
  fc.constantFrom('accept', 'decline').map((response) => ({ type: 'answer', response })),
  fc.constant({ type: 'run own tool' }),
  fc.boolean().map((isRead) => ({ type: 'chat/isReadChanged', isRead })),
  fc.constant({ type: 'chat/delta', turnId: 'a', partId: 'p', content: 'forged' }),
);

const agentStep = fc.constantFrom(
  'text',
  'text',
  'text',
  'reason',
  'ask',
  'call',
  'own call',
  'usage',
  'steer',
  'complete',
  'fail',
);

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ does: fc.constant('dispatch' as const), client, action: clientAction }) },
  { weight: 6, arbitrary: fc.record({ does: fc.constant('work' as const), work: agentStep }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('pass time' as const), ms: fc.nat({ max: 80 }) }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('settle' as const) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('cut' as const), client }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('come back' as const), client }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('create a chat' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

describe('two clients of one host', () => {
  it('end with the state of the host after any schedule (property)', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 80 }), async (steps) => {
        const world = await createWorld();

        for (const each of steps) await world.take(each);
        await world.rest();

        world.check();
      }),
      { numRuns: 100 },
    );
  });
});

async function createWorld() {
  let turn: TurnHandle | undefined;
  const {
    host,
    client: create,
    relink,
    environment,
  } = createFixture({
    ringSize: 60,
    hooks: {
      runTurn: (handle) => {
        turn = handle;
        return new Promise(() => undefined);
      },
    },
  });
  const clients = [
    await create('one', [ROOT, SESSION, CHAT], { maxLatencyMs: 50 }),
    await create('two', [ROOT, SESSION, CHAT]),
  ];
  const away = new Set<RawClient>();
  let parts = 0;

  /** Words of the schedule that depend on what is there. */
  const toAction = (action: { readonly type: string }): object => {
    const turnId = host.getChat(CHAT)?.activeTurn?.id ?? 'none';
    const call = { turnId, toolCallId: `call-${parts}` };
    switch (action.type) {
      case 'cancel the running turn':
        return { type: 'chat/turnCancelled', turnId, duration: 1 };
      case 'confirm':
        return { reason: 'denied', ...action, type: 'chat/toolCallConfirmed', ...call, confirmed: 'user-action' };
      case 'answer':
        return { ...action, type: 'chat/inputCompleted', requestId: `ask-${parts}` };
      case 'run own tool':
        return { type: 'chat/toolCallComplete', ...call, result: { success: true, pastTenseMessage: 'ran' } };
      default:
        return action;
    }
  };

  const startCall = (contributor?: { kind: 'client'; clientId: string }) => {
    const toolCallId = `call-${++parts}`;
    const base = { toolCallId, toolName: 'tool', displayName: 'Tool' };
    turn?.dispatch({ type: 'chat/toolCallStart', ...base, ...(contributor && { contributor }) });
    turn?.dispatch({
      type: 'chat/toolCallReady',
      toolCallId,
      invocationMessage: 'runs',
      ...(contributor && { confirmed: 'not-needed' }),
    });
  };

  const work = (kind: string) => {
    switch (kind) {
      case 'text':
        if (parts % 3 === 0) {
          turn?.dispatch({ type: 'chat/responsePart', part: { kind: 'markdown', id: `p${++parts}`, content: '' } });
        }
        turn?.dispatch({ type: 'chat/delta', partId: `p${parts}`, content: 'x' });
        break;
      case 'reason':
        turn?.dispatch({ type: 'chat/responsePart', part: { kind: 'reasoning', id: `p${++parts}`, content: '' } });
        turn?.dispatch({ type: 'chat/reasoning', partId: `p${parts}`, content: 'y' });
        break;
      case 'ask':
        turn?.dispatch({ type: 'chat/inputRequested', request: { id: `ask-${++parts}` } });
        break;
      case 'call':
        startCall();
        break;
      case 'own call':
        startCall({ kind: 'client', clientId: 'two' });
        break;
      case 'usage':
        turn?.dispatch({ type: 'chat/usage', usage: { outputTokens: parts } });
        break;
      case 'steer':
        turn?.takeSteering();
        break;
      case 'complete':
        turn?.complete();
        break;
      case 'fail':
        turn?.fail({ errorType: 'x', message: 'x' }, { resumable: true });
        break;
    }
  };

  const comeBack = async (each: RawClient) => {
    if (!away.delete(each)) return;
    relink(each);
    // What was coalesced for another channel may be missing below the highest number seen.
    await each.reconnect({ lastSeenServerSeq: Math.max(0, each.lastSeen - 20) });
  };

  return {
    async take(each: Step): Promise<void> {
      switch (each.does) {
        case 'dispatch':
          clients[each.client]!.dispatch(CHAT, toAction(each.action));
          break;
        case 'work':
          work(each.work);
          break;
        case 'pass time':
          environment.advance(each.ms);
          break;
        case 'settle':
          await settle();
          break;
        case 'cut':
          clients[each.client]!.cut();
          away.add(clients[each.client]!);
          await settle();
          break;
        case 'come back':
          await comeBack(clients[each.client]!);
          break;
        case 'create a chat':
          host.createChat(SESSION);
          break;
      }
    },
    async rest(): Promise<void> {
      await settle();
      for (const each of clients) await comeBack(each);
      environment.advance(1000);
      await settle();
    },
    check(): void {
      const chat = host.getChat(CHAT)!;
      const session = host.getSession(SESSION)!;
      for (const each of clients) {
        expect(each.chat(CHAT)).to.deep.equal(chat);
        expect(each.state(ROOT)).to.deep.equal(host.root);
        // A snapshot shows a session with the status of all its chats, which no action tells.
        const { status, ...rest } = each.session(SESSION);
        const { status: _status, ...whole } = session;
        expect(rest).to.deep.equal(whole);
        expect(status & ~Status.ActivityMask).to.equal(session.status & ~Status.ActivityMask);
      }
      expect(session.chats.find(({ resource }) => resource === CHAT)).to.deep.equal(toChatSummary(chat));
      expect((session.inputNeeded ?? []).map(({ id: blocker }) => blocker).sort()).to.deep.equal(
        blockersOf(chat)
          .map(({ id: blocker }) => blocker)
          .sort(),
      );
    },
  };
}
