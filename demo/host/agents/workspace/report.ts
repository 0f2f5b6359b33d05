/**
 * A long answer from real data: every file with its outline and its text, every table, and where each name is used. For a
 * workspace of ordinary size it is well over 100 KB, which is what streaming has to be tried with. Pure.
 */

import { splitLines } from '../../workspace/files.js';
import { describeOutline, describeWorkspace, type FileText } from './answers.js';
import { codeSpan, count, fence, list, plain, table } from './markdown.js';
import { outlineOf } from './outline.js';

/** Beyond this the index of names ends, with a word about it. UTF-16 units. */
const maxLength = 200_000;

/** Yields the report piece by piece; each piece is whole Markdown. */
export function* writeReport(title: string, files: readonly FileText[]): Generator<string> {
  let length = 0;
  const grow = (piece: string): string => {
    length += piece.length;
    return piece;
  };
  yield grow(`# Report about ${plain(title)}\n\nEverything below is read from the files as they are now.`);
  yield grow(describeWorkspace('Overview', files));
  yield grow('## The files');
  for (const { path, text } of files) {
    yield grow(`### ${codeSpan(path)}\n\n${describeOutline(path, text, namedIn(path, files))}`);
    if (path.endsWith('.csv')) yield grow(tableOf(text));
    else yield grow(fence(text, outlineOf(path, '').language));
  }
  yield grow(
    '## Where names are used\n\nEvery word of the code that stands on more than one line, the most frequent first.',
  );
  const names = indexNames(files);
  for (const [index, [name, places]] of names.entries()) {
    if (length > maxLength) {
      yield `The index ends here; ${count(names.length - index, 'name')} of ${names.length} are left out.`;
      return;
    }
    const lines = places.map(({ path, line, text }) => `${codeSpan(`${path}:${line}`)} ${codeSpan(text.trim())}`);
    yield grow(`#### ${codeSpan(name)}, ${count(places.length, 'line')}\n\n${list(lines)}`);
  }
}

/** The other files that name this one. */
export function namedIn(path: string, files: readonly FileText[]): string[] {
  const name = path.split('/').at(-1) ?? path;
  return files.filter((file) => file.path !== path && file.text.includes(name)).map((file) => file.path);
}

function tableOf(csv: string): string {
  const [head = '', ...rows] = splitLines(csv);
  return table(
    head.split(',').map(plain),
    rows.map((row) =>
      row.split(',').map((cell) => (cell !== '' && Number.isFinite(Number(cell)) ? Number(cell) : plain(cell))),
    ),
  );
}

interface Place {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

function indexNames(files: readonly FileText[]): [name: string, places: Place[]][] {
  const index = new Map<string, Place[]>();
  for (const { path, text } of files) {
    for (const [number, line] of splitLines(text).entries()) {
      for (const name of new Set(line.match(/[A-Za-z_$][\w$]{2,}/g))) {
        const places = index.get(name) ?? [];
        places.push({ path, line: number + 1, text: line });
        index.set(name, places);
      }
    }
  }
  return [...index]
    .filter(([, places]) => places.length > 1)
    .sort(([a, x], [b, y]) => y.length - x.length || (a < b ? -1 : 1));
}
