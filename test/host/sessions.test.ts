import { expect } from '@open-wc/testing';
import { rpcError } from '../../src/host/hooks.js';
import { RpcCode } from '../../src/protocol/errors.js';
import type { SessionSummary } from '../../src/protocol/state.js';
import { ROOT } from '../../src/protocol/uri.js';
import { CHAT, createFixture, finishedTurns, message, SESSION, turnStarted } from '../helpers/host-fixture.js';

const NEW = 'ahp-session:/new';

describe('createSession', () => {
  it('makes a session with a first chat and answers when it is there', async () => {
    const { client: create, host } = createFixture();
    const client = await create('a', [ROOT]);

    const { result } = await client.request('createSession', { channel: NEW, workingDirectories: ['file:///w'] });

    const session = host.getSession(NEW);
    expect(result).to.equal(null);
    expect(session).to.deep.include({ provider: 'test', lifecycle: 'ready', workingDirectories: ['file:///w'] });
    expect(session?.chats.map(({ resource }) => resource)).to.deep.equal([session?.defaultChat]);
    expect(client.frames.at(-1)).to.have.property('result');
    expect(client.notifications[0]?.method).to.equal('root/sessionAdded');
  });

  it('takes what the hook knows of it', async () => {
    const { client: create, host } = createFixture({
      hooks: { createSession: ({ channel }) => ({ title: `Session ${channel}`, defaultChat: 'custom:chat' }) },
    });
    const client = await create('a', []);

    await client.request('createSession', { channel: NEW, provider: 'test' });

    expect(host.getSession(NEW)).to.deep.include({ title: `Session ${NEW}`, defaultChat: 'custom:chat' });
  });

  it('takes the tools of the client that creates it', async () => {
    const { client: create, host } = createFixture();
    const client = await create('a', []);

    await client.request('createSession', { channel: NEW, activeClient: { clientId: 'a', tools: [{ name: 't' }] } });

    expect(host.getSession(NEW)?.activeClients).to.deep.equal([{ clientId: 'a', tools: [{ name: 't' }] }]);
  });

  it('is creating until it is ready', async () => {
    let ready = () => {};
    const { client: create, host } = createFixture({
      hooks: { createSession: () => ({ ready: new Promise<void>((resolve) => (ready = resolve)) }) },
    });
    const client = await create('a', []);

    await client.request('createSession', { channel: NEW });
    const early = host.getSession(NEW)?.lifecycle;
    ready();
    await client.settle();

    expect([early, host.getSession(NEW)?.lifecycle]).to.deep.equal(['creating', 'ready']);
  });

  it('has failed when it does not get ready, with the turn that waited', async () => {
    const { client: create, host } = createFixture({
      hooks: { createSession: () => ({ defaultChat: 'ahp-chat:/new', ready: Promise.reject(new Error('no disk')) }) },
    });
    const client = await create('a', []);

    await client.request('createSession', { channel: NEW });
    client.dispatch('ahp-chat:/new', turnStarted('t1'));
    await client.settle();

    expect(host.getSession(NEW)).to.deep.include({ lifecycle: 'failed' });
    expect(host.getSession(NEW)?.creationError?.message).to.equal('no disk');
    expect(host.getChat('ahp-chat:/new')?.activeTurn).to.equal(undefined);
  });

  const refused: [what: string, params: object, code: number][] = [
    ['an unknown provider', { provider: 'nobody' }, RpcCode.ProviderNotFound],
    ['a URI in use', { channel: SESSION }, RpcCode.SessionAlreadyExists],
    ['the URI of a chat', { channel: CHAT }, RpcCode.SessionAlreadyExists],
    ['the root', { channel: ROOT }, RpcCode.SessionAlreadyExists],
    ['no URI', { channel: '' }, RpcCode.InvalidParams],
    ['directories that are no list', { workingDirectories: 'file:///' }, RpcCode.InvalidParams],
  ];
  for (const [what, params, code] of refused) {
    it(`refuses ${what}`, async () => {
      const client = await createFixture().client();

      const { error } = await client.request('createSession', { channel: NEW, ...params });

      expect(error?.code).to.equal(code);
    });
  }

  it('passes on how the hook refuses', async () => {
    const data = { resources: [{ resource: 'https://r.example' }] };
    const { client: create, host } = createFixture({
      hooks: {
        createSession: () => {
          throw rpcError(RpcCode.AuthRequired, 'Sign in first.', data);
        },
      },
    });
    const client = await create('a', []);

    const { error } = await client.request('createSession', { channel: NEW });

    expect(error).to.deep.equal({ code: RpcCode.AuthRequired, message: 'Sign in first.', data });
    expect(host.getSession(NEW)).to.equal(undefined);
  });
});

