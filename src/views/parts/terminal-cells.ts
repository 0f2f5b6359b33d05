/**
 * From the cells of a terminal's buffer to stretches of text that look alike. What is written in them is somebody else's:
 * marks that would reorder or hide text are shown. Pure but for the buffer it reads.
 */

import type { IBufferCell, IBufferLine } from '@xterm/headless';
import { showHidden } from '../label.js';

/** A stretch of one look; `wide` is one character that takes two columns. */
export interface Stretch {
  readonly text: string;
  /** Class names; empty for plain text. */
  readonly look: string;
  /** Colours of their own, as `#rrggbb`. */
  readonly ink?: string;
  readonly paper?: string;
}

/** The stretches of some rows, which are one line that was wrapped. `cell` is only a place to read into. */
export function readStretches(rows: readonly IBufferLine[], cell: IBufferCell): readonly Stretch[] {
  const stretches: Stretch[] = [];
  let text = '';
  let look: Omit<Stretch, 'text'> = plain;
  let signature = NONE;
  const flush = () => {
    if (text !== '') stretches.push({ ...look, text: showHidden(text) });
    text = '';
  };
  for (const row of rows) {
    for (let column = 0; column < row.length; column += 1) {
      row.getCell(column, cell);
      const width = cell.getWidth();
      // The second half of a wide character.
      if (width === 0) continue;
      const next = signatureOf(cell);
      if (next !== signature) {
        flush();
        signature = next;
        look = lookOf(cell);
      }
      if (width === 1) {
        text += cell.getChars() || ' ';
        continue;
      }
      flush();
      stretches.push({ ...look, text: showHidden(cell.getChars()), look: `wide ${look.look}`.trim() });
    }
  }
  flush();
  return withoutRest(stretches);
}

const NONE = '';
const plain = { look: '' };

/** Blank cells at the end say nothing unless they have a colour of their own. */
function withoutRest(stretches: Stretch[]): readonly Stretch[] {
  for (let last = stretches.at(-1); last && isUncoloured(last); last = stretches.at(-1)) {
    const text = last.text.trimEnd();
    stretches.pop();
    if (text === '') continue;
    stretches.push({ ...last, text });
    break;
  }
  return stretches;
}

const isUncoloured = ({ look, paper }: Stretch) => paper === undefined && !/inverse|under|over|strike/.test(look);

/** Whatever differs between two looks. A plain cell, which most are, has the same short one. */
function signatureOf(cell: IBufferCell): string {
  if (cell.isAttributeDefault()) return 'plain';
  const flags =
    (cell.isBold() ? 1 : 0) +
    (cell.isItalic() ? 2 : 0) +
    (cell.isUnderline() ? 4 : 0) +
    (cell.isDim() ? 8 : 0) +
    (cell.isInverse() ? 16 : 0) +
    (cell.isInvisible() ? 32 : 0) +
    (cell.isStrikethrough() ? 64 : 0) +
    (cell.isOverline() ? 128 : 0);
  return `${cell.getFgColorMode()} ${cell.getFgColor()} ${cell.getBgColorMode()} ${cell.getBgColor()} ${flags}`;
}

function lookOf(cell: IBufferCell): Omit<Stretch, 'text'> {
  if (cell.isAttributeDefault()) return plain;
  const names = styles.flatMap(([name, has]) => (has(cell) ? name : []));
  const ink = toColour(cell.isFgPalette(), cell.isFgRGB(), cell.getFgColor());
  const paper = toColour(cell.isBgPalette(), cell.isBgRGB(), cell.getBgColor());
  const isInverse = Boolean(cell.isInverse());
  const [front, back] = isInverse ? [paper, ink] : [ink, paper];
  if (back !== undefined) {
    const rgb = toRgb(back);
    const own = { ink: toHex(findInkOn(rgb, front && toRgb(front))), paper: toHex(rgb) };
    return { look: ['own-ink', 'own-paper', ...names].join(' '), ...own };
  }
  // The theme's own background: its colours, or some that can be read on it.
  if (isInverse) return { look: ['inverse', ...names].join(' ') };
  if (front?.kind === 'palette' && front.value < 16) return { look: [`f${front.value}`, ...names].join(' ') };
  if (front) return { look: ['own-ink', ...names].join(' '), ink: toHex(toRgb(front)) };
  return { look: names.join(' ') };
}

const styles: readonly (readonly [name: string, has: (cell: IBufferCell) => number])[] = [
  ['bold', (cell) => cell.isBold()],
  ['italic', (cell) => cell.isItalic()],
  ['under', (cell) => cell.isUnderline()],
  ['over', (cell) => cell.isOverline()],
  ['strike', (cell) => cell.isStrikethrough()],
  ['dim', (cell) => cell.isDim()],
  ['concealed', (cell) => cell.isInvisible()],
];

interface Colour {
  readonly kind: 'palette' | 'rgb';
  readonly value: number;
}

/** `undefined` is the terminal's own. */
function toColour(isPalette: boolean, isRgb: boolean, value: number): Colour | undefined {
  if (isRgb) return { kind: 'rgb', value };
  return isPalette ? { kind: 'palette', value } : undefined;
}

const toHex = (rgb: number) => `#${rgb.toString(16).padStart(6, '0')}`;

/** The sixteen where a program chooses the background, so that the theme has no say. */
const sixteen = [
  0x1d2025, 0xb42318, 0x15743f, 0x8a5300, 0x2b5bd7, 0x8a2b8f, 0x0b6472, 0xd3d7de, 0x59606c, 0xe5534b, 0x3fb950,
  0xd29922, 0x79a8ff, 0xd98ae0, 0x4cc3d0, 0xffffff,
];

/** Of a palette of 256: ours, a cube of six by six by six, and greys. */
function toRgb({ kind, value }: Colour): number {
  if (kind === 'rgb') return value;
  if (value < 16) return sixteen[value]!;
  if (value >= 232) return (8 + (value - 232) * 10) * 0x010101;
  const level = (step: number) => (step === 0 ? 0 : 55 + step * 40);
  const at = value - 16;
  return (level(Math.floor(at / 36)) << 16) | (level(Math.floor(at / 6) % 6) << 8) | level(at % 6);
}

const BLACK = 0x000000;
const WHITE = 0xffffff;
/** What WCAG asks of text. */
const LEAST_CONTRAST = 4.5;

/** The wanted colour of letters, or black or white where that could not be read. */
export function findInkOn(paper: number, ink?: number): number {
  if (ink !== undefined && toContrast(ink, paper) >= LEAST_CONTRAST) return ink;
  return toContrast(BLACK, paper) >= toContrast(WHITE, paper) ? BLACK : WHITE;
}

function toContrast(a: number, b: number): number {
  const [low = 0, high = 0] = [toLuminance(a), toLuminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

function toLuminance(rgb: number): number {
  const [red = 0, green = 0, blue = 0] = [rgb >> 16, rgb >> 8, rgb].map((value) => {
    const part = (value & 255) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
