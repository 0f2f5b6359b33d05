import { expect } from '@open-wc/testing';
import { Edits } from '../../../src/chat/edits.js';
import type { Message, Turn } from '../../../src/protocol/state.js';
import type { AhpTranscript } from '../../../src/views/transcript/ahp-transcript.js';
import type { TurnAbilities } from '../../../src/views/transcript/part-scope.js';
import { active, toolPart, completedCall, turn, turns, userMessage } from '../../helpers/turns.js';
import { settled, transcriptFixture, turnOf, turnsOf } from '../../helpers/transcript.js';
import {
  collect,
  deepFocus,
  expectAccessible,
  find,
  findAll,
  findButton,
  nameOf,
  press,
  type,
} from '../../helpers/views.js';

const everything: TurnAbilities = { send: true, fork: true, sideChat: true, enterKey: 'send', models: [] };

const withAbilities = (props: Partial<AhpTranscript> = {}, abilities: Partial<TurnAbilities> = {}) =>
  transcriptFixture({ abilities: { ...everything, ...abilities }, edits: new Edits(), ...props }, 600);

const actionsOf = (transcript: AhpTranscript, id: string) => findAll(turnOf(transcript, id), '.actions button');
const namesOf = (transcript: AhpTranscript, id: string) => actionsOf(transcript, id).map(nameOf);
const fieldOf = (transcript: AhpTranscript) => find<HTMLTextAreaElement>(transcript, 'ahp-message-editor textarea');

async function edit(transcript: AhpTranscript, id: string): Promise<HTMLTextAreaElement> {
  findButton(turnOf(transcript, id), 'Edit message').click();
  await settled();
  return fieldOf(transcript);
}

describe('what can be done with a turn', () => {
  it('is offered where the chat, the host and the agent allow it', async () => {
    const transcript = await withAbilities({ turns: [turn('a')] });

    expect(namesOf(transcript, 'a')).to.deep.equal([
      'Copy as Markdown',
      'Edit message',
      'Fork from here',
      'Side chat from here',
    ]);
  });

  it('is nothing but copying in a chat that is only read', async () => {
    const transcript = await withAbilities({ turns: [turn('a')] }, { send: false, fork: false, sideChat: false });

    expect(namesOf(transcript, 'a')).to.deep.equal(['Copy as Markdown']);
  });

  it('leaves the messages of agents, tools and automations as they are', async () => {
    const message: Message = { text: 'Nightly run', origin: { kind: 'automation' } };
    const transcript = await withAbilities({ turns: [turn('a', { message })] });

    expect(namesOf(transcript, 'a')).to.not.include('Edit message');
  });

  it('has one tab stop, and arrows go from button to button', async () => {
    const transcript = await withAbilities({ turns: [turn('a')] });
    const buttons = actionsOf(transcript, 'a');

    buttons[0]!.focus();
    await press('ArrowRight');
    await press('ArrowRight');
    const there = deepFocus();
    await press('Home');
    await press('ArrowLeft');

    expect(there).to.equal(buttons[2]);
    expect(deepFocus()).to.equal(buttons[3]);
    expect(buttons.map(({ tabIndex }) => tabIndex)).to.deep.equal([-1, -1, -1, 0]);
  });

  it('follows the direction of the page with its arrows', async () => {
    const transcript = await withAbilities({ turns: [turn('a')] });
    transcript.dir = 'rtl';
    const buttons = actionsOf(transcript, 'a');

    buttons[0]!.focus();
    await press('ArrowLeft');

    expect(deepFocus()).to.equal(buttons[1]);
  });

  it('is seen while the keyboard is in it', async () => {
    const transcript = await withAbilities({ turns: turns(3) });

    actionsOf(transcript, 't0')[0]!.focus();
    await settled();
    await Promise.all(
      find(turnOf(transcript, 't0'), '.footer')
        .getAnimations()
        .map(({ finished }) => finished),
    );

    expect(getComputedStyle(find(turnOf(transcript, 't0'), '.footer')).opacity).to.equal('1');
  });

  it('begins a fork or a side chat at the turn', async () => {
    const transcript = await withAbilities({ turns: turns(2) });
    const asked = collect(transcript, 'ahp-fork');

    findButton(turnOf(transcript, 't0'), 'Fork from here').click();
    findButton(turnOf(transcript, 't1'), 'Side chat from here').click();

    expect(asked.map(({ turnId, kind }) => [turnId, kind])).to.deep.equal([
      ['t0', 'fork'],
      ['t1', 'sideChat'],
    ]);
  });

  it('says the name of the model where it is known, and what came from the cache', async () => {
    const usage = { inputTokens: 1_000, outputTokens: 20, cacheReadTokens: 900, model: 'm-1' };
    const transcript = await withAbilities(
      { turns: [turn('a', { usage })] },
      { models: [{ id: 'm-1', name: 'Large' }] },
    );

    expect(find(turnOf(transcript, 'a'), '.footer').textContent.replace(/\s+/g, ' ')).to.contain(
      '1,000 in, 20 out, 900 cached',
    );
    expect(find(turnOf(transcript, 'a'), '.footer bdi').textContent).to.equal('Large');
  });

  it('never makes a duration up', async () => {
    const transcript = await withAbilities({ turns: [turn('a', { startedAt: '2026-01-01T00:00:00.000Z' })] });

    expect(findAll(turnOf(transcript, 'a'), '.footer span')).to.deep.equal([]);
  });

  it('breaks no rule of accessibility, with the editor open as well', async () => {
    const transcript = await withAbilities({ turns: turns(3) });
    await expectAccessible(transcript);

    await edit(transcript, 't1');

    await expectAccessible(transcript);
  });
});

