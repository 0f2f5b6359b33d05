import { expect } from '@open-wc/testing';
import { blockersOf, sessionStatus, toChatSummary } from '../../src/host/catalogue.js';
import type { ChatSummary, SessionState } from '../../src/protocol/state.js';
import { ROOT } from '../../src/protocol/uri.js';
import { CHAT, createFixture, SESSION, turnStarted } from '../helpers/host-fixture.js';

describe('the catalogue of a session', () => {
  it('says what each chat says of itself, at every step of a turn', async () => {
    const { client: create, host, environment } = createFixture();
    const client = await create('a', [SESSION]);
    const steps = [
      turnStarted('t1', { startedAt: '2026-01-01T01:00:00.000Z' }),
      { type: 'chat/activityChanged', activity: 'reading' },
      { type: 'chat/activityChanged' },
      { type: 'chat/turnComplete', turnId: 't1', duration: 5 },
      { type: 'chat/isReadChanged', isRead: true },
      { type: 'chat/movableChanged', movable: true },
    ] as const;
    environment.advance(1);

    for (const step of steps) {
      host.dispatch(CHAT, step);
      await client.settle();

      expect(client.session(SESSION).chats).to.deep.equal([toChatSummary(host.getChat(CHAT)!)]);
    }
  });

  it('says nothing when a summary did not change', async () => {
    const { client: create, host } = createFixture();
    host.dispatch(CHAT, turnStarted('t1'));
    const client = await create('a', [SESSION]);

    host.dispatch(CHAT, { type: 'chat/responsePart', turnId: 't1', part: { kind: 'markdown', id: 'p', content: '' } });
    host.dispatch(CHAT, { type: 'chat/delta', turnId: 't1', partId: 'p', content: 'x' });
    host.dispatch(CHAT, { type: 'chat/draftChanged', draft: { text: 'x', origin: { kind: 'user' } } });
    await client.settle();

    expect(client.envelopes).to.deep.equal([]);
  });

  it('sends only the fields that changed', async () => {
    const { client: create, host } = createFixture();
    const client = await create('a', [SESSION]);

    host.dispatch(CHAT, { type: 'chat/activityChanged', activity: 'reading' });
    await client.settle();

    expect(client.envelopes[0]?.action).to.deep.equal({
      type: 'session/chatUpdated',
      chat: CHAT,
      changes: { activity: 'reading' },
    });
  });

  it('lists a new chat and forgets one that is gone', async () => {
    const { client: create, host } = createFixture();
    const client = await create('a', [SESSION]);

    const uri = host.createChat(SESSION, { title: 'Second' });
    await client.settle();
    const added = client.session(SESSION).chats.map(({ title }) => title);
    host.disposeChat(uri);
    await client.settle();

    expect(added).to.deep.equal([undefined, 'Second']);
    expect(client.session(SESSION).chats).to.have.length(1);
  });

  it('chooses another default chat when the default one is gone', () => {
    const { host } = createFixture();
    const second = host.createChat(SESSION);

    host.disposeChat(CHAT);

    expect(host.getSession(SESSION)?.defaultChat).to.equal(second);
  });
});

