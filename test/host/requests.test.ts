import { expect } from '@open-wc/testing';
import { rpcError, type HostHooks } from '../../src/host/hooks.js';
import { RpcCode } from '../../src/protocol/errors.js';
import { ROOT } from '../../src/protocol/uri.js';
import { CHAT, createFixture, SESSION, turnStarted } from '../helpers/host-fixture.js';

const withHooks = (hooks: HostHooks) => createFixture({ hooks });

describe('requests that a real host supplies', () => {
  const uri = 'file:///a.txt';
  const cases: [method: keyof HostHooks, params: object, result: object][] = [
    ['resourceRead', { uri }, { data: 'x', encoding: 'utf-8' }],
    ['resourceList', { uri }, { entries: [{ name: 'a', type: 'file' }] }],
    ['resourceResolve', { uri }, { uri, type: 'file' }],
    ['resourceRequest', { uri, read: true }, {}],
    ['resolveSessionConfig', {}, { schema: { properties: {} }, values: {} }],
  ];
  for (const [method, params, result] of cases) {
    it(`${method} is answered by its hook`, async () => {
      const asked: unknown[] = [];
      const hook = (given: object, asker: { clientId: string }) => {
        asked.push(given, asker.clientId);
        return Promise.resolve(result);
      };
      const client = await withHooks({ [method]: hook }).client('a');

      const answer = await client.request(method, params);

      expect(answer.result).to.deep.equal(result);
      expect(asked).to.deep.equal([{ channel: ROOT, ...params }, 'a']);
    });

    it(`${method} is not found without a hook`, async () => {
      const client = await createFixture().client();

      const { error } = await client.request(method, params);

      expect(error?.code).to.equal(RpcCode.MethodNotFound);
    });
  }

  it('resourceRead needs a URI', async () => {
    const client = await withHooks({ resourceRead: () => ({ data: '', encoding: 'utf-8' }) }).client();

    const { error } = await client.request('resourceRead', {});

    expect(error?.code).to.equal(RpcCode.InvalidParams);
  });

  it('may be refused with data', async () => {
    const data = { request: { uri, read: true } };
    const client = await withHooks({
      resourceRead: () => Promise.reject(rpcError(RpcCode.PermissionDenied, 'Ask first.', data)),
    }).client();

    const { error } = await client.request('resourceRead', { uri });

    expect(error).to.deep.equal({ code: RpcCode.PermissionDenied, message: 'Ask first.', data });
  });

  it('may be of any other method', async () => {
    const client = await withHooks({
      request: (method, params) => (method === 'x-sum' ? { sum: params.a } : undefined),
    }).client();

    const known = await client.request('x-sum', { a: 3 });
    const unknown = await client.request('x-other');

    expect(known.result).to.deep.equal({ sum: 3 });
    expect(unknown.error?.code).to.equal(RpcCode.MethodNotFound);
  });

  it('is answered with an error when the answer cannot be written', async () => {
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    const client = await withHooks({ request: () => cycle }).client();

    const { error } = await client.request('x-cycle');

    expect(error?.code).to.equal(RpcCode.InternalError);
  });
});

describe('completions', () => {
  const item = (type: string) => ({ insertText: type, attachment: { type, label: type } });
  const hooks = { completions: () => ({ items: [item('simple'), item('collection')] }) } as unknown as HostHooks;
  const ask = { channel: CHAT, kind: 'userMessage', text: 'ab', offset: 2 };

  it('are none without a hook', async () => {
    const client = await createFixture().client();

    const { result } = await client.request('completions', ask);

    expect(result).to.deep.equal({ items: [] });
  });

  it('hold collections only for clients that know them', async () => {
    const { client: create } = createFixture({ hooks });
    const knowing = await create('a');
    const other = await create('b', [CHAT], { capabilities: {} });

    const [all, some] = [await knowing.request('completions', ask), await other.request('completions', ask)];

    expect(all.result?.items).to.have.length(2);
    expect(some.result?.items).to.deep.equal([item('simple')]);
  });

  for (const params of [{ offset: 3 }, { offset: -1 }, { offset: 0.5 }, { offset: undefined }, { text: 1 }]) {
    it(`refuse ${JSON.stringify(params)}`, async () => {
      const client = await createFixture().client();

      const { error } = await client.request('completions', { ...ask, ...params });

      expect(error?.code).to.equal(RpcCode.InvalidParams);
    });
  }
});

