import { expect } from '@open-wc/testing';
import type { ToolCallState } from '../../src/protocol/state.js';
import { TurnAborted, type TurnHandle } from '../../src/host/turn-handle.js';
import { CHAT, createFixture, finishedTurn, SESSION, turnStarted } from '../helpers/host-fixture.js';
import { settle } from '../helpers/manual-environment.js';

const waitForever = () => new Promise<void>(() => undefined);

/** A host that runs every turn by `agent`. */
const runBy = (agent: (turn: TurnHandle) => void | Promise<void>) => createFixture({ hooks: { runTurn: agent } });

const callOf = (state: { readonly activeTurn?: { readonly responseParts: readonly object[] } } | undefined) =>
  (state?.activeTurn?.responseParts[0] as { toolCall: ToolCallState } | undefined)?.toolCall;

function startTool(turn: TurnHandle, more: object = {}, contributor?: { kind: 'client'; clientId: string }): void {
  turn.dispatch({
    type: 'chat/toolCallStart',
    toolCallId: 'call',
    toolName: 'tool',
    displayName: 'Tool',
    ...(contributor && { contributor }),
  });
  turn.dispatch({
    type: 'chat/toolCallReady',
    toolCallId: 'call',
    invocationMessage: 'runs',
    toolInput: '{}',
    ...more,
  });
}

