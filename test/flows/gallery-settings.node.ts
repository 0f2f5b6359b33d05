/** The gallery for people with settings of their own: zoom, a finger for a pointer, less motion, colours of the system. */

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Gallery, type SectionOptions } from '../../scripts/gallery-page.js';
import { putInPage } from './in-page.js';

const gallery = await Gallery.start(putInPage);
const sections = await gallery.listSections();
after(() => gallery.close());

/** Runs `check`, which names what is wrong, in each section. */
function inEachSection(check: () => readonly string[], options: SectionOptions = {}): void {
  for (const section of sections) {
    it(`in "${section}"`, async () => {
      await gallery.open(section, options);

      assert.deepEqual(await gallery.page.evaluate(check), []);
    });
  }
}

/** What is cut away at the sides, or makes the page scroll sideways. */
const leavesSideways = (): readonly string[] => {
  const isCutAway = (box: Element): boolean => {
    const { overflowX, textOverflow } = getComputedStyle(box);
    return overflowX === 'auto' || overflowX === 'scroll' || textOverflow === 'ellipsis';
  };
  const faults = document.documentElement.scrollWidth > innerWidth ? ['the page scrolls sideways'] : [];
  const hasOwnText = ({ childNodes }: Element) =>
    [...childNodes].some((node) => node instanceof Text && node.data.trim() !== '');
  for (const element of inPage.all()) {
    const isOwn = inPage.isShown(element) && (hasOwnText(element) || inPage.controls().includes(element));
    if (!isOwn) continue;
    const { left, right } = element.getBoundingClientRect();
    const isOut = left < -1 || right > innerWidth + 1;
    if (isOut && ![element, ...inPage.around(element)].some(isCutAway)) faults.push(inPage.nameOf(element));
  }
  return faults;
};

/** A window of 1,280 by 1,024 pixels, zoomed. */
const zooms = [
  ['200 %', { width: 640, height: 512 }],
  ['400 %', { width: 320, height: 256 }],
] as const;

for (const [zoom, size] of zooms) {
  describe(`at ${zoom} zoom, in a window of ${size.width} by ${size.height} pixels, nothing leaves the view sideways`, () => {
    before(() => gallery.resize(size));

    inEachSection(leavesSideways);
  });
}

describe('from right to left, in a window of 380 pixels, nothing leaves the view sideways', () => {
  before(() => gallery.resize({ width: 380, height: 800 }));

  inEachSection(leavesSideways, { dir: 'rtl' });
});

describe('in the colours of the system what can be pressed has an edge, and what has the focus a ring', () => {
  before(async () => {
    await gallery.resize({ width: 720, height: 1_400 });
    await gallery.emulate({ 'forced-colors': 'active' });
  });
  after(() => gallery.emulate({}));

  it('with those colours', async () => {
    assert.ok(await gallery.page.evaluate(() => matchMedia('(forced-colors: active)').matches));
  });

  inEachSection(() =>
    inPage.controls().flatMap((control) => {
      const faults: string[] = [];
      // Backgrounds and shadows are gone, so a filled button is told from a word by its border alone.
      if (control.matches('.filled') && parseFloat(getComputedStyle(control).borderTopWidth) === 0)
        faults.push(`${inPage.nameOf(control)} has no edge`);
      control.focus({ focusVisible: true });
      const line = [control, ...inPage.around(control).slice(0, 4)];
      const hasRing = line.some((box) => {
        const { outlineStyle, outlineWidth } = getComputedStyle(box);
        return outlineStyle !== 'none' && parseFloat(outlineWidth) > 0;
      });
      if (!hasRing) faults.push(`${inPage.nameOf(control)} has no ring`);
      return faults;
    }),
  );
});

/** Takes the mark of a choice, a place or a change away, in the one way by which it is there. */
const marks: Readonly<Record<string, (element: Element) => void>> = {
  '[aria-current]': (element) => element.removeAttribute('aria-current'),
  '[role=option][aria-selected=true]': (element) => element.setAttribute('aria-selected', 'false'),
  '.unread': (element) => element.querySelector('.dot')!.remove(),
  '.badge': (element) => element.classList.remove('badge'),
  '.diff-row.added': (element) => element.classList.remove('added'),
  '.diff-row.removed': (element) => element.classList.remove('removed'),
  'input[type=radio]:checked': (element) => ((element as HTMLInputElement).checked = false),
  'input[type=checkbox]:checked': (element) => ((element as HTMLInputElement).checked = false),
};

