import { expect } from '@open-wc/testing';
import { createHost, type Host } from '../../src/host/create-host.js';
import type { TurnHandle } from '../../src/host/turn-handle.js';
import type { ChatAction } from '../../src/protocol/actions.js';
import type { ChatInputRequest, ToolCallState } from '../../src/protocol/state.js';
import { CHAT, createFixture, SESSION, turnStarted } from '../helpers/host-fixture.js';
import { ManualEnvironment, settle } from '../helpers/manual-environment.js';

const start: ChatAction = {
  type: 'chat/toolCallStart',
  turnId: 't1',
  toolCallId: 'call',
  toolName: 'tool',
  displayName: 'Tool',
};
const ready: ChatAction = { type: 'chat/toolCallReady', turnId: 't1', toolCallId: 'call', invocationMessage: 'runs' };
const request: ChatInputRequest = { id: 'r', questions: [{ id: 'q', kind: 'text', message: '?' }] };

/** A host that has taken over from one that died after `actions` in a running turn. */
function takeOver(actions: readonly ChatAction[], chat = CHAT) {
  const { host: before } = createFixture();
  if (chat !== CHAT) {
    before.createChat(SESSION, { resource: chat, origin: { kind: 'tool', chat: CHAT, toolCallId: 'c' } });
  }
  before.dispatch(chat, turnStarted('t1'));
  for (const action of actions) before.dispatch(chat, action);
  const turns: TurnHandle[] = [];
  const runTurn = (turn: TurnHandle) => {
    turns.push(turn);
    return new Promise<void>(() => undefined);
  };
  const agents = [{ provider: 'test', displayName: 'Test', description: '', models: [] }];
  const host: Host = createHost({ environment: new ManualEnvironment({ seed: 9 }), agents, hooks: { runTurn } });
  host.restore({ saved: before.exportState(), activeTurns: 'resume' });
  return { host, turns, chat: host.getChat(chat)! };
}

const callIn = (parts: readonly { readonly kind: string }[] = []) =>
  (parts.find(({ kind }) => kind === 'toolCall') as { toolCall: ToolCallState } | undefined)?.toolCall;

describe('a host that takes over', () => {
  const waits: readonly (readonly [what: string, actions: readonly ChatAction[]])[] = [
    ['a call that has to be confirmed', [start, ready]],
    [
      'a result that has to be confirmed',
      [
        start,
        { ...ready, confirmed: 'not-needed' },
        {
          type: 'chat/toolCallComplete',
          turnId: 't1',
          toolCallId: 'call',
          requiresResultConfirmation: true,
          result: { success: true, pastTenseMessage: 'ran' },
        },
      ],
    ],
    ['an open question', [{ type: 'chat/inputRequested', request }]],
  ];
  for (const [what, actions] of waits) {
    it(`hands a turn that waits for ${what} to its agent again, as it was`, async () => {
      const { chat, turns } = takeOver(actions);
      await settle();

      expect(chat.activeTurn?.id).to.equal('t1');
      expect(turns.map(({ turnId, isResumed }) => [turnId, isResumed])).to.deep.equal([['t1', true]]);
    });
  }

  it('says of a call that ran that it was cut off, and of its turn that it can be resumed', () => {
    const { chat, turns } = takeOver([start, { ...ready, confirmed: 'not-needed' }]);

    const [turn] = chat.turns;
    const call = callIn(turn?.responseParts);
    expect(call?.status === 'completed' && [call.success, call.error?.code]).to.deep.equal([false, 'host-restarted']);
    const last = turn?.responseParts.at(-1);
    expect(last?.kind === 'error' && last.resumable).to.equal(true);
    expect(turns).to.deep.equal([]);
  });

  it('does not let a call that waits for a person hide one that ran', () => {
    const running = { ...start, toolCallId: 'other' };
    const { chat } = takeOver([start, ready, running, { ...ready, toolCallId: 'other', confirmed: 'not-needed' }]);

    expect(chat.activeTurn).to.equal(undefined);
    expect(chat.turns[0]?.state).to.equal('error');
  });

  it('ends a worker with the call that waited for it, also when it waits itself', () => {
    const { chat } = takeOver([start, ready], 'ahp-chat:/worker');

    expect(chat.turns[0]?.state).to.equal('error');
  });

  it('no longer lists what ran in the background, nor what was going on', () => {
    const work = { kind: 'shell', id: 'w', label: 'sleep', startedAt: '2026-01-01T00:00:00.000Z' } as const;
    const { chat } = takeOver([
      { type: 'chat/backgroundWorkSet', work },
      { type: 'chat/activityChanged', activity: 'Sleeping' },
    ]);

    expect([chat.backgroundWork, chat.activity]).to.deep.equal([undefined, undefined]);
  });
});

describe('waiting for the end of a turn', () => {
  it('gives the turn when it has ended, or has ended before', async () => {
    const { host } = createFixture();
    host.dispatch(CHAT, turnStarted('t1'));
    const ending = host.turnEnd(CHAT, 't1');

    host.dispatch(CHAT, { type: 'chat/turnCancelled', turnId: 't1', duration: 1 });

    expect((await ending)?.state).to.equal('cancelled');
    expect((await host.turnEnd(CHAT, 't1'))?.id).to.equal('t1');
  });

  it('gives nothing when the turn was cut off, its chat is gone, or there never was one', async () => {
    const { host } = createFixture();
    const other = host.createChat(SESSION);
    for (const chat of [CHAT, other]) host.dispatch(chat, turnStarted('t1'));
    const endings = [host.turnEnd(CHAT, 't1'), host.turnEnd(other, 't1'), host.turnEnd(CHAT, 'none')];

    host.dispatch(CHAT, { type: 'chat/truncated' });
    host.disposeChat(other);

    expect(await Promise.all(endings)).to.deep.equal([undefined, undefined, undefined]);
  });
});
