import { expect } from '@open-wc/testing';
import { createWebSocketTransport, resolveWebSocketUrl } from '../../src/client/websocket-transport.js';
import { AhpError } from '../../src/protocol/errors.js';
import type { LinkClose } from '../../src/protocol/link.js';
import { ManualEnvironment, settle } from '../helpers/manual-environment.js';

const secret = 'top-secret-token';

/** A socket a test drives by hand; the last one made stands in `last`. */
class FakeSocket {
  static last: FakeSocket;
  static count = 0;
  readonly OPEN = 1;
  readyState = 0;
  readonly sent: string[] = [];
  isClosed = false;
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  onerror: (() => void) | null = null;
  readonly url: string;

  constructor(url: URL) {
    this.url = url.href;
    FakeSocket.last = this;
    FakeSocket.count++;
  }
  open() {
    this.readyState = 1;
    this.onopen?.();
  }
  send(text: string) {
    this.sent.push(text);
  }
  close() {
    this.isClosed = true;
  }
}

const never = new AbortController().signal;

function setup(options: Partial<Parameters<typeof createWebSocketTransport>[0]> = {}) {
  const environment = new ManualEnvironment();
  const transport = createWebSocketTransport({
    url: 'ws://host.example/ahp?tenant=1',
    environment,
    WebSocket: FakeSocket as unknown as typeof WebSocket,
    ...options,
  });
  return { environment, transport };
}

async function connect(options: Parameters<typeof setup>[0] = {}) {
  const { transport, environment } = setup(options);
  const connecting = transport.connect(never);
  await settle();
  FakeSocket.last.open();
  const link = await connecting;
  const [frames, closes] = [[] as string[], [] as LinkClose[]];
  link.onmessage = (text) => frames.push(text);
  link.onclose = (close) => closes.push(close);
  return { environment, link, frames, closes, socket: FakeSocket.last };
}

async function errorOf(promise: Promise<unknown>): Promise<AhpError> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof AhpError) return error;
    throw error;
  }
  throw new Error('It did not fail.');
}

describe('the address of a host', () => {
  const good: readonly [url: string, base: string | undefined, expected: string][] = [
    ['wss://h.example/ahp', undefined, 'wss://h.example/ahp'],
    ['/ahp', 'https://page.example/chat/index.html', 'wss://page.example/ahp'],
    ['ahp?x=1', 'http://page.example:8080/chat/', 'ws://page.example:8080/chat/ahp?x=1'],
    ['ws://h.example/ahp#part', undefined, 'ws://h.example/ahp'],
  ];
  for (const [url, base, expected] of good) {
    it(`of ${url} on ${base ?? 'no page'} is ${expected}`, () => {
      expect(resolveWebSocketUrl(url, base).href).to.equal(expected);
    });
  }

  const bad: readonly [url: string, base?: string][] = [
    ['https://h.example/'],
    ['javascript:alert(1)'],
    ['/relative'],
    ['ws://user:pass@h.example/'],
    ['/x', 'file:///home/index.html'],
  ];
  for (const [url, base] of bad) {
    it(`is refused for ${url} on ${base ?? 'no page'}`, () => {
      expect(() => resolveWebSocketUrl(url, base))
        .to.throw(AhpError)
        .with.property('code', 'bad-url');
    });
  }

  it('tells a host on this device apart, which needs no network', () => {
    const isLocal = (url: string) => setup({ url }).transport.isLocal;

    expect(['ws://localhost:1/', 'ws://127.0.0.1/', 'ws://[::1]:8/'].map(isLocal)).to.deep.equal([true, true, true]);
    expect(['wss://h.example/', 'ws://localhost.example/', 'nonsense://'].map(isLocal)).to.deep.equal([
      false,
      false,
      false,
    ]);
  });
});

