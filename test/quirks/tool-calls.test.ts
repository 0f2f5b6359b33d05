/** Hosts that tell of tool calls twice, and what a person sees of it. */

import { expect } from '@open-wc/testing';
import { transcriptOf } from '../helpers/chat-element.js';
import { openScreen, type Screen } from '../helpers/screen.js';
import { findAll } from '../helpers/views.js';

const call = { toolCallId: 'c', toolName: 'run', displayName: 'Run command' };
const ready = { type: 'chat/toolCallReady', toolCallId: 'c', invocationMessage: 'Run ls', toolInput: 'ls' };
const done = { success: true, pastTenseMessage: 'Ran ls', content: [{ type: 'text', text: 'README.md' }] };

const lines = (screen: Screen) => findAll(transcriptOf(screen.chat), 'ahp-tool-call');

describe('a host that makes a call ready twice in a row', () => {
  it('asks once, and no more when the second says that nobody need be asked', async () => {
    const screen = await openScreen();
    await screen.say('list');

    await screen.act({ type: 'chat/toolCallStart', ...call }, ready);
    expect(screen.buttons).to.include('Allow');
    await screen.act({ ...ready, confirmed: 'setting' });

    expect(screen.buttons).not.to.include('Allow');
    expect(lines(screen)).to.have.length(1);
    await screen.act({ type: 'chat/toolCallComplete', toolCallId: 'c', result: done });
    expect(screen.text).to.contain('Ran ls');
    expect(screen.host.dispatched('chat/toolCallConfirmed')).to.deep.equal([]);
  });

  it('takes one answer to a question that is put twice with the same words', async () => {
    const screen = await openScreen();
    await screen.say('list');
    await screen.act({ type: 'chat/toolCallStart', ...call }, ready, ready);
    expect(screen.buttons.filter((name) => name === 'Allow')).to.have.length(1);

    await screen.press('Allow');

    expect(screen.host.dispatched('chat/toolCallConfirmed')).to.have.length(1);
    expect(screen.buttons).not.to.include('Allow');
  });

  it('asks again when the second puts another question, and does not take the first answer for it', async () => {
    const screen = await openScreen();
    await screen.say('list');
    await screen.act({ type: 'chat/toolCallStart', ...call }, ready);
    await screen.press('Allow');
    expect(screen.buttons).not.to.include('Allow');

    await screen.act({ ...ready, invocationMessage: 'Run rm', toolInput: 'rm -r build' });

    expect(screen.buttons).to.include('Allow');
    expect(screen.text).to.contain('rm -r build');
  });
});

describe('a host that starts a call and also sends it as a part', () => {
  it('shows one call that asks once, runs once and ends once', async () => {
    const screen = await openScreen();
    await screen.say('list');

    await screen.act(
      { type: 'chat/toolCallStart', ...call },
      { type: 'chat/responsePart', part: { kind: 'toolCall', toolCall: { ...call, status: 'streaming' } } },
      ready,
    );
    expect(lines(screen)).to.have.length(1);
    expect(screen.buttons.filter((name) => name === 'Allow')).to.have.length(1);
    await screen.press('Allow');
    expect(screen.host.dispatched('chat/toolCallConfirmed')).to.have.length(1);
    await screen.act(
      { type: 'chat/toolCallComplete', toolCallId: 'c', result: done },
      { type: 'chat/turnComplete', duration: 1 },
    );

    expect(lines(screen)).to.have.length(1);
    expect(screen.text.match(/Ran ls/g)).to.have.length(1);
    expect(screen.tab.state.turns.at(-1)!.responseParts).to.have.length(2);
  });
});