describe('authenticate', () => {
  const resource = 'https://r.example';
  const token = 'secret';

  it('passes the token to the hook, for a resource the host has named', async () => {
    const tokens: string[] = [];
    const { client: create, host } = withHooks({
      authenticate: (params) => {
        tokens.push(params.token);
      },
    });
    const client = await create('a', [ROOT]);
    host.notify('auth/required', { channel: ROOT, resource: { resource }, reason: 'required' });

    const { result } = await client.request('authenticate', { resource, token });

    expect(result).to.deep.equal({});
    expect(tokens).to.deep.equal([token]);
  });

  it('takes a resource that a refusal has named', async () => {
    const client = await withHooks({
      resourceRead: () => {
        throw rpcError(RpcCode.AuthRequired, 'Sign in.', { resources: [{ resource }] });
      },
    }).client();
    await client.request('resourceRead', { uri: 'x:y' });

    const { result } = await client.request('authenticate', { resource, token });

    expect(result).to.deep.equal({});
  });

  it('takes a resource of an MCP server of a session', async () => {
    const { client: create, host } = createFixture();
    host.createSession({
      provider: 'test',
      customizations: [
        {
          type: 'plugin',
          name: 'p',
          children: [{ type: 'mcpServer', name: 'm', state: { kind: 'authRequired', ...{ resource: { resource } } } }],
        },
      ],
    });
    const client = await create();

    const { result } = await client.request('authenticate', { resource, token });

    expect(result).to.deep.equal({});
  });

  it('takes a resource that an agent needs', async () => {
    const { client: create, host } = createFixture();
    const protectedResources = [{ resource }];
    const agent = { provider: 'p', displayName: '', description: '', models: [], protectedResources };
    host.dispatch(ROOT, { type: 'root/agentsChanged', agents: [agent] });
    const client = await create();

    const { result } = await client.request('authenticate', { resource, token });

    expect(result).to.deep.equal({});
  });

  it('refuses a resource nobody asked for', async () => {
    const client = await createFixture().client();

    const { error } = await client.request('authenticate', { resource: 'https://other.example', token });

    expect(error?.code).to.equal(RpcCode.InvalidParams);
    expect(JSON.stringify(error)).not.to.contain(token);
  });

  it('passes on that a token is bad, and lets nothing go on', async () => {
    const { client: create, host } = withHooks({
      authenticate: () => Promise.reject(rpcError(RpcCode.AuthRequired, 'Bad token.')),
    });
    host.dispatch(CHAT, turnStarted('t1'));
    const call = { turnId: 't1', toolCallId: 'c' };
    const contributor = { kind: 'mcp', customizationId: 'm' } as const;
    host.dispatch(CHAT, { type: 'chat/toolCallStart', ...call, toolName: 't', displayName: 'T', contributor });
    host.dispatch(CHAT, { type: 'chat/toolCallReady', ...call, invocationMessage: '', confirmed: 'not-needed' });
    const auth = { reason: 'required', resource: { resource } };
    host.dispatch(CHAT, { type: 'chat/toolCallAuthRequired', ...call, auth });
    const client = await create();

    const { error } = await client.request('authenticate', { resource, token });

    expect(error?.code).to.equal(RpcCode.AuthRequired);
    expect(host.getChat(CHAT)?.status).to.equal(24);
  });

  it('is asked for by a string up to 0.7 and by metadata from 0.8 on', async () => {
    const { client: create, host } = createFixture();
    const old = await create('a', [ROOT], { protocolVersions: ['0.7.0'] });
    const recent = await create('b', [ROOT], { protocolVersions: ['0.8.0'] });

    host.notify('auth/required', { channel: ROOT, resource: { resource } });
    await old.settle();

    expect(old.notifications[0]?.params.resource).to.equal(resource);
    expect(recent.notifications[0]?.params.resource).to.deep.equal({ resource });
  });
});

