/**
 * Tools that pages lend to a session. The host announces a call and waits; the page that owns the tool runs it and
 * completes the call, and when that page is gone for good the core fails it. Source: AHP, tools contributed by a client.
 */

import type { ToolDefinition } from '../../../src/protocol/state.js';
import { WorkspaceError } from '../workspace/workspace.js';
import type { JsonObject } from './tool-input.js';
import { code, says, type Tool, type ToolCaller } from './tool.js';

export function pageTools({ host, turn }: Pick<ToolCaller, 'host' | 'turn'>): readonly Tool<unknown>[] {
  const clients = host.getSession(turn.session)?.activeClients ?? [];
  return clients.flatMap(({ clientId, tools }) => tools.map((definition) => toTool(clientId, definition)));
}

function toTool(
  clientId: string,
  { name, title, description, inputSchema, annotations }: ToolDefinition,
): Tool<unknown> {
  const displayName = title ?? annotations?.title ?? name;
  const safety = annotations?.destructiveHint ? 0.3 : 0.7;
  const schema = typeof inputSchema === 'object' && inputSchema !== null ? inputSchema : { type: 'object' };
  return {
    name,
    displayName,
    description: description ?? displayName,
    inputSchema: schema as JsonObject,
    contributor: { kind: 'client', clientId },
    prepare: async (_input, caller) => {
      // Between two steps a page may have left.
      if (!pageTools(caller).some((tool) => tool.name === name)) {
        throw new WorkspaceError('unsupported', `The page with the tool "${name}" has left.`);
      }
      return {
        ...says('Asking the page:', 'Asked the page:', code(displayName)),
        ...(!annotations?.readOnlyHint && {
          confirmation: {
            title: `Let the page run ${displayName}?`,
            scopes: [{ id: `page ${name}`, label: `Allow ${displayName} for this session` }],
            editable: true,
            judge: async () => ({ safety, reason: 'The page says so itself of its tool.' }),
          },
        }),
        async run({ toolCallId, caller: { turn } }) {
          const call = await turn.completion(toolCallId);
          if (call.status === 'cancelled') throw new WorkspaceError('unsupported', 'The page did not run it.');
          const blocks = call.content ?? [];
          const text = blocks.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('\n');
          const failure = call.success ? undefined : (call.error?.message ?? 'The page could not do it.');
          return { data: call.structuredContent ?? text, text, ...(failure !== undefined && { failure }) };
        },
      };
    },
  };
}
