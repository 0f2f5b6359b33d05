import { expect } from '@open-wc/testing';
import { Hub, toHostKey } from '../../src/client/hub.js';
import { DiskMirror } from '../helpers/disk-mirror.js';
import { ManualEnvironment } from '../helpers/manual-environment.js';
import { CHAT, SESSION, ScriptedHost } from '../helpers/scripted-host.js';

function setup() {
  const environment = new ManualEnvironment();
  const host = new ScriptedHost({ environment });
  const hub = new Hub(environment);
  let made = 0;
  const acquire = (key = 'host') =>
    hub.acquire(key, () => {
      made++;
      return { transport: host.transport, mirror: new DiskMirror() };
    });
  return { environment, host, acquire, countMade: () => made };
}

describe('the hub', () => {
  it('gives everybody the same client of a host, and the same store and draft of a chat', async () => {
    const { environment, host, acquire, countMade } = setup();
    const [first, second] = [acquire(), acquire()];
    const [one, two] = [first.value.acquireChat(CHAT, { session: SESSION }), second.value.acquireChat(CHAT)];
    await environment.advanceAsync(0);

    expect(countMade()).to.equal(1);
    expect(one.value.store).to.equal(two.value.store);
    expect(one.value.draft).to.equal(two.value.draft);
    expect(host.links).to.equal(1);
    expect(host.sent('subscribe').filter(({ channel }) => channel === CHAT)).to.have.length(1);
  });

  it('keeps accounts and hosts apart', () => {
    const { acquire, countMade } = setup();

    acquire('a');
    acquire('b');

    expect(countMade()).to.equal(2);
  });

  it('closes the socket when the last one has left', async () => {
    const { environment, host, acquire } = setup();
    const [first, second] = [acquire(), acquire()];
    const [one, two] = [first.value.acquireChat(CHAT), second.value.acquireChat(CHAT)];
    await environment.advanceAsync(0);

    one.release();
    first.release();
    await environment.advanceAsync(1_000);
    expect(host.links).to.equal(1);
    two.release();
    second.release();
    second.release();
    await environment.advanceAsync(0);

    expect(host.links).to.equal(0);
    expect(environment.listeners).to.equal(0);
  });

  it('keeps everything alive over a move within the document', async () => {
    const { environment, host, acquire } = setup();
    const before = acquire();
    const chat = before.value.acquireChat(CHAT);
    await environment.advanceAsync(0);
    chat.value.draft.change({ text: 'typed', origin: { kind: 'user' } });

    chat.release();
    before.release();
    const after = acquire();
    const again = after.value.acquireChat(CHAT);
    await environment.advanceAsync(0);

    expect(again.value).to.equal(chat.value);
    expect(again.value.draft.message.text).to.equal('typed');
    expect(host.sent('initialize')).to.have.length(1);
    expect(host.links).to.equal(1);
  });

  it('ends a chat nobody shows any more, and subscribes again when somebody does', async () => {
    const { environment, host, acquire } = setup();
    const client = acquire().value;
    const first = client.acquireChat(CHAT);
    await environment.advanceAsync(0);
    first.release();
    await environment.advanceAsync(0);
    expect(host.sent('unsubscribe')).to.deep.include({ channel: CHAT });

    const second = client.acquireChat(CHAT);
    await environment.advanceAsync(0);

    expect(second.value).not.to.equal(first.value);
    expect(second.value.store.status.phase).to.equal('live');
  });

  it('keeps the draft of one chat while another one sends', async () => {
    const { environment, host, acquire } = setup();
    const other = 'ahp-chat:/two';
    host.host.createChat(SESSION, { resource: other });
    const client = acquire().value;
    const [a, b] = [client.acquireChat(CHAT).value, client.acquireChat(other).value];
    await environment.advanceAsync(0);
    host.hold();
    a.draft.change({ text: 'in a', origin: { kind: 'user' } });
    a.store.dispatch(...a.draft.takeForSend(a.store.state));
    b.draft.change({ text: 'in b', origin: { kind: 'user' } });
    host.release();
    await environment.advanceAsync(1_000);

    expect(a.draft.message.text).to.equal('');
    expect(b.draft.message.text).to.equal('in b');
    expect(host.chat.activeTurn!.message.text).to.equal('in a');
  });
});

describe('the key of a host', () => {
  const cases: readonly [src: string, options: Parameters<typeof toHostKey>[1], expected: string][] = [
    ['wss://h.example/ahp?token=secret#x', {}, 'wss://h.example/ahp'],
    ['wss://h.example/ahp', { storageKey: 'work' }, 'wss://h.example/ahp work'],
    ['/ahp?x=1', { base: 'https://page.example/chat/' }, 'https://page.example/ahp'],
    ['nonsense?token=secret', {}, 'nonsense'],
  ];
  for (const [src, options, expected] of cases) {
    it(`of ${src} is ${expected}`, () => {
      expect(toHostKey(src, options)).to.equal(expected);
    });
  }
});