describe('in the colours of the system a choice, a place, a badge and a changed line are to be seen', () => {
  const seen = new Set<string>();

  before(async () => {
    await gallery.resize({ width: 720, height: 1_400 });
    await gallery.emulate({ 'forced-colors': 'active' });
  });
  after(() => gallery.emulate({}));

  for (const section of sections) {
    it(`in "${section}"`, async () => {
      await gallery.open(section);

      for (const [selector, unmark] of Object.entries(marks)) {
        for (const element of await gallery.page.$$(`section >>> ${selector}`)) {
          // What is scrolled away is painted like what is in view.
          if (!(await element.isIntersectingViewport())) continue;
          seen.add(selector);
          const marked = await element.screenshot();
          await element.evaluate(unmark);
          assert.notDeepEqual(await element.screenshot(), marked, `${selector} is seen by nobody`);
        }
      }
    });
  }

  it('and code is not painted as if it were selected', async () => {
    await gallery.open('finished');

    assert.deepEqual(
      await gallery.page.evaluate(() => [...CSS.highlights.values()].map(({ size }) => size).filter(Boolean)),
      [],
    );
  });

  it('wherever there is one of them', () => {
    assert.deepEqual([...seen].toSorted(), Object.keys(marks).toSorted());
  });
});

for (const [zoom, size] of zooms) {
  describe(`at ${zoom} zoom every control can be scrolled to`, () => {
    before(() => gallery.resize(size));

    inEachSection(cannotBeReached);
  });
}

/** What lies below something else, or cannot be scrolled into the window. */
function cannotBeReached(): readonly string[] {
  const findAt = (x: number, y: number): Element | null => {
    let [outer, found] = [null as Element | null, document.elementFromPoint(x, y)];
    while (found?.shadowRoot && found !== outer) {
      outer = found;
      found = found.shadowRoot.elementFromPoint(x, y) ?? found;
    }
    return found;
  };
  const canBePressed = (control: HTMLElement): boolean => {
    control.scrollIntoView({ block: 'center', inline: 'nearest' });
    const { top, bottom, left, right } = control.getBoundingClientRect();
    const found = findAt((Math.max(0, left) + Math.min(innerWidth, right)) / 2, (top + bottom) / 2);
    const line = found ? [found, ...inPage.around(found)] : [];
    // A list that is open for the moment may lie over what is below it.
    return line.includes(control) || line.some((one) => one.matches('[popover]'));
  };
  return inPage
    .controls()
    .filter((control) => !canBePressed(control))
    .map(inPage.nameOf);
}

describe('under a finger, fields do not make the page zoom in, and what is pressed is 44 pixels high and wide', () => {
  before(() => gallery.resize({ width: 390, height: 800, isMobile: true, hasTouch: true }));

  it('with a coarse pointer', async () => {
    assert.ok(await gallery.page.evaluate(() => matchMedia('(pointer: coarse)').matches));
  });

  inEachSection(() => {
    const faults: string[] = [];
    for (const control of inPage.controls()) {
      const { fontSize, display } = getComputedStyle(control);
      const isField = control.matches('select, textarea, input:not([type=checkbox], [type=radio])');
      if (isField && parseFloat(fontSize) < 16) faults.push(`${inPage.nameOf(control)} has ${fontSize}`);
      // A link in a sentence is as high as the sentence.
      if (display === 'inline') continue;
      const target = (control as HTMLInputElement).labels?.length ? (control.closest('label') ?? control) : control;
      const { width, height } = target.getBoundingClientRect();
      if (Math.min(width, height) < 43.5)
        faults.push(`${inPage.nameOf(control)} is ${Math.round(width)} × ${Math.round(height)}`);
    }
    return faults;
  });
});

describe('with less motion nothing moves', () => {
  before(async () => {
    await gallery.resize({ width: 720, height: 1_400 });
    await gallery.emulate({ 'prefers-reduced-motion': 'reduce' });
  });
  after(() => gallery.emulate({}));

  inEachSection(() =>
    inPage.all().flatMap((element) =>
      ['', '::before', '::after'].flatMap((pseudo) => {
        const { animationName, transitionDuration, scrollBehavior } = getComputedStyle(element, pseudo || null);
        const isStill = animationName === 'none' && /^0s(, 0s)*$/.test(transitionDuration) && scrollBehavior === 'auto';
        return isStill ? [] : [`${inPage.nameOf(element)}${pseudo} ${animationName} ${transitionDuration}`];
      }),
    ),
  );
});
