import { expect } from '@open-wc/testing';
import { chooseChat, sessionReducer } from '../../src/channels/session.js';
import type { SessionAction } from '../../src/protocol/actions.js';
import type { ChatSummary, Customization, SessionState } from '../../src/protocol/state.js';
import { freeze } from '../helpers/chat-states.js';

const session = (members: Partial<SessionState> = {}): SessionState =>
  freeze({ provider: 'p', title: 'S', status: 1, lifecycle: 'creating', chats: [], activeClients: [], ...members });

const summary = (resource: string, members: Partial<ChatSummary> = {}): ChatSummary => ({
  resource,
  status: 1,
  modifiedAt: '2026-01-01T00:00:00.000Z',
  ...members,
});

const reduce = (state: SessionState, ...actions: readonly object[]): SessionState =>
  actions.reduce<SessionState>(
    (before, action) => freeze(sessionReducer(before, freeze(action) as SessionAction)),
    state,
  );

const same = (state: SessionState, ...actions: readonly object[]) => {
  for (const action of actions) expect(reduce(state, action), JSON.stringify(action)).to.equal(state);
};

describe('a session', () => {
  it('becomes ready, or fails and says why', () => {
    const error = { errorType: 'e', message: 'no disk' };

    expect(reduce(session({ status: 8 }), { type: 'session/ready' })).to.include({ lifecycle: 'ready', status: 8 });
    expect(reduce(session(), { type: 'session/creationFailed', error })).to.deep.include({
      lifecycle: 'failed',
      creationError: error,
    });
    same(session({ lifecycle: 'ready' }), { type: 'session/ready' });
  });

  it('lists its chats: new ones at the end, known ones in place', () => {
    const two = reduce(
      session(),
      { type: 'session/chatAdded', summary: summary('a') },
      { type: 'session/chatAdded', summary: summary('b') },
      { type: 'session/chatAdded', summary: summary('a', { title: 'A' }) },
    );

    expect(two.chats).to.deep.equal([summary('a', { title: 'A' }), summary('b')]);
    same(two, { type: 'session/chatAdded', summary: summary('b') }, { type: 'session/chatAdded' });
  });

  it('merges what changed of a chat, but not who it is', () => {
    const state = session({ chats: [summary('a'), summary('b')] });
    const update = (chat: string, changes: object) => ({ type: 'session/chatUpdated', chat, changes });

    const after = reduce(state, update('b', { resource: 'evil', title: 'B', status: 8 }));

    expect(after.chats).to.deep.equal([summary('a'), summary('b', { title: 'B', status: 8 })]);
    expect(after.chats[0]).to.equal(state.chats[0]);
    same(after, update('b', { title: 'B' }), update('x', { title: 'X' }), { type: 'session/chatUpdated', chat: 'b' });
  });

  it('forgets a chat, and that it was the default', () => {
    const state = session({ chats: [summary('a'), summary('b')], defaultChat: 'a' });

    const after = reduce(state, { type: 'session/chatRemoved', chat: 'a' });

    expect(after.chats).to.deep.equal([summary('b')]);
    expect(after).not.to.have.property('defaultChat');
    expect(reduce(state, { type: 'session/chatRemoved', chat: 'b' }).defaultChat).to.equal('a');
    same(state, { type: 'session/chatRemoved', chat: 'x' });
  });

  it('sets and clears its plain fields and flags', () => {
    const after = reduce(
      session({ status: 2 ** 31 + 8 }),
      { type: 'session/titleChanged', title: 'T' },
      { type: 'session/activityChanged', activity: 'Reading' },
      { type: 'session/defaultChatChanged', defaultChat: 'a' },
      { type: 'session/isReadChanged', isRead: true },
      { type: 'session/isArchivedChanged', isArchived: true },
      { type: 'session/metaChanged', _meta: { a: 1 } },
      { type: 'session/serverToolsChanged', tools: [{ name: 't' }] },
    );

    expect(after).to.deep.include({
      title: 'T',
      activity: 'Reading',
      defaultChat: 'a',
      status: 2 ** 31 + 8 + 32 + 64,
      _meta: { a: 1 },
      serverTools: [{ name: 't' }],
    });
    const cleared = reduce(
      after,
      { type: 'session/activityChanged' },
      { type: 'session/defaultChatChanged' },
      { type: 'session/metaChanged' },
      { type: 'session/isReadChanged', isRead: false },
    );
    expect(cleared).not.to.have.any.keys('activity', 'defaultChat', '_meta');
    expect(cleared.status).to.equal(2 ** 31 + 8 + 64);
    same(
      after,
      { type: 'session/titleChanged', title: 'T' },
      { type: 'session/isReadChanged' },
      { type: 'session/later' },
    );
  });

  it('knows the clients that offer tools', () => {
    const client = (clientId: string, tools: object[] = []) => ({ clientId, tools });
    const set = (activeClient: object) => ({ type: 'session/activeClientSet', activeClient });

    const after = reduce(session(), set(client('a')), set(client('b')), set(client('a', [{ name: 't' }])));
    expect(after.activeClients).to.deep.equal([client('a', [{ name: 't' }]), client('b')]);
    same(after, set(client('b')), set({}), { type: 'session/activeClientRemoved', clientId: 'x' });
    expect(reduce(after, { type: 'session/activeClientRemoved', clientId: 'a' }).activeClients).to.deep.equal([
      client('b'),
    ]);
  });

  it('has settings that are merged or replaced, if it has any', () => {
    const change = (config: object, replace?: boolean) => ({ type: 'session/configChanged', config, replace });
    const state = session({ config: { schema: { properties: {} }, values: { a: 1, b: 2 } } });

    expect(reduce(state, change({ b: 3 })).config?.values).to.deep.equal({ a: 1, b: 3 });
    expect(reduce(state, change({ b: 3 }, true)).config?.values).to.deep.equal({ b: 3 });
    same(state, change({ a: 1 }), { type: 'session/configChanged' });
    same(session(), change({ a: 1 }));
  });

  it('needs input while something waits for a person', () => {
    const needed = (id: string, kind: string) => ({ type: 'session/inputNeededSet', request: { id, kind, chat: 'c' } });
    const done = (id: string) => ({ type: 'session/inputNeededRemoved', id });

    const state = reduce(session({ status: 8 | 32 }), needed('tool', 'toolClientExecution'));
    expect(state.status, 'a tool that runs in a client is no question').to.equal(8 | 32);
    for (const kind of ['chatInput', 'toolConfirmation', 'toolAuthentication']) {
      const asked = reduce(state, needed('q', kind));
      expect(asked.status, kind).to.equal(24 | 32);
      expect(reduce(asked, done('q')).status, kind).to.equal(8 | 32);
    }
    const none = reduce(state, done('tool'));
    expect(none).not.to.have.property('inputNeeded');
    same(none, done('tool'));
    same(state, needed('tool', 'toolClientExecution'), { type: 'session/inputNeededSet' });
  });

  it('holds customizations and their children by id or URI', () => {
    const server = { type: 'mcpServer', id: 's', name: 'S' } as const;
    const plugin: Customization = {
      type: 'plugin',
      id: 'p',
      name: 'P',
      children: [server, { type: 'agent', uri: 'u', name: 'A' }],
    };
    const state = reduce(session(), { type: 'session/customizationsChanged', customizations: [plugin] });

    const running = reduce(state, {
      type: 'session/mcpServerStateChanged',
      id: 's',
      state: { kind: 'ready' },
      channel: 'mcp://s',
    });
    expect(running.customizations?.[0]?.children?.[0]).to.deep.equal({
      ...server,
      state: { kind: 'ready' },
      channel: 'mcp://s',
    });
    expect(running.customizations?.[0]?.children?.[1]).to.equal(plugin.children?.[1]);
    const stopped = reduce(running, { type: 'session/mcpServerStateChanged', id: 's', state: { kind: 'stopped' } });
    expect(stopped.customizations?.[0]?.children?.[0]).to.include({ channel: 'mcp://s' });

    const toggled = reduce(state, { type: 'session/customizationToggled', id: 'u', enabled: false });
    expect(toggled.customizations?.[0]?.children?.[1]).to.include({ enabled: false });
    const renamed = reduce(state, { type: 'session/customizationUpdated', customization: { ...server, name: 'New' } });
    expect(renamed.customizations?.[0]?.children?.[0]).to.include({ name: 'New' });
    const added = reduce(state, {
      type: 'session/customizationUpdated',
      customization: { type: 'skill', id: 'k', name: 'K' },
    });
    expect(added.customizations?.map(({ id }) => id)).to.deep.equal(['p', 'k']);
    const removed = reduce(state, { type: 'session/customizationRemoved', id: 's' });
    expect(removed.customizations?.[0]?.children?.map(({ name }) => name)).to.deep.equal(['A']);

    same(
      state,
      { type: 'session/customizationRemoved', id: 'x' },
      { type: 'session/customizationToggled', enabled: true },
      { type: 'session/customizationUpdated', customization: { name: 'nobody' } },
      { type: 'session/customizationsChanged' },
    );
  });

  it('opens with its default chat, else the visible one that was changed last', () => {
    const old = summary('old');
    const fresh = summary('new', { modifiedAt: '2026-02-01T00:00:00.000Z' });
    const hidden = summary('hidden', { modifiedAt: '2026-03-01T00:00:00.000Z', interactivity: 'hidden' });

    expect(chooseChat({ chats: [old, fresh], defaultChat: 'old' })).to.equal('old');
    expect(chooseChat({ chats: [old, fresh, hidden] })).to.equal('new');
    expect(chooseChat({ chats: [hidden] })).to.equal(undefined);
  });

  it('survives what is no action', () => {
    const state = session();
    for (const junk of [null, undefined, 5, {}, []]) expect(sessionReducer(state, junk as never)).to.equal(state);
  });
});
