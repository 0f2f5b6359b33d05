/** What a watched terminal makes of what programs write: as a terminal would show it, and with nothing alive in it. */

import { expect, fixture, html } from '@open-wc/testing';
import { capText, terminalReducer, terminalText, type WatchedTerminal } from '../../../src/channels/terminal.js';
import { findInkOn } from '../../../src/views/parts/terminal-cells.js';
import { TerminalScreen, type Screenful } from '../../../src/views/parts/terminal-screen.js';
import { terminalStyles } from '../../../src/views/tool-call/ahp-terminal.styles.js';
import { frame } from '../../helpers/views.js';
import { waitUntil } from '../../helpers/until.js';

interface Shown {
  readonly box: HTMLElement;
  readonly screen: TerminalScreen;
  /** Shows this and waits until it is painted. */
  show(text: string, more?: Partial<Screenful>): Promise<void>;
  lines(): string[];
}

async function open(options: { readonly hasBareLineFeeds?: boolean } = {}): Promise<Shown> {
  const box = await fixture<HTMLElement>(html`<div style="position: relative"></div>`);
  let paints = 0;
  const screen = new TerminalScreen(box, {
    hasBareLineFeeds: options.hasBareLineFeeds ?? false,
    onPaint: () => (paints += 1),
  });
  const show = async (text: string, more: Partial<Screenful> = {}) => {
    const before = paints;
    screen.show({ text, dropped: 0, columns: 40, rows: 10, commands: [], isRunning: false, ...more });
    await waitUntil(() => paints > before, 'painted');
    await frame();
  };
  return { box, screen, show, lines: () => [...box.children].map(({ textContent }) => textContent) };
}

const ESC = '\u001b';
const spansOf = ({ box }: Shown) => [...box.querySelectorAll('span')];

describe('the cursor of a watched terminal', () => {
  /** Column and row of the cursor, measured in characters. */
  const cursorOf = ({ box }: Shown) => {
    const cursor = box.querySelector('.terminal-cursor');
    if (!cursor) return undefined;
    const [at, of] = [cursor.getBoundingClientRect(), box.getBoundingClientRect()];
    return [Math.round((at.left - of.left) / at.width), Math.round((at.top - of.top) / at.height)];
  };

  async function openStyled(): Promise<Shown> {
    const shown = await open();
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(terminalStyles.cssText);
    document.adoptedStyleSheets = [sheet];
    Object.assign(shown.box.style, { font: '16px/20px monospace' });
    shown.box.className = 'terminal-lines';
    return shown;
  }

  afterEach(() => {
    document.adoptedStyleSheets = [];
  });

  const isRunning = true;
  const places: readonly [where: string, text: string, place: readonly [number, number]][] = [
    ['before anything was written', '', [0, 0]],
    ['behind the text', '$ npm test', [10, 0]],
    ['on a line that is empty so far', 'one\r\ntwo\r\n', [0, 2]],
    ['where a program has moved it', `one\r\ntwo${ESC}[1;2H`, [1, 0]],
    ['in a line that was wrapped', 'x'.repeat(50), [10, 1]],
    ['in the last column, where it waits for what comes', 'x'.repeat(40), [39, 0]],
    ['behind characters that take two columns', '日本', [4, 0]],
    ['below a history of lines', `${'line\r\n'.repeat(200)}$ `, [2, 200]],
    ['on the other screen', `shell\r\n${ESC}[?1049h${ESC}[5;3H`, [2, 4]],
  ];
  for (const [where, text, place] of places)
    it(`stands ${where}`, async () => {
      const shown = await openStyled();

      await shown.show(text, { isRunning });

      expect(cursorOf(shown)).to.deep.equal(place);
    });

  it('is hidden while the program hides it', async () => {
    const shown = await openStyled();
    const hidden = `busy${ESC}[?25l`;

    await shown.show(hidden, { isRunning });
    expect(cursorOf(shown)).to.equal(undefined);
    await shown.show(`${hidden}${ESC}[?25h`, { isRunning });

    expect(cursorOf(shown)).to.deep.equal([4, 0]);
  });

  it('goes when the terminal has ended, and nobody hears of it', async () => {
    const shown = await openStyled();
    await shown.show('$ ', { isRunning });
    expect(shown.box.querySelector('.terminal-cursor')!.getAttribute('aria-hidden')).to.equal('true');

    await shown.show('$ ', { isRunning: false });

    expect(cursorOf(shown)).to.equal(undefined);
  });
});

