/** Terminals in tool results: over the channel of a real host while they are seen, by their preview otherwise. */

import { expect } from '@open-wc/testing';
import type { AhpChat } from '../../../src/element/ahp-chat.js';
import type { TerminalState, ToolResultContent } from '../../../src/protocol/state.js';
import { fixtureOf, transcriptOf } from '../../helpers/chat-element.js';
import { PageHost } from '../../helpers/page-host.js';
import { finishedFixture, settled } from '../../helpers/transcript.js';
import { completedCall, toolPart, turn } from '../../helpers/turns.js';
import { click, find, findAll, findButton, press, textOf } from '../../helpers/views.js';
import { waitUntil } from '../../helpers/until.js';

const TERMINAL = 'ahp-terminal:/one';
type Block = Extract<ToolResultContent, { type: 'terminal' }>;

const block = (more: Partial<Block> = {}): Block => ({
  type: 'terminal',
  resource: TERMINAL,
  title: 'npm test',
  ...more,
});
const state = (more: Partial<TerminalState> = {}): TerminalState => ({
  title: 'npm test',
  isPty: true,
  content: [],
  claim: { kind: 'session', session: 'ahp-session:/page' },
  ...more,
});
const toolTurn = (...content: ToolResultContent[]) =>
  turn('t', { responseParts: [toolPart(completedCall('c', { content }))] });

/** A chat whose one tool call, opened, has this content; `terminal` is what the host has behind it. */
async function open(content: ToolResultContent, terminal?: TerminalState) {
  const host = new PageHost({ turns: [toolTurn(content)] });
  if (terminal) host.host.createTerminal(TERMINAL, terminal);
  const chat = await fixtureOf(host);
  await waitUntil(() => lineOf(chat));
  await click(lineOf(chat)!);
  await waitUntil(() => terminalOf(chat));
  const say = (data: string) => host.host.dispatch(TERMINAL, { type: 'terminal/data', data });
  return { host, chat, say };
}

const lineOf = (chat: AhpChat) => transcriptOf(chat).renderRoot.querySelector<HTMLElement>('[part=tool-call-line]');
const terminalOf = (chat: AhpChat) => transcriptOf(chat).renderRoot.querySelector('ahp-terminal');
const linesOf = (root: Element) => findAll(root, '.terminal-line').map(({ textContent }) => textContent);
const untilShown = (chat: AhpChat, text: string) =>
  waitUntil(() => linesOf(transcriptOf(chat)).join('\n').includes(text), `the terminal shows ${text}`);