describe('a turn run by a plug-in', () => {
  it('dispatches with the id of its turn and is complete when the plug-in returns', async () => {
    const {
      client: create,
      host,
      environment,
    } = runBy((turn) => {
      turn.dispatch({ type: 'chat/responsePart', part: { kind: 'markdown', id: 'p', content: '' } });
      turn.dispatch({ type: 'chat/delta', partId: 'p', content: 'hello' });
      environment.clock.jump(25);
    });
    const client = await create();

    client.dispatch(CHAT, turnStarted('t1'));
    await settle();

    const [turn] = host.getChat(CHAT)?.turns ?? [];
    expect(turn).to.deep.include({ id: 't1', state: 'complete', duration: 25 });
    expect(turn?.responseParts).to.deep.equal([{ kind: 'markdown', id: 'p', content: 'hello' }]);
    expect(client.chat(CHAT)).to.deep.equal(host.getChat(CHAT));
  });

  it('knows its chat, its session and the message', async () => {
    const seen: unknown[] = [];
    const { host } = runBy((turn) => {
      seen.push(turn.chat, turn.session, turn.turnId, turn.message.text, turn.isResumed);
    });

    host.dispatch(CHAT, turnStarted('t1'));
    await settle();

    expect(seen).to.deep.equal([CHAT, SESSION, 't1', 'message of t1', false]);
  });

  it('has failed, resumably and without a stack, when the plug-in throws', async () => {
    const diagnosed: string[] = [];
    const { host } = createFixture({
      hooks: {
        runTurn: () => {
          throw new Error('inner detail');
        },
        onDiagnostic: ({ message }) => diagnosed.push(message),
      },
    });

    host.dispatch(CHAT, turnStarted('t1'));
    await settle();

    const part = host.getChat(CHAT)?.turns[0]?.responseParts.at(-1);
    expect(part).to.deep.equal({
      kind: 'error',
      error: { errorType: 'agent-failed', message: 'The agent failed.' },
      resumable: true,
    });
    expect(diagnosed).to.deep.equal(['inner detail']);
    expect(host.getChat(CHAT)?.status).to.equal(2);
  });

  it('may fail with words of its own', () => {
    const { host } = runBy((turn) => {
      turn.fail({ errorType: 'quota', message: 'Enough for today.' });
    });

    host.dispatch(CHAT, turnStarted('t1'));

    expect(host.getChat(CHAT)?.turns[0]?.responseParts).to.deep.equal([
      { kind: 'error', error: { errorType: 'quota', message: 'Enough for today.' } },
    ]);
  });

  it('is told that it goes on after a failure, and has its parts', async () => {
    const seen: unknown[] = [];
    const failed = finishedTurn('t1', {
      state: 'error',
      responseParts: [
        { kind: 'markdown', id: 'p', content: 'half' },
        { kind: 'error', error: { errorType: 'x', message: 'x' }, resumable: true },
      ],
    });
    const { client: create, host } = createFixture({
      turns: [failed],
      hooks: {
        runTurn: (turn) => {
          seen.push(turn.isResumed, turn.turn?.responseParts.length);
        },
      },
    });
    const client = await create();

    client.dispatch(CHAT, { type: 'chat/turnResume', turnId: 't1' });
    await settle();

    expect(seen).to.deep.equal([true, 2]);
    expect(host.getChat(CHAT)?.turns[0]?.state).to.equal('complete');
  });

  const endings: [reason: TurnAborted['reason'], end: (fixture: ReturnType<typeof createFixture>) => void][] = [
    ['cancelled', ({ host }) => host.dispatch(CHAT, { type: 'chat/turnCancelled', turnId: 't1', duration: 1 })],
    ['truncated', ({ host }) => host.dispatch(CHAT, { type: 'chat/truncated' })],
    ['replaced', ({ host }) => host.dispatch(CHAT, turnStarted('t2'))],
    ['disposed', ({ host }) => host.disposeChat(CHAT)],
    ['disposed', ({ host }) => host.disposeSession(SESSION)],
    ['closed', ({ host }) => host.close()],
  ];
  for (const [reason, end] of endings) {
    it(`is aborted as ${reason}, and its waits with it`, async () => {
      const outcomes: unknown[] = [];
      const handles: TurnHandle[] = [];
      const fixture = runBy(async (turn) => {
        handles.push(turn);
        if (turn.turnId !== 't1') return waitForever();
        await turn.until(() => undefined).catch((error: unknown) => outcomes.push(error));
        outcomes.push(turn.dispatch({ type: 'chat/activityChanged', activity: 'still here' }));
        turn.complete();
        turn.fail({ errorType: 'x', message: 'x' });
        return undefined;
      });
      fixture.host.dispatch(CHAT, turnStarted('t1'));
      await settle();

      end(fixture);
      await settle();

      expect(handles[0]?.signal.aborted).to.equal(true);
      expect(outcomes[0]).to.be.instanceOf(TurnAborted);
      expect((outcomes[0] as TurnAborted).reason).to.equal(reason);
      expect(outcomes[1]).to.equal(false);
      expect(fixture.host.getChat(CHAT)?.activity).to.equal(undefined);
    });
  }

  it('ends by the echo of a client that cancels', async () => {
    const { client: create } = runBy(waitForever);
    const client = await create();
    client.dispatch(CHAT, turnStarted('t1'));

    const clientSeq = client.dispatch(CHAT, { type: 'chat/turnCancelled', turnId: 't1', duration: 7 });
    await settle();

    expect(client.envelopes.at(-1)).to.deep.include({ origin: { clientId: 'client-a', clientSeq } });
    expect(client.chat(CHAT).turns[0]).to.deep.include({ state: 'cancelled', duration: 7 });
  });

  it('has no failure when a wait is cut off by its end', async () => {
    const { host } = runBy(async (turn) => {
      await turn.until(() => undefined);
    });
    host.dispatch(CHAT, turnStarted('t1'));
    await settle();

    host.dispatch(CHAT, { type: 'chat/turnCancelled', turnId: 't1', duration: 1 });
    await settle();

    expect(host.getChat(CHAT)?.turns[0]?.state).to.equal('cancelled');
  });

  it('waits for a session that is still being created', async () => {
    let ready = () => {};
    const started: string[] = [];
    const { client: create, host } = runBy(({ turnId }) => {
      started.push(turnId);
    });
    host.createSession({
      resource: 'ahp-session:/slow',
      provider: 'test',
      defaultChat: 'ahp-chat:/slow',
      ready: new Promise<void>((resolve) => (ready = resolve)),
    });
    const client = await create('a', ['ahp-chat:/slow']);
    client.dispatch('ahp-chat:/slow', turnStarted('t1'));
    await settle();
    const early = [...started];

    ready();
    await settle();

    expect(early).to.deep.equal([]);
    expect(started).to.deep.equal(['t1']);
  });
});

