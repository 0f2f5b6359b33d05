/** Workers that a tool has called: their cards, and their chats in place, over the channels of a real host. */

import { expect } from '@open-wc/testing';
import type { ChatState, ResponsePart, ToolResultContent, URI } from '../../../src/protocol/state.js';
import type { AhpTranscript } from '../../../src/views/transcript/ahp-transcript.js';
import { fixtureOf, transcriptOf } from '../../helpers/chat-element.js';
import { CHAT, PageHost, SESSION } from '../../helpers/page-host.js';
import { completedCall, markdown, toolPart, turn } from '../../helpers/turns.js';
import { collect, find, findAll, findButton, press, textOf } from '../../helpers/views.js';
import { waitUntil } from '../../helpers/until.js';

const worker = (number: number): URI => `ahp-chat:/worker-${number}`;

const calls = (resource: URI, more: object = {}): ResponsePart => {
  const content: ToolResultContent[] = [{ type: 'subagent', resource, title: 'Look <b>around</b>', ...more }];
  return toolPart(completedCall(`to ${resource}`, { content }));
};

/** A host whose chat has called these workers; each chat has one turn with these parts. */
async function open(
  parts: readonly ResponsePart[],
  workers: ReadonlyMap<URI, readonly ResponsePart[]>,
  more: Partial<ChatState> = {},
) {
  // Turns run until the test ends them.
  const hooks = { runTurn: () => new Promise<void>(() => undefined) };
  const host = new PageHost({ hooks, turns: [turn('main', { responseParts: parts })] });
  for (const [resource, responseParts] of workers) {
    const origin = { kind: 'tool' as const, chat: CHAT, toolCallId: `to ${resource}` };
    host.host.createChat(SESSION, { resource, origin, turns: [turn(`of ${resource}`, { responseParts })], ...more });
  }
  const chat = await fixtureOf(host);
  await waitUntil(() => findAll(transcriptOf(chat), '[part=tool-call-line]').length > 0);
  return { host, chat };
}

const lineOf = (transcript: AhpTranscript) => find(transcript, '[part=tool-call-line]');
const cardOf = (transcript: AhpTranscript) => find(transcript, 'ahp-worker-chat');
const innerOf = (transcript: AhpTranscript) => find<AhpTranscript>(transcript, 'ahp-worker-chat ahp-transcript');
const toggleOf = (transcript: AhpTranscript) => find(cardOf(transcript), 'button.worker-title');

async function openCard(transcript: AhpTranscript): Promise<void> {
  lineOf(transcript).click();
  await waitUntil(() => findAll(transcript, 'ahp-worker-chat .worker').length > 0, 'the card is there');
}

async function openWorker(transcript: AhpTranscript): Promise<AhpTranscript> {
  await openCard(transcript);
  toggleOf(transcript).click();
  await waitUntil(() => findAll(transcript, 'ahp-worker-chat ahp-transcript').length > 0, 'the chat is there');
  const inner = innerOf(transcript);
  await waitUntil(() => findAll(inner, 'ahp-turn').length > 0, 'its turns are there');
  return inner;
}

/** A worker's turn that waits for a person. */
function askIn(host: PageHost, resource: URI): void {
  const turnId = host.host.startTurn(resource, { text: 'go', origin: { kind: 'user' } })!;
  for (const action of [
    { type: 'chat/toolCallStart', turnId, toolCallId: 'x', toolName: 'x', displayName: 'Delete' },
    { type: 'chat/toolCallReady', turnId, toolCallId: 'x', invocationMessage: 'Deleting', toolInput: '{}' },
  ] as const)
    host.host.dispatch(resource, action);
}

