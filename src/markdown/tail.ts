/**
 * What of an unfinished text is shown. Half a construct reads as something else: a list's marker as a heading's underline,
 * a table's head as a paragraph, a link as brackets around an address that ends too soon. So a last line that says nothing
 * yet waits, and what is open inside the last leaf is shown as if it were closed. Nothing here survives the end of the
 * text: then all of it is lexed as it is. Pure.
 */

import type { Amended } from './inline.js';

/** A longer line is shown: it has made up its mind. */
const MAX_UNDECIDED = 80;
const prefix = '^[ \\t>]*(?:(?:[-*+]|\\d{1,9}[.)])[ \\t]+)?';
/** Nothing but marks that could become a list, a rule, a heading, an underline, a delimiter row or a task's box. */
const onlyMarks = /^[-=_*+#~`|:.)\d \t>]*(?:\[[ xX]?\]?[ \t]*)?$/;
/** A number that goes on as no list's marker does, or is too long for one: "1 0", "10:30". */
const numberAsText = /\d(?![\d.)]|$)|\d{10}/;
const fence = new RegExp(`${prefix}(?:\`{3,}[^\`]*|~{3,}.*)$`);
const row = new RegExp(`${prefix}\\|`);
const definition = new RegExp(`${prefix}\\[[^\\]]{1,200}\\]:[ \\t]*\\S*[ \\t]*(?:["'(].*)?$`);

/** The beginning of `text` that can be shown: all of it, or what stands before a line that is not decided yet. */
export function holdBack(text: string): string {
  const start = text.lastIndexOf('\n') + 1;
  const line = text.slice(start);
  const isMarks = line.length <= MAX_UNDECIDED && onlyMarks.test(line) && !numberAsText.test(line);
  if (!isMarks && !fence.test(line) && !row.test(line) && !definition.test(line)) return text;
  if (isMarks && !row.test(line) && line.trim() !== '' && !isDelimiters(line)) return text.slice(0, start);
  return text.slice(0, findHead(text, start));
}

const isDelimiters = (line: string) => /^[ \t>]*[|:-][|:\- \t]*$/.test(line);

/** Where the one row before `start` begins, if it may be a table's head; `start` otherwise. */
function findHead(text: string, start: number): number {
  if (start === 0) return start;
  const lineBefore = text.lastIndexOf('\n', start - 2) + 1;
  if (!row.test(text.slice(lineBefore, start - 1))) return start;
  const secondBefore = lineBefore === 0 ? '' : text.slice(text.lastIndexOf('\n', lineBefore - 2) + 1, lineBefore - 1);
  return row.test(secondBefore) ? start : lineBefore;
}

/** How far back an open construct may begin, in UTF-16 units. What has been open for longer was never meant to close. */
const MAX_CODE = 200;
const MAX_LABEL = 300;
const MAX_EMPHASIS = 600;
const MAX_FORMULA = 1000;

const isAsciiWord = (character: string | undefined) => character !== undefined && /[A-Za-z0-9_]/.test(character);
const isSpace = (character: string | undefined) => character === undefined || /\s/.test(character);
const isPunctuation = (character: string | undefined) => character !== undefined && /[\p{P}\p{S}]/u.test(character);

interface Mark {
  readonly character: string;
  readonly at: number;
  length: number;
}

/** `piece` as it should be lexed while it grows: emphasis and code closed, half a link as its text. */
export const amend = (piece: string): Amended => new Amendment(piece).read();

class Amendment {
  readonly #src: string;
  readonly #endsInWord: boolean;
  readonly #marks: Mark[] = [];
  /** Where labels have begun. */
  readonly #labels: number[] = [];
  /** Single characters that are left out. */
  readonly #dropped: number[] = [];
  #at = 0;
  #end: number;
  #suffix = '';

  constructor(piece: string) {
    this.#src = piece.trimEnd();
    this.#endsInWord = this.#src.length === piece.length;
    this.#end = this.#src.length;
  }

