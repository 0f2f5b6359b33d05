/** One line of a GFM table. Pure. */

import type { Alignment } from './tokens.js';

/** The alignment each column's delimiter asks for. `delimiters` is a whole delimiter row. */
export function toAlignments(delimiters: string): readonly Alignment[] {
  return delimiters
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((written) => {
      const cell = written.trim();
      if (cell.endsWith(':')) return cell.startsWith(':') && cell.length > 1 ? 'center' : 'end';
      return cell.startsWith(':') ? 'start' : undefined;
    });
}

/** The cells of `line`. A pipe behind a backslash is text; pipes at the ends are the table's frame. */
export function splitCells(line: string): string[] {
  const cells: string[] = [];
  let from = 0;
  for (let at = line.indexOf('|'); at >= 0; at = line.indexOf('|', at + 1)) {
    if (isEscaped(line, at)) continue;
    cells.push(line.slice(from, at));
    from = at + 1;
  }
  cells.push(line.slice(from));
  if (cells[0]?.trim() === '') cells.shift();
  if (cells.at(-1)?.trim() === '') cells.pop();
  return cells.map((cell) => cell.trim().replaceAll('\\|', '|'));
}

function isEscaped(line: string, at: number): boolean {
  let slashes = 0;
  while (line.charCodeAt(at - 1 - slashes) === 92) slashes += 1;
  return slashes % 2 === 1;
}
