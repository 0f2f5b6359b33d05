import { expect } from '@open-wc/testing';
import type { AhpTranscript } from '../../../src/views/transcript/ahp-transcript.js';
import { finishedFixture, settled } from '../../helpers/transcript.js';
import { completedCall, toolPart, turn } from '../../helpers/turns.js';
import { waitUntil } from '../../helpers/until.js';
import { click, deepFocus, find, findAll, findButton, nameOf, press, textOf } from '../../helpers/views.js';

const lines = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => `line ${from + index} of what a tool has printed\n`).join('');
const call = (text: string) => toolPart(completedCall('c', { content: [{ type: 'text', text }] }));

/** The output of a finished call, opened. */
async function outputOf(text: string): Promise<AhpTranscript> {
  const transcript = await finishedFixture([call(text)]);
  find(transcript, '[part=tool-call-line]').click();
  await settled();
  return transcript;
}

const boxes = (transcript: AhpTranscript) => findAll(transcript, '.code-box');
const shownText = (transcript: AhpTranscript) =>
  boxes(transcript)
    .map((box) => box.textContent)
    .join('');
const untilWhole = (transcript: AhpTranscript, text: string) =>
  waitUntil(() => boxes(transcript).length === 1 && shownText(transcript) === text);

describe('ahp-long-text', () => {
  it('shows the beginning and the end, and says how much stands between them', async () => {
    const text = lines(100_000);
    const transcript = await outputOf(text);
    const [first, last] = boxes(transcript);

    expect(text.startsWith(first!.textContent)).to.equal(true);
    expect(text.endsWith(last!.textContent)).to.equal(true);
    expect(textOf(find(transcript, '.text-rest'))).to.equal('3.6 MB are left out here. Show all (3.8 MB) Copy all');
    expect(boxes(transcript).map(nameOf)).to.deep.equal(['Output', 'Output, the end']);
  });

  it('leaves a text alone that is not too long', async () => {
    const text = 'x'.repeat(200_000);
    const transcript = await outputOf(text);

    expect(shownText(transcript)).to.equal(text);
    expect(findAll(transcript, '.text-rest')).to.be.empty;
  });

  it('holds few nodes, however long the text is', async () => {
    const countNodes = async (text: string) => {
      const transcript = await outputOf(text);
      const walker = document.createTreeWalker(find(transcript, 'ahp-long-text'));
      let count = 0;
      while (walker.nextNode()) count += 1;
      return count;
    };

    const [short, long] = [await countNodes(lines(10_000)), await countNodes(lines(250_000))];

    expect(long - short).to.be.within(-20, 20);
  });

  it('puts all of it in, in steps, on a press of a key, and the focus is where the text is', async () => {
    const text = lines(100_000);
    const transcript = await outputOf(text);
    const seen = new Set<number>();
    const observer = new MutationObserver(() => seen.add(shownText(transcript).length));
    observer.observe(find(transcript, 'ahp-long-text'), { childList: true, subtree: true });

    findButton(transcript, /Show all/).focus();
    await press('Enter');
    await untilWhole(transcript, text);
    observer.disconnect();

    expect(seen.size).to.be.above(5);
    expect(deepFocus() === boxes(transcript)[0]).to.equal(true);
    expect(textOf(find(transcript, '.text-rest'))).to.equal('3.8 MB Copy all');
  });

  it('copies all of it, also what is left out', async () => {
    const copied: string[] = [];
    const { clipboard } = navigator;
    Object.defineProperty(navigator, 'clipboard', {
      configurable: true,
      value: { writeText: async (text: string) => void copied.push(text) },
    });
    try {
      const text = `${lines(20_000)}\u202e`;
      const transcript = await outputOf(text);
      find(transcript, '.text-rest').scrollIntoView({ block: 'center' });

      await click(findButton(transcript, 'Copy all'));
      await settled();

      expect(copied.length).to.equal(1);
      expect(copied[0] === text).to.equal(true);
      expect(nameOf(find(transcript, '.text-rest button:last-child'))).to.equal('Copied');
    } finally {
      Object.defineProperty(navigator, 'clipboard', { configurable: true, value: clipboard });
    }
  });

  it('stays as far open as it is while the text goes on, and begins anew with another', async () => {
    const transcript = await outputOf(lines(20_000));
    const show = async (text: string) => {
      transcript.turns = [turn('done', { responseParts: [call(text)] })];
      await settled();
    };
    findButton(transcript, /Show all/).click();
    await untilWhole(transcript, lines(20_000));
    const [node] = boxes(transcript)[0]!.firstElementChild!.childNodes;

    await show(lines(40_000));
    await untilWhole(transcript, lines(40_000));
    expect(boxes(transcript)[0]!.firstElementChild!.firstChild === node).to.equal(true);

    await show(`other ${lines(40_000)}`);
    expect(boxes(transcript)).to.have.length(2);
  });

  it('shows what would hide or reorder the text around it, in every piece', async () => {
    const transcript = await outputOf(`\u202e${lines(20_000)}\u202e`);

    expect(shownText(transcript).startsWith('[U+202E]')).to.equal(true);
    expect(shownText(transcript).endsWith('[U+202E]')).to.equal(true);
  });

  for (const dir of ['ltr', 'rtl'] as const)
    it(`is accessible (${dir})`, async () => {
      document.documentElement.dir = dir;
      try {
        const transcript = await outputOf(lines(20_000));

        await expect(transcript).to.be.accessible();
        expect(boxes(transcript).map((box) => getComputedStyle(box).direction)).to.deep.equal(['ltr', 'ltr']);
      } finally {
        document.documentElement.dir = '';
      }
    });
});