describe('a worker’s chat', () => {
  it('is a card that asks the host for nothing, and says how the worker stands', async () => {
    const { host, chat } = await open(
      [calls(worker(1), { agentName: 'Scout', description: 'Ten times' })],
      new Map([[worker(1), []]]),
    );
    const transcript = transcriptOf(chat);
    await openCard(transcript);

    await waitUntil(() => textOf(cardOf(transcript)).includes('Done'));
    expect(textOf(cardOf(transcript))).to.equal('Look <b>around</b> Scout Done Open chat Ten times');
    expect(host.methodsOn(worker(1))).to.be.empty;
  });

  it('opens in place for reading only, over its channel, and is left when it is closed', async () => {
    const { host, chat } = await open([calls(worker(1))], new Map([[worker(1), [markdown('What I found')]]]));
    const transcript = transcriptOf(chat);

    const inner = await openWorker(transcript);
    expect(textOf(find(inner, '.answer'))).to.contain('What I found');
    expect(find(inner, '[role=feed]').getAttribute('aria-label')).to.equal('Conversation of Look <b>around</b>');
    expect(host.methodsOn(worker(1))).to.deep.equal(['subscribe']);

    toggleOf(transcript).click();
    await waitUntil(() => host.methodsOn(worker(1)).length === 2);
    expect(host.methodsOn(worker(1))).to.deep.equal(['subscribe', 'unsubscribe']);
    expect(findAll(transcript, 'ahp-worker-chat ahp-transcript')).to.be.empty;
  });

  it('is left when the call is folded and when the chat leaves the page, and opens again as it was', async () => {
    const { host, chat } = await open([calls(worker(1))], new Map([[worker(1), []]]));
    const transcript = transcriptOf(chat);
    await openWorker(transcript);

    lineOf(transcript).click();
    await waitUntil(() => host.methodsOn(worker(1)).includes('unsubscribe'));
    lineOf(transcript).click();
    await waitUntil(() => host.methodsOn(worker(1)).length === 3);
    chat.remove();
    await waitUntil(() => host.methodsOn(worker(1)).length === 4);

    expect(host.methodsOn(worker(1))).to.deep.equal(['subscribe', 'unsubscribe', 'subscribe', 'unsubscribe']);
  });

  it('shows what the worker does while it does it', async () => {
    const { host, chat } = await open([calls(worker(1))], new Map([[worker(1), []]]));
    const transcript = transcriptOf(chat);
    const inner = await openWorker(transcript);
    askIn(host, worker(1));
    await waitUntil(() => findAll(inner, '[data-needs-answer]').length === 1, 'the question is there');

    expect(textOf(find(inner, '[data-needs-answer]'))).to.contain('Delete');
    expect(findAll(inner, '[data-needs-answer] .buttons button')).to.be.empty;
    await waitUntil(() => textOf(toggleOf(transcript)).includes('Waits for an answer'));
  });

  it('says that it waits for an answer without being opened', async () => {
    const { host, chat } = await open([calls(worker(1))], new Map([[worker(1), []]]));
    const transcript = transcriptOf(chat);
    await openCard(transcript);

    askIn(host, worker(1));

    await waitUntil(() => textOf(toggleOf(transcript)).includes('Waits for an answer'), 'marked');
    expect(host.methodsOn(worker(1))).to.be.empty;
  });

  it('shows the workers of workers, each over its own channel', async () => {
    const workers = new Map(
      [1, 2, 3].map((number) => [worker(number), number < 3 ? [calls(worker(number + 1))] : [markdown('deepest')]]),
    );
    const { host, chat } = await open([calls(worker(1))], workers);

    let transcript = transcriptOf(chat);
    for (let depth = 1; depth <= 3; depth += 1) transcript = await openWorker(transcript);

    expect(textOf(find(transcript, '.answer'))).to.contain('deepest');
    for (const number of [1, 2, 3]) expect(host.methodsOn(worker(number))).to.deep.equal(['subscribe']);
  });

  it('is not shown inside itself', async () => {
    const workers = new Map([[worker(1), [calls(CHAT)]]]);
    const { host, chat } = await open([calls(worker(1))], workers);
    const inner = await openWorker(transcriptOf(chat));
    const before = host.methodsOn(CHAT).length;

    await openCard(inner);

    expect(textOf(cardOf(inner))).to.contain('This chat is shown above.');
    expect(findAll(cardOf(inner), 'button.worker-title')).to.be.empty;
    expect(host.methodsOn(CHAT)).to.have.length(before);
  });

  it('is not shown below sixteen others', async () => {
    const { chat } = await open([calls(worker(1))], new Map([[worker(1), []]]));
    const transcript = transcriptOf(chat);
    transcript.ancestors = Array.from({ length: 15 }, (_, index) => `ahp-chat:/a${index}`);
    await openCard(transcript);

    expect(textOf(cardOf(transcript))).to.contain('Too many chats inside one another');
    expect(findAll(cardOf(transcript), 'button.worker-title')).to.be.empty;
  });

  it('stays a name where the host no longer has it', async () => {
    const { host, chat } = await open([calls(worker(9))], new Map());
    const transcript = transcriptOf(chat);
    await openCard(transcript);
    toggleOf(transcript).click();

    await waitUntil(() => textOf(cardOf(transcript)).includes('This chat is no longer there.'));
    expect(textOf(toggleOf(transcript))).to.contain('Look <b>around</b>');
    expect(host.methodsOn(worker(9))).to.deep.equal(['subscribe']);
  });

  it('is a name and nothing to press where it is hidden', async () => {
    const { host, chat } = await open([calls(worker(1))], new Map([[worker(1), []]]), { interactivity: 'hidden' });
    const transcript = transcriptOf(chat);
    await openCard(transcript);

    await waitUntil(() => findAll(cardOf(transcript), 'button').length === 0);
    expect(textOf(cardOf(transcript))).to.contain('Look <b>around</b>');
    expect(host.methodsOn(worker(1))).to.be.empty;
  });

  it('asks the page to show the chat, which may prevent it; the host hears nothing of either', async () => {
    const { host, chat } = await open([calls(worker(1))], new Map([[worker(1), []]]));
    await openCard(transcriptOf(chat));
    const opened = collect(chat, 'ahp-open-chat');
    chat.addEventListener('ahp-open-chat', (event) => event.preventDefault());
    const before = host.received.length;

    findButton(transcriptOf(chat), 'Open chat: Look <b>around</b>').focus();
    await press('Enter');

    expect(opened.map(({ resource, defaultPrevented }) => [resource, defaultPrevented])).to.deep.equal([
      [worker(1), true],
    ]);
    expect(host.received).to.have.length(before);
  });

  it('loads older turns of its own, and never those of the chat around it', async () => {
    const { host, chat } = await open([calls(worker(1))], new Map());
    const turns = Array.from({ length: 60 }, (_, index) => turn(`w${index}`));
    host.host.createChat(SESSION, { resource: worker(1), turns });
    const asked = collect(chat, 'ahp-load-older' as never);
    const inner = await openWorker(transcriptOf(chat));

    await waitUntil(() => inner.hasOlder, 'there are older ones');
    const loadAll = () => {
      find(inner, '[part=older]').click();
      return inner.turns.length === 60;
    };
    await waitUntil(loadAll, 'all are there');

    expect(host.methodsOn(worker(1))).to.include('fetchTurns');
    expect(host.methodsOn(CHAT)).not.to.include('fetchTurns');
    expect(asked).to.be.empty;
  });

  it('is accessible, opens with the keyboard, also from right to left', async () => {
    const { chat } = await open([calls(worker(1))], new Map([[worker(1), [markdown('text')]]]));
    const transcript = transcriptOf(chat);
    chat.dir = 'rtl';
    await openCard(transcript);

    toggleOf(transcript).focus();
    await press('Enter');
    await waitUntil(() => findAll(transcript, 'ahp-worker-chat ahp-transcript').length > 0);
    await waitUntil(() => findAll(innerOf(transcript), 'ahp-turn').length > 0);

    expect(toggleOf(transcript).getAttribute('aria-expanded')).to.equal('true');
    expect(toggleOf(transcript).matches(':focus')).to.equal(true);
    await expect(transcript).to.be.accessible();
  });
});
