/** What a text file is made of, read off its text: declarations, headings, keys or columns. Pure. */

import { splitLines } from '../../workspace/files.js';

export interface OutlineItem {
  readonly name: string;
  /** One-based; absent for what has no line. */
  readonly line?: number;
  /** What the file itself says about it. */
  readonly note: string;
}

export interface Outline {
  /** For people: "JavaScript" */
  readonly kind: string;
  /** For a code fence. */
  readonly language: string;
  /** What the items are: "declaration" */
  readonly itemName: string;
  readonly items: readonly OutlineItem[];
  /** Modules the file imports. */
  readonly uses: readonly string[];
  readonly lines: number;
  readonly words: number;
  readonly todos: readonly { readonly line: number; readonly text: string }[];
}

type Reader = (lines: readonly string[], text: string) => Pick<Outline, 'itemName' | 'items'> & { uses?: string[] };

const kinds: Readonly<Record<string, readonly [kind: string, language: string, read: Reader]>> = {
  js: ['JavaScript', 'js', readScript],
  mjs: ['JavaScript', 'js', readScript],
  ts: ['TypeScript', 'ts', readScript],
  md: ['Markdown', 'md', readMarkdown],
  json: ['JSON', 'json', readJson],
  csv: ['a table', 'csv', readCsv],
  css: ['CSS', 'css', readPlain],
  html: ['HTML', 'html', readPlain],
  sh: ['a shell script', 'sh', readPlain],
  py: ['Python', 'python', readPlain],
  txt: ['plain text', '', readPlain],
};

export function outlineOf(path: string, text: string): Outline {
  const [kind, language, read] = kinds[path.split('.').at(-1)?.toLowerCase() ?? ''] ?? ['text', '', readPlain];
  const lines = splitLines(text);
  return {
    kind,
    language,
    uses: [],
    ...read(lines, text),
    lines: lines.length,
    words: text.match(/\S+/g)?.length ?? 0,
    todos: lines.flatMap((line, index) =>
      /\b(?:TODO|FIXME)\b/.test(line) ? [{ line: index + 1, text: line.replace(/^[\s*#/-]+/, '') }] : [],
    ),
  };
}

function readScript(lines: readonly string[]): ReturnType<Reader> {
  const items: OutlineItem[] = [];
  const uses = new Set<string>();
  for (const [index, line] of lines.entries()) {
    const module =
      /^\s*(?:import|export)\b[^'"]*?from\s+['"]([^'"]+)['"]/.exec(line) ?? /^import\s+['"]([^'"]+)['"]/.exec(line);
    if (module?.[1]) uses.add(module[1]);
    const declared =
      /^(export\s+)?(?:default\s+)?(?:async\s+)?(function\*?|class|const|let|interface|type)\s+([\w$]+)/.exec(line);
    const tested = /^\s*(?:test|it|describe)\(\s*(['"`])(.+?)\1/.exec(line);
    if (declared?.[3]) {
      const what = `${declared[1] ? 'exported ' : ''}${declared[2] ?? ''}`;
      items.push({ name: declared[3], line: index + 1, note: commentAbove(lines, index) || what });
    } else if (tested?.[2]) {
      items.push({ name: tested[2], line: index + 1, note: 'test' });
    }
  }
  return { itemName: 'declaration', items, uses: [...uses] };
}

/** The text of the doc comment that ends on the line before. */
function commentAbove(lines: readonly string[], index: number): string {
  const end = lines[index - 1]?.trim() ?? '';
  if (!end.endsWith('*/')) return '';
  const comment: string[] = [];
  for (let line = index - 1; line >= Math.max(0, index - 40); line--) {
    const text = lines[line]?.trim() ?? '';
    comment.unshift(
      text
        .replace(/^\/\*\*?|\*\/$/g, '')
        .replace(/^\s*\*\s?/, '')
        .trim(),
    );
    if (text.startsWith('/*')) break;
  }
  return comment.join(' ').trim();
}

function readMarkdown(lines: readonly string[]): ReturnType<Reader> {
  const items: OutlineItem[] = [];
  let isCode = false;
  for (const [index, line] of lines.entries()) {
    if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode;
    const heading = isCode ? null : /^(#{1,6})\s+(.+?)\s*#*$/.exec(line);
    if (!heading?.[2]) continue;
    const following = lines.slice(index + 1, index + 4).find((next) => next.trim() !== '' && !next.startsWith('#'));
    items.push({ name: heading[2], line: index + 1, note: following?.trim() ?? `level ${heading[1]?.length ?? 1}` });
  }
  return { itemName: 'heading', items };
}

function readJson(_lines: readonly string[], text: string): ReturnType<Reader> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { itemName: 'key', items: [{ name: 'not valid JSON', note: (error as Error).message }] };
  }
  if (typeof value !== 'object' || value === null) return { itemName: 'key', items: [] };
  return {
    itemName: Array.isArray(value) ? 'entry' : 'key',
    items: Object.entries(value)
      .slice(0, 50)
      .map(([name, inner]) => ({ name, note: describeJson(inner) })),
  };
}

function describeJson(value: unknown): string {
  if (Array.isArray(value)) return `${value.length} entries`;
  if (typeof value === 'object' && value !== null) return `object with ${Object.keys(value).slice(0, 8).join(', ')}`;
  const text = JSON.stringify(value) ?? '';
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

function readCsv(lines: readonly string[]): ReturnType<Reader> {
  const [head = '', ...rows] = lines;
  const cells = rows.map((row) => row.split(','));
  const items = head.split(',').map((name, column) => {
    const values = cells.map((row) => row[column] ?? '');
    const numbers = values.map(Number);
    const isNumeric = values.length > 0 && values.every((value) => value !== '') && !numbers.some(Number.isNaN);
    const sorted = [...values].sort();
    const note = isNumeric
      ? `numbers from ${Math.min(...numbers)} to ${Math.max(...numbers)}`
      : `${new Set(values).size} different values, from ${sorted[0] ?? '–'} to ${sorted.at(-1) ?? '–'}`;
    return { name, note };
  });
  return { itemName: 'column', items };
}

function readPlain(lines: readonly string[]): ReturnType<Reader> {
  const first = lines.findIndex((line) => line.trim() !== '');
  if (first < 0) return { itemName: 'line', items: [] };
  return {
    itemName: 'line',
    items: [{ name: (lines[first] ?? '').trim().slice(0, 80), line: first + 1, note: 'first line' }],
  };
}
