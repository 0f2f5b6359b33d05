/** What a view asks of a host on demand: content, completions, terminals and other chats. */

import { chatReducer } from '../chat/reducer.js';
import type { ChatServices, OpenChannel } from '../chat/store.js';
import { capText, watchTerminal } from '../channels/terminal.js';
import { isRpcError, RpcCode } from '../protocol/errors.js';
import { compose } from '../protocol/record.js';
import type { ChatState, TerminalState, URI } from '../protocol/state.js';
import { ROOT } from '../protocol/uri.js';
import type { AhpClient } from './ahp-client.js';
import { Replica } from './replica.js';
import { ResourceReader } from './resource-reader.js';

const viewTurns = 50;
const maxLatencyMs = 50;

/** One reader per host, so that what two chats refer to is read once. */
export function createResourceReader(client: AhpClient): ResourceReader {
  return new ResourceReader((uri, encoding, signal) =>
    client.request('resourceRead', compose({ channel: ROOT, uri }, { encoding }), compose({}, { signal })),
  );
}

export function createChatServices(client: AhpClient, reader: ResourceReader, chat: URI): ChatServices {
  return {
    readResource: (ref, signal) => reader.read(ref, signal),
    requestResource: async (params) => {
      await client.request('resourceRequest', { ...params, channel: ROOT });
    },
    complete: async (text, offset, signal) => {
      try {
        const params = { channel: chat, kind: 'userMessage' as const, text, offset };
        const { items } = await client.request('completions', params, compose({}, { signal }));
        return items;
      } catch (error) {
        // A host without completions has none to offer.
        if (isRpcError(error, RpcCode.MethodNotFound)) return [];
        throw error;
      }
    },
    openTerminal: (resource): OpenChannel<TerminalState> =>
      new Replica<TerminalState>(client, resource, watchTerminal, {
        kind: 'terminal',
        delivery: { maxLatencyMs },
        adopt: (state) => capText(state),
      }),
    openChat: (resource): OpenChannel<ChatState> =>
      new Replica(client, resource, chatReducer, {
        kind: 'chat',
        view: { turns: viewTurns },
        delivery: { maxLatencyMs },
      }),
  };
}
