/** Where the transcript is after a gesture, a delta, a page of older turns, a change of size: in every engine. */

import { expect } from '@open-wc/testing';
import type { AhpTranscript } from '../../../src/views/transcript/ahp-transcript.js';
import { settled, topOf, transcriptFixture, turnOf, turnsOf } from '../../helpers/transcript.js';
import { active, markdown, paragraphs, turn, turns } from '../../helpers/turns.js';
import { collect, find, findAll, findButton, frame, press } from '../../helpers/views.js';

const scrollerOf = (transcript: AhpTranscript) => find(transcript, '.scroller');
const distanceToEnd = (transcript: AhpTranscript) => {
  const { scrollTop, scrollHeight, clientHeight } = scrollerOf(transcript);
  return scrollHeight - clientHeight - scrollTop;
};
/** Scrolls as a person does: the gesture first, then the movement. */
async function wheel(transcript: AhpTranscript, by: number): Promise<void> {
  const scroller = scrollerOf(transcript);
  scroller.dispatchEvent(new WheelEvent('wheel', { deltaY: by, bubbles: true, composed: true }));
  scroller.scrollTop += by;
  await settled();
}

/** What the reader sees of one turn, frame by frame, while something happens. */
async function watch(transcript: AhpTranscript, id: string, during: () => void | Promise<void>, frames = 8) {
  const seen: number[] = [];
  const before = topOf(transcript, turnOf(transcript, id));
  let isOn = true;
  const look = () => {
    // After layout and resize observers of this frame: what is painted.
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      const element = turnOf(transcript, id) as Element | undefined;
      seen.push(element ? topOf(transcript, element) - before : Infinity);
      if (isOn) requestAnimationFrame(look);
    };
    port2.postMessage(0);
  };
  requestAnimationFrame(look);
  await during();
  for (let i = 0; i < frames; i += 1) await frame();
  isOn = false;
  await frame();
  return Math.max(...seen.map(Math.abs));
}

/** One delta a frame, from the `from`th on. */
async function stream(transcript: AhpTranscript, id: string, count: number, from = 0): Promise<void> {
  for (let i = from + 1; i <= from + count; i += 1) {
    transcript.activeTurn = active(id, markdown('more words '.repeat(i * 4)));
    await frame();
  }
}

