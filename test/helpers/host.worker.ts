/** A host in a worker whose agent says what it was asked, for tests of the worker-hosted variant. */

import { createHost } from '../../src/host/create-host.js';
import { acceptPorts } from '../../src/host/worker-host.js';

const host = createHost({
  environment: {
    now: () => Date.now(),
    createId: () => Math.random().toString(16).slice(2),
    schedule(delayMs, run) {
      const timer = setTimeout(run, delayMs);
      return () => {
        clearTimeout(timer);
      };
    },
  },
  agents: [{ provider: 'echo', displayName: 'Echo', description: '', models: [] }],
  hooks: {
    runTurn(turn) {
      turn.dispatch({
        type: 'chat/responsePart',
        part: { kind: 'markdown', id: 'answer', content: turn.message.text },
      });
    },
  },
});
host.createSession({ resource: 'ahp-session:/one', provider: 'echo', defaultChat: 'ahp-chat:/one' });
acceptPorts(host, self);