describe('what a plug-in waits for', () => {
  it('is the confirmation of a call', async () => {
    const { client: create, host } = runBy(async (turn) => {
      startTool(turn);
      const call = await turn.confirmation('call');
      turn.dispatch({ type: 'chat/responsePart', part: { kind: 'markdown', id: 'p', content: call.status } });
    });
    const client = await create();
    client.dispatch(CHAT, turnStarted('t1'));
    await settle();

    client.dispatch(CHAT, {
      type: 'chat/toolCallConfirmed',
      turnId: 't1',
      toolCallId: 'call',
      approved: true,
      confirmed: 'user-action',
    });
    await settle();

    expect(host.getChat(CHAT)?.turns[0]?.responseParts.at(-1)).to.have.property('content', 'running');
  });

  it('is a denial, with its reason and suggestion', async () => {
    let denied: ToolCallState | undefined;
    const { client: create } = runBy(async (turn) => {
      startTool(turn);
      denied = await turn.confirmation('call');
    });
    const client = await create();
    client.dispatch(CHAT, turnStarted('t1'));
    await settle();

    const userSuggestion = { text: 'try that', origin: { kind: 'user' } };
    client.dispatch(CHAT, {
      type: 'chat/toolCallConfirmed',
      turnId: 't1',
      toolCallId: 'call',
      approved: false,
      reason: 'denied',
      userSuggestion,
    });
    await settle();

    expect(denied).to.deep.include({ status: 'cancelled', reason: 'denied', userSuggestion });
  });

  it('is the confirmation of a result', async () => {
    let settled: ToolCallState | undefined;
    const { client: create } = runBy(async (turn) => {
      startTool(turn, { confirmed: 'not-needed' });
      turn.dispatch({
        type: 'chat/toolCallComplete',
        toolCallId: 'call',
        result: { success: true, pastTenseMessage: 'ran' },
        requiresResultConfirmation: true,
      });
      settled = await turn.completion('call');
    });
    const client = await create();
    client.dispatch(CHAT, turnStarted('t1'));
    await settle();

    client.dispatch(CHAT, { type: 'chat/toolCallResultConfirmed', turnId: 't1', toolCallId: 'call', approved: false });
    await settle();

    expect(settled).to.deep.include({ status: 'cancelled', reason: 'result-denied' });
  });

  it('is a call that a client runs', async () => {
    let settled: ToolCallState | undefined;
    const { client: create } = runBy(async (turn) => {
      startTool(turn, { confirmed: 'not-needed' }, { kind: 'client', clientId: 'a' });
      settled = await turn.completion('call');
    });
    const client = await create('a');
    client.dispatch(CHAT, turnStarted('t1'));
    await settle();

    client.dispatch(CHAT, {
      type: 'chat/toolCallComplete',
      turnId: 't1',
      toolCallId: 'call',
      result: { success: true, pastTenseMessage: 'ran' },
    });
    await settle();

    expect(settled).to.deep.include({ status: 'completed', success: true });
  });

  it('is a token', async () => {
    const { client: create, host } = runBy(async (turn) => {
      turn.dispatch({
        type: 'chat/toolCallStart',
        toolCallId: 'call',
        toolName: 'tool',
        displayName: 'Tool',
        contributor: { kind: 'mcp', customizationId: 'm' },
      });
      turn.dispatch({
        type: 'chat/toolCallReady',
        toolCallId: 'call',
        invocationMessage: 'runs',
        confirmed: 'not-needed',
      });
      turn.dispatch({
        type: 'chat/toolCallAuthRequired',
        toolCallId: 'call',
        auth: { reason: 'required', resource: { resource: 'https://r.example' } },
      });
      await turn.authorization('call');
    });
    const client = await create();
    client.dispatch(CHAT, turnStarted('t1'));
    await settle();
    const before = callOf(host.getChat(CHAT))?.status;

    const { result } = await client.request('authenticate', { resource: 'https://r.example', token: 'x' });
    await settle();

    expect(before).to.equal('auth-required');
    expect(result).to.deep.equal({});
    expect(host.getChat(CHAT)?.turns[0]?.state).to.equal('complete');
  });

  it('is the answer to a question', async () => {
    let answered: unknown;
    const { client: create } = runBy(async (turn) => {
      turn.dispatch({
        type: 'chat/inputRequested',
        request: { id: 'r', questions: [{ id: 'q', message: '?', kind: 'boolean' }] },
      });
      answered = await turn.answer('r');
    });
    const client = await create();
    client.dispatch(CHAT, turnStarted('t1'));
    await settle();

    const answers = { q: { state: 'submitted', value: { kind: 'boolean', value: true } } };
    client.dispatch(CHAT, { type: 'chat/inputCompleted', requestId: 'r', response: 'accept', answers });
    await settle();

    expect(answered).to.deep.equal({
      kind: 'inputRequest',
      request: { id: 'r', questions: [{ id: 'q', message: '?', kind: 'boolean' }], answers },
      response: 'accept',
    });
  });

  it('resolves at once when it is there already', async () => {
    const values: number[] = [];
    const { host } = runBy(async (turn) => {
      values.push(await turn.until(() => 1));
    });

    host.dispatch(CHAT, turnStarted('t1'));
    await settle();

    expect(values).to.deep.equal([1]);
  });
});