  read(): Amended {
    while (this.#at < this.#end) this.#step(this.#src[this.#at] as string);
    for (const at of this.#labels) if (this.#end - at <= MAX_LABEL) this.#dropLabel(at);
    return { src: this.#build(), endsInWord: this.#endsInWord };
  }

  #step(character: string): void {
    switch (character) {
      case '\\':
        return this.#readEscape();
      case '`':
        return this.#readCode();
      case '<':
        return this.#readAngle();
      case '[':
        // Behind a word it is an index, before a caret a footnote.
        if (!isAsciiWord(this.#src[this.#at - 1]) && this.#src[this.#at + 1] !== '^') this.#labels.push(this.#at);
        this.#at += 1;
        return;
      case ']':
        return this.#readLabelEnd();
      case '$':
        return this.#src[this.#at + 1] === '$' ? this.#readFormula('$$', '$$') : this.#skip(1);
      case '*':
      case '_':
      case '~':
        return this.#readMark(character);
      default:
        return this.#skip(1);
    }
  }

  #skip(count: number): void {
    this.#at += count;
  }

  /** The text ends here; what follows is not shown yet. */
  #cut(at: number): void {
    this.#end = at;
    this.#at = at;
  }

  #readEscape(): void {
    const next = this.#src[this.#at + 1];
    if (next === undefined) this.#cut(this.#at);
    else if (next === '(') this.#readFormula('\\(', '\\)');
    else if (next === '[') this.#readFormula('\\[', '\\]');
    else this.#skip(2);
  }

  #readFormula(open: string, close: string): void {
    const from = this.#at + open.length;
    const end = this.#src.indexOf(close, from);
    if (end >= 0) return this.#skip(end + close.length - this.#at);
    if (this.#end - from > MAX_FORMULA) return this.#skip(open.length);
    if (from === this.#end) return this.#cut(this.#at);
    if (/[\\$]$/.test(this.#src)) this.#end -= 1;
    this.#suffix = close;
    this.#at = this.#end;
  }

  #readCode(): void {
    const length = this.#countRun('`');
    const from = this.#at + length;
    for (let at = this.#src.indexOf('`', from); at >= 0; at = this.#src.indexOf('`', at)) {
      const run = countRun(this.#src, at);
      if (run === length) return this.#skip(at + run - this.#at);
      at += run;
    }
    if (isAsciiWord(this.#src[this.#at - 1]) || this.#end - from > MAX_CODE) return this.#skip(length);
    // Half of the closing run may be there already.
    const content = this.#src.slice(from).replace(/`+$/, '');
    if (content === '') return this.#cut(this.#at);
    this.#end = from + content.length;
    this.#suffix = '`'.repeat(length);
    this.#at = this.#end;
  }

  /** A tag or an address in angle brackets is one thing; half an address loses its bracket. */
  #readAngle(): void {
    const rest = this.#src.slice(this.#at, this.#at + 2048);
    const whole = /^<[A-Za-z/!?][^<>]*>/.exec(rest);
    if (whole) return this.#skip(whole[0].length);
    if (/^<[A-Za-z][A-Za-z0-9+.-]*:[^\s<>]*$/.test(rest)) this.#dropped.push(this.#at);
    this.#skip(1);
  }

  #readLabelEnd(): void {
    const label = this.#labels.pop();
    const next = this.#src[this.#at + 1];
    if (label === undefined) return this.#skip(1);
    const end =
      next === '('
        ? findDestinationEnd(this.#src, this.#at + 2)
        : next === '['
          ? this.#src.indexOf(']', this.#at + 2)
          : 0;
    const isOpen = next === undefined || end < 0;
    if (isOpen && this.#at - label <= MAX_LABEL) {
      this.#dropLabel(label);
      return this.#cut(this.#at);
    }
    this.#at = Math.max(this.#at, end) + 1;
  }

  #dropLabel(at: number): void {
    this.#dropped.push(at);
    if (this.#src[at - 1] === '!') this.#dropped.push(at - 1);
  }

  #readMark(character: string): void {
    const { before, after } = this.#neighbours(character);
    const length = this.#countRun(character);
    const isLast = this.#at + length === this.#end;
    const leftFlanking = !isSpace(after) && (!isPunctuation(after) || isSpace(before) || isPunctuation(before));
    const rightFlanking = !isSpace(before) && (!isPunctuation(before) || isSpace(after) || isPunctuation(after));
    const inWord = character === '_' && leftFlanking && rightFlanking;
    const opener = this.#marks.findLastIndex((mark) => mark.character === character);
    let rest = length;
    if (rightFlanking && !inWord && opener >= 0) {
      const mark = this.#marks[opener] as Mark;
      // `**bold*`: the other half of the closing run is under way.
      if (isLast && length < mark.length) return this.#cut(this.#at);
      const used = Math.min(length, mark.length);
      rest -= used;
      mark.length -= used;
      this.#marks.length = mark.length > 0 ? opener + 1 : opener;
    } else if (isLast && !rightFlanking) {
      return this.#cut(this.#at);
    }
    const canOpen = leftFlanking && !inWord && (character !== '~' || rest === 2);
    if (rest > 0 && rest <= 3 && canOpen) this.#marks.push({ character, at: this.#at, length: rest });
    this.#skip(length);
  }

  #neighbours(character: string): { before: string | undefined; after: string | undefined } {
    return { before: this.#src[this.#at - 1], after: this.#src[this.#at + this.#countRun(character)] };
  }

  #countRun(character: string): number {
    return countRun(this.#src, this.#at, character);
  }

  #build(): string {
    const dropped = new Set(this.#dropped);
    let text = this.#src.slice(0, this.#end);
    if (dropped.size > 0) {
      const from = Math.min(...dropped);
      text = text.slice(0, from) + [...text.slice(from)].map(keepUnless(dropped, from)).join('');
    }
    text = text.trimEnd() + this.#suffix;
    for (const mark of this.#marks.reverse()) {
      const isRecent = this.#end - mark.at <= MAX_EMPHASIS;
      const isEmpty = mark.at + mark.length >= this.#end;
      if (isRecent && !isEmpty) text += mark.character.repeat(mark.length);
    }
    return text;
  }
}

/** For `map` over the characters of a string from `offset` on: those at a dropped place become empty. */
function keepUnless(dropped: ReadonlySet<number>, offset: number): (character: string) => string {
  let at = offset;
  return (character) => {
    const kept = dropped.has(at) ? '' : character;
    at += character.length;
    return kept;
  };
}

function countRun(src: string, at: number, character = '`'): number {
  let end = at;
  while (src[end] === character) end += 1;
  return end - at;
}

/** Behind the address and title of a link, at its closing bracket; -1 while that has not come. `from` is behind the opening one. */
function findDestinationEnd(src: string, from: number): number {
  let depth = 0;
  for (let at = from; at < src.length; at += 1) {
    const character = src[at];
    if (character === '\\') at += 1;
    else if (character === '(') depth += 1;
    else if (character === ')' && depth === 0) return at;
    else if (character === ')') depth -= 1;
  }
  return -1;
}