describe('a live terminal', () => {
  it('is subscribed to while it is opened, and not before or after', async () => {
    const { host, chat, say } = await open(block(), state({ content: [{ type: 'unclassified', value: 'first\r\n' }] }));
    await untilShown(chat, 'first');
    say('second');
    await untilShown(chat, 'second');
    expect(host.methodsOn(TERMINAL)).to.deep.equal(['subscribe']);

    await click(lineOf(chat)!);

    await waitUntil(() => host.methodsOn(TERMINAL).length === 2);
    expect(host.methodsOn(TERMINAL)).to.deep.equal(['subscribe', 'unsubscribe']);
  });

  it('shows the cursor of a running one, until it has ended', async () => {
    const { host, chat, say } = await open(block(), state());
    say('$ ');
    await waitUntil(() => findAll(transcriptOf(chat), '.terminal-cursor').length === 1, 'the cursor is there');

    host.host.dispatch(TERMINAL, { type: 'terminal/exited', exitCode: 0 });

    await waitUntil(() => findAll(transcriptOf(chat), '.terminal-cursor').length === 0, 'the cursor has gone');
    expect(linesOf(transcriptOf(chat)).join('')).to.contain('$');
  });

  it('is left when the chat leaves the page', async () => {
    const { host, chat } = await open(block(), state({ content: [{ type: 'unclassified', value: 'here' }] }));
    await untilShown(chat, 'here');

    chat.remove();

    await waitUntil(() => host.methodsOn(TERMINAL).includes('unsubscribe'));
  });

  it('is left when it has been out of view for a while, and taken up again with what came meanwhile', async () => {
    const { host, chat, say } = await open(block(), state({ content: [{ type: 'unclassified', value: 'here' }] }));
    await untilShown(chat, 'here');
    const element = terminalOf(chat)!;

    element.style.display = 'none';
    await waitUntil(() => host.methodsOn(TERMINAL).includes('unsubscribe'), 'left');
    say(' and more');
    element.style.display = '';

    await untilShown(chat, 'here and more');
    expect(host.methodsOn(TERMINAL)).to.deep.equal(['subscribe', 'unsubscribe', 'subscribe']);
  });

  it('shows its text once after the chat was moved within the page', async () => {
    const { chat } = await open(block(), state({ content: [{ type: 'unclassified', value: 'only once' }] }));
    await untilShown(chat, 'only once');

    const box = document.createElement('div');
    chat.parentElement!.append(box);
    box.append(chat);
    await settled();
    await untilShown(chat, 'only once');

    expect(linesOf(transcriptOf(chat))).to.deep.equal(['only once']);
  });

  it('shows that it runs, then that it has ended and how', async () => {
    const { host, chat } = await open(block(), state());
    await waitUntil(() => textOf(find(transcriptOf(chat), '.terminal-head')) === 'npm test Live');

    host.host.dispatch(TERMINAL, { type: 'terminal/exited', exitCode: 3 });

    await waitUntil(() => textOf(find(transcriptOf(chat), '.terminal-head')) === 'npm test Exit code 3');
  });

  it('never sends anything into it', async () => {
    const { host, chat, say } = await open(block(), state());
    say('password: \u001b[c\u001b[6n\u001b]0;title\u0007');
    await untilShown(chat, 'password');
    find(transcriptOf(chat), '.terminal-box').focus();

    await press('a');
    await press('Enter');
    await settled();

    expect(host.received.filter(({ method }) => method === 'dispatchAction')).to.be.empty;
  });

  it('is plain text where it is no terminal of its own', async () => {
    const { chat } = await open(
      block({ isPty: false }),
      state({ isPty: false, content: [{ type: 'unclassified', value: 'a\u001b[31mb\n' }] }),
    );

    await waitUntil(() => findAll(transcriptOf(chat), '.terminal .code-box').length === 1);
    expect(find(transcriptOf(chat), '.terminal .code-box').textContent).to.equal('a[U+001B][31mb\n');
  });

  it('marks where commands begin only where the host can tell', async () => {
    const command = {
      type: 'command',
      commandId: '1',
      commandLine: 'npm test',
      output: 'failed\r\n',
      timestamp: 1,
      isComplete: true,
      exitCode: 1,
      durationMs: 1_500,
    } as const;
    const content = [{ type: 'unclassified', value: '$ npm test\r\n' } as const, command];
    const { chat, host } = await open(block(), state({ content, supportsCommandDetection: true }));
    await untilShown(chat, 'failed');
    await waitUntil(() => findAll(transcriptOf(chat), '[data-command]').length === 1);

    expect(textOf(find(transcriptOf(chat), '[data-command=failed]'))).to.equal('failed');
    expect(textOf(find(transcriptOf(chat), '.terminal-command'))).to.equal('npm test Exit code 1 1.5s');
    host.host.dispatch(TERMINAL, {
      type: 'terminal/commandExecuted',
      commandId: '2',
      commandLine: 'npm run',
      timestamp: 2,
    });
    await waitUntil(() => textOf(find(transcriptOf(chat), '.terminal-command')) === 'npm run');

    // Only what is in view is watched.
    chat.remove();
    const other = await open(block(), state({ content }));
    await untilShown(other.chat, 'failed');
    expect(findAll(transcriptOf(other.chat), '[data-command], .terminal-command')).to.be.empty;
  });
});

