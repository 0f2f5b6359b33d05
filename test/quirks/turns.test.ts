/** Hosts that start, end and lose turns in ways of their own, and what a person sees of it. */

import { expect } from '@open-wc/testing';
import { openScreen } from '../helpers/screen.js';
import { CHAT, createTurns, userMessage } from '../helpers/scripted-host.js';
import { transcriptOf } from '../helpers/chat-element.js';
import { find, textOf } from '../helpers/views.js';

describe('a host that stores attachments and rewrites them in its echo', () => {
  it('shows the message once, with what the host made of its attachment, and nothing is pending', async () => {
    const screen = await openScreen();
    const sent = {
      type: 'embeddedResource',
      label: 'photo.png',
      data: btoa('bytes'),
      contentType: 'image/png',
    } as const;
    const stored = { type: 'resource', label: 'photo.png', uri: 'file:///store/1', contentType: 'image/png' } as const;
    const turnId = 'mine';
    screen.host.alterNext({
      type: 'chat/turnStarted',
      turnId,
      startedAt: '2026-01-01T00:00:00.000Z',
      message: userMessage('look', { attachments: [stored], _meta: { 'host/stored': true } }),
    });

    screen.tab.store.dispatch({
      type: 'chat/turnStarted',
      turnId,
      startedAt: '2026-01-01T00:00:00.000Z',
      message: userMessage('look', { attachments: [sent] }),
    });
    await screen.pass();

    expect(screen.text.match(/look/g)).to.have.length(1);
    expect(screen.text).to.contain('photo.png');
    expect(screen.tab.state.activeTurn!.message.attachments).to.deep.equal([stored]);
    expect(screen.tab.store.status).to.include({ pending: 0 });
    await screen.pass(60_000);
    expect(screen.strip).to.equal('');
  });

  it('gives the draft no second life: the composer stays empty', async () => {
    const screen = await openScreen();
    screen.host.alterNext({ type: 'chat/draftChanged', draft: userMessage('look, rewritten') });
    screen.tab.type('look');
    await screen.pass(1_500);
    screen.tab.send();
    await screen.pass(1_500);

    expect(screen.tab.draft.message.text).to.equal('');
    expect(screen.host.chat.draft).to.equal(undefined);
  });
});

describe('a host whose steering ends the turn and starts another one', () => {
  it('shows the message once as the new turn, waits no longer, and ends the old one', async () => {
    const screen = await openScreen();
    await screen.say('go left');
    await screen.act({ type: 'chat/responsePart', part: { kind: 'markdown', id: 'm', content: 'Going' } });
    const id = screen.tab.send('no, right', { steers: true });
    await screen.pass();
    expect(screen.queue).to.deep.equal(['no, right']);
    const { message } = screen.host.chat.steeringMessage!;

    const turnId = screen.host.chat.activeTurn!.id;
    screen.host.dispatch({ type: 'chat/turnComplete', turnId, duration: 5 });
    screen.host.dispatch({
      type: 'chat/turnStarted',
      turnId: 'steered',
      startedAt: '2026-01-01T00:00:01.000Z',
      message,
      queuedMessageId: id,
    });
    await screen.pass();

    expect(screen.queue).to.deep.equal([]);
    expect(screen.text.match(/no, right/g)).to.have.length(1);
    expect(screen.tab.state.turns.map(({ state }) => state)).to.deep.equal(['complete']);
    await screen.pass(30_000);
    expect(screen.strip).to.equal('');
    expect(screen.host.dispatched('chat/pendingMessageSet')).to.have.length(1);
  });
});

describe('a host that drops what it does not know without a word', () => {
  it('leaves a message not confirmed, with its text, and takes the retry', async () => {
    const screen = await openScreen();
    screen.host.ignoreNext('chat/turnStarted');

    await screen.say('anybody there?');

    // What was said after it came back, so it is known at once.
    expect(screen.text).not.to.contain('anybody there?');
    expect(screen.strip).to.contain('Message not confirmed: “anybody there?”');
    await screen.press('Retry');
    expect(screen.text.match(/anybody there\?/g)).to.have.length(1);
    expect(screen.strip).to.equal('');
    await screen.pass(3_000);
    expect(screen.host.chat.activeTurn!.message.text).to.equal('anybody there?');
  });

  it('takes a message for not confirmed after ten seconds where nothing else tells', async () => {
    const screen = await openScreen();
    screen.host.ignoreNext('chat/turnStarted');
    screen.host.ignoreNext('chat/draftChanged');

    await screen.say('anybody there?');
    expect(screen.text).to.contain('anybody there?');
    await screen.pass(11_000);

    expect(screen.text).not.to.contain('anybody there?');
    expect(screen.strip).to.contain('Message not confirmed: “anybody there?”');
  });

  it('does not hold up what comes after: later actions are echoed and shown', async () => {
    const screen = await openScreen();
    await screen.say('first');
    screen.host.ignoreNext('chat/pendingMessageSet');

    await screen.say('dropped');
    await screen.say('kept');

    expect(screen.host.chat.queuedMessages!.map(({ message }) => message.text)).to.deep.equal(['kept']);
    await screen.pass(11_000);
    expect(screen.queue).to.deep.equal(['kept']);
    expect(screen.strip).to.contain('dropped');
  });
});