describe('what blocks a session', () => {
  const startCall = (host: ReturnType<typeof createFixture>['host'], ready: object, contributor?: object) => {
    host.dispatch(CHAT, turnStarted('t1'));
    host.dispatch(CHAT, {
      type: 'chat/toolCallStart',
      turnId: 't1',
      toolCallId: 'call',
      toolName: 'tool',
      displayName: 'Tool',
      ...contributor,
    });
    host.dispatch(CHAT, {
      type: 'chat/toolCallReady',
      turnId: 't1',
      toolCallId: 'call',
      invocationMessage: 'x',
      ...ready,
    });
  };

  it('is a confirmation, until it is given', async () => {
    const { client: create, host } = createFixture();
    const client = await create('a', [SESSION]);

    startCall(host, {});
    await client.settle();
    const asked = client.session(SESSION);
    host.dispatch(CHAT, {
      type: 'chat/toolCallConfirmed',
      turnId: 't1',
      toolCallId: 'call',
      approved: true,
      confirmed: 'setting',
    });
    await client.settle();

    expect(asked.inputNeeded?.map(({ kind, chat }) => [kind, chat])).to.deep.equal([['toolConfirmation', CHAT]]);
    expect(asked.status & 24).to.equal(24);
    expect(client.session(SESSION).inputNeeded).to.equal(undefined);
  });

  it('is the confirmation of a result', () => {
    const { host } = createFixture();
    startCall(host, { confirmed: 'not-needed' });

    host.dispatch(CHAT, {
      type: 'chat/toolCallComplete',
      turnId: 't1',
      toolCallId: 'call',
      result: { success: true, pastTenseMessage: 'x' },
      requiresResultConfirmation: true,
    });

    expect(host.getSession(SESSION)?.inputNeeded?.[0]).to.deep.include({ kind: 'toolConfirmation', turnId: 't1' });
  });

  it('is a token', () => {
    const { host } = createFixture();
    startCall(host, { confirmed: 'not-needed' }, { contributor: { kind: 'mcp', customizationId: 'm' } });

    const auth = { reason: 'required', resource: { resource: 'r' } };
    host.dispatch(CHAT, { type: 'chat/toolCallAuthRequired', turnId: 't1', toolCallId: 'call', auth });

    expect(host.getSession(SESSION)?.inputNeeded?.[0]?.kind).to.equal('toolAuthentication');
  });

  it('is a question, with every draft of its answers', () => {
    const { host } = createFixture();
    host.dispatch(CHAT, turnStarted('t1'));
    host.dispatch(CHAT, {
      type: 'chat/inputRequested',
      request: { id: 'r', questions: [{ id: 'q', message: '?', kind: 'boolean' }] },
    });

    const answer = { state: 'draft', value: { kind: 'boolean', value: true } } as const;
    host.dispatch(CHAT, { type: 'chat/inputAnswerChanged', requestId: 'r', questionId: 'q', answer });

    expect(host.getSession(SESSION)?.inputNeeded).to.deep.equal(blockersOf(host.getChat(CHAT)!));
    expect(host.getSession(SESSION)?.inputNeeded?.[0]).to.have.nested.property('request.answers.q');
  });

  it('names a call that a client runs, without asking a person', async () => {
    const { client: create, host } = createFixture();
    const client = await create('a', [SESSION]);

    startCall(host, { confirmed: 'not-needed' }, { contributor: { kind: 'client', clientId: 'a' } });
    host.dispatch(CHAT, { type: 'chat/toolCallContentChanged', turnId: 't1', toolCallId: 'call', content: [] });
    await client.settle();

    expect(client.session(SESSION).inputNeeded?.[0]).to.deep.include({ kind: 'toolClientExecution', clientId: 'a' });
    expect(client.of(SESSION).filter(({ action }) => action.type === 'session/inputNeededSet')).to.have.length(1);
  });

  it('ends with the turn, and with the chat', () => {
    const { host } = createFixture();
    startCall(host, {});
    const other = host.createChat(SESSION);
    host.startTurn(other, { text: 'x', origin: { kind: 'user' } });
    host.dispatch(other, { type: 'chat/inputRequested', request: { id: 'r' } });
    const open = host.getSession(SESSION)?.inputNeeded?.length;

    host.dispatch(CHAT, { type: 'chat/turnCancelled', turnId: 't1', duration: 1 });
    host.disposeChat(other);

    expect(open).to.equal(2);
    expect(host.getSession(SESSION)?.inputNeeded).to.equal(undefined);
  });
});

