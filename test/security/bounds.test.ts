/** Too much of everything: the page stays usable, and says what it does not show. */

import { expect } from '@open-wc/testing';
import { defaultMaxFrameBytes, limitFrames } from '../../src/client/frame-bound.js';
import { MemoryChatStore } from '../../src/chat/memory-store.js';
import { createLinkPair } from '../../src/host/link-pair.js';
import type { LinkClose } from '../../src/protocol/link.js';
import { parseChatState, parseFrame } from '../../src/protocol/parse.js';
import type { ChatState, ResponsePart } from '../../src/protocol/state.js';
import { loadInputRequest } from '../../src/views/parts/lazy.js';
import { Browser } from '../helpers/browser.js';
import { fixtureWith, transcriptOf, turnsOf } from '../helpers/chat-element.js';
import { chat, turn } from '../helpers/chat-states.js';
import { settle } from '../helpers/manual-environment.js';
import { CHAT } from '../helpers/scripted-host.js';
import { transcriptFixture } from '../helpers/transcript.js';
import { active } from '../helpers/turns.js';
import { find, findAll, findButton, frame, textOf } from '../helpers/views.js';

/** WebKit takes some ten times as long to lay text out. */
const isWebKit = !('chrome' in globalThis) && /AppleWebKit/.test(navigator.userAgent);
const MANY = isWebKit ? 100_000 : 1_000_000;

const inWords = (count: number) => count.toLocaleString('en');

describe('a frame of more than 32 MiB', () => {
  it('is refused where nobody has set another bound, and one of exactly as much is not', async () => {
    const [client, host] = createLinkPair();
    const link = limitFrames(client);
    const sizes: number[] = [];
    const closes: LinkClose[] = [];
    link.onmessage = ({ length }) => sizes.push(length);
    link.onclose = (close) => closes.push(close);

    host.send('x'.repeat(defaultMaxFrameBytes));
    host.send('x'.repeat(defaultMaxFrameBytes + 1));
    await settle();

    expect(sizes).to.deep.equal([33_554_432]);
    expect(closes.map(({ reason }) => reason.match(/\d+/g))).to.deep.equal([['33554433', '33554432']]);
    expect(closes[0]!.retry).to.equal(false);
  });
});

describe('JSON that is nested 10,000 deep', () => {
  const depth = 10_000;
  const deep = (open: string, close: string) => `${open.repeat(depth)}1${close.repeat(depth)}`;
  const frames = {
    lists: deep('[', ']'),
    objects: deep('{"a":', '}'),
    'both, in the state of a chat': `{"id":1,"result":{"snapshot":{"resource":"${CHAT}","fromSeq":1,"state":{"turns":${deep('[{"a":', '}]')}}}}}`,
    'both, with nulls': `{"method":"action","params":{"channel":"${CHAT}","serverSeq":1,"action":{"type":"x","x":null,"y":${deep('[', ']')}}}}`,
  };
  for (const [name, text] of Object.entries(frames))
    it(`is refused as a whole, and the chat goes on: ${name}`, async () => {
      expect(parseFrame(text)).to.include({ refused: 'too-deep' });
      const browser = new Browser();
      const tab = await browser.openChat();

      browser.host.inject(text);
      await browser.advance(0);
      browser.host.say('after');
      await browser.advance(100);

      expect(tab.store.status.phase).to.equal('live');
      expect(tab.state.turns.at(-1)!.message.text).to.equal('about after');
      expect(tab.diagnostics.map(({ code }) => code)).to.deep.equal(['bad-frame']);
    });
});

