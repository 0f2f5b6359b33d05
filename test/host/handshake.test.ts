import { expect } from '@open-wc/testing';
import { RpcCode } from '../../src/protocol/errors.js';
import { ROOT } from '../../src/protocol/uri.js';
import { CHAT, createFixture, SESSION } from '../helpers/host-fixture.js';

describe('the handshake of a host', () => {
  it('answers ping before anything else', async () => {
    const client = createFixture().stranger();

    const answer = await client.request('ping');

    expect(answer).to.have.property('result', null);
  });

  it('refuses every other request before initialize, and goes on', async () => {
    const client = createFixture().stranger();

    const refused = await client.request('listSessions');
    const { result } = await client.initialize();

    expect(refused.error?.code).to.equal(RpcCode.InvalidRequest);
    expect(result?.protocolVersion).to.equal('1.0.0');
  });

  it('ignores notifications before initialize', async () => {
    const { stranger, host } = createFixture();
    const client = stranger();

    client.dispatch(CHAT, { type: 'chat/isReadChanged', isRead: true });
    await client.settle();

    expect(client.frames).to.deep.equal([]);
    expect(host.getChat(CHAT)?.status).to.equal(1);
  });

  it('refuses a second initialize', async () => {
    const client = await createFixture().client();

    const again = await client.request('initialize', { protocolVersions: ['1.0.0'], clientId: 'other' });

    expect(again.error?.code).to.equal(RpcCode.InvalidRequest);
  });

  const choices: [offered: string[], supported: string[], chosen: string][] = [
    [['0.9.0', '1.0.0'], ['>=1.0.0 <2.0.0', '>=0.9.0 <0.10.0'], '1.0.0'],
    [['0.9.0', '0.9.3'], ['>=0.9.0 <0.10.0'], '0.9.3'],
    [['1.0.0', '0.7.0', '0.6.0'], ['0.7.0'], '0.7.0'],
    [['1.0.0', '0.9.0', '0.6.0'], ['0.6.0'], '0.6.0'],
  ];
  for (const [offered, supported, chosen] of choices) {
    it(`chooses ${chosen} of ${offered.join(', ')} when it speaks ${supported.join(', ')}`, async () => {
      const client = createFixture({ supportedVersions: supported }).stranger();

      const { result } = await client.initialize({ protocolVersions: offered });

      expect(result?.protocolVersion).to.equal(chosen);
    });
  }

  it('names its versions and closes when none is common', async () => {
    const client = createFixture({ supportedVersions: ['>=1.0.0 <2.0.0'] }).stranger();

    const { error } = await client.initialize({ protocolVersions: ['0.6.0'] });
    await client.settle();

    expect(error?.code).to.equal(RpcCode.UnsupportedProtocolVersion);
    expect(error?.data).to.deep.equal({ supportedVersions: ['>=1.0.0 <2.0.0'] });
    expect(client.isClosed).to.equal(true);
  });

  const malformed: [what: string, params: object][] = [
    ['a version that is none', { protocolVersions: ['v1.0.0'] }],
    ['a pre-release version', { protocolVersions: ['1.0.0-beta.1'] }],
    ['no versions', { protocolVersions: [] }],
    ['versions that are no list', { protocolVersions: '1.0.0' }],
    ['no clientId', { clientId: undefined }],
    ['an empty clientId', { clientId: '' }],
    ['subscriptions that are no strings', { initialSubscriptions: [1] }],
    ['another channel', { channel: SESSION }],
    ['capabilities that are no object', { capabilities: [] }],
  ];
  for (const [what, params] of malformed) {
    it(`refuses ${what} as invalid params`, async () => {
      const client = createFixture().stranger();

      const { error } = await client.initialize(params);

      expect(error?.code).to.equal(RpcCode.InvalidParams);
    });
  }

  it('gives a snapshot per known initial subscription and none for others', async () => {
    const client = createFixture().stranger();

    const { result } = await client.initialize({ initialSubscriptions: [ROOT, SESSION, CHAT, 'ahp-chat:/unknown'] });

    expect(result?.snapshots.map(({ resource }) => resource)).to.deep.equal([ROOT, SESSION, CHAT]);
    expect(result?.snapshots.every(({ fromSeq }) => fromSeq === result.serverSeq)).to.equal(true);
  });

  it('announces what it was told to, and collections by default', async () => {
    const client = createFixture({ serverInfo: { name: 'test' }, terminalCommandPrefix: '!' }).stranger();

    const { result } = await client.initialize();

    expect(result).to.deep.include({
      serverInfo: { name: 'test' },
      terminalCommandPrefix: '!',
      attachmentCollections: {},
    });
    expect(result).not.to.have.property('steeringMessages');
  });

  it('announces no collections when they are switched off', async () => {
    const client = createFixture({ attachmentCollections: false }).stranger();

    const { result } = await client.initialize();

    expect(result).not.to.have.property('attachmentCollections');
  });

  it('closes every link once it is closed itself', async () => {
    const { stranger, client: create, host } = createFixture();
    const before = await create();

    host.close();
    const after = stranger('late');
    await before.settle();

    expect([before.isClosed, after.isClosed]).to.deep.equal([true, true]);
  });

  it('closes the old link of a client that comes again', async () => {
    const { stranger } = createFixture();
    const old = stranger('same');
    await old.initialize();

    await stranger('same').initialize();
    await old.settle();

    expect(old.isClosed).to.equal(true);
  });
});

