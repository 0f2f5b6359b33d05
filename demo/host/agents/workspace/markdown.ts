/** Small pieces of Markdown from untrusted text: what a file says never becomes markup of the answer. */

/** A code span; back ticks inside are kept by a longer fence, line ends become spaces. */
export function codeSpan(text: string): string {
  const flat = text.replace(/\s+/g, ' ');
  const ticks = '`'.repeat(longestRun(flat) + 1);
  const pad = flat.startsWith('`') || flat.endsWith('`') ? ' ' : '';
  return flat === '' ? '(empty)' : `${ticks}${pad}${flat}${pad}${ticks}`;
}

/** A fenced block that no text inside can end. */
export function fence(text: string, language = ''): string {
  const ticks = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${ticks}${language}\n${text.replace(/\n$/, '')}\n${ticks}`;
}

/** A table; cells are Markdown in which bars and line ends are made harmless. */
export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]): string =>
    `| ${cells
      .map((cell) =>
        String(cell)
          .replace(/\s*\n\s*/g, ' ')
          .replaceAll('|', '\\|'),
      )
      .join(' | ')} |`;
  const isNumeric = head.map((_, column) => rows.length > 0 && rows.every((row) => typeof row[column] === 'number'));
  const rule = `| ${isNumeric.map((numeric) => (numeric ? '--:' : '---')).join(' | ')} |`;
  return [line(head), rule, ...rows.map(line)].join('\n');
}

/** Plain text as Markdown: what could be markup is escaped. */
export const plain = (text: string): string => text.replace(/[\\`*_{}[\]<>#|~!]/g, '\\$&').replace(/\s+/g, ' ');

export const list = (items: readonly string[]): string => items.map((item) => `- ${item}`).join('\n');

/** "1 line", "3 lines" */
export const count = (number: number, one: string, many = `${one}s`): string =>
  `${number.toLocaleString('en')} ${number === 1 ? one : many}`;

export function formatBytes(bytes: number): string {
  return bytes < 1000 ? count(bytes, 'byte') : `${(bytes / 1000).toFixed(bytes < 10_000 ? 1 : 0)} KB`;
}

const longestRun = (text: string): number =>
  Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length).slice(0, 10_000));