describe(`a turn of ${inWords(MANY)} parts`, () => {
  before(() => loadInputRequest());

  const many = (kind: string): ResponsePart[] => {
    const parts = Array.from({ length: MANY }, () => ({ kind, id: 'p', content: 'x' }));
    parts[7] = { kind: 'inputRequest', request: { id: 'q', message: 'Still there?' } } as never;
    parts[MANY - 1] = { kind, id: 'last', content: 'the end' };
    return parts as unknown as ResponsePart[];
  };

  for (const kind of ['markdown', 'later'])
    it(`shows the newest, what waits among the rest, and how many there are: ${kind}`, async () => {
      const transcript = await transcriptFixture({ activeTurn: active('now'), turns: [] }, 800);
      const parts = many(kind);
      transcript.activeTurn = { ...active('now'), responseParts: parts };
      await transcript.updateComplete;
      await frame();

      const answer = find(transcript, '.answer');
      expect(answer.childElementCount).to.be.below(1_010);
      expect(textOf(answer))
        .to.contain(`${inWords(MANY - 1_001)} earlier pieces are not shown`)
        .and.contain('Still there?');

      findButton(transcript, /earlier pieces/).click();
      await frame();
      await frame();
      expect(textOf(find(transcript, '.answer'))).to.contain(`${inWords(MANY - 2_001)} earlier pieces`);
      expect(find(transcript, '.answer').childElementCount).to.be.within(2_000, 2_010);
    }).timeout(120_000);

  it('goes through the reader and a store, and the next word is shown', async () => {
    const state = parseChatState(
      JSON.parse(JSON.stringify({ ...chat(), activeTurn: { ...active('now'), responseParts: many('markdown') } })),
    ) as ChatState;
    const store = new MemoryChatStore(state);
    const element = await fixtureWith(store);

    store.apply({ type: 'chat/delta', turnId: 'now', partId: 'last', content: ' of it' });
    for (
      let frames = 0;
      frames < 600 && !textOf(transcriptOf(element).shadowRoot!.querySelector('.answer')!).includes('the end of it');
      frames += 1
    )
      await frame();

    expect(textOf(find(transcriptOf(element), '.answer'))).to.contain('the end of it');
    store.apply({ type: 'chat/turnComplete', turnId: 'now', duration: 1 });
    await frame();
    await frame();
    expect(findAll(transcriptOf(element), 'ahp-turn')).to.have.length(1);
  }).timeout(120_000);
});

describe('words of a megabyte', () => {
  it('are found quickly among marks that are never closed', async () => {
    const { toWords } = await import('../../src/views/parts/words.js');

    const before = performance.now();
    for (const mark of ['[', '![', '[a](', '**', '`', '](']) toWords({ markdown: mark.repeat(1_000_000) });

    expect(performance.now() - before).to.be.below(500);
    expect(toWords({ markdown: 'see **the** [file](x:y) and `this`' })).to.equal('see the file and this');
  });
});

describe('names and lines of megabytes', () => {
  const long = 'W'.repeat(10 * MANY);

  it('are shown by their beginnings, and the page is laid out', async () => {
    const state = chat({
      title: long,
      activity: long,
      turns: [
        turn('t', {
          message: { text: long, origin: { kind: 'user' }, attachments: [{ type: 'simple', label: long }] },
          responseParts: [
            { kind: 'markdown', id: 'm', content: long },
            { kind: 'reasoning', id: 'r', content: long },
            { kind: 'systemNotification', content: 'short' },
            { kind: 'error', error: { errorType: long, message: long } },
            {
              kind: 'toolCall',
              toolCall: {
                status: 'completed',
                toolCallId: 'c',
                toolName: long,
                displayName: long,
                invocationMessage: long,
                confirmed: 'not-needed',
                success: false,
                pastTenseMessage: long,
                content: [{ type: 'text', text: long }],
                error: { message: long },
              },
            },
          ],
        }),
      ],
      activeTurn: active('now'),
    });

    const element = await fixtureWith(new MemoryChatStore(state));
    await frame();
    await frame();

    expect(turnsOf(element)).to.have.length(2);
    const shown = transcriptOf(element).shadowRoot!.textContent.length;
    expect(shown).to.be.below(12_000_000);
    expect(element.scrollWidth).to.equal(element.clientWidth);
  }).timeout(120_000);
});
