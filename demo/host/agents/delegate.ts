/**
 * Hands a task to a worker: a chat of its own, listed in the session, in which the same agent takes real steps and asks
 * for permission itself. People may watch it and answer what it asks, not write to it. Source: AHP, subagents.
 */

import type { Host } from '../../../src/host/create-host.js';
import type { ChatOrigin, Turn, URI } from '../../../src/protocol/state.js';
import { WorkspaceError } from '../workspace/workspace.js';
import { text } from './tool-input.js';
import { code, defineTool, says } from './tool.js';

/** Workers that hand their task on to workers, and so on. */
const maxDepth = 3;

export const delegate = defineTool({
  name: 'delegate',
  displayName: 'Delegate',
  description:
    'Gives a task to a worker with the same tools, and waits for what it says. The worker knows nothing else.',
  fields: { task: text('What to do, whole in itself.'), title: text('Two or three words for people.', 'Worker') },
  async prepare({ task, title }, { host, turn }) {
    if (depthOf(host, turn.chat) >= maxDepth) {
      throw new WorkspaceError('unsupported', `Workers of workers end at ${maxDepth}; do this yourself.`);
    }
    return {
      ...says('Delegating', 'Delegated', code(title)),
      async run({ caller, toolCallId, signal, show }) {
        const origin: ChatOrigin = { kind: 'tool', chat: turn.chat, toolCallId };
        const resource = host.createChat(turn.session, { title, origin, interactivity: 'read-only' });
        const block = { type: 'subagent', resource, title, agentName: 'Worker', description: task } as const;
        show([block]);
        const message = { text: task, origin: { kind: 'agent' as const }, ...modelOf(caller.turn.message) };
        const turnId = host.startTurn(resource, message) ?? '';
        const stop = (): void => void host.dispatch(resource, { type: 'chat/turnCancelled', turnId, duration: 0 });
        signal.addEventListener('abort', stop, { once: true });
        const ended = await host.turnEnd(resource, turnId);
        signal.removeEventListener('abort', stop);
        const said = ended ? saidIn(ended) : '';
        const failure = ended?.state === 'complete' ? undefined : 'The worker did not finish.';
        return { data: said, text: said, content: [block], ...(failure !== undefined && { failure }) };
      },
    };
  },
});

const modelOf = ({ model }: { readonly model?: Turn['message']['model'] }) => (model ? { model } : {});

const saidIn = (turn: Turn): string =>
  turn.responseParts.map((part) => (part.kind === 'markdown' ? part.content : '')).join('');

/** How many workers deep a chat is. A chat whose origin is gone counts from there. */
function depthOf(host: Host, chat: URI): number {
  const origin = host.getChat(chat)?.origin;
  return origin?.kind === 'tool' ? 1 + depthOf(host, origin.chat) : 0;
}
