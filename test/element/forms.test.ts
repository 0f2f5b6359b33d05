/** Forms in the whole element, with the real host core over a link and the browser's own storage. */

import { expect } from '@open-wc/testing';
import type { AhpChat } from '../../src/element/ahp-chat.js';
import type { TurnHandle } from '../../src/host/turn-handle.js';
import type { ChatInputRequest, InputAnswer, InputRequestPart } from '../../src/protocol/state.js';
import { loadAnswerMode, loadInputRequest } from '../../src/views/parts/lazy.js';
import {
  comeToRest,
  composerOf,
  fieldOf,
  fixtureOf,
  transcriptOf,
  untilLive,
  untilQuiet,
  writtenIn,
} from '../helpers/chat-element.js';
import { CHAT, PageHost } from '../helpers/page-host.js';
import { waitUntil } from '../helpers/until.js';
import { collect, deepFocus, find, findAll, findButton, nameOf, press, textOf, type } from '../helpers/views.js';

// What is loaded when it is first needed is here before the clocks of these tests run.
await Promise.all([loadInputRequest(), loadAnswerMode(), import('../../src/element/host-stay.js')]);

const branch: ChatInputRequest = {
  id: 'r',
  message: 'One thing first.',
  questions: [{ id: 'q', kind: 'text', message: 'Which branch?', max: 50, required: true }],
};
const text = (value: string, state: 'draft' | 'submitted' = 'submitted'): InputAnswer => ({
  state,
  value: { kind: 'text', value },
});

/** A host whose agent asks, waits for the answer, and ends the turn. */
function askingHost(request: ChatInputRequest = branch): PageHost {
  return new PageHost({
    hooks: {
      runTurn: async (turn: TurnHandle) => {
        turn.dispatch({ type: 'chat/inputRequested', request });
        await turn.answer(request.id);
      },
    },
  });
}

async function asked(host: PageHost, chat: AhpChat): Promise<HTMLInputElement> {
  host.host.startTurn(CHAT, { text: 'go', origin: { kind: 'user' } });
  return formField(chat);
}

async function formField(chat: AhpChat): Promise<HTMLInputElement> {
  await waitUntil(() => findAll(transcriptOf(chat), 'form .control').length > 0, 'the form is there');
  await comeToRest(chat);
  return find<HTMLInputElement>(transcriptOf(chat), 'form .control');
}

const card = (chat: AhpChat) => find(transcriptOf(chat), '[part=input-request]');
/** The question as the host has it, in the running turn or a finished one. */
const partOf = (host: PageHost): InputRequestPart | undefined =>
  [...host.chat.turns, host.chat.activeTurn]
    .flatMap((turn) => turn?.responseParts ?? [])
    .find((part): part is InputRequestPart => part.kind === 'inputRequest');

