/** Names that objects have by themselves, where hosts and other clients choose names: nothing of the page's changes. */

import { expect, fixture, html } from '@open-wc/testing';
import type { AhpChat } from '../../src/element/ahp-chat.js';
import { inputCompleted, toolCallApproved } from '../../src/chat/actions.js';
import { fixtureOf, transcriptOf, turnsOf } from '../helpers/chat-element.js';
import { CHAT as PAGE_CHAT, PageHost } from '../helpers/page-host.js';
import { openScreen } from '../helpers/screen.js';
import { SESSION, testAgent, userMessage } from '../helpers/scripted-host.js';
import { waitUntil } from '../helpers/until.js';
import { findAll, textOf } from '../helpers/views.js';

const names = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__'];

/** As it comes off the wire: `__proto__` is a member like any other. */
const poison = (): Record<string, unknown> =>
  JSON.parse('{"__proto__":{"polluted":"yes"},"constructor":{"prototype":{"polluted":"yes"}}}') as Record<
    string,
    unknown
  >;

const drafts = (): unknown => JSON.parse('{"__proto__":{"state":"draft","value":{"kind":"text","value":"x"}}}');

const builtIns = [Object.prototype, Array.prototype, String.prototype, Function.prototype, Map.prototype];
const own = () => builtIns.map((one) => Reflect.ownKeys(one).length);
let before: readonly number[];

beforeEach(() => (before = own()));
afterEach(() => {
  expect(own()).to.deep.equal(before);
  expect('polluted' in {}).to.equal(false);
  expect(Object.getPrototypeOf({})).to.equal(Object.prototype);
});

for (const name of names)
  describe(`a host that calls things ${name}`, () => {
    it('has a whole turn with them: text, a call, a question, a queue', async () => {
      const screen = await openScreen();
      screen.tab.store.dispatch({
        type: 'chat/turnStarted',
        turnId: name,
        startedAt: '2026-01-01T00:00:00.000Z',
        message: userMessage('hello', { _meta: poison(), model: { id: name, config: poison() as never } }),
      });
      await screen.pass();
      const call = { turnId: name, toolCallId: name };
      await screen.act(
        { type: 'chat/responsePart', part: { kind: 'markdown', id: `${name}`, content: 'one ', _meta: poison() } },
        { type: 'chat/delta', partId: name, content: 'two' },
        { type: 'chat/toolCallStart', ...call, toolName: name, displayName: name, _meta: poison() },
        {
          type: 'chat/toolCallReady',
          ...call,
          invocationMessage: 'Run it',
          toolInput: name,
          options: [{ id: name, label: name, kind: 'approve' }],
        },
      );
      screen.tab.store.dispatch(toolCallApproved(call, { selectedOptionId: name }));
      await screen.pass();
      await screen.act(
        {
          type: 'chat/toolCallComplete',
          ...call,
          result: { success: true, pastTenseMessage: 'Ran it', structuredContent: poison() },
        },
        {
          type: 'chat/inputRequested',
          request: {
            id: name,
            message: 'Sure?',
            questions: [{ id: name, kind: 'text', message: 'Why?' }],
            answers: drafts(),
          },
        },
        {
          type: 'chat/inputAnswerChanged',
          requestId: name,
          questionId: name,
          answer: { state: 'draft', value: { kind: 'text', value: 'so' } },
        },
      );
      expect(screen.text).to.contain('one two').and.contain('Ran it').and.contain('Why?');
      screen.tab.send('and then', {});
      await screen.pass();

      const given = JSON.parse(`{"${name}":{"state":"submitted","value":{"kind":"text","value":"so"}}}`) as object;
      screen.tab.store.dispatch(inputCompleted(name, 'accept', given as never));
      await screen.pass();
      await screen.act({ type: 'chat/turnComplete', turnId: name, duration: 1, _meta: poison() });

      expect(screen.tab.state).to.deep.equal(screen.host.chat);
      const [turn] = screen.host.chat.turns;
      expect(turn!.id).to.equal(name);
      const request = turn!.responseParts.find((part) => part.kind === 'inputRequest')!.request;
      expect(Object.entries(request.answers!).filter(([id]) => id === name)).to.have.length(1);
      expect(screen.host.chat.activeTurn!.message.text).to.equal('and then');
      expect(screen.strip).to.equal('');
    });
  });

describe('a host whose models, settings and agents have such names', () => {
  it('offers them, takes a choice of one, and keeps the settings of its session', async () => {
    const models = names.map((id) => ({
      id,
      provider: 'test',
      name: id,
      configSchema: { properties: poison() as never },
    }));
    const screen = await openScreen({ agents: [{ ...testAgent, models }] });
    screen.host.dispatch({ type: 'session/configChanged', config: poison(), replace: true } as never, SESSION);
    await screen.pass();

    const [select] = findAll<HTMLSelectElement>(screen.composer, 'select');
    expect([...select!.options].map(textOf)).to.include.members(names);
    select!.value = [...select!.options].find((option) => textOf(option) === '__proto__')!.value;
    select!.dispatchEvent(new Event('change', { bubbles: true }));
    await screen.say('go');

    expect(screen.host.chat.activeTurn!.message.model?.id).to.equal('__proto__');
  });
});

describe('what is kept on disk under such names', () => {
  it('is there again, and nothing else is', async () => {
    const host = new PageHost({
      turns: names.map((id) => ({
        id,
        message: userMessage(`question ${id}`, { _meta: poison() }),
        responseParts: [{ kind: 'markdown', id, content: `answer ${id}` }],
        state: 'complete',
      })),
    });
    const chat = await fixtureOf(host);
    await waitUntil(() => turnsOf(chat).length === names.length, 'all is shown');
    // A turn that ends is written at once.
    chat.send(userMessage('last'));
    await waitUntil(() => host.chat.turns.length === names.length + 1 && chat.status?.pending === 0, 'all is written');
    await new Promise((resolve) => setTimeout(resolve, 700));
    chat.remove();
    await waitUntil(() => host.links === 0, 'the link is closed');
    host.isReachable = false;

    const again = document.createElement('ahp-chat');
    Object.assign(again, { transport: host.transport, storageKey: host.key, chat: PAGE_CHAT });
    await fixture<AhpChat>(html`${again}`);
    await waitUntil(() => (again.state?.turns.length ?? 0) >= names.length, 'the disk is read');

    expect(again.state!.turns.map(({ id }) => id).slice(0, names.length)).to.deep.equal(names);
    await waitUntil(
      () => textOf(transcriptOf(again)).includes('answer __proto__') || turnsOf(again).length > 0,
      'it is shown',
    );
    const { _meta } = again.state!.turns[0]!.message;
    expect(Object.keys(_meta!)).to.deep.equal(['__proto__', 'constructor']);
  });
});