describe('the frames of a connection', () => {
  const bad: [what: string, frame: string, code: number][] = [
    ['text that is no JSON', '{', RpcCode.ParseError],
    ['a batch', '[]', RpcCode.InvalidRequest],
    ['a bare value', '1', RpcCode.InvalidRequest],
    ['an object that says nothing', '{}', RpcCode.InvalidRequest],
    [
      'JSON nested 5,000 deep',
      `{"method":"x","params":{"a":${'['.repeat(5000)}${']'.repeat(5000)}}}`,
      RpcCode.InvalidRequest,
    ],
  ];
  for (const [what, frame, code] of bad) {
    it(`answers ${what} with an error and keeps the connection`, async () => {
      const client = await createFixture().client();

      client.send(frame);
      const alive = await client.request('ping');

      const error = client.frames.find((each) => 'error' in each)?.error;
      expect(error).to.have.property('code', code);
      expect(alive).to.have.property('result', null);
    });
  }

  it('says nothing to an error that answers nothing, or to a response nobody waits for', async () => {
    const client = await createFixture().client();
    const before = client.frames.length;

    client.send('{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"?"}}');
    client.send('{"jsonrpc":"2.0","id":77,"result":{}}');
    await client.settle();

    expect(client.frames).to.have.length(before);
  });

  it('goes on without an action of its own that cannot be written out', async () => {
    const diagnosed: string[] = [];
    const { client: create, host } = createFixture({
      hooks: { onDiagnostic: ({ errorType }) => diagnosed.push(errorType) },
    });
    const client = await create('a', [CHAT], { capabilities: {} });
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;

    host.dispatch(CHAT, { type: 'chat/responsePart', turnId: 't', part: undefined } as never);
    host.dispatch(CHAT, { type: 'chat/activityChanged', activity: 'x', _meta: cycle });
    host.dispatch(CHAT, { type: 'chat/activityChanged', activity: 'y' });
    await client.settle();

    expect(diagnosed).to.deep.equal(['unwritable', 'unwritable']);
    expect(client.envelopes.map(({ action }) => (action as { activity?: string }).activity)).to.deep.equal(['y']);
  });

  it('answers an unknown request with method not found, whatever its name', async () => {
    const client = await createFixture().client();

    const codes = await Promise.all(
      ['nonsense', 'constructor', '__proto__', 'toString', 'x-private'].map(async (method) => {
        const { error } = await client.request(method);
        return error?.code;
      }),
    );

    expect(new Set(codes)).to.deep.equal(new Set([RpcCode.MethodNotFound]));
  });

  it('echoes string ids unchanged and does without "jsonrpc"', async () => {
    const client = await createFixture().client();

    client.send('{"id":"seven","method":"ping","params":{}}');
    await client.settle();

    expect(client.frames.at(-1)).to.deep.equal({ jsonrpc: '2.0', id: 'seven', result: null });
  });

  it('hides what went wrong inside', async () => {
    const diagnosed: string[] = [];
    const client = await createFixture({
      hooks: {
        completions: () => {
          throw new Error('secret path /home');
        },
        onDiagnostic: ({ message }) => diagnosed.push(message),
      },
    }).client();

    const { error } = await client.request('completions', { channel: CHAT, kind: 'userMessage', text: '', offset: 0 });

    expect(error).to.deep.equal({ code: RpcCode.InternalError, message: 'The host failed to answer.' });
    expect(diagnosed).to.deep.equal(['secret path /home']);
  });
});
