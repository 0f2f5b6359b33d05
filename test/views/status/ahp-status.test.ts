import { expect, fixture, html } from '@open-wc/testing';
import type { ChatStoreStatus, UnconfirmedIntent } from '../../../src/chat/store.js';
import { AhpError } from '../../../src/protocol/errors.js';
import '../../../src/views/status/ahp-status.js';
import type { AhpStatus } from '../../../src/views/status/ahp-status.js';
import { ManualClock } from '../../helpers/manual-environment.js';
import { userMessage } from '../../helpers/turns.js';
import {
  collect,
  deepFocus,
  expectAccessible,
  findAll,
  findButton,
  nameOf,
  press,
  textOf,
} from '../../helpers/views.js';

const live: ChatStoreStatus = { phase: 'live', pending: 0, unconfirmed: [] };
const rows = (status: AhpStatus) => findAll(status, '.row').map(textOf);

async function statusFixture(status: Partial<ChatStoreStatus>, clock = new ManualClock()) {
  const element = Object.assign(document.createElement('ahp-status'), { status: { ...live, ...status }, clock });
  await fixture(html`${element}`);
  return element;
}
async function patient(element: AhpStatus, clock: ManualClock) {
  clock.advance(600);
  await element.updateComplete;
}

describe('ahp-status', () => {
  it('is nothing while all is well', async () => {
    const element = await statusFixture({});

    expect(element.offsetHeight).to.equal(0);
    expect(rows(element)).to.be.empty;
  });

  it('says nothing about a connection that is back in a moment', async () => {
    const clock = new ManualClock();
    const element = await statusFixture({ phase: 'offline' }, clock);
    expect(rows(element)).to.be.empty;

    clock.advance(500);
    element.status = live;
    await element.updateComplete;
    clock.advance(5_000);
    await element.updateComplete;

    expect(rows(element)).to.be.empty;
    expect(clock.pendingTimers).to.equal(0);
  });

  it('says where somebody has to sign in, asks the page, and stops waiting', async () => {
    const requirement = {
      reason: 'required',
      resource: { resource: 'https://a.example', resource_name: 'Files\u202E' },
    };
    const element = await statusFixture({ signIns: [requirement] });
    const [requests, ends] = [collect(element, 'ahp-auth-request'), collect(element, 'ahp-auth-give-up')];

    expect(rows(element)).to.deep.equal(['Sign in to Files[U+202E] to go on Sign in Stop waiting']);
    await expectAccessible(element);
    findButton(element, 'Sign in').click();
    findButton(element, 'Stop waiting').click();

    expect(requests.map((event) => event.requirement)).to.deep.equal([requirement]);
    expect(ends.map(({ resource }) => resource)).to.deep.equal(['https://a.example']);
  });

  it('says that what is written is kept, and counts down to the next attempt', async () => {
    const clock = new ManualClock();
    const element = await statusFixture({ phase: 'offline', retryAt: clock.now() + 4_600 }, clock);
    const wished = collect(element, 'ahp-reconnect');
    await patient(element, clock);
    expect(rows(element)).to.deep.equal(['Offline – what you write is kept · Reconnecting in 4s Now']);

    clock.advance(1_000);
    await element.updateComplete;
    expect(rows(element)[0]).to.contain('in 3s');
    findButton(element, 'Now').click();
    expect(wished).to.have.length(1);

    clock.advance(3_000);
    await element.updateComplete;
    expect(rows(element)).to.deep.equal(['Offline – what you write is kept Now']);
  });

  it('does not say that what is written is kept where it is not', async () => {
    const clock = new ManualClock();
    const element = await statusFixture({ phase: 'offline', notKept: 'quota' }, clock);
    await patient(element, clock);

    expect(rows(element)).to.deep.equal(['Offline Now', 'Not kept on this device. The browser’s storage is full.']);
  });

  it('lets somebody try at once where the browser says that there is no network', async () => {
    const clock = new ManualClock();
    const element = await statusFixture({ phase: 'offline' }, clock);
    const wished = collect(element, 'ahp-reconnect');
    await patient(element, clock);

    findButton(element, 'Now').click();

    expect(wished).to.have.length(1);
  });

  const failures: readonly [AhpError, string][] = [
    [new AhpError('disconnected', 'the socket closed.'), 'Not connected: the socket closed. Try again'],
    [
      new AhpError('bad-url', 'no answer of wss://h/?tkn=s3cret'),
      'Not connected: no answer of wss://h/?tkn=… Try again',
    ],
    [new AhpError('gone', 'x'), 'The host no longer has this chat. What you see is the last known state. Try again'],
    [
      new AhpError('version-mismatch', 'x', {
        rpc: { code: -32005, message: '', data: { supportedVersions: ['>=2.0.0 <3.0.0', '\u202E'] } },
      }),
      'This page and the host speak no common version. Here: 1.0.0, 0.10.0, 0.9.0, 0.8.0, 0.7.0, 0.6.0. ' +
        'Host: >=2.0.0 <3.0.0, [U+202E]. Update one of them. Try again',
    ],
    [
      new AhpError('version-mismatch', 'x'),
      'This page and the host speak no common version. Here: 1.0.0, 0.10.0, 0.9.0, 0.8.0, 0.7.0, 0.6.0. ' +
        'Host: ?. Update one of them. Try again',
    ],
  ];
  for (const [error, text] of failures)
    it(`says what failed at once: ${error.code}`, async () => {
      const element = await statusFixture({ phase: 'failed', error });

      expect(rows(element)).to.deep.equal([text]);
    });

  for (const notKept of [
    'no-chat',
    'memory',
    'no-storage',
    'storage-failed',
    'quota',
    'newer-version',
    'blocked',
    'cleared',
  ] as const)
    it(`says why nothing is kept: ${notKept}`, async () => {
      const element = await statusFixture({ notKept });

      expect(rows(element)[0]).to.match(/^Not kept on this device\. \S+/);
    });

  describe('intents without proof', () => {
    const started = {
      type: 'chat/turnStarted',
      turnId: 't',
      startedAt: '',
      message: userMessage('Rename\nit'),
    } as const;
    const cases: readonly [UnconfirmedIntent['actions'], string][] = [
      [[started], 'Message not confirmed: “Rename it” Copy Discard'],
      [[{ type: 'chat/truncated', turnId: 'x' }, started], 'Message not confirmed: “Rename it” Copy Discard'],
      [
        [{ type: 'chat/pendingMessageSet', kind: 'queued', id: 'p', message: userMessage('Later') }],
        'Queued message not confirmed: “Later” Copy Discard',
      ],
      [
        [{ type: 'chat/toolCallConfirmed', turnId: 't', toolCallId: 'c', approved: true, confirmed: 'user-action' }],
        'Your answer is not confirmed. Discard',
      ],
      [[{ type: 'chat/inputCompleted', requestId: 'r', response: 'decline' }], 'Your answer is not confirmed. Discard'],
      [[{ type: 'chat/turnCancelled', turnId: 't' }], 'Your Stop is not confirmed. Discard'],
      [[{ type: 'chat/isReadChanged', isRead: true }], 'A change of yours is not confirmed. Discard'],
      [[], 'A change of yours is not confirmed. Discard'],
    ];
    for (const [actions, text] of cases)
      it(`are told by what they were: ${actions.map(({ type }) => type).join(', ') || 'nothing'}`, async () => {
        const element = await statusFixture({ unconfirmed: [{ id: '1', canRetry: false, actions }] });

        expect(rows(element)).to.deep.equal([text]);
      });

    it('can be sent again, copied and discarded', async () => {
      const element = await statusFixture({ unconfirmed: [{ id: '1', canRetry: true, actions: [started] }] });
      const copied: string[] = [];
      const { clipboard } = navigator;
      Object.defineProperty(navigator, 'clipboard', {
        configurable: true,
        value: { writeText: async (text: string) => void copied.push(text) },
      });
      const retried = collect(element, 'ahp-retry');
      const discarded = collect(element, 'ahp-discard');
      try {
        findButton(element, 'Retry').click();
        findButton(element, 'Copy').click();
        findButton(element, 'Discard').click();
        await Promise.resolve();
        await element.updateComplete;
      } finally {
        Object.defineProperty(navigator, 'clipboard', { configurable: true, value: clipboard });
      }

      expect(copied).to.deep.equal(['Rename\nit']);
      expect([...retried, ...discarded].map(({ id }) => id)).to.deep.equal(['1', '1']);
    });

    it('scroll in themselves when there are many', async () => {
      const unconfirmed = Array.from({ length: 30 }, (_, i) => ({ id: `${i}`, canRetry: true, actions: [started] }));
      const element = await statusFixture({ unconfirmed });

      expect(element.offsetHeight).to.be.below(140);
    });
  });

  it('ends its timers when it goes, and takes them up when it comes back', async () => {
    const clock = new ManualClock();
    const element = await statusFixture({ phase: 'offline', retryAt: clock.now() + 60_000 }, clock);
    await patient(element, clock);
    const parent = element.parentElement!;

    element.remove();
    expect(clock.pendingTimers).to.equal(0);

    parent.append(element);
    await element.updateComplete;
    expect(clock.pendingTimers).to.equal(1);
  });

  it('is accessible, works with the keyboard, and stands mirrored in a right-to-left page', async () => {
    const clock = new ManualClock();
    const element = await statusFixture(
      {
        phase: 'offline',
        retryAt: clock.now() + 9_000,
        notKept: 'quota',
        unconfirmed: [{ id: '1', canRetry: true, actions: [{ type: 'chat/turnCancelled', turnId: 't' }] }],
      },
      clock,
    );
    element.dir = 'rtl';
    await patient(element, clock);
    await expect(element).to.be.accessible();

    findButton(element, 'Now').focus();
    await press('Tab');
    expect(nameOf(deepFocus()!)).to.equal('Retry');
    const box = element.getBoundingClientRect();
    expect(findButton(element, 'Now').getBoundingClientRect().left - box.left).to.be.below(40);
  });
});