describe('a terminal that is over', () => {
  it('shows what is left where the host no longer has it', async () => {
    const { host, chat } = await open(block({ result: { exitCode: 1, truncated: true } }));

    await waitUntil(() => textOf(find(transcriptOf(chat), '.terminal')).includes('The terminal is no longer there.'));

    expect(textOf(find(transcriptOf(chat), '.terminal'))).to.equal(
      'npm test Exit code 1 The terminal is no longer there.',
    );
    expect(host.methodsOn(TERMINAL)).to.deep.equal(['subscribe']);
  });

  it('shows its preview, in its colours, without asking for more', async () => {
    const result = { exitCode: 0, preview: 'plain\n\u001b[1;31mred\u001b[0m\r\n' };
    const { host, chat } = await open(block({ result }), state());
    await untilShown(chat, 'red');

    expect(linesOf(transcriptOf(chat))).to.deep.equal(['plain', 'red']);
    expect(find(transcriptOf(chat), '.terminal-line .f1.bold').textContent).to.equal('red');
    expect(host.methodsOn(TERMINAL)).to.be.empty;
    expect(textOf(find(transcriptOf(chat), '.terminal-head'))).to.equal('npm test Exit code 0');
  });

  it('shows the whole of it when a shortened preview is not enough', async () => {
    const result = { exitCode: 0, preview: 'end', truncated: true };
    const { host, chat } = await open(
      block({ result }),
      state({ content: [{ type: 'unclassified', value: 'begin\r\nend' }] }),
    );
    await untilShown(chat, 'end');

    findButton(transcriptOf(chat), 'Show all output').focus();
    await press('Enter');

    await untilShown(chat, 'begin');
    expect(host.methodsOn(TERMINAL)).to.deep.equal(['subscribe']);
    expect(find(transcriptOf(chat), '.terminal').matches(':focus')).to.equal(true);
  });

  it('keeps its preview and says so when the whole of it is gone', async () => {
    const { chat } = await open(block({ result: { preview: 'kept', truncated: true } }));
    await untilShown(chat, 'kept');

    findButton(transcriptOf(chat), 'Show all output').click();

    await waitUntil(() => textOf(find(transcriptOf(chat), '.terminal')).includes('The terminal is no longer there.'));
    expect(linesOf(transcriptOf(chat))).to.deep.equal(['kept']);
  });

  it('reads the form of 0.6', async () => {
    const old = { type: 'terminalComplete', exitCode: 2, preview: 'old' } as const;
    const transcript = await finishedFixture([toolPart(completedCall('c', { content: [old] }))]);
    find(transcript, '[part=tool-call-line]').click();

    await waitUntil(() => linesOf(transcript).length === 1, 'painted');
    expect(textOf(find(transcript, '.terminal'))).to.equal('Terminal Exit code 2 old');
  });

  it('is accessible, scrolls with the keyboard and reads from left to right on any page', async () => {
    const preview = Array.from(
      { length: 60 },
      (_, index) => `\u001b[${30 + (index % 8)}mline ${index}\u001b[0;2m dim`,
    ).join('\r\n');
    const transcript = await finishedFixture([
      toolPart(completedCall('c', { content: [block({ result: { preview } })] })),
    ]);
    transcript.dir = 'rtl';
    find(transcript, '[part=tool-call-line]').click();
    await waitUntil(() => linesOf(transcript).length === 60, 'painted');
    const box = find(transcript, '.terminal-box');

    box.focus();
    await press('PageDown');
    await waitUntil(() => box.scrollTop > 0);

    expect(box.getAttribute('role')).to.equal('log');
    expect(box.getAttribute('aria-live')).to.equal('off');
    expect(getComputedStyle(box).direction).to.equal('ltr');
    await expect(transcript).to.be.accessible();
  });
});
