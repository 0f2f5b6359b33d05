/** What goes out over a whole life of a client, and what a host may answer beyond what was asked. */

import { expect } from '@open-wc/testing';
import { turnCancelled } from '../../src/chat/actions.js';
import type { AhpTransport } from '../../src/protocol/link.js';
import { Browser } from '../helpers/browser.js';
import { settle } from '../helpers/manual-environment.js';
import { CHAT, SESSION, createTurns } from '../helpers/scripted-host.js';

const ROOT = 'ahp-root://';
/** What is said to the host itself and to no channel. */
const ofConnection = [
  'initialize',
  'reconnect',
  'ping',
  'authenticate',
  'listSessions',
  'resourceRead',
  'resourceRequest',
];

describe('every message of a client', () => {
  it('names its channel, and the root where it is about the connection', async () => {
    const browser = new Browser({
      turns: createTurns(80),
      hooks: {
        authenticate: () => undefined,
        resourceRead: () => ({ data: 'x', encoding: 'utf-8' as const }),
        resourceRequest: () => ({}),
        completions: () => ({ items: [] }),
      },
    });
    const tab = browser.openTab();
    tab.client.client.advertise(['r']);
    await tab.client.client.authenticate('r', 'secret');
    tab.show(CHAT, {});
    await browser.advance(0);
    const services = tab.store.services!;
    void tab.store.loadOlderTurns();
    void services.readResource!({ uri: 'file:///a' });
    void services.requestResource!({ uri: 'file:///a', read: true });
    void services.complete!('@', 1);
    const worker = services.openChat!(browser.host.host.createChat(SESSION, {}));
    await browser.advance(0);
    worker.close();
    tab.store.dispatch(turnCancelled(tab.send('go'), 1));
    await browser.advance(60_000);
    browser.host.drop();
    await browser.advance(1_000);

    const { received } = browser.host;
    const methods = new Set(received.flatMap(({ method }) => method ?? []));
    expect([...methods]).to.include.members([...ofConnection, 'subscribe', 'unsubscribe', 'dispatchAction']);
    expect([...methods]).to.include.members(['fetchTurns', 'completions']);
    for (const { method, params } of received) {
      if (method === undefined) continue;
      if (ofConnection.includes(method)) expect(params?.channel, method).to.equal(ROOT);
      else expect(params?.channel, method).to.be.a('string').and.match(/^ahp-/);
    }
  });

  it('begins with initialize on the first connection, whatever is asked meanwhile', async () => {
    const browser = new Browser();
    const tab = browser.openTab();
    tab.show();
    const early = tab.client.client.request('listSessions', { channel: ROOT }).catch(() => undefined);
    tab.send('written before there was a connection');
    await browser.advance(0);
    await early;

    expect(browser.host.received[0]!.method).to.equal('initialize');
    expect(browser.host.dispatched('chat/turnStarted')).to.have.length(1);
  });
});

describe('a snapshot that holds more than was asked for', () => {
  /** As a host that knows no views: every turn comes. */
  const withoutViews = (browser: Browser): AhpTransport => ({
    isLocal: true,
    connect: async (signal) => {
      const link = await browser.transport.connect(signal);
      const send = link.send.bind(link);
      link.send = (text) => {
        const frame = JSON.parse(text) as { method?: string; params?: { view?: unknown } };
        if (frame.method === 'subscribe') delete frame.params?.view;
        send(JSON.stringify(frame));
      };
      return link;
    },
  });

  it('is taken whole, and nothing older is offered', async () => {
    const browser = new Browser({ turns: createTurns(120) });
    const tab = await browser.openChat(undefined, { transport: withoutViews(browser) });

    await tab.store.loadOlderTurns();
    browser.host.say('more');
    await browser.advance(50);

    expect(tab.store.status.phase).to.equal('live');
    expect(tab.state.turns).to.have.length(121);
    expect(tab.state.turnsNextCursor).to.equal(undefined);
    expect(browser.host.sent('fetchTurns')).to.have.length(0);
  });

  it('is taken whole after a reconnect, too', async () => {
    const browser = new Browser({ turns: createTurns(120) });
    const tab = await browser.openChat(undefined, { transport: withoutViews(browser) });
    browser.host.onReconnect = 'snapshot';

    browser.host.drop();
    await browser.advance(1_000);
    await settle();

    expect(tab.state.turns.map(({ id }) => id)).to.deep.equal(createTurns(120).map(({ id }) => id));
  });
});
