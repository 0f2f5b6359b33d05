import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MessageChannel } from 'node:worker_threads';
import { createHost } from '../../src/host/create-host.js';
import { createPortLink, type PortLike } from '../../src/protocol/port-link.js';
import { ManualEnvironment } from '../helpers/manual-environment.js';
import { RawClient } from '../helpers/raw-client.js';

const CHAT = 'ahp-chat:/one';

test('a host runs in bare Node and serves a client over a MessagePort', async () => {
  const host = createHost({
    environment: new ManualEnvironment(),
    agents: [{ provider: 'echo', displayName: 'Echo', description: '', models: [] }],
    hooks: {
      runTurn(turn) {
        turn.dispatch({ type: 'chat/responsePart', part: { kind: 'markdown', id: 'p', content: turn.message.text } });
      },
    },
  });
  host.createSession({ provider: 'echo', defaultChat: CHAT });
  const { port1, port2 } = new MessageChannel();
  // Node's own type of a port names its events otherwise.
  host.connect(createPortLink(port1 as unknown as PortLike));
  const client = new RawClient('a', createPortLink(port2 as unknown as PortLike));
  await client.initialize({ initialSubscriptions: [CHAT] });

  const message = { text: 'hello', origin: { kind: 'user' } };
  client.dispatch(CHAT, { type: 'chat/turnStarted', turnId: 't1', startedAt: '2026-01-01T00:00:00.000Z', message });
  await client.request('ping');
  await client.request('ping');

  assert.equal(client.chat(CHAT).turns[0]?.state, 'complete');
  assert.deepEqual(client.chat(CHAT), host.getChat(CHAT));
  client.cut();
  host.close();
});
