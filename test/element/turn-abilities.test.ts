import { expect } from '@open-wc/testing';
import { MemoryChatStore } from '../../src/chat/memory-store.js';
import type { SessionInfo } from '../../src/chat/store.js';
import { toSessionInfo } from '../../src/client/session-info.js';
import { toTurnAbilities } from '../../src/element/turn-abilities.js';
import type { AgentCapabilities, ChatState, SessionState } from '../../src/protocol/state.js';
import { chat } from '../helpers/chat-states.js';
import { testAgent } from '../helpers/scripted-host.js';

const options = { readOnly: false, enterKey: 'send' } as const;
const session: SessionState = {
  provider: 'test',
  title: 'One',
  status: 1,
  lifecycle: 'ready',
  chats: [],
  activeClients: [],
};

/** What may be done in a chat whose agent has these capabilities. */
function abilitiesFor(capabilities: AgentCapabilities | undefined, state: ChatState = chat()) {
  const { capabilities: _capabilities, ...agent } = testAgent;
  const root = { agents: [capabilities ? { ...agent, capabilities } : agent] };
  const info: SessionInfo = toSessionInfo('ahp-session:/one', session, root, undefined);
  const services = { createChat: () => Promise.resolve('ahp-chat:/new') };
  const store = new MemoryChatStore(state, { session: info, services });
  const { send, fork, sideChat } = toTurnAbilities(store, options, undefined);
  return { send, fork, sideChat };
}

describe('what may be done with turns', () => {
  const cases: readonly [name: string, capabilities: AgentCapabilities | undefined, fork: boolean, side: boolean][] = [
    ['says nothing', undefined, false, false],
    ['has one chat only', {}, false, false],
    ['has several chats, each from nothing', { multipleChats: {} }, false, false],
    ['makes forks', { multipleChats: { fork: true } }, true, false],
    ['makes side chats', { multipleChats: { fork: false, sideChat: true } }, false, true],
  ];
  for (const [name, capabilities, fork, sideChat] of cases) {
    it(`includes forks and side chats as the agent can make them: one that ${name}`, () => {
      expect(abilitiesFor(capabilities)).to.deep.equal({ send: true, fork, sideChat });
    });
  }

  it('is nothing that writes where the chat is only read', () => {
    expect(abilitiesFor({}, chat({ interactivity: 'read-only' })).send).to.equal(false);
  });
});