describe('a host that says no duration at the end', () => {
  for (const [name, duration] of [
    ['none', undefined],
    ['a word', 'long'],
    ['less than nothing', -5],
  ] as const)
    it(`ends the turn, and no time is made up: ${name}`, async () => {
      const screen = await openScreen();
      await screen.say('hello');
      await screen.act({ type: 'chat/responsePart', part: { kind: 'markdown', id: 'm', content: 'Hi.' } });

      await screen.act({ type: 'chat/turnComplete', duration });

      expect(screen.tab.state.activeTurn).to.equal(undefined);
      expect(screen.text).to.contain('Hi.');
      const footer = textOf(find(transcriptOf(screen.chat), 'ahp-turn-footer'));
      expect(footer)
        .not.to.match(/\d+\s*(ms|s|sec|min)\b/)
        .and.not.to.contain('NaN');
      expect(screen.buttons).to.include('Send').and.not.to.include('Stop');
    });
});

describe('a host whose backend has crashed in the middle of a turn', () => {
  it('offers Stop, and where that is refused says that the turn is stalled', async () => {
    const screen = await openScreen({ turns: createTurns(1) });
    screen.host.host.startTurn(CHAT, userMessage('since yesterday'));
    screen.host.forgetClients();
    screen.host.drop();
    await screen.pass(2_000);
    expect(screen.tab.state.activeTurn!.message.text).to.equal('since yesterday');
    screen.host.refuseNext('chat/turnCancelled', 'no such turn is running');

    await screen.press('Stop');

    expect(screen.text).to.contain('since yesterday');
    expect(textOf(screen.composer.shadowRoot as unknown as Element)).to.contain('no such turn is running');
    expect(screen.text).not.to.contain('Stopping');
    await screen.pass(61_000);
    expect(screen.text).to.contain('The turn may have died; Stop ends it.');
    await screen.press('Stop');
    expect(screen.tab.state.activeTurn).to.equal(undefined);
    expect(screen.text).to.contain('Stopped');
  });

  it('lets a message wait meanwhile, and the next turn begin in its place', async () => {
    const screen = await openScreen();
    await screen.say('dead');
    await screen.say('for later');
    expect(screen.queue).to.deep.equal(['for later']);

    screen.host.dispatch({
      type: 'chat/turnStarted',
      turnId: 'anew',
      startedAt: '2026-01-01T00:00:01.000Z',
      message: userMessage('the host began another'),
    });
    await screen.pass();

    expect(screen.text).to.contain('the host began another').and.not.to.contain('dead');
    expect(screen.queue).to.deep.equal(['for later']);
  });
});

describe('a host that puts stacks into its messages', () => {
  const stack = 'Cannot read the model\n    at Agent.run (/srv/host/dist/agent.js:10:5)\n    at node:internal/main:3:1';
  const hidden = /srv|dist|node:internal|\.js/;

  it('shows what failed, never where in the host', async () => {
    const screen = await openScreen();
    await screen.say('go');
    await screen.act({
      type: 'chat/error',
      duration: 1,
      part: { kind: 'error', error: { errorType: 'InternalError', message: stack, stack } },
    });

    expect(screen.text).to.contain('Cannot read the model').and.not.to.match(hidden);
    await screen.press('Details');
    expect(screen.text).to.contain('InternalError').and.not.to.match(hidden);
    const spoken = find(screen.chat, 'ahp-announcer').shadowRoot!.textContent;
    expect(spoken).to.contain('Cannot read the model').and.not.to.match(hidden);
  });

  it('says why something was refused, never where in the host', async () => {
    const screen = await openScreen();
    screen.host.refuseNext('chat/turnStarted', stack);

    await screen.say('go');

    const notice = textOf(screen.composer.shadowRoot as unknown as Element);
    expect(notice).to.contain('Cannot read the model').and.not.to.match(hidden);
    expect(screen.written).to.equal('go');
  });

  it('says why an answer was refused, without where and without secrets', async () => {
    const screen = await openScreen();
    await screen.say('go');
    await screen.act({
      type: 'chat/inputRequested',
      request: { id: 'q', questions: [{ id: '1', kind: 'boolean', message: 'Sure?' }] },
    });
    screen.host.refuseNext('chat/inputCompleted', `${stack}\nsee wss://h.example/?token=s3cret`);

    await screen.press('Submit');

    expect(screen.text).to.contain('Not accepted').and.contain('Cannot read the model');
    expect(transcriptOf(screen.chat).shadowRoot!.getHTML()).not.to.match(hidden).and.not.to.contain('s3cret');
  });
});