describe('forms with a host', () => {
  it('answer a question by keyboard alone, and leave the focus on its card', async () => {
    const host = askingHost();
    const chat = await fixtureOf(host);
    const field = await asked(host, chat);
    field.focus();

    await type('main');
    await press('Enter');
    await untilQuiet(chat);
    await waitUntil(() => findAll(transcriptOf(chat), 'form').length === 0, 'the form is closed');
    await comeToRest(chat);

    expect(partOf(host)).to.deep.include({ response: 'accept' });
    expect(partOf(host)?.request.answers).to.deep.equal({ q: text('main') });
    expect(textOf(card(chat))).to.match(/Which branch\?\s*main\s*Answered$/);
    expect(deepFocus()).to.equal(card(chat));
  });

  it('hand a half-typed answer to the host when the field is left, and to another page at once', async () => {
    const host = askingHost();
    const [first, second] = [await fixtureOf(host), await fixtureOf(host, { storageKey: `${host.key}-other` })];
    const field = await asked(host, first);
    const other = await formField(second);
    field.focus();

    await type('ma');
    field.blur();
    await waitUntil(() => other.value === 'ma', 'the other page shows it');

    expect(partOf(host)?.request.answers).to.deep.equal({ q: text('ma', 'draft') });
    expect(field.value).to.equal('ma');
  });

  it('come back after a reload without a host, with what was entered, and deliver it later', async () => {
    const host = askingHost();
    const chat = await fixtureOf(host);
    const field = await asked(host, chat);
    host.goAway();
    await waitUntil(() => chat.status?.phase === 'offline');
    field.focus();
    await type('main');
    field.blur();
    chat.remove();
    await waitUntil(() => host.links === 0);

    const again = await fixtureOf(host);
    const back = await formField(again);
    await waitUntil(() => back.value === 'main', 'what was entered is back');
    host.isReachable = true;
    again.connect();
    await untilLive(again);
    await waitUntil(() => partOf(host)?.request.answers !== undefined, 'the host has it');

    expect(partOf(host)?.request.answers).to.deep.equal({ q: text('main', 'draft') });
  });

  it('are closed when somebody else answers: what was typed stays, and the focus is not lost', async () => {
    const host = askingHost();
    const [first, second] = [await fixtureOf(host), await fixtureOf(host, { storageKey: `${host.key}-other` })];
    const field = await asked(host, first);
    const other = await formField(second);
    field.focus();
    await type('mine');

    other.value = 'theirs';
    other.dispatchEvent(new InputEvent('input', { bubbles: true }));
    findButton(transcriptOf(second), 'Submit').click();
    await waitUntil(() => findAll(transcriptOf(first), 'form').length === 0, 'the form is closed');
    await comeToRest(first);

    const said = textOf(card(first));
    expect(said).to.contain('Answered · Somebody else closed this question.');
    expect(said).to.contain('What you had entered');
    expect(said).to.contain('mine');
    expect(partOf(host)?.request.answers).to.deep.equal({ q: text('theirs') });
    expect(deepFocus()).to.equal(card(first));
  });

  it('give one answer, however often and wherever it is pressed', async () => {
    const host = askingHost();
    let completions = 0;
    const chat = await fixtureOf(host);
    const twin = await fixtureOf(host);
    await asked(host, chat);
    await formField(twin);
    chat.addEventListener('ahp-input-complete', () => (completions += 1));
    twin.addEventListener('ahp-input-complete', () => (completions += 1));

    for (let i = 0; i < 2; i += 1) findButton(transcriptOf(chat), 'Decline').click();
    await waitUntil(() => findAll(transcriptOf(twin), 'form').length === 0);
    await untilQuiet(chat);

    expect(completions).to.equal(1);
    expect(partOf(host)?.response).to.equal('decline');
  });

  it('come back with answers and reason when the host refuses them', async () => {
    let refusals = 1;
    const host = new PageHost({
      hooks: {
        runTurn: async (turn: TurnHandle) => {
          turn.dispatch({ type: 'chat/inputRequested', request: branch });
          await turn.answer('r');
        },
        decide: ({ type }) =>
          type === 'chat/inputCompleted' && refusals-- > 0 ? { kind: 'refuse', reason: 'not today' } : undefined,
      },
    });
    const chat = await fixtureOf(host);
    const rejected = collect(chat, 'ahp-rejected');
    const field = await asked(host, chat);
    field.focus();
    await type('main');
    await press('Enter');
    await waitUntil(() => rejected.length === 1);
    const back = await formField(chat);
    await waitUntil(() => back.value === 'main');
    const said = textOf(find(transcriptOf(chat), 'form'));
    expect(find(composerOf(chat)!, '.rows').textContent).to.not.contain('not today');

    findButton(transcriptOf(chat), 'Submit').click();
    await untilQuiet(chat);

    expect(said).to.contain('not today');
    expect(partOf(host)?.request.answers).to.deep.equal({ q: text('main') });
  });

  it('are answered from the composer, whose draft is then empty at the host, too', async () => {
    const host = askingHost();
    const chat = await fixtureOf(host);
    await asked(host, chat);
    chat.focus();

    await type('main');
    await waitUntil(() => find(composerOf(chat)!, '[part=send]').getAttribute('aria-label') === 'Answer');
    await press('Enter');
    await untilQuiet(chat);

    expect(partOf(host)?.request.answers).to.deep.equal({ q: text('main') });
    expect(writtenIn(chat)).to.equal('');
    expect(deepFocus()).to.equal(fieldOf(chat));
    expect(host.chat.turns).to.have.length(1);
    expect(host.chat.queuedMessages).to.equal(undefined);
  });

  it('with three long lists of the same options are walked to their Submit with Tab, in a box of 320 by 240', async () => {
    const options = Array.from({ length: 12 }, (_, index) => ({ id: `o${index}`, label: '' }));
    const questions = ['a', 'b', 'c'].map((id) => ({
      id,
      kind: 'single-select' as const,
      message: id,
      options,
      required: true,
    }));
    const host = askingHost({ ...branch, questions });
    const chat = await fixtureOf(host);
    Object.assign(chat.style, { inlineSize: '320px', blockSize: '240px' });
    host.host.startTurn(CHAT, { text: 'go', origin: { kind: 'user' } });
    await waitUntil(() => findAll(transcriptOf(chat), 'form input').length === 36, 'the form is there');
    await comeToRest(chat);
    card(chat).focus();

    for (const times of [1, 2, 3]) {
      await press('Tab');
      for (let i = 0; i < times; i++) await press('ArrowDown');
    }
    for (let stops = 0; stops < 8 && nameOf(deepFocus()!) !== 'Submit'; stops++) await press('Tab');
    const submit = deepFocus()!.getBoundingClientRect();
    const box = chat.getBoundingClientRect();
    expect([submit.top >= box.top - 1, submit.bottom <= box.bottom + 1]).to.deep.equal([true, true]);
    await press('Enter');
    await untilQuiet(chat);

    const chosen = (['a', 'b', 'c'] as const).map((id) => partOf(host)!.request.answers![id]);
    expect(chosen).to.deep.equal(
      ['o1', 'o2', 'o3'].map((value) => ({ state: 'submitted', value: { kind: 'selected', value } })),
    );
  });

  for (const name of ['ahp-input-complete', 'ahp-input-answer'] as const)
    it(`send nothing when the page prevents ${name}`, async () => {
      const host = askingHost();
      const chat = await fixtureOf(host);
      for (const each of ['ahp-input-answer', name]) chat.addEventListener(each, (event) => event.preventDefault());
      const field = await asked(host, chat);
      const before = partOf(host);
      field.focus();

      await type('main');
      if (name === 'ahp-input-complete') await press('Enter');
      field.blur();
      await comeToRest(chat);

      expect(chat.status?.pending).to.equal(0);
      expect(partOf(host)).to.equal(before);
      expect(field.value).to.equal('main');
      expect(field.isConnected).to.equal(true);
    });
});