describe('the status of a session', () => {
  const chat = (resource: string, status: number, modifiedAt = '1'): ChatSummary => ({ resource, status, modifiedAt });
  const session = (chats: ChatSummary[], more: Partial<SessionState> = {}): SessionState => ({
    provider: 'p',
    title: '',
    status: 1,
    lifecycle: 'ready',
    chats,
    activeClients: [],
    ...more,
  });

  const cases: [what: string, state: SessionState, status: number][] = [
    ['of the default chat', session([chat('a', 1), chat('b', 8)], { defaultChat: 'b' }), 8],
    ['of the newest chat without a default one', session([chat('a', 8, '2'), chat('b', 1, '1')]), 8],
    ['input needed when any chat needs it', session([chat('a', 1), chat('b', 24)], { defaultChat: 'a' }), 24],
    ['error when any chat has one', session([chat('a', 8), chat('b', 2)], { defaultChat: 'a' }), 2],
    ['input needed before error', session([chat('a', 24), chat('b', 2)], { defaultChat: 'b' }), 24],
    ['idle without chats', session([]), 1],
    ['with the flags of the session alone', session([chat('a', 8 | 64)], { status: 1 | 32 }), 8 | 32],
    ['unsigned with high bits', session([chat('a', 8)], { status: 2 ** 31 + 1 }), 2 ** 31 + 8],
  ];
  for (const [what, state, status] of cases) {
    it(`is ${what}`, () => {
      expect(sessionStatus(state)).to.equal(status);
    });
  }
});

describe('the session list', () => {
  it('hears of sessions that come, change and go', async () => {
    const { client: create, host } = createFixture();
    const client = await create('a', [ROOT]);

    host.createSession({ resource: 'ahp-session:/two', provider: 'test', title: 'Two', defaultChat: 'ahp-chat:/two' });
    host.dispatch('ahp-chat:/two', turnStarted('t1', { startedAt: '2026-02-02T00:00:00.000Z' }));
    host.disposeSession('ahp-session:/two');
    await client.settle();

    const [added, changed, removed] = client.notifications;
    expect(added?.method).to.equal('root/sessionAdded');
    expect(added?.params.summary).to.deep.include({ resource: 'ahp-session:/two', title: 'Two', status: 1 });
    expect(changed?.method).to.equal('root/sessionSummaryChanged');
    expect(changed?.params).to.deep.include({ channel: ROOT, session: 'ahp-session:/two' });
    expect(changed?.params.changes).to.deep.include({ status: 8, modifiedAt: '2026-02-02T00:00:00.000Z' });
    expect(changed?.params.changes).not.to.have.any.keys('resource', 'provider', 'createdAt');
    expect(removed).to.deep.equal({
      method: 'root/sessionRemoved',
      params: { channel: ROOT, session: 'ahp-session:/two' },
    });
  });

  it('is told once of all that one action brings about', async () => {
    const { client: create, host } = createFixture();
    const client = await create('a', [ROOT]);

    host.dispatch(CHAT, turnStarted('t1'));
    await client.settle();

    expect(client.notifications).to.have.length(1);
  });

  it('keeps from clients that do not look at the root', async () => {
    const { client: create, host } = createFixture();
    const client = await create('a', [SESSION]);

    host.dispatch(CHAT, turnStarted('t1'));
    await client.settle();

    expect(client.notifications).to.deep.equal([]);
  });

  it('counts sessions in the root', async () => {
    const { client: create, host } = createFixture();
    const client = await create('a', [ROOT]);

    host.createSession({ provider: 'test' });
    await client.settle();

    expect(client.state(ROOT)).to.have.property('activeSessions', 2);
  });

  it('names terminals in the root and gives each a channel', async () => {
    const { client: create, host } = createFixture();
    const client = await create('a', [ROOT]);
    host.createTerminal('ahp-terminal:/1', { title: 'sh', content: [], claim: { kind: 'session', session: SESSION } });

    await client.subscribe('ahp-terminal:/1');
    host.dispatch('ahp-terminal:/1', { type: 'terminal/data', data: 'out' });
    await client.settle();
    const listed = client.state(ROOT);
    host.disposeTerminal('ahp-terminal:/1');
    await client.settle();

    expect(listed).to.have.nested.property('terminals[0].title', 'sh');
    expect(client.state('ahp-terminal:/1')).to.deep.include({ content: [{ type: 'unclassified', value: 'out' }] });
    expect(client.state(ROOT)).to.have.property('terminals').that.is.empty;
  });
});
