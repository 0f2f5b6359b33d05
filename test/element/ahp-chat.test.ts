import { expect, fixture, html } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import { MemoryChatStore } from '../../src/chat/memory-store.js';
import type { ChatState, ToolCallPendingConfirmation, ToolCallState } from '../../src/protocol/state.js';
import { Status } from '../../src/protocol/state.js';
import { AhpQueueEditEvent, AhpQueueMoveEvent, AhpQueueRemoveEvent } from '../../src/views/events.js';
import type { AhpChat } from '../../src/element/ahp-chat.js';
import { loadInputRequest } from '../../src/views/parts/lazy.js';
import { environment } from '../../src/element/host-controller.js';
import {
  comeToRest,
  composerOf,
  fieldOf,
  fixtureWith,
  transcriptOf,
  turnsOf,
  writtenIn,
} from '../helpers/chat-element.js';
import { busyChat, calls, chat, message, turn } from '../helpers/chat-states.js';
import { waitUntil } from '../helpers/until.js';
import { click, collect, deepFocus, expectAccessible, find, findButton, press, type } from '../helpers/views.js';

// What is on its way has tests of its own.
await loadInputRequest();

const pendingCall: ToolCallPendingConfirmation = {
  status: 'pending-confirmation',
  toolCallId: 'call',
  toolName: 'run',
  displayName: 'Run command',
  invocationMessage: 'Run ls',
  toolInput: 'ls',
};

const waiting = (): ChatState =>
  busyChat([{ kind: 'toolCall', toolCall: pendingCall }], { status: Status.InputNeeded });
const asking = (): ChatState =>
  busyChat([{ kind: 'inputRequest', request: { id: 'question', message: 'Which one?' } }], {
    status: Status.InputNeeded,
  });

const kinds = (store: MemoryChatStore) => store.dispatched.flat().map((action) => action.type);