describe('a watched terminal', () => {
  it('writes over a line that is begun again, as progress bars do', async () => {
    const shown = await open();

    await shown.show('Loading  10%\rLoading  55%\rLoading 100%\r\ndone');

    expect(shown.lines()).to.deep.equal(['Loading 100%', 'done']);
  });

  it('follows the cursor, erases and inserts', async () => {
    const shown = await open();

    await shown.show(`one\r\ntwo\r\nthree${ESC}[2A\r${ESC}[2KONE${ESC}[2B\rTHREE\b\b${ESC}[K`);

    expect(shown.lines()).to.deep.equal(['ONE', 'two', 'THR']);
  });

  it('shows the other screen while a program has it, and the first one again afterwards', async () => {
    const shown = await open();
    const shell = '$ edit\r\n';
    const editor = `${shell}${ESC}[?1049h${ESC}[2J${ESC}[Hfile.txt${ESC}[5;3Htext`;

    await shown.show(editor);
    expect(shown.lines()).to.deep.equal(['file.txt', '', '', '', '  text', '', '', '', '', '']);

    await shown.show(`${editor}${ESC}[?1049l$ `);
    expect(shown.lines()).to.deep.equal(['$ edit', '$']);
  });

  it('takes a bare line feed for a whole one only where no terminal wrote it', async () => {
    const [bare, real] = [await open({ hasBareLineFeeds: true }), await open()];

    await bare.show('a\nb');
    await real.show('a\nb');

    expect(bare.lines()).to.deep.equal(['a', 'b']);
    expect(real.lines()).to.deep.equal(['a', ' b']);
  });

  it('has sixteen colours of the theme, and all others as they are', async () => {
    const shown = await open();

    await shown.show(
      `${ESC}[31mred${ESC}[0m ${ESC}[96mcyan${ESC}[0m ${ESC}[38;5;208morange${ESC}[0m ${ESC}[38;2;1;2;3mdark`,
    );

    expect(spansOf(shown).map((span) => [span.textContent, span.className])).to.deep.equal([
      ['red', 'f1'],
      ['cyan', 'f14'],
      ['orange', 'own-ink'],
      ['dark', 'own-ink'],
    ]);
    expect(spansOf(shown).map(({ style }) => style.getPropertyValue('--_ink'))).to.deep.equal([
      '',
      '',
      '#ff8700',
      '#010203',
    ]);
  });

  it('keeps letters readable on a background that a program has chosen', async () => {
    const shown = await open();

    await shown.show(
      `${ESC}[41mon red${ESC}[0m${ESC}[30;44mblack on blue${ESC}[0m${ESC}[48;2;255;255;255;38;2;250;250;250mwhite on white`,
    );

    const pairs = spansOf(shown).map(({ style }) => [
      style.getPropertyValue('--_ink'),
      style.getPropertyValue('--_paper'),
    ]);
    expect(pairs).to.deep.equal([
      ['#ffffff', '#b42318'],
      ['#ffffff', '#2b5bd7'],
      ['#000000', '#ffffff'],
    ]);
    expect(findInkOn(0xffffff, 0x2b5bd7)).to.equal(0x2b5bd7);
  });

  it('is bold, dim, italic, underlined, struck through, inverse and concealed', async () => {
    const shown = await open();
    const styles = [1, 2, 3, 4, 9, 7, 8].map((code) => `${ESC}[${code}mx${ESC}[0m`).join('');

    await shown.show(styles);

    expect(spansOf(shown).map(({ className }) => className)).to.deep.equal([
      'bold',
      'dim',
      'italic',
      'under',
      'strike',
      'inverse',
      'concealed',
    ]);
  });

  it('gives wide characters two columns each and keeps what belongs together', async () => {
    const shown = await open();

    await shown.show('ab\u4e2d\u6587e\u0301|');

    expect(shown.lines()).to.deep.equal(['ab\u4e2d\u6587e\u0301|']);
    expect(spansOf(shown).map((span) => [span.textContent, span.className])).to.deep.equal([
      ['\u4e2d', 'wide'],
      ['\u6587', 'wide'],
    ]);
  });

  it('makes one line of what the terminal wrapped, so that it is copied as one', async () => {
    const shown = await open();
    const long = Array.from({ length: 25 }, (_, index) => `word${index}`).join(' ');

    await shown.show(`${long}\r\nnext`);

    expect(shown.lines()).to.deep.equal([long, 'next']);
  });

  it('has no links, no titles and no pictures, whatever is written, and shows marks that reorder text', async () => {
    const shown = await open();
    const { title } = document;

    await shown.show(
      `${ESC}]8;;javascript:alert(1)${ESC}\\link${ESC}]8;;${ESC}\\ https://example.com <b>x</b> ${ESC}]0;owned\u0007${ESC}]52;c;b3duZWQ=\u0007${ESC}P1;2|3${ESC}\\|\u202egnp.exe`,
    );

    expect(shown.box.querySelectorAll('a, b, img, script')).to.be.empty;
    expect(shown.lines().join('')).to.equal('link https://example.com <b>x</b> |[U+202E]gnp.exe');
    expect(document.title).to.equal(title);
  });

  it('is not moved by hostile numbers', async () => {
    const shown = await open();

    await shown.show(`${ESC}[999999999;999999999Hx${ESC}[99999999A${ESC}[99999999bz${ESC}[38;5;999mq${ESC}[38;2;;;mr`, {
      columns: 1e9,
      rows: Number.NaN,
    });

    expect(shown.box.children.length).to.be.at.most(24);
    expect(shown.box.style.getPropertyValue('--_columns')).to.equal('500');
  });

  it('touches neither what has scrolled away nor a selection in what goes on', async () => {
    const shown = await open();
    const text = Array.from({ length: 40 }, (_, index) => `line ${index}\r\n`).join('');
    await shown.show(`${text}tail`);
    const before = [...shown.box.children];
    const last = before.at(-1)!.firstChild as Text;
    document.getSelection()!.setBaseAndExtent(last, 0, last, 4);

    await shown.show(`${text}tail goes on\r\nmore`);

    expect([...shown.box.children].slice(0, before.length)).to.deep.equal(before);
    expect(document.getSelection()!.toString()).to.equal('tail');
    expect(shown.lines().slice(-2)).to.deep.equal(['tail goes on', 'more']);
  });

  it('takes away what is beyond its scrollback, and only that', async () => {
    const shown = await open();
    const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}`).join('\r\n');

    await shown.show(lines(5_000));
    expect(shown.lines()).to.have.length(5_000);
    const kept = shown.box.children[4_900];
    await shown.show(lines(5_200));

    expect(shown.lines()).to.have.length(5_010);
    expect(shown.lines()[0]).to.equal('line 190');
    expect(shown.lines().at(-1)).to.equal('line 5199');
    expect(kept?.textContent).to.equal('line 4900');
    expect(kept?.isConnected).to.equal(true);
  });

  it('begins anew when the terminal was cleared, and when its scrollback was', async () => {
    const shown = await open();
    const text = Array.from({ length: 30 }, (_, index) => `line ${index}\r\n`).join('');
    await shown.show(text);

    await shown.show(`${text}${ESC}[3J${ESC}[H${ESC}[2Jfresh`);
    expect(shown.lines()).to.deep.equal(['fresh']);

    await shown.show('other');
    expect(shown.lines()).to.deep.equal(['other']);
  });

  it('survives being made wider, narrower, taller and lower, again and again', async () => {
    const shown = await open();
    const text = `${'0123456789'.repeat(12)}\r\n${Array.from({ length: 30 }, (_, index) => `line ${index}\r\n`).join('')}`;

    for (const [columns, rows] of [
      [40, 10],
      [20, 5],
      [100, 40],
      [1, 1],
      [80, 24],
    ] as const)
      await shown.show(text, { columns, rows });

    expect(shown.lines()[0]).to.equal('0123456789'.repeat(12));
    expect(shown.lines().at(-1)).to.equal('line 29');
  });

  it('goes on where text before it was let go', async () => {
    const shown = await open();
    await shown.show(`${ESC}[1mab\r\ncd`);

    await shown.show('cdef', { dropped: 8 });

    expect(shown.lines()).to.deep.equal(['ab', 'cdef']);
    expect(spansOf(shown).map(({ className }) => className)).to.deep.equal(['bold', 'bold']);
  });

  it('keeps so many rows and no more while two megabytes pour in, and ends with the newest', async () => {
    const shown = await open();
    const row = `${ESC}[32m${'abcdefghij'.repeat(9)}${ESC}[0m 0123\r\n`;
    const piece = row.repeat(200);
    let state: WatchedTerminal = { title: '', content: [], claim: { kind: 'client', clientId: 'c' } };

    for (let size = 0; size < 2_000_000; size += piece.length) {
      state = capText(terminalReducer(state, { type: 'terminal/data', data: piece }));
      shown.screen.show({
        text: terminalText(state),
        dropped: state.droppedText ?? 0,
        columns: 80,
        rows: 24,
        commands: [],
        isRunning: true,
      });
      if (size % 10 === 0) await frame();
    }
    await shown.show(`${terminalText(state)}END`, { dropped: state.droppedText ?? 0, columns: 80, rows: 24 });
    await waitUntil(() => shown.lines().at(-1) === 'END', 'the end is shown');

    expect(shown.box.children.length).to.be.at.most(5_024);
  }).timeout(60_000);
});
