import { expect } from '@open-wc/testing';
import { toSessionInfo } from '../../src/client/session-info.js';
import type { RootState, SessionState } from '../../src/protocol/state.js';
import { testAgent } from '../helpers/scripted-host.js';

const session = (more: Partial<SessionState> = {}): SessionState => ({
  provider: 'test',
  title: 'One',
  status: 1,
  lifecycle: 'ready',
  chats: [],
  activeClients: [],
  ...more,
});
const root = (more: object = {}): RootState => ({ agents: [{ ...testAgent, ...more }] });
const handshake = {
  protocolVersion: '1.0.0',
  epoch: 'epoch',
  completionTriggerCharacters: ['@'],
  terminalCommandPrefix: '!',
  takesCollections: false,
  takesSteeringList: false,
};

describe('what a chat shows of its session', () => {
  it('joins session, agent and handshake', () => {
    const info = toSessionInfo('s:/1', session(), root(), handshake);

    expect(info).to.deep.include({
      resource: 's:/1',
      title: 'One',
      provider: 'test',
      providerName: 'Test agent',
      completionTriggerCharacters: ['@'],
      terminalCommandPrefix: '!',
      capabilities: testAgent.capabilities,
    });
  });

  it('is readable before root and handshake are known, or when the agent is not there', () => {
    for (const state of [undefined, { agents: [] }]) {
      const info = toSessionInfo('s:/1', session(), state, undefined);

      expect(info).to.deep.include({ models: [], agents: [], capabilities: {}, completionTriggerCharacters: [] });
    }
  });

  it('leaves out models whose policy forbids them', () => {
    const models = [
      { id: 'a', provider: 'test', name: 'A' },
      { id: 'b', provider: 'test', name: 'B', policyState: 'disabled' },
      { id: 'c', provider: 'test', name: 'C', policyState: 'unconfigured' },
    ];

    const info = toSessionInfo('s:/1', session(), root({ models }), handshake);

    expect(info.models.map(({ id }) => id)).to.deep.equal(['a', 'c']);
  });

  it('lists the agents a person may pick, once each, also those inside enabled plugins', () => {
    const agent = (name: string, more: object = {}) => ({ type: 'agent', name, uri: `agent:/${name}`, ...more });
    const customizations = [
      agent('top', { description: 'First.' }),
      agent('off', { enabled: false }),
      agent('internal', { disableUserInvocation: true }),
      { type: 'plugin', name: 'p', children: [agent('inner'), agent('top')] },
      { type: 'plugin', name: 'q', enabled: false, children: [agent('hidden')] },
      { type: 'mcpServer', name: 'm' },
    ];

    const info = toSessionInfo('s:/1', session({ customizations }), root(), handshake);

    expect(info.agents).to.deep.equal([
      { uri: 'agent:/top', name: 'top', description: 'First.' },
      { uri: 'agent:/inner', name: 'inner' },
    ]);
  });

  it('says why a session could not be made', () => {
    const creationError = { errorType: 'x', message: 'No disk.', stack: 'secret' };

    const info = toSessionInfo('s:/1', session({ lifecycle: 'failed', creationError }), root(), handshake);

    expect(info).to.include({ lifecycle: 'failed', creationError: 'No disk.' });
  });

  it('survives lists that are missing', () => {
    const broken = { provider: 'test', title: '', lifecycle: 'ready' } as SessionState;

    const info = toSessionInfo('s:/1', broken, {} as RootState, handshake);

    expect(info.chats).to.deep.equal([]);
  });
});
