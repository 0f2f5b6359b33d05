import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { ToolCallState } from '../../src/protocol/state.js';
import { callsOf, textOf, type RawClient } from './raw-client.js';
import { runHost, type RunningHost } from './running-host.js';

const user = { kind: 'user' } as const;

describe('asking for permission', () => {
  let running: RunningHost;
  let client: RawClient;
  let chat: string;

  before(async () => {
    running = await runHost();
    client = await running.connect();
  });
  beforeEach(async () => {
    chat = await client.openChat();
  });
  after(() => running.end());

  const confirmedOf = (call: ToolCallState | undefined) => call?.status === 'completed' && call.confirmed;
  const allowedNow = () => client.session().config?.values.allowed;

  it('offers a command once, for the session, for all commands of its program, or not', async () => {
    client.ask(chat, 'run `ls src`');

    const call = await client.pendingCall(chat);

    assert.ok(call.status === 'pending-confirmation');
    assert.deepEqual(
      call.options?.map(({ label, kind, group }) => [label, kind, group]),
      [
        ['Allow once', 'approve', 1],
        ['Allow this command for this session', 'approve', 2],
        ['Allow ls commands for this session', 'approve', 2],
        ['Deny', 'deny', 3],
      ],
    );
  });

  for (const command of ['sh -c "echo x"', 'ls; rm x', 'node -e 1', 'ls `pwd`']) {
    it(`offers no program-wide permission for “${command}”, which could run anything`, async () => {
      client.ask(chat, `!${command}`);

      const call = await client.pendingCall(chat);

      const ids = call.status === 'pending-confirmation' && call.options?.map(({ id }) => id);
      assert.deepEqual(ids, ['allow-once', 'allow-session', 'deny']);
    });
  }

  it('remembers what was allowed for the session, and what is allowed reaches no further', async () => {
    await client.askAndWait(chat, 'run `ls src`', 'allow-family');

    const same = await client.askAndWait(chat, 'run `ls docs`');
    client.ask(chat, 'run `pwd`');
    const other = await client.pendingCall(chat);

    assert.equal(confirmedOf(callsOf(same.responseParts)[0]), 'setting');
    assert.equal(other.status, 'pending-confirmation');
    assert.deepEqual(allowedNow(), ['run ls …']);
  });

  it('allows edits of one file without allowing those of another, and never a deletion', async () => {
    await client.askAndWait(chat, 'create one.txt with "a"', 'allow-session');
    const again = await client.askAndWait(chat, 'replace "a" with "b" in one.txt');
    const turnId = client.ask(chat, 'delete one.txt');
    const call = await client.pendingCall(chat);
    assert.equal(confirmedOf(callsOf(again.responseParts)[0]), 'setting');
    assert.ok(call.status === 'pending-confirmation');
    assert.deepEqual(
      call.edits?.items.map(({ before, after }) => [before?.uri, after?.uri]),
      [['workspace:/one.txt', undefined]],
    );

    client.confirm(chat, turnId, call.toolCallId, 'allow-once');
    await client.turnEnd(chat, turnId);

    assert.ok(!existsSync(path.join(running.dataDir, 'workspace/one.txt')));
  });

  it('shows a move as one edit with two places', async () => {
    await client.askAndWait(chat, 'create from.txt with "a"', 'allow-once');
    const turn = await client.askAndWait(chat, 'rename from.txt to deep/to.txt', 'allow-once');

    const [call] = callsOf(turn.responseParts);
    const block = call?.status === 'completed' ? call.content?.[0] : undefined;
    assert.ok(block?.type === 'fileEdit');
    assert.deepEqual([block.before?.uri, block.after?.uri], ['workspace:/from.txt', 'workspace:/deep/to.txt']);
    assert.equal(await running.read('deep/to.txt'), 'a\n');
  });

  it('asks again once a person has taken a permission back', async () => {
    await client.askAndWait(chat, 'run `pwd`', 'allow-session');

    client.dispatch(client.lastSession, { type: 'session/configChanged', config: { allowed: [] } });
    client.ask(chat, 'run `pwd`');
    const call = await client.pendingCall(chat);

    assert.equal(call.status, 'pending-confirmation');
  });

  it('asks only about what looks risky where a person wants that', async () => {
    client.dispatch(client.lastSession, { type: 'session/configChanged', config: { approvals: 'risky' } });

    const safe = await client.askAndWait(chat, 'run `ls src`');
    client.ask(chat, 'run `rm -rf src`');
    const call = await client.pendingCall(chat);

    assert.equal(confirmedOf(callsOf(safe.responseParts)[0]), 'setting');
    assert.equal(call.toolName, 'run_command');
  });

  it('shows a judge at work, then how safe the call looks and why', async () => {
    client.ask(chat, 'run `rm -rf src`');
    const call = await client.pendingCall(chat);
    assert.ok(call.status === 'pending-confirmation');

    const judged = await client.until(chat, (state) =>
      callsOf(state.activeTurn?.responseParts ?? []).find(
        (found) => found.status === 'pending-confirmation' && found.riskAssessment?.status === 'complete',
      ),
    );

    const seen = client.envelopes.flatMap(({ channel, action }) =>
      channel === chat && 'riskAssessment' in action && action.riskAssessment ? action.riskAssessment : [],
    );
    assert.deepEqual(
      seen.map(({ status }) => status),
      ['loading', 'complete'],
    );
    assert.ok(judged.status === 'pending-confirmation' && judged.riskAssessment?.status === 'complete');
    assert.ok(judged.riskAssessment.safety < 0.2);
    const { reason } = judged.riskAssessment;
    assert.match(typeof reason === 'string' ? reason : '', /deletes/);
    assert.deepEqual([judged.options, judged.editable], [call.options, true]);
  });

  it('runs what a person has made of the input, and allows that for the session, not what it was', async () => {
    const turnId = client.ask(chat, '!rm -rf src');
    const call = await client.pendingCall(chat);

    client.confirm(chat, turnId, call.toolCallId, 'allow-session', {
      editedToolInput: JSON.stringify({ command: 'ls src' }),
    });
    const turn = await client.turnEnd(chat, turnId);

    assert.match(textOf(turn.responseParts), /units\.js/);
    assert.deepEqual(allowedNow(), ['run ls src']);
  });

  it('takes one answer for a call: a second one is refused and changes nothing', async () => {
    const turnId = client.ask(chat, 'run `pwd`');
    const call = await client.pendingCall(chat);

    client.confirm(chat, turnId, call.toolCallId, 'deny');
    client.confirm(chat, turnId, call.toolCallId, 'allow-once');
    const turn = await client.turnEnd(chat, turnId);

    assert.equal(callsOf(turn.responseParts)[0]?.status, 'cancelled');
    await client.when(() => client.envelopes.find(({ rejectionReason }) => rejectionReason !== undefined));
    const refused = client.envelopes.filter(({ rejectionReason }) => rejectionReason !== undefined);
    assert.deepEqual(
      refused.map(({ action, rejectionReason }) => [action.type, rejectionReason?.split(':')[0]]),
      [['chat/toolCallConfirmed', 'not-pending']],
    );
  });

  it('does what a person suggests instead of the call that was denied', async () => {
    const turnId = client.ask(chat, 'run `rm -rf src`');
    const call = await client.pendingCall(chat);

    client.confirm(chat, turnId, call.toolCallId, 'deny', { userSuggestion: { text: 'read README.md', origin: user } });
    const turn = await client.turnEnd(chat, turnId);

    assert.match(textOf(turn.responseParts), /You said instead: read README\.md[\s\S]*# Larder/);
  });
});

describe('asking for permission while the judge still thinks', () => {
  it('takes an answer, and does not ask again when the judge has finished', async () => {
    const running = await runHost({ paceMs: 5 });
    const client = await running.connect();
    const chat = await client.openChat();

    const turnId = client.ask(chat, 'run `sleep 0.5`');
    const call = await client.pendingCall(chat);
    assert.ok(call.status === 'pending-confirmation' && call.riskAssessment?.status === 'loading');
    client.confirm(chat, turnId, call.toolCallId, 'allow-once');
    const turn = await client.turnEnd(chat, turnId);
    await running.end();

    assert.equal(callsOf(turn.responseParts)[0]?.status, 'completed');
    const asked = client.envelopes.filter(({ action }) => action.type === 'chat/toolCallReady');
    assert.equal(asked.length, 1);
  });
});