describe('disposeSession', () => {
  it('takes its chats along', async () => {
    const disposed: string[] = [];
    const { client: create, host } = createFixture({
      hooks: { onChatDisposed: (chat) => disposed.push(chat), onSessionDisposed: (session) => disposed.push(session) },
    });
    const client = await create('a', [ROOT, SESSION, CHAT]);

    const { result } = await client.request('disposeSession', { channel: SESSION });

    expect(result).to.equal(null);
    expect(host.getChat(CHAT)).to.equal(undefined);
    expect(disposed).to.deep.equal([CHAT, SESSION]);
    expect(client.notifications.at(-1)).to.deep.equal({
      method: 'root/sessionRemoved',
      params: { channel: ROOT, session: SESSION },
    });
  });

  it('refuses a session that is not there', async () => {
    const client = await createFixture().client();

    const { error } = await client.request('disposeSession', { channel: NEW });

    expect(error?.code).to.equal(RpcCode.SessionNotFound);
  });
});

describe('listSessions', () => {
  const createMany = (count: number) => {
    const fixture = createFixture();
    for (let index = 0; index < count; index++) {
      fixture.environment.advance(1000);
      fixture.host.createSession({ resource: `ahp-session:/${index}`, provider: 'test' });
    }
    return fixture;
  };
  const list = async (params: object, count = 5) => {
    const client = await createMany(count).client();
    return client.request<{ items: SessionSummary[]; nextCursor?: string }>('listSessions', params);
  };

  it('gives all of them, newest first', async () => {
    const { result } = await list({}, 2);

    expect(result?.items.map(({ resource }) => resource)).to.deep.equal(['ahp-session:/1', 'ahp-session:/0', SESSION]);
    expect(result).not.to.have.property('nextCursor');
  });

  it('gives pages that together are the whole list, whatever comes in between', async () => {
    const { client: create, host, environment } = createMany(5);
    const client = await create();
    const seen: string[] = [];
    let cursor: string | undefined;

    do {
      const { result } = await client.request<{ items: SessionSummary[]; nextCursor?: string }>('listSessions', {
        limit: 2,
        ...(cursor !== undefined && { cursor }),
      });
      seen.push(...(result?.items.map(({ resource }) => resource) ?? []));
      cursor = result?.nextCursor;
      environment.advance(1000);
      host.createSession({ provider: 'test' });
    } while (cursor !== undefined);

    expect(seen).to.deep.equal([...[4, 3, 2, 1, 0].map((index) => `ahp-session:/${index}`), SESSION]);
  });

  for (const params of [{ cursor: 'nonsense' }, { cursor: 7 }, { limit: -1 }, { channel: SESSION }]) {
    it(`refuses ${JSON.stringify(params)}`, async () => {
      const { error } = await list(params);

      expect(error?.code).to.equal(RpcCode.InvalidParams);
    });
  }
});

