import assert from 'node:assert/strict';
import test from 'node:test';
import { callsOf, textOf } from './raw-client.js';
import { runHost } from './running-host.js';
import { everyContent, everyPart, everyStatus, walkTour } from './walk-tour.js';

test('the tour shows every part, every state of a call and every kind of content, on the real files', async (t) => {
  const running = await runHost();
  t.after(() => running.end());
  const client = await running.connect();
  const chat = await client.openChat();

  const { turn, parts, statuses, contents } = await walkTour(client, chat);

  assert.equal(turn.state, 'complete');
  assert.deepEqual([...parts].sort(), [...everyPart].sort());
  assert.deepEqual([...statuses].sort(), [...everyStatus].sort());
  assert.deepEqual([...contents].sort(), [...everyContent].sort());
  const text = textOf(turn.responseParts);
  assert.match(
    text,
    /\| best \| the end \|[\s\S]*You said instead: keep it|You said instead: keep it[\s\S]*\| best \| the end \|/,
  );
  assert.equal(text.split('# A tour of').length, 2, 'what was said before the failure is not said again');
  assert.doesNotMatch(text, /skipped/);
  assert.match(await running.read('docs/tour.md'), /has been changed/);
  assert.equal(turn.usage?.model, 'rules');
});

test('the tour takes no for an answer everywhere, and comes to its end', async (t) => {
  const running = await runHost();
  t.after(() => running.end());
  const client = await running.connect();
  const chat = await client.openChat();
  const turnId = client.ask(chat, 'take the tour');
  const done = new Set<string>();

  for (let isResumed = false; ;) {
    const state = await client.until(chat, (now) => {
      const call = callsOf(now.activeTurn?.responseParts ?? []).find(({ status }) => /^pending|^auth/.test(status));
      const request = now.activeTurn?.responseParts.find((part) => part.kind === 'inputRequest' && !part.response);
      const id = call?.toolCallId ?? (request?.kind === 'inputRequest' ? request.request.id : undefined);
      const last = now.turns.find((turn) => turn.id === turnId && (turn.state !== 'error' || !isResumed));
      return last || (id !== undefined && !done.has(id)) ? { id, call, last } : undefined;
    });
    const { id = '', call, last } = state;
    if (last && last.state !== 'error') break;
    if (last) {
      isResumed = true;
      client.dispatch(chat, { type: 'chat/turnResume', turnId });
      continue;
    }
    done.add(id);
    if (!call) client.dispatch(chat, { type: 'chat/inputCompleted', requestId: id, response: 'decline' });
    else if (call.status === 'pending-confirmation') client.confirm(chat, turnId, id, 'deny');
    else {
      const result = { success: false, pastTenseMessage: 'Given up', error: { message: 'No', code: 'cancelled' } };
      client.dispatch(chat, { type: 'chat/toolCallComplete', turnId, toolCallId: id, result });
    }
  }

  const turn = await client.turnEnd(chat, turnId);
  assert.equal(turn.state, 'complete');
  assert.match(textOf(turn.responseParts), /### The end/);
});