describe('scrolling', () => {
  it('opens at the end', async () => {
    const transcript = await transcriptFixture({ turns: turns(60) });

    expect(distanceToEnd(transcript)).to.be.at.most(1);
    expect(transcript.isFollowing).to.equal(true);
  });

  it('stays with the end while text streams', async () => {
    const transcript = await transcriptFixture({ turns: turns(20), activeTurn: active('now') });

    await stream(transcript, 'now', 30);
    await settled();

    expect(distanceToEnd(transcript)).to.be.at.most(1);
  });

  it('stays with the end when the running turn becomes a finished one', async () => {
    const transcript = await transcriptFixture({ turns: turns(20), activeTurn: active('now', markdown('text')) });
    const element = turnOf(transcript, 'now');

    transcript.turns = [...transcript.turns, turn('now', { responseParts: [markdown(paragraphs(4))] })];
    transcript.activeTurn = undefined;
    await settled();

    expect(turnOf(transcript, 'now')).to.equal(element);
    expect(distanceToEnd(transcript)).to.be.at.most(1);
  });

  it('leaves the visible turn where it is after a scroll up, and offers to jump to what is new', async () => {
    const transcript = await transcriptFixture({ turns: turns(20), activeTurn: active('now') });
    await wheel(transcript, -200);
    const id = 't18';
    expect(find(transcript, '.jump').className).to.equal('jump end');

    const moved = await watch(transcript, id, () => stream(transcript, 'now', 50));

    expect(moved).to.be.at.most(1);
    expect(findButton(transcript, 'Jump to what is new').className).to.equal('jump new');
  });

  it('is let go by the first small turn of the wheel and never goes down again by itself', async () => {
    const transcript = await transcriptFixture({ turns: turns(20), activeTurn: active('now') });
    const scroller = scrollerOf(transcript);
    const tops: number[] = [];

    for (let i = 1; i <= 30; i += 1) {
      transcript.activeTurn = active('now', markdown('more words '.repeat(i * 4)));
      scroller.dispatchEvent(new WheelEvent('wheel', { deltaY: -3, bubbles: true, composed: true }));
      scroller.scrollTop -= 3;
      await frame();
      tops.push(scroller.scrollTop);
    }

    tops.slice(1).forEach((top, index) => expect(top).to.be.at.most(tops[index]! + 0.5));
    expect(transcript.isFollowing).to.equal(false);
  });

  it('goes on following when the view gets lower', async () => {
    const transcript = await transcriptFixture({ turns: turns(20), activeTurn: active('now') });

    transcript.style.blockSize = '300px';
    await settled();
    await stream(transcript, 'now', 5);
    await settled();

    expect(transcript.isFollowing).to.equal(true);
    expect(distanceToEnd(transcript)).to.be.at.most(1);
  });

  it('goes on following when the wheel turns up and there is nothing to scroll', async () => {
    const transcript = await transcriptFixture({ turns: [turn('only', { responseParts: [] })] });

    await wheel(transcript, -100);
    transcript.activeTurn = active('now', markdown(paragraphs(20)));
    await settled();

    expect(transcript.isFollowing).to.equal(true);
    expect(distanceToEnd(transcript)).to.be.at.most(1);
  });

  it('stays let go after a scroll of ten pixels', async () => {
    const transcript = await transcriptFixture({ turns: turns(20), activeTurn: active('now') });
    await wheel(transcript, -10);
    const { scrollTop } = scrollerOf(transcript);

    await stream(transcript, 'now', 10);
    await settled();

    expect(scrollerOf(transcript).scrollTop).to.be.closeTo(scrollTop, 1);
    expect(transcript.isFollowing).to.equal(false);
  });

  it('follows again when the reader comes back to the very end', async () => {
    const transcript = await transcriptFixture({ turns: turns(20), activeTurn: active('now') });
    await wheel(transcript, -300);

    await wheel(transcript, 1_000);
    await stream(transcript, 'now', 10);
    await settled();

    expect(transcript.isFollowing).to.equal(true);
    expect(distanceToEnd(transcript)).to.be.at.most(1);
    expect(findAll(transcript, '.jump')).to.be.empty;
  });

  it('follows again after the jump button, which hands its focus to the newest turn', async () => {
    const transcript = await transcriptFixture({ turns: turns(20) });
    await wheel(transcript, -300);

    findButton(transcript, 'Jump to the end').click();
    await settled();

    expect(distanceToEnd(transcript)).to.be.at.most(1);
    expect(transcript.isFollowing).to.equal(true);
    expect(transcript.shadowRoot!.activeElement).to.equal(turnOf(transcript, 't19'));
  });

  for (const key of ['PageUp', 'Home', 'ArrowUp'])
    it(`is let go by ${key}`, async () => {
      const transcript = await transcriptFixture({
        turns: turns(20),
        activeTurn: active('now', markdown(paragraphs(30))),
      });
      transcript.focus();

      await press(key);
      await settled();

      expect(transcript.isFollowing).to.equal(false);
    });

  it('is let go by a find of the browser, which moves the view without any gesture', async () => {
    const transcript = await transcriptFixture({ turns: turns(20), activeTurn: active('now') });

    turnOf(transcript, 't3').scrollIntoView();
    await settled();
    const moved = await watch(transcript, 't3', () => stream(transcript, 'now', 10));

    expect(moved).to.be.at.most(1);
  });

  it('is not let go by a wheel that scrolls a box inside', async () => {
    const transcript = await transcriptFixture({ turns: turns(20), activeTurn: active('now') });
    const box = document.createElement('div');
    box.style.cssText = 'block-size: 50px; overflow-y: auto';
    box.append(Object.assign(document.createElement('div'), { style: 'block-size: 500px' }));
    turnOf(transcript, 'now').append(box);
    await settled();
    box.scrollTop = 100;

    box.dispatchEvent(new WheelEvent('wheel', { deltaY: -10, bubbles: true, composed: true }));

    expect(transcript.isFollowing).to.equal(true);
  });

  describe('older turns', () => {
    it('are asked for once at the top, and come in without moving what is read', async () => {
      const transcript = await transcriptFixture({ turns: turns(20), hasOlder: true });
      const asked = collect(transcript, 'ahp-load-older');
      scrollerOf(transcript).dispatchEvent(new WheelEvent('wheel', { deltaY: -1 }));
      scrollerOf(transcript).scrollTop = 0;
      await settled();
      await settled();
      expect(asked).to.have.length(1);

      const moved = await watch(transcript, 't0', () => {
        transcript.turns = [...turns(50, 'old'), ...transcript.turns];
      });
      await settled();

      expect(moved).to.be.at.most(1);
      expect(asked).to.have.length(1);
      expect(scrollerOf(transcript).scrollTop).to.be.above(100);
    });

    it('leave what is read in place where a browser that bounces at the top takes the first correction back', async () => {
      const transcript = await transcriptFixture({ turns: turns(20), hasOlder: true });
      const asked = collect(transcript, 'ahp-load-older');
      const scroller = scrollerOf(transcript);
      scroller.dispatchEvent(new WheelEvent('wheel', { deltaY: -1 }));
      scroller.scrollTop = 0;
      await settled();
      const before = topOf(transcript, turnOf(transcript, 't0'));
      expect(getComputedStyle(scroller).overscrollBehaviorY).to.equal('contain');

      // Nothing that is written while it bounces lasts.
      Object.defineProperty(scroller, 'scrollTop', { configurable: true, get: () => -20, set: () => undefined });
      transcript.turns = [...turns(50, 'old'), ...transcript.turns];
      await settled();
      Reflect.deleteProperty(scroller, 'scrollTop');
      scroller.dispatchEvent(new Event('scrollend'));
      await settled();

      expect(topOf(transcript, turnOf(transcript, 't0'))).to.be.closeTo(before, 1);
      expect(asked).to.have.length(1);
      await wheel(transcript, -50);
      expect(topOf(transcript, turnOf(transcript, 't0'))).to.be.closeTo(before + 50, 1);
    });

    it('come in while the last turn streams without moving what is read', async () => {
      const transcript = await transcriptFixture({ turns: turns(20), activeTurn: active('now'), hasOlder: true });
      await wheel(transcript, -600);
      const id = turnsOf(transcript).find((element) => topOf(transcript, element) > 0)!.turn!.id;

      const moved = await watch(transcript, id, async () => {
        const streaming = stream(transcript, 'now', 20);
        transcript.turns = [...turns(50, 'old'), ...transcript.turns];
        await streaming;
      });

      expect(moved).to.be.at.most(1);
    });

    it('can be asked for again after a failure, by the button', async () => {
      const transcript = await transcriptFixture({ turns: turns(3), hasOlder: true });
      const asked = collect(transcript, 'ahp-load-older');
      const button = findButton(transcript, 'Show older turns');

      button.click();
      transcript.loadingOlder = true;
      await settled();
      button.click();
      expect(asked).to.have.length(1);
      expect(button.textContent.trim()).to.equal('Loading older turns…');

      transcript.loadingOlder = false;
      await settled();
      button.click();
      expect(asked).to.have.length(2);
    });

    it('come from memory first, a page at a time, and far ones leave the document', async () => {
      const transcript = await transcriptFixture({ turns: turns(1_000), hasOlder: true });
      const asked = collect(transcript, 'ahp-load-older');
      expect(turnsOf(transcript)).to.have.length(30);

      let most = 0;
      for (let i = 0; i < 40; i += 1) {
        const anchor = turnsOf(transcript).find((element) => topOf(transcript, element) >= 0)!;
        const { id } = anchor.turn!;
        const before = topOf(transcript, anchor);
        const by = Math.min(1_500, scrollerOf(transcript).scrollTop);
        await wheel(transcript, -by);
        const after = turnOf(transcript, id) as Element | undefined;
        // It moved down by exactly what was scrolled.
        if (after) expect(topOf(transcript, after) - before).to.be.closeTo(by, 1);
        most = Math.max(most, turnsOf(transcript).length);
      }

      expect(asked).to.be.empty;
      expect(most).to.be.within(60, 190);
      expect(turnsOf(transcript).length).to.be.at.most(150);
    });

    it('let the reader come back down to the end', async () => {
      const transcript = await transcriptFixture({ turns: turns(120) });
      await transcript.scrollToTurn('t5');
      expect(turnOf(transcript, 't119')).to.equal(undefined);

      for (let i = 0; i < 100 && !transcript.isFollowing; i += 1) await wheel(transcript, 4_000);

      expect(turnOf(transcript, 't119')).to.not.equal(undefined);
      expect(distanceToEnd(transcript)).to.be.at.most(1);
    });
  });

  describe('changes of size', () => {
    it('of pictures that come late leave the text being read in place', async () => {
      const transcript = await transcriptFixture({ turns: turns(30) });
      const boxes = turnsOf(transcript).map((element) => {
        const box = document.createElement('div');
        element.append(box);
        return box;
      });
      await settled();
      await wheel(transcript, -1_500);
      const reading = turnsOf(transcript).find((element) => topOf(transcript, element) > 40)!;

      const moved = await watch(transcript, reading.turn!.id, async () => {
        for (const box of boxes.slice(0, boxes.length - 12)) {
          box.style.blockSize = '180px';
          await frame();
        }
      });

      expect(moved).to.be.at.most(1);
    });

    it('above, within a turn taller than the view, leave its visible text in place', async () => {
      const transcript = await transcriptFixture({
        turns: [turn('tall', { responseParts: [markdown(paragraphs(60))] }), ...turns(3)],
      });
      const tall = turnOf(transcript, 'tall');
      const lines = [...tall.querySelectorAll('p')];
      await wheel(transcript, -scrollerOf(transcript).scrollHeight);
      await wheel(transcript, 900);
      const visible = lines.find((line) => topOf(transcript, line) > 0)!;
      const before = topOf(transcript, visible);

      lines[0]!.style.paddingBlockEnd = '333px';
      await settled();

      expect(topOf(transcript, visible)).to.be.closeTo(before, 1);
    });

    it('are corrected once when a row above collapses while text streams', async () => {
      const transcript = await transcriptFixture({ turns: turns(20), activeTurn: active('now') });
      const row = turnOf(transcript, 't15').appendChild(document.createElement('div'));
      row.style.blockSize = '300px';
      await settled();
      expect(distanceToEnd(transcript)).to.be.at.most(1);

      const streaming = stream(transcript, 'now', 10);
      row.style.blockSize = '30px';
      await streaming;
      await settled();

      expect(transcript.isFollowing).to.equal(true);
      expect(distanceToEnd(transcript)).to.be.at.most(1);
    });

    it('by opening something leave the pressed line where it is, even at the end', async () => {
      const transcript = await transcriptFixture({
        turns: [
          ...turns(10),
          turn('last', { responseParts: [{ kind: 'reasoning', id: 'r', content: paragraphs(20) }] }),
        ],
      });
      const line = findButton(turnOf(transcript, 'last'), /Thought/);
      const before = topOf(transcript, line);

      line.click();
      await settled();

      expect(line.getAttribute('aria-expanded')).to.equal('true');
      expect(topOf(transcript, line)).to.be.closeTo(before, 1);
      expect(transcript.isFollowing).to.equal(false);
    });
  });

  describe('other ways to follow', () => {
    it('turn-start brings the top of a new turn to the top and leaves it there', async () => {
      const transcript = await transcriptFixture({ turns: turns(10), follow: 'turn-start' });

      transcript.activeTurn = active('now', markdown('short'));
      await settled();
      expect(topOf(transcript, turnOf(transcript, 'now'))).to.be.closeTo(0, 24);

      const moved = await watch(transcript, 'now', () => stream(transcript, 'now', 60));
      expect(moved).to.be.at.most(1);

      await wheel(transcript, 200);
      const read = await watch(transcript, 'now', () => stream(transcript, 'now', 20, 60));
      expect(read).to.be.at.most(1);
    });

    it('off opens at the end and then stays put', async () => {
      const transcript = await transcriptFixture({ turns: turns(10), follow: 'off' });
      expect(distanceToEnd(transcript)).to.be.at.most(1);

      const moved = await watch(transcript, 't9', () => stream(transcript, 'now', 40));

      expect(moved).to.be.at.most(1);
      expect(findAll(transcript, '.jump')).to.have.length(1);
    });
  });

  it('keeps what a smooth scroll of the keyboard has arrived at', async () => {
    const transcript = await transcriptFixture({ turns: turns(20), activeTurn: active('now') });
    const scroller = scrollerOf(transcript);
    transcript.focus();

    await press('PageUp');
    for (let still = 0, last = -1; still < 10; last = scroller.scrollTop) {
      await frame();
      still = scroller.scrollTop === last ? still + 1 : 0;
    }
    const moved = await watch(transcript, 't18', () => stream(transcript, 'now', 10));

    expect(moved).to.be.at.most(1);
  });
});