describe('a turn that did not come to its end', () => {
  const failed = (more: Partial<Turn> = {}) =>
    turn('a', {
      state: 'error',
      responseParts: [{ kind: 'error', error: { errorType: 'x', message: 'No.' } }],
      ...more,
    });
  const resumable = failed({
    responseParts: [{ kind: 'error', resumable: true, error: { errorType: 'x', message: 'No.' } }],
  });

  it('can go on when the host says so, it is the last one and nothing runs', async () => {
    const transcript = await withAbilities({ turns: [resumable] });
    const asked = collect(transcript, 'ahp-resume');

    findButton(find(transcript, '.actions'), 'Resume').click();
    transcript.activeTurn = active('now');
    await settled();

    expect(asked.map(({ turnId }) => turnId)).to.deep.equal(['a']);
    expect(namesOf(transcript, 'a')).to.not.include('Resume');
  });

  it('can be tried again as it was when no tool has run in it', async () => {
    const message = userMessage('Do it', { model: { id: 'm' }, _meta: { 'ahp-chat/pending': { id: 'q' } } });
    const transcript = await withAbilities({ turns: [failed({ message })] });
    const sent = collect(transcript, 'ahp-send');

    findButton(transcript, 'Try again').click();

    expect(sent).to.have.length(1);
    expect(sent[0]!.replaces).to.equal('a');
    expect(sent[0]!.message).to.deep.equal({ text: 'Do it', origin: { kind: 'user' }, model: { id: 'm' } });
  });

  it('is not offered again as it was when a tool may have done something', async () => {
    const call = toolPart(completedCall('c'));
    const transcript = await withAbilities({ turns: [failed({ state: 'cancelled', responseParts: [call] })] });

    expect(namesOf(transcript, 'a')).to.not.include('Try again');
  });
});

