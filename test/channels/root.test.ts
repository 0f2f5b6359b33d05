import { expect } from '@open-wc/testing';
import { findAgent, rootReducer } from '../../src/channels/root.js';
import type { RootAction } from '../../src/protocol/actions.js';
import type { RootState } from '../../src/protocol/state.js';
import { freeze } from '../helpers/chat-states.js';

const agent = { provider: 'p', displayName: 'P', description: '', models: [] };
const root = (members: Partial<RootState> = {}): RootState => freeze({ agents: [agent], ...members });
const reduce = (state: RootState, action: object): RootState =>
  freeze(rootReducer(state, freeze(action) as RootAction));

describe('the root', () => {
  it('replaces its lists and numbers', () => {
    const other = { ...agent, provider: 'q' };

    expect(reduce(root(), { type: 'root/agentsChanged', agents: [other] }).agents).to.deep.equal([other]);
    expect(reduce(root(), { type: 'root/activeSessionsChanged', activeSessions: 3 }).activeSessions).to.equal(3);
    const terminals = [{ resource: 't', title: 'T' }];
    expect(reduce(root(), { type: 'root/terminalsChanged', terminals }).terminals).to.equal(terminals);
  });

  it('merges or replaces its settings, if it has any', () => {
    const state = root({ config: { schema: { properties: {} }, values: { a: 1 } } });
    const change = { type: 'root/configChanged', config: { b: 2 } };

    expect(reduce(state, change).config?.values).to.deep.equal({ a: 1, b: 2 });
    expect(reduce(state, { ...change, replace: true }).config?.values).to.deep.equal({ b: 2 });
    const bare = root();
    expect(reduce(bare, change)).to.equal(bare);
  });

  it('is the same object for what changes nothing', () => {
    const state = root({ activeSessions: 1 });

    for (const action of [
      { type: 'root/agentsChanged', agents: [agent] },
      { type: 'root/agentsChanged' },
      { type: 'root/activeSessionsChanged', activeSessions: 1 },
      { type: 'root/activeSessionsChanged', activeSessions: 'many' },
      { type: 'root/terminalsChanged' },
      { type: 'root/later' },
    ]) {
      expect(reduce(state, action), action.type).to.equal(state);
    }
    expect(rootReducer(state, null as never)).to.equal(state);
  });

  it('finds the agent behind a session', () => {
    expect(findAgent(root(), 'p')).to.equal(agent);
    expect(findAgent(root(), 'x')).to.equal(undefined);
  });
});