describe('<ahp-chat>', () => {
  it('scrolls as a whole where it is too low for all of it, and keeps a piece of the transcript', async () => {
    const queuedMessages = ['one', 'two', 'three'].map((id) => ({ id, message: message(id) }));
    const element = await fixtureWith(new MemoryChatStore(chat({ queuedMessages })));
    expect(element.scrollHeight).to.equal(element.clientHeight);

    element.style.blockSize = '160px';

    expect(transcriptOf(element).clientHeight).to.equal(120);
    expect(element.scrollHeight).to.be.greaterThan(element.clientHeight);
    composerOf(element)!.scrollIntoView({ block: 'end' });
    expect(element.scrollTop).to.be.greaterThan(0);
  });

  describe('intents', () => {
    const cases: readonly {
      readonly name: 'ahp-send' | 'ahp-stop' | 'ahp-tool-confirm' | 'ahp-input-complete';
      readonly state: () => ChatState;
      readonly act: (chat: AhpChat) => Promise<void>;
      readonly leadsTo: readonly string[];
    }[] = [
      {
        name: 'ahp-send',
        state: () => chat(),
        act: async (element) => {
          element.focus();
          await type('hello');
          await press('Enter');
        },
        leadsTo: ['chat/turnStarted', 'chat/draftChanged'],
      },
      {
        name: 'ahp-stop',
        state: () => busyChat(),
        act: async (element) => click(find(composerOf(element)!, '[part~=stop]')),
        leadsTo: ['chat/turnCancelled'],
      },
      {
        name: 'ahp-tool-confirm',
        state: waiting,
        act: async (element) => click(findButton(transcriptOf(element), /allow|approve/i)),
        leadsTo: ['chat/toolCallConfirmed'],
      },
      {
        name: 'ahp-input-complete',
        state: asking,
        act: async (element) => click(findButton(transcriptOf(element), /decline/i)),
        leadsTo: ['chat/inputCompleted'],
      },
    ];

    for (const { name, state, act, leadsTo } of cases) {
      it(`carries ${name} out`, async () => {
        const store = new MemoryChatStore(state());
        const element = await fixtureWith(store);

        await act(element);

        expect(kinds(store)).to.deep.equal(leadsTo);
      });

      it(`lets the page prevent ${name}, and then nothing reaches the store`, async () => {
        const store = new MemoryChatStore(state());
        const element = await fixtureWith(store);
        const seen = collect(element, name);
        element.addEventListener(name, (event) => event.preventDefault());

        await act(element);

        expect(seen).to.have.length(1);
        expect(kinds(store)).to.deep.equal([]);
      });
    }

    const inside = {
      'ahp-queue-remove': () => new AhpQueueRemoveEvent('queued', 'q'),
      'ahp-queue-edit': () => new AhpQueueEditEvent('queued', 'q', message('other')),
      'ahp-queue-move': () => new AhpQueueMoveEvent(['r', 'q']),
    };
    for (const [name, create] of Object.entries(inside))
      it(`carries ${name} out, and keeps it inside`, async () => {
        const queuedMessages = ['q', 'r'].map((id) => ({ id, message: message(id) }));
        const store = new MemoryChatStore(busyChat([], { queuedMessages }));
        const element = await fixtureWith(store);
        const seen: Event[] = [];
        element.addEventListener(name, (event) => seen.push(event));

        composerOf(element)!.dispatchEvent(create());

        expect(kinds(store)).to.deep.equal([
          { 'ahp-queue-remove': 'chat/pendingMessageRemoved', 'ahp-queue-edit': 'chat/pendingMessageSet' }[name] ??
            'chat/queuedMessagesReordered',
        ]);
        expect(seen).to.be.empty;
      });

    it('lets the page prevent steering, and then nothing reaches the store and the text stays', async () => {
      const store = new MemoryChatStore(busyChat());
      const element = await fixtureWith(store);
      const seen = collect(element, 'ahp-send');
      element.addEventListener('ahp-send', (event) => event.preventDefault());
      element.focus();
      await type('left');

      await sendKeys({ down: 'Control' });
      await press('Enter');
      await sendKeys({ up: 'Control' });

      expect(seen.map(({ delivery }) => delivery)).to.deep.equal(['steering']);
      expect(kinds(store)).to.deep.equal([]);
      expect(writtenIn(element)).to.equal('left');
    });

    it('steers, and says so', async () => {
      const store = new MemoryChatStore(busyChat());
      const element = await fixtureWith(store);
      element.focus();
      await type('left');

      await click(findButton(composerOf(element)!, 'Send into this turn'));
      await comeToRest(element);

      expect(store.state?.steeringMessage?.message.text).to.equal('left');
      expect(find(find(element, 'ahp-announcer'), '[aria-live=polite]').textContent).to.contain(
        'into the running turn',
      );
    });

    it('gives a change back that comes after the message has gone, and says so', async () => {
      const store = new MemoryChatStore(busyChat());
      const element = await fixtureWith(store);

      composerOf(element)!.dispatchEvent(new AhpQueueEditEvent('queued', 'gone', message('better')));
      await comeToRest(element);

      expect(kinds(store)).to.deep.equal([]);
      expect(writtenIn(element)).to.equal('better');
      expect(composerOf(element)!.shadowRoot!.textContent).to.contain('took this message before your change');
    });

    it('stops with the time since the turn was first seen here, whatever clocks on walls say', async () => {
      const real = environment.monotonic;
      let now = 5_000;
      Object.assign(environment, { monotonic: () => now });
      try {
        const store = new MemoryChatStore(busyChat());
        const element = await fixtureWith(store);
        now += 1_234.4;

        element.stop();

        const [stop] = store.dispatched.flat();
        expect(stop).to.deep.include({ type: 'chat/turnCancelled', turnId: 'a', duration: 1_234 });
      } finally {
        Object.assign(environment, { monotonic: real });
      }
    });

    it('gives up a call that waits for a token as failed and cancelled', async () => {
      const call: ToolCallState = { ...calls['auth-required'], toolCallId: 'call' };
      const state = busyChat([{ kind: 'toolCall', toolCall: call }], { status: Status.InputNeeded });
      const store = new MemoryChatStore(state);
      const element = await fixtureWith(store);

      await click(findButton(transcriptOf(element), 'Cancel this call'));

      const [end] = store.dispatched.flat();
      expect(end).to.include({ type: 'chat/toolCallComplete', toolCallId: 'call' });
      expect(end).to.have.nested.property('result.success', false);
      expect(end).to.have.nested.property('result.error.code', 'cancelled');
    });

    it('leaves a link that does not navigate to the page, which may prevent it; the store hears nothing of either', async () => {
      const text = '[open it](file:///src/app.ts)';
      const responseParts = [{ kind: 'markdown', id: 'm', content: text }] as const;
      const store = new MemoryChatStore(chat({ turns: [turn('a', { responseParts })] }));
      const element = await fixtureWith(store);
      const seen = collect(element, 'ahp-open-resource');
      const findLink = () => transcriptOf(element).renderRoot.querySelector('[role=link]');
      await waitUntil(findLink, 'the link is there');
      const link = findLink()!;
      const { href } = location;

      await click(link);
      element.addEventListener('ahp-open-resource', (event) => event.preventDefault());
      await click(link);

      expect(seen.map(({ uri, defaultPrevented }) => [uri, defaultPrevented])).to.deep.equal([
        ['file:///src/app.ts', false],
        ['file:///src/app.ts', true],
      ]);
      expect(kinds(store)).to.be.empty;
      expect(location.href).to.equal(href);
    });

    it('tells the page once of each intent, from itself', async () => {
      const element = await fixtureWith(new MemoryChatStore(chat()));
      const targets: (EventTarget | null)[] = [];
      document.addEventListener('ahp-send', (event) => targets.push(event.composedPath()[0] ?? null), { once: true });

      element.focus();
      await type('hello');
      await press('Enter');

      expect(targets).to.deep.equal([element]);
    });

    it('keeps the text in the composer when the page prevents the send', async () => {
      const element = await fixtureWith(new MemoryChatStore(chat()));
      element.addEventListener('ahp-send', (event) => event.preventDefault());

      element.focus();
      await type('hello');
      await press('Enter');

      expect(writtenIn(element)).to.equal('hello');
    });

    it('queues what is sent while a turn runs', async () => {
      const store = new MemoryChatStore(busyChat());
      const element = await fixtureWith(store);

      element.focus();
      await type('next');
      await press('Enter');

      expect(store.state?.queuedMessages?.map((entry) => entry.message.text)).to.deep.equal(['next']);
      expect(writtenIn(element)).to.equal('');
    });

    it('sends what the page hands to send() and leaves the draft alone', async () => {
      const store = new MemoryChatStore(chat());
      const element = await fixtureWith(store);
      element.focus();
      await type('half a thought');

      const wasTaken = element.send(message('from the page'));

      expect(wasTaken).to.equal(true);
      expect(store.state?.activeTurn?.message.text).to.equal('from the page');
      expect(writtenIn(element)).to.equal('half a thought');
    });

    it('has nothing to send before there is a chat, and says so', async () => {
      const element = await fixtureWith(new MemoryChatStore());

      expect(element.send(message('too early'))).to.equal(false);
    });
  });

  describe('facts', () => {
    it('tells of turns that start and end, and not of those that were there', async () => {
      const store = new MemoryChatStore(chat({ turns: [turn('old')] }));
      const element = await fixtureWith(store);
      const started = collect(element, 'ahp-turn-start');
      const ended = collect(element, 'ahp-turn-end');

      store.apply({ type: 'chat/turnStarted', turnId: 'new', startedAt: '', message: message('go') });
      await waitUntil(() => started.length > 0);
      store.apply({ type: 'chat/turnComplete', turnId: 'new', duration: 1 });
      await waitUntil(() => ended.length > 0);

      expect(started.map((event) => event.turnId)).to.deep.equal(['new']);
      expect(ended.map((event) => [event.turnId, event.state])).to.deep.equal([['new', 'complete']]);
    });

    it('tells of a new status', async () => {
      const store = new MemoryChatStore(chat());
      const element = await fixtureWith(store);

      const told = collect(element, 'ahp-status-change');

      store.setStatus({ phase: 'offline' });
      await waitUntil(() => told.length > 0);

      expect(told.map((event) => event.status.phase)).to.deep.equal(['offline']);
      expect(element.matches(':state(offline)')).to.equal(true);
    });

    it('gives a refused text back above what was written meanwhile, with the reason', async () => {
      const store = new MemoryChatStore(chat());
      const element = await fixtureWith(store);
      element.focus();
      await type('first');
      await press('Enter');
      const [sent] = store.dispatched;
      await type('second');

      store.reject(sent!, 'no active turn');
      await comeToRest(element);

      expect(writtenIn(element)).to.equal('first\n\nsecond');
      expect(composerOf(element)!.shadowRoot!.textContent).to.contain('no active turn');
    });

    it('shows by its states what a page may style', async () => {
      const store = new MemoryChatStore(waiting());
      const element = await fixtureWith(store);

      expect(element.matches(':state(busy)')).to.equal(true);
      expect(element.matches(':state(input-needed)')).to.equal(true);
    });
  });

  describe('on a page', () => {
    it('shows one store after another, and keeps their texts apart', async () => {
      const first = new MemoryChatStore(chat({ turns: [turn('a')] }));
      const element = await fixtureWith(first);
      element.focus();
      await type('for the first');

      element.store = new MemoryChatStore(chat({ resource: 'ahp-chat:/two', turns: [turn('b'), turn('c')] }));
      await comeToRest(element);

      expect(turnsOf(element)).to.have.length(2);
      expect(writtenIn(element)).to.equal('');
    });

    it('has no composer in a read-only chat, nor where the page wants none', async () => {
      const readOnly = await fixtureWith(new MemoryChatStore(chat({ interactivity: 'read-only' })));
      const without = await fixtureWith(new MemoryChatStore(chat()));
      without.withoutComposer = true;
      await without.updateComplete;

      expect(composerOf(readOnly)).to.equal(null);
      expect(composerOf(without)).to.equal(null);
    });

    it('works inside a closed shadow root', async () => {
      const host = await fixture<HTMLElement>(html`<div></div>`);
      const root = host.attachShadow({ mode: 'closed' });
      const element = document.createElement('ahp-chat');
      const store = new MemoryChatStore(chat());
      element.store = store;
      root.append(element);
      await comeToRest(element);

      element.focus();
      await type('inside');
      await press('Enter');

      expect(store.state?.activeTurn?.message.text).to.equal('inside');
    });

    it('never submits or resets a form around it', async () => {
      const form = await fixture<HTMLFormElement>(html`<form><ahp-chat></ahp-chat></form>`);
      const element = form.querySelector('ahp-chat')!;
      element.store = new MemoryChatStore(chat());
      await comeToRest(element);
      let submits = 0;
      form.addEventListener('submit', (event) => {
        event.preventDefault();
        submits += 1;
      });

      element.focus();
      await type('text');
      await press('Enter');
      form.reset();
      await type('draft');

      expect(submits).to.equal(0);
      expect(writtenIn(element)).to.equal('draft');
    });

    it('leaves the focus where the person has put it while things arrive', async () => {
      const store = new MemoryChatStore(busyChat());
      const element = await fixtureWith(store);
      element.focus();
      await type('hel');

      store.setState(waiting());
      await comeToRest(element);
      await type('lo');

      expect(deepFocus()).to.equal(fieldOf(element));
      expect(writtenIn(element)).to.equal('hello');
      expect(kinds(store)).to.deep.equal([]);
    });

    it('follows the colour scheme of the page around it', async () => {
      const element = await fixtureWith(new MemoryChatStore(chat()));
      element.style.colorScheme = 'dark';
      const dark = getComputedStyle(element).backgroundColor;
      element.style.colorScheme = 'light';
      const light = getComputedStyle(element).backgroundColor;

      expect(dark).to.equal('rgb(26, 28, 32)');
      expect(light).to.equal('rgb(255, 255, 255)');
    });

    it('yields to what the page says about it', async () => {
      const sheet = document.createElement('style');
      sheet.textContent = 'ahp-chat { background: rgb(1, 2, 3); --ahp-color-text: rgb(4, 5, 6); }';
      document.head.append(sheet);

      const element = await fixtureWith(new MemoryChatStore(chat()));

      expect(getComputedStyle(element).backgroundColor).to.equal('rgb(1, 2, 3)');
      expect(getComputedStyle(fieldOf(element)).color).to.equal('rgb(4, 5, 6)');
      sheet.remove();
    });

    it('is found by an outer style through its parts', async () => {
      const sheet = document.createElement('style');
      sheet.textContent = 'ahp-chat::part(textarea) { color: rgb(7, 8, 9); }';
      document.head.append(sheet);

      const element = await fixtureWith(new MemoryChatStore(chat()));

      expect(getComputedStyle(fieldOf(element)).color).to.equal('rgb(7, 8, 9)');
      sheet.remove();
    });

    for (const dir of ['ltr', 'rtl'] as const) {
      it(`is accessible with turns, a question and a composer (${dir})`, async () => {
        const store = new MemoryChatStore({ ...waiting(), turns: [turn('a')] });
        const element = await fixtureWith(store);
        element.dir = dir;

        await expectAccessible(element);
      });
    }
  });
});