describe('editing a message in place', () => {
  it('begins with the text, the caret at its end, and says what goes', async () => {
    const transcript = await withAbilities({ turns: turns(3) });

    const field = await edit(transcript, 't0');

    expect(field.value).to.equal('Question t0');
    expect(deepFocus()).to.equal(field);
    expect(field.selectionStart).to.equal('Question t0'.length);
    expect(find(transcript, 'ahp-message-editor').textContent).to.contain('The answer and 2 turns after it will go.');
  });

  it('counts on while turns arrive', async () => {
    const transcript = await withAbilities({ turns: turns(1) });
    await edit(transcript, 't0');

    transcript.turns = turns(2);
    transcript.activeTurn = active('now');
    await settled();

    expect(find(transcript, 'ahp-message-editor').textContent).to.contain('The answer and 2 turns after it will go.');
  });

  it('sends the changed message in the place of its turn, with Enter', async () => {
    const message = userMessage('Fix it', {
      model: { id: 'large' },
      attachments: [{ type: 'resource', label: 'a.ts', uri: 'file:///a.ts' }],
    });
    const transcript = await withAbilities({ turns: [turn('a', { message })] });
    const sent = collect(transcript, 'ahp-send');
    await edit(transcript, 'a');

    await type(' now');
    await press('Enter');
    await settled();

    expect(sent.map(({ replaces }) => replaces)).to.deep.equal(['a']);
    expect(sent[0]!.message).to.deep.equal({ ...message, text: 'Fix it now' });
    expect(findAll(transcript, 'ahp-message-editor')).to.have.length(0);
  });

  it('stays with its text when the page prevents the send', async () => {
    const transcript = await withAbilities({ turns: turns(1) });
    transcript.addEventListener('ahp-send', (event) => event.preventDefault());
    await edit(transcript, 't0');

    await type('!');
    await press('Enter');
    await settled();

    expect(fieldOf(transcript).value).to.equal('Question t0!');
  });

  it('sends nothing on the key that confirms a composition, in Safari’s order either', async () => {
    const transcript = await withAbilities({ turns: turns(1) });
    const sent = collect(transcript, 'ahp-send');
    const field = await edit(transcript, 't0');

    field.dispatchEvent(new CompositionEvent('compositionstart'));
    field.dispatchEvent(new CompositionEvent('compositionend'));
    field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true, cancelable: true }));
    field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true }));

    expect(sent).to.deep.equal([]);
  });

  it('keeps what is half typed over Escape, and gives it up on Cancel', async () => {
    const transcript = await withAbilities({ turns: turns(2) });
    await edit(transcript, 't0');
    await type(' and more');
    await press('Escape');
    await settled();
    expect(findAll(transcript, 'ahp-message-editor')).to.have.length(0);

    const again = await edit(transcript, 't0');
    expect(again.value).to.equal('Question t0 and more');

    findButton(find(transcript, 'ahp-message-editor'), 'Cancel').click();
    await settled();
    expect((await edit(transcript, 't0')).value).to.equal('Question t0');
  });

  it('keeps what is half typed while its turn is out of the document', async () => {
    const transcript = await withAbilities({ turns: turns(400) });
    await transcript.scrollToTurn('t5');
    await edit(transcript, 't5');
    await type(' half');
    fieldOf(transcript).blur();
    transcript.scrollToEnd();
    await settled();

    await transcript.scrollToTurn('t5');
    await settled();

    expect(fieldOf(transcript).value).to.equal('Question t5 half');
    expect(deepFocus()).to.not.equal(fieldOf(transcript));
  });

  it('goes on where it was left on this device, without taking the focus', async () => {
    const edits = new Edits();
    edits.set('turn t1', { was: 'Question t1', message: userMessage('Question t1, half') });

    const transcript = await withAbilities({ turns: turns(2), edits });

    expect(fieldOf(transcript).value).to.equal('Question t1, half');
    expect(deepFocus()).to.not.equal(fieldOf(transcript));
  });

  it('takes attachments out of the message and leaves the draft alone', async () => {
    const attachments = ['a', 'b'].map((label) => ({ type: 'resource' as const, label, uri: `file:///${label}` }));
    const transcript = await withAbilities({ turns: [turn('a', { message: userMessage('Look', { attachments }) })] });
    const removed = collect(transcript, 'ahp-attachment-remove');
    const sent = collect(transcript, 'ahp-send');
    const field = await edit(transcript, 'a');

    findButton(find(transcript, 'ahp-message-editor'), 'Remove a').click();
    await settled();
    field.focus();
    await press('Enter');

    expect(removed).to.deep.equal([]);
    expect(sent[0]!.message.attachments).to.deep.equal([attachments[1]]);
  });

  it('lets the focus return to a turn when its own is cut off', async () => {
    const transcript = await withAbilities({ turns: turns(2) });
    await edit(transcript, 't1');

    transcript.turns = transcript.turns.slice(0, 1);
    await settled();

    expect(deepFocus()).to.equal(turnsOf(transcript)[0]);
  });

  it('keeps keys from a page’s shortcuts', async () => {
    const transcript = await withAbilities({ turns: turns(1) });
    const heard: string[] = [];
    document.addEventListener('keydown', ({ key }) => heard.push(key), { once: true });
    await edit(transcript, 't0');

    await type('j');

    expect(heard).to.deep.equal([]);
  });
});