describe('a link over WebSocket', () => {
  it('carries text frames both ways', async () => {
    const { link, frames, socket } = await connect();

    link.send('out');
    socket.onmessage!({ data: 'in' });

    expect(socket.sent).to.deep.equal(['out']);
    expect(frames).to.deep.equal(['in']);
  });

  it('asks for the token before each connection and puts it into the query', async () => {
    let count = 0;
    const token = () => Promise.resolve(`${secret}-${++count}`);
    const { transport } = setup({ token });

    for (const expected of [1, 2]) {
      void transport.connect(never);
      await settle();
      expect(FakeSocket.last.url).to.equal(`ws://host.example/ahp?tenant=1&tkn=${secret}-${expected}`);
    }
  });

  it('hands a binary frame on as an unreadable one', async () => {
    const { frames, socket } = await connect();

    socket.onmessage!({ data: new ArrayBuffer(4) });

    expect(frames).to.deep.equal(['']);
  });

  it('tells of a close by the peer once, and of nothing that comes later', async () => {
    const { frames, closes, socket } = await connect();
    const { onmessage, onclose } = socket;

    onclose!({ code: 1006 });
    socket.onmessage?.({ data: 'late' });
    socket.onclose?.({ code: 1006 });

    expect(onmessage).not.to.equal(null);
    expect(closes.map(({ retry }) => retry)).to.deep.equal([true]);
    expect(frames).to.deep.equal([]);
  });

  it('tells of nothing after its own close', async () => {
    const { link, frames, closes, socket } = await connect();

    link.close();
    socket.onmessage?.({ data: 'late' });
    socket.onclose?.({ code: 1000 });

    expect(socket.isClosed).to.equal(true);
    expect([frames, closes]).to.deep.equal([[], []]);
  });

  it('drops frames while the socket is not open', async () => {
    const { link, socket } = await connect();
    socket.readyState = 2;

    link.send('late');

    expect(socket.sent).to.deep.equal([]);
  });

  it('refuses a frame over the bound and is not tried again', async () => {
    const { frames, closes, socket } = await connect({ maxFrameBytes: 4 });

    socket.onmessage!({ data: '12345' });

    expect(frames).to.deep.equal([]);
    expect(closes[0]).to.include({ retry: false, code: 'frame-too-large' });
    expect(socket.isClosed).to.equal(true);
  });
});

describe('a connection that fails', () => {
  it('is given up after a time', async () => {
    const { transport, environment } = setup({ connectTimeoutMs: 3000 });
    const failing = errorOf(transport.connect(never));
    await settle();

    environment.advance(3000);

    expect(await failing).to.include({ code: 'disconnected', message: 'No answer from host.example within 3000 ms.' });
    expect(FakeSocket.last.isClosed).to.equal(true);
  });

  it('is given up when aborted, also while the token is asked for', async () => {
    const abort = new AbortController();
    const { transport } = setup();
    const failing = errorOf(transport.connect(abort.signal));
    await settle();
    abort.abort();
    expect((await failing).code).to.equal('disconnected');

    const before = FakeSocket.count;
    const early = new AbortController();
    const waiting = setup({
      token: () => new Promise<string>((resolve) => early.signal.addEventListener('abort', () => resolve('x'))),
    });
    const given = errorOf(waiting.transport.connect(early.signal));
    early.abort();
    expect((await given).code).to.equal('disconnected');
    expect(FakeSocket.count).to.equal(before);
  });

  it('never names the token, wherever it fails', async () => {
    const Throwing = class {
      constructor(url: URL) {
        throw new DOMException(`Cannot connect to ${url.href}`, 'SecurityError');
      }
    } as unknown as typeof WebSocket;
    const refused = setup({ token: secret });
    const refusing = errorOf(refused.transport.connect(never));
    await settle();
    FakeSocket.last.onclose!({ code: 1006 });
    const errors = [
      await refusing,
      await errorOf(setup({ token: secret, WebSocket: Throwing }).transport.connect(never)),
      await errorOf(setup({ token: secret, url: 'https://h.example/' }).transport.connect(never)),
    ];

    for (const error of errors) {
      expect(error.message).not.to.include(secret).and.not.to.include('tenant');
      expect(String(error.cause)).not.to.include(secret);
    }
    expect(errors.map(({ code }) => code)).to.deep.equal(['disconnected', 'bad-url', 'bad-url']);
  });

  it('is tried again when the page has no token now', async () => {
    const { transport } = setup({ token: () => Promise.reject(new Error('signed out')) });

    expect((await errorOf(transport.connect(never))).code).to.equal('disconnected');
  });
});
