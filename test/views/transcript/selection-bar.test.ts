/** A piece of an answer that is selected: what is offered, where, and what goes out. */

import { expect } from '@open-wc/testing';
import { loadSelectionBar } from '../../../src/views/parts/lazy.js';
import type { AhpTranscript } from '../../../src/views/transcript/ahp-transcript.js';
import { noAbilities } from '../../../src/views/transcript/part-scope.js';
import { settled, transcriptFixture, turnOf } from '../../helpers/transcript.js';
import { turn, userMessage } from '../../helpers/turns.js';
import { waitUntil } from '../../helpers/until.js';
import { collect, deepFocus, drag, expectAccessible, findAll, findButton, press } from '../../helpers/views.js';

const parts = [
  { kind: 'markdown', id: 'p1', content: 'First words here.\n\nSecond paragraph.' },
  { kind: 'markdown', id: 'p2', content: 'Another part.' },
] as const;

async function answered(sideChat = true): Promise<AhpTranscript> {
  await loadSelectionBar();
  const transcript = await transcriptFixture(
    {
      turns: [
        turn('a', { responseParts: parts, message: userMessage('What was said') }),
        turn('b', { responseParts: [{ kind: 'markdown', id: 'p3', content: 'Later.' }] }),
      ],
      abilities: { ...noAbilities, sideChat },
    },
    600,
  );
  await settled();
  return transcript;
}

const paragraphsOf = (transcript: AhpTranscript, id = 'a') => findAll(turnOf(transcript, id), 'ahp-markdown p');
const barOf = (transcript: AhpTranscript) => findAll(transcript, '[part=selection-bar]')[0];

const offered = (transcript: AhpTranscript) => waitUntil(() => barOf(transcript), 'it is offered');

describe('a selected piece of an answer', () => {
  afterEach(() => getSelection()!.removeAllRanges());

  it('can be asked about in a side chat, with its words, its part and its turn', async () => {
    const transcript = await answered();
    const forks = collect(transcript, 'ahp-fork');
    const [first] = paragraphsOf(transcript);

    await drag(first!, first!);
    await offered(transcript);
    findButton(transcript, 'Ask in a side chat').click();

    expect(forks.map(({ turnId, kind, selection }) => ({ turnId, kind, selection }))).to.deep.equal([
      { turnId: 'a', kind: 'sideChat', selection: { text: 'First words here.', responsePartId: 'p1' } },
    ]);
  });

  it('keeps its lines apart, and names no part where it reaches over several', async () => {
    const transcript = await answered();
    const forks = collect(transcript, 'ahp-fork');
    const paragraphs = paragraphsOf(transcript);

    await drag(paragraphs[1]!, paragraphs[2]!);
    await offered(transcript);
    findButton(transcript, 'Ask in a side chat').click();

    expect(forks[0]!.selection).to.deep.equal({ text: 'Second paragraph.\nAnother part.' });
  });

  it('is reached and asked about with the keyboard', async () => {
    const transcript = await answered();
    const forks = collect(transcript, 'ahp-fork');
    const [first] = paragraphsOf(transcript);
    await drag(first!, first!);
    await offered(transcript);

    const isReached = () => deepFocus()?.closest('[part=selection-bar]');
    for (let pressed = 0; pressed < 12 && !isReached(); pressed += 1) await press('Tab');
    expect(isReached(), 'the button has the focus').to.not.equal(null);
    await press('Enter');

    expect(forks.map(({ selection }) => selection?.text)).to.deep.equal(['First words here.']);
  });

  it('is no offer any more when the person goes on with something else', async () => {
    const transcript = await answered();
    const [first] = paragraphsOf(transcript);
    await drag(first!, first!);
    await offered(transcript);

    await press('Tab');
    getSelection()!.removeAllRanges();
    await settled();
    const onTheWay = barOf(transcript);
    await press('x');
    await waitUntil(() => !barOf(transcript), 'it is gone');

    expect(onTheWay).to.not.equal(undefined);
  });

  it('takes no focus, and is no offer any more when the selection goes', async () => {
    const transcript = await answered();
    const [first] = paragraphsOf(transcript);
    await drag(first!, first!);
    await offered(transcript);
    const focused = deepFocus();

    getSelection()!.removeAllRanges();
    await waitUntil(() => !barOf(transcript), 'it is gone');

    expect(focused).to.not.equal(null);
    expect(focused!.closest('[part=selection-bar]')).to.equal(null);
  });

  it('is no offer where it reaches over two answers, or lies in what the person said', async () => {
    const transcript = await answered();
    const bubble = turnOf(transcript, 'a').querySelector('.bubble-text')!;

    await drag(paragraphsOf(transcript)[0]!, paragraphsOf(transcript, 'b')[0]!);
    await settled();
    const overTwo = barOf(transcript);
    await drag(bubble, bubble);
    await settled();

    expect([overTwo, barOf(transcript)]).to.deep.equal([undefined, undefined]);
  });

  it('is no offer where the host begins no side chats', async () => {
    const transcript = await answered(false);
    const [first] = paragraphsOf(transcript);

    await drag(first!, first!);
    await settled();

    expect(barOf(transcript)).to.equal(undefined);
  });

  it('breaks no rule of accessibility', async () => {
    const transcript = await answered();
    const [first] = paragraphsOf(transcript);
    await drag(first!, first!);
    await offered(transcript);

    await expectAccessible(transcript);
  });
});
