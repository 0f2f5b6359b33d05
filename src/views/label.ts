/**
 * Names and one-line texts that somebody else chose: made safe to read. Nothing here looks at markup; it makes sure that
 * what stands there is what is written. Pure.
 */

/** Characters that move or hide the text around them: controls, bidi marks and overrides, line separators, the BOM. */
// eslint-disable-next-line no-control-regex -- these are what it looks for
const hidden = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
const spaces = /[\t\n\r]+/g;

const mark = (character: string) => `[U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}]`;

/** Text in which every character that could reorder or hide others is shown as its code point. Keeps tabs and newlines. */
export const showHidden = (text: string): string => text.replaceAll('\r\n', '\n').replace(hidden, mark);

/** UTF-16 units of a name; what is longer is none, and would be laid out as one line. */
const LONGEST_LABEL = 2_000;

/** All of a text on one line: hidden characters shown, line breaks as spaces. */
export const toLine = (text: string): string => showHidden(text.replace(spaces, ' ')).trim();

/** A name on one line, see `toLine`; of a very long one the beginning. */
export function toLabel(text: string): string {
  const label =
    text.length <= LONGEST_LABEL ? text : `${text.slice(0, LONGEST_LABEL).replace(/[\ud800-\udbff]$/, '')}…`;
  return toLine(label);
}

let segmenter: Intl.Segmenter | undefined;

/**
 * `text` with its middle left out if it has more than `max` graphemes; the end stays, because a file's type is there. No
 * character is cut apart.
 */
export function shortenMiddle(text: string, max = 36): string {
  // A grapheme is at least one unit, so most names need no segmenter.
  if (text.length <= max) return text;
  segmenter ??= new Intl.Segmenter();
  const graphemes = [...segmenter.segment(text.slice(0, LONGEST))].map(({ segment }) => segment);
  if (graphemes.length <= max) return text;
  const end = Math.ceil(max * 0.4);
  const tail = [...segmenter.segment(text.slice(-LONGEST))].map(({ segment }) => segment);
  return `${graphemes.slice(0, max - end - 1).join('')}…${tail.slice(-end).join('')}`;
}
/** UTF-16 units that are looked at on either side; a name may be as long as a host likes. */
const LONGEST = 1024;

/** The first line of `text`, at most `max` graphemes, for rows and announcements. */
export function shortenEnd(text: string, max = 120): string {
  const line = toLabel(text.trimStart().slice(0, max * 8));
  if (line.length <= max) return line;
  segmenter ??= new Intl.Segmenter();
  let end = 0;
  let count = 0;
  for (const { segment, index } of segmenter.segment(line)) {
    if ((count += 1) > max) return `${line.slice(0, end)}…`;
    end = index + segment.length;
  }
  return line;
}

/** The last segment of a URI as a name. A `%` that escapes nothing is left as it is. */
export function toResourceName(uri: string): string {
  const path = uri.split(/[?#]/, 1)[0]!.replace(/\/+$/, '');
  const name = path.slice(path.lastIndexOf('/') + 1) || uri;
  try {
    return decodeURIComponent(name);
  } catch {
    // A name may hold a bare %; then it is not percent-encoded, and the raw form is the name.
    return name;
  }
}
