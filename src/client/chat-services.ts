/** What a view asks of a host on demand: content, completions, terminals and other chats. */

import { chatReducer } from '../chat/reducer.js';
import type { ChatServices, OpenChannel, OpenChat } from '../chat/store.js';
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
    isThisClient: (clientId) => clientId === client.clientId,
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
    openChat: (resource): OpenChat => new ChatReplica(client, resource),
  };
}

/** Another chat, as far as its newest turns and the pages that were asked for. */
class ChatReplica extends Replica<ChatState> implements OpenChat {
  readonly #client: AhpClient;

  constructor(client: AhpClient, uri: URI) {
    super(client, uri, chatReducer, { kind: 'chat', view: { turns: viewTurns }, delivery: { maxLatencyMs } });
    this.#client = client;
  }

  async loadOlderTurns(): Promise<void> {
    const cursor = this.state?.turnsNextCursor;
    if (cursor === undefined) return;
    try {
      // The turns come as an action before the answer does.
      await this.#client.request('fetchTurns', { channel: this.uri, cursor });
    } catch (error) {
      // A host without paging has no more to give; a cursor of an earlier connection is replaced with the chat.
      if (isRpcError(error, RpcCode.MethodNotFound)) return;
      if (!isRpcError(error, RpcCode.InvalidParams)) throw error;
      await this.refresh();
    }
  }
}