describe('requests of the host to a client', () => {
  it('are answered by the client', async () => {
    const { client: create } = withHooks({
      request: (_method, _params, asker) => asker.request('resourceRead', { channel: ROOT, uri: 'virtual:x' }),
    });
    const client = await create();

    const asking = client.request('x-ask');
    await client.settle();
    client.send({ id: client.requests[0]?.id, result: { data: 'y', encoding: 'utf-8' } });
    const { result } = await asking;

    expect(client.requests[0]).to.deep.include({ method: 'resourceRead', params: { channel: ROOT, uri: 'virtual:x' } });
    expect(result).to.deep.equal({ data: 'y', encoding: 'utf-8' });
  });

  const endings: [
    how: string,
    end: (
      client: Awaited<ReturnType<ReturnType<typeof createFixture>['client']>>,
      advance: (ms: number) => void,
    ) => void,
    code: string,
  ][] = [
    ['refused', (client) => client.send({ id: client.requests[0]?.id, error: { code: -32008, message: 'no' } }), 'rpc'],
    ['left open by a client that goes', (client) => client.cut(), 'disconnected'],
    ['not answered in time', (_client, advance) => advance(30_000), 'timeout'],
  ];
  for (const [how, end, code] of endings) {
    it(`reject when they are ${how}`, async () => {
      const outcomes: unknown[] = [];
      const { client: create, environment } = withHooks({
        request: async (_method, _params, asker) => {
          await asker
            .request('resourceRead', { channel: ROOT, uri: 'virtual:x' })
            .catch((error: unknown) => outcomes.push(error));
          return {};
        },
      });
      const client = await create();
      void client.request('x-ask');
      await client.settle();

      end(client, (ms) => environment.advance(ms));
      await client.settle();

      expect(outcomes[0]).to.have.property('code', code);
      expect(environment.clock.pendingTimers).to.equal(0);
    });
  }
});

describe('what a client sends to a terminal', () => {
  it('reaches the hook, and input changes no state', async () => {
    const seen: object[] = [];
    const { client: create, host } = withHooks({
      onTerminalAction: (terminal, action) => seen.push({ terminal, ...action }),
    });
    host.createTerminal('t:1', { title: 'sh', content: [], claim: { kind: 'session', session: SESSION } });
    const client = await create('a', ['t:1']);
    const before = host.getTerminal('t:1');

    client.dispatch('t:1', { type: 'terminal/input', data: 'ls\n' });
    client.dispatch('t:1', { type: 'terminal/data', data: 'forged' });
    await client.settle();

    expect(seen).to.deep.equal([{ terminal: 't:1', type: 'terminal/input', data: 'ls\n' }]);
    expect(host.getTerminal('t:1')).to.equal(before);
    expect(client.envelopes.map(({ rejectionReason }) => rejectionReason?.split(':')[0])).to.deep.equal([
      undefined,
      'not-dispatchable',
    ]);
  });

  it('changes its size', async () => {
    const { client: create, host } = createFixture();
    host.createTerminal('t:1', { title: 'sh', content: [], claim: { kind: 'session', session: SESSION } });
    const client = await create('a', ['t:1']);

    client.dispatch('t:1', { type: 'terminal/resized', cols: 100, rows: 30 });
    await client.settle();

    expect(host.getTerminal('t:1')).to.deep.include({ cols: 100, rows: 30 });
  });
});