describe('createChat', () => {
  const OTHER = 'ahp-chat:/other';

  it('lists the chat before it answers', async () => {
    const client = await createFixture().client('a', [SESSION]);

    await client.request('createChat', { channel: SESSION, chat: OTHER, title: 'Other' });

    const types = client.frames.slice(-2).map((frame) => (frame.params as { action?: object })?.action ?? 'answer');
    expect(types[0]).to.have.property('type', 'session/chatAdded');
    expect(types[1]).to.equal('answer');
    expect(client.session(SESSION).chats.at(-1)).to.deep.include({ resource: OTHER, title: 'Other' });
  });

  it('may use another URI, which the catalogue tells', async () => {
    const { client: create } = createFixture({ hooks: { createChat: () => ({ resource: 'vendor:chat' }) } });
    const client = await create('a', [SESSION]);

    await client.request('createChat', { channel: SESSION, chat: OTHER });

    expect(client.session(SESSION).chats.at(-1)?.resource).to.equal('vendor:chat');
  });

  it('starts with a message', async () => {
    const { client: create, host } = createFixture();
    const client = await create();

    await client.request('createChat', { channel: SESSION, chat: OTHER, initialMessage: message('go') });

    expect(host.getChat(OTHER)?.activeTurn?.message.text).to.equal('go');
  });

  it('forks the history up to a turn', async () => {
    const { client: create, host } = createFixture({ turns: finishedTurns(3) });
    const client = await create();

    await client.request('createChat', {
      channel: SESSION,
      chat: OTHER,
      source: { kind: 'fork', chat: CHAT, turnId: 't2' },
    });

    expect(host.getChat(OTHER)?.turns.map(({ id }) => id)).to.deep.equal(['t1', 't2']);
    expect(host.getChat(OTHER)?.origin).to.deep.equal({ kind: 'fork', chat: CHAT, turnId: 't2' });
  });

  it('reads the source of 0.6, which had no kind, as a fork', async () => {
    const { client: create, host } = createFixture({ turns: finishedTurns(3) });
    const client = await create('a', [CHAT], { protocolVersions: ['0.6.0'] });

    await client.request('createChat', { channel: SESSION, chat: OTHER, source: { chat: CHAT, turnId: 't1' } });

    expect(host.getChat(OTHER)?.turns).to.have.length(1);
  });

  it('begins a side chat with nothing, also beside a turn that runs', async () => {
    const { client: create, host } = createFixture({ turns: finishedTurns(3) });
    host.dispatch(CHAT, turnStarted('running'));
    const client = await create();

    const source = { kind: 'sideChat', chat: CHAT, turnId: 'running', selection: { text: 'this' } };
    await client.request('createChat', { channel: SESSION, chat: OTHER, source });

    expect(host.getChat(OTHER)?.turns).to.deep.equal([]);
    expect(host.getChat(OTHER)?.origin).to.deep.equal(source);
  });

  const fork = (more: object) => ({ source: { kind: 'fork', chat: CHAT, turnId: 't1', ...more } });
  const refused: [what: string, params: object, code: number][] = [
    ['an unknown session', { channel: NEW }, RpcCode.SessionNotFound],
    ['a chat that exists', { chat: CHAT }, RpcCode.AlreadyExists],
    ['no chat', { chat: undefined }, RpcCode.InvalidParams],
    ['a message of an agent', { initialMessage: { text: 'x', origin: { kind: 'agent' } } }, RpcCode.InvalidParams],
    ['a directory that is not the session’s', { workingDirectories: ['file:///x'] }, RpcCode.InvalidParams],
    ['a fork of an unknown chat', fork({ chat: 'ahp-chat:/none' }), RpcCode.InvalidParams],
    ['a fork of a chat elsewhere', fork({ chat: 'ahp-chat:/elsewhere' }), RpcCode.InvalidParams],
    ['a fork from an unknown turn', fork({ turnId: 'none' }), RpcCode.InvalidParams],
    ['a fork from a turn that runs', fork({ turnId: 'running' }), RpcCode.InvalidParams],
    ['a source of an unknown kind', fork({ kind: 'clone' }), RpcCode.InvalidParams],
    ['a selection without text', fork({ kind: 'sideChat', selection: { text: '' } }), RpcCode.InvalidParams],
  ];
  for (const [what, params, code] of refused) {
    it(`refuses ${what}`, async () => {
      const { client: create, host } = createFixture({ turns: finishedTurns(1) });
      host.createSession({ provider: 'test', defaultChat: 'ahp-chat:/elsewhere' });
      host.dispatch(CHAT, turnStarted('running'));
      const client = await create();

      const { error } = await client.request('createChat', { channel: SESSION, chat: OTHER, ...params });

      expect(error?.code).to.equal(code);
      expect(host.getChat(OTHER)).to.equal(undefined);
    });
  }

  for (const [what, capabilities, params] of [
    ['a second chat where the agent has one only', {}, {}],
    ['a fork where the agent offers none', { multipleChats: {} }, fork({})],
    ['a side chat where the agent offers none', { multipleChats: { fork: true } }, fork({ kind: 'sideChat' })],
  ] as const) {
    it(`refuses ${what}`, async () => {
      const client = await createFixture({ turns: finishedTurns(1), capabilities }).client();

      const { error } = await client.request('createChat', { channel: SESSION, chat: OTHER, ...params });

      expect(error?.code).to.equal(RpcCode.InvalidParams);
    });
  }
});

describe('disposeChat', () => {
  it('takes the chat out of the catalogue and ends its subscriptions', async () => {
    const { client: create, host } = createFixture();
    const client = await create('a', [SESSION, CHAT]);

    const { result } = await client.request('disposeChat', { channel: CHAT });

    expect(result).to.equal(null);
    expect(client.session(SESSION).chats).to.deep.equal([]);
    expect(client.session(SESSION).defaultChat).to.equal(undefined);
    expect(host.getChat(CHAT)).to.equal(undefined);
  });

  it('refuses what is no chat', async () => {
    const client = await createFixture().client();

    const { error } = await client.request('disposeChat', { channel: SESSION });

    expect(error?.code).to.equal(RpcCode.NotFound);
  });
});
