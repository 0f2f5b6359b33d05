/**
 * Plain English to what is wanted, by simple rules in a fixed order: the first that fits wins. Pure. What fits no rule is
 * `unknown`, and the agent says so instead of guessing.
 */

import { expandCommand } from '../commands.js';

export type Intent =
  | { readonly kind: 'help' | 'test' | 'fix' | 'report' | 'fail' | 'stop-background' | 'tour' }
  | { readonly kind: 'recipe'; readonly title?: string }
  | { readonly kind: 'prices'; readonly foods?: string }
  | { readonly kind: 'delegate'; readonly task: string }
  | { readonly kind: 'page-tool'; readonly name: string; readonly input: string }
  | { readonly kind: 'background'; readonly command: string }
  | { readonly kind: 'list' | 'explain' | 'summarise'; readonly path: string }
  | { readonly kind: 'read'; readonly path: string; readonly from?: number; readonly to?: number }
  | { readonly kind: 'search'; readonly path: string; readonly text: string; readonly isPattern: boolean }
  | { readonly kind: 'count'; readonly path: string; readonly word?: string }
  | {
      readonly kind: 'replace';
      readonly path: string;
      readonly find: string;
      readonly with: string;
      readonly all: boolean;
    }
  | { readonly kind: 'create' | 'append'; readonly path: string; readonly text: string }
  | { readonly kind: 'delete'; readonly path: string }
  | { readonly kind: 'move'; readonly from: string; readonly to: string }
  | { readonly kind: 'run'; readonly command: string }
  | { readonly kind: 'unknown'; readonly text: string };

/** Words for the workspace itself, where a folder could be named. */
const whole = /^(?:it|this|here|there|all|everything|workspace|project|repo|repository|files?|folder|directory)$/i;
const folder = (name: string | undefined): string => (name === undefined || whole.test(name) ? '.' : name);

const read = (path = '.', from?: string, to = from): Intent => {
  if (whole.test(path)) return { kind: 'list', path: '.' };
  return from === undefined ? { kind: 'read', path } : { kind: 'read', path, from: Number(from), to: Number(to) };
};
const explain = (path = ''): Intent =>
  whole.test(path) ? { kind: 'summarise', path: '.' } : { kind: 'explain', path };
const search = (text = '', path?: string): Intent => ({ kind: 'search', text, path: folder(path), isPattern: false });
const pattern = (text = '', path?: string): Intent => ({ kind: 'search', text, path: folder(path), isPattern: true });
const write = (kind: 'create' | 'append', path = '', text = '', rest = text): Intent => ({
  kind,
  path,
  text: text || rest,
});
const prices = (foods = ''): Intent => (foods.trim() === '' ? { kind: 'prices' } : { kind: 'prices', foods });
const replace = (all: string | undefined, find = '', replaceWith = '', path = ''): Intent => ({
  kind: 'replace',
  path,
  find,
  with: replaceWith,
  all: all !== undefined,
});

/**
 * A rule is words: `(a|b)` is one of them, `[a|b]` may be missing, `_` is a space inside. Braces are what is taken out, in
 * order: `{q}` something quoted, `{p}` a path, `{in}` "in the src folder", `{range}` one number or two, `{w}` a word,
 * `{line}` and `{rest}` all that follows, `{body}` that or something quoted.
 */
const rules: readonly (readonly [words: string, make: (...taken: (string | undefined)[]) => Intent])[] = [
  ['(help|hi|hello|hey|what_can_you_do|what_do_you_do|how_do_you_work) [me]', () => ({ kind: 'help' })],
  ['[show|give|take] [me] [a|the] tour', () => ({ kind: 'tour' })],
  ['(add|write|make) [a|the] [new] recipe [called|named|for] {q}', (title = '') => ({ kind: 'recipe', title })],
  ['(add|write|make) [a|the] [new] recipe', () => ({ kind: 'recipe' })],
  ['(prices|price|what_does|how_much_is|how_much_are|ask_the_market_about) [of|for] {q} [cost]', prices],
  ['[ask_for|look_up|show] [the|me] [market] (prices|price) [of|for] {rest}', prices],
  ['(delegate|let_a_worker|have_a_worker) [to_a_worker|this|do]: {rest}', (task = '') => ({ kind: 'delegate', task })],
  ['(delegate|let_a_worker|have_a_worker) {rest}', (task = '') => ({ kind: 'delegate', task })],
  ['(use|call) the [page] tool {w} [with] {rest}', (name = '', input = '') => ({ kind: 'page-tool', name, input })],
  ['(run|start) [the] [command] {q} in the background', (command = '') => ({ kind: 'background', command })],
  ['stop [the|all] (background|what_runs_in_the_background) [work]', () => ({ kind: 'stop-background' })],
  ['fail [on_purpose]', () => ({ kind: 'fail' })],
  [
    '[write|give|make] [me] [a|the] [very] (long|full|detailed) (report|answer|text) [about|on|of] {rest}',
    () => ({ kind: 'report' }),
  ],
  ['(run|execute|start) [all] [the] [unit] (test|tests) [and] (fix|repair) {rest}', () => ({ kind: 'fix' })],
  ['(run|execute|start) [all] [the] [unit] (test|tests) [suite]', () => ({ kind: 'test' })],
  ['(test|do_the_tests_pass) [it|this|everything|the_project|the_workspace]', () => ({ kind: 'test' })],
  ['(fix|repair) [the] [failing] (test|tests|bug|it|problem)', () => ({ kind: 'fix' })],
  ['(run|execute) [the] [command] {line}', (command = '') => ({ kind: 'run', command: command.trim() })],
  ['(replace|change) {all} {q} (with|by|to|into) {q} in [the] [file] {p}', replace],
  [
    '(in|edit) [the] [file] {p} [and] (replace|change) {all} {q} (with|by|to|into) {q}',
    (p, all, q, by) => replace(all, q, by, p),
  ],
  ['(append|add) {q} (to|at_the_end_of) [the] [file] {p}', (text, path) => write('append', path, text)],
  ['(append|add) (to|at_the_end_of) [the] [file] {p} {body}', (path, text, rest) => write('append', path, text, rest)],
  ['(delete|remove) [the] [file] {p}', (path = '') => ({ kind: 'delete', path })],
  ['(move|rename) [the] [file] {p} (to|as|into) {p}', (from = '', to = '') => ({ kind: 'move', from, to })],
  ['(create|make) [a|an] [empty|new] file [called|named] {p}', (path) => write('create', path)],
  [
    '(create|write|make|save) [a|the] [new] [file] [called|named] {p} [with|containing] [the] [text|content|lines] {body}',
    (path, text, rest) => write('create', path, text, rest),
  ],
  [
    '(count|how_many_times_does) [the] [word] {q} [occur|appear] {in}',
    (word = '', path) => ({ kind: 'count', path: folder(path), word }),
  ],
  [
    '(count|how_many) [the|all] (lines|words|files|characters|bytes) [and|of] [lines|words|files|code] [are_there|are] {in}',
    (path) => ({ kind: 'count', path: folder(path) }),
  ],
  ['how (long|big|large) is [the] [file] {p}', (path) => ({ kind: 'count', path: folder(path) })],
  ['(search|look|grep|find) [for] [the] (pattern|regex) {q} {in}', pattern],
  ['(search|look|grep|find) [for] [all|every] [the] [word|text|lines_with] {q} {in}', search],
  ['(search|look|grep|find) [for] {w} {in}', search],
  ['where (is|are|does|can_i_find) [the] {w} [used|defined|mentioned|called|occur|appear]', search],
  [
    '(summarise|summarize|describe|overview_of|tell_me_about|what_is) [the|this] {p}',
    (path) => ({ kind: 'summarise', path: folder(path) }),
  ],
  ['(summarise|summarize|overview|summary)', () => ({ kind: 'summarise', path: '.' })],
  ['(explain|outline|what_does|how_does) [the|this] [file] {p} [do|work|contain|say|mean]', explain],
  [
    '(show|read|print|open|cat) [me] (line|lines) {range} (of|in|from) [the] [file] {p}',
    (from, to, path) => read(path, from, to),
  ],
  [
    '(list|ls|dir|show|what) [me] [all] [the] (files|folders|contents|directory|folder|workspace) [are_there|are|is] {in}',
    (path) => ({ kind: 'list', path: folder(path) }),
  ],
  [
    "(list|ls|dir|show|what_is|what's) [me] [in|inside] [the|this] [here|there|workspace|project|folder|directory]",
    () => ({ kind: 'list', path: '.' }),
  ],
  [
    "(list|ls|dir|what_is_in|what's_in) [the|this] [folder|directory] {p} [folder|directory]",
    (path) => ({ kind: 'list', path: folder(path) }),
  ],
  ['(show|read|print|open|view|cat) [me] [the] [file|contents_of] [the] {p} [file]', read],
];

/** At most nine: a long run of spaces would be tried at every length, and nobody means anything by it. */
const gap = '(?:\\s{1,9}|$)';
const path = '(\uE000\\d+\uE001|[\\w@.~/\\\\-]*[\\w/~-]|\\.{1,2})';
const braces: Readonly<Record<string, string>> = {
  q: `(\uE000\\d+\uE001)${gap}`,
  p: `${path}[,:]?${gap}`,
  in: `(?:(?:in|under|inside|from|of)${gap}(?:the${gap})?(?:(?:folder|directory|file)${gap})?${path}${gap}(?:(?:folder|directory)${gap})?)?`,
  all: `(?:(all|every|each)${gap})?`,
  range: `(\\d+)\\s{0,9}(?:(?:-|–|to|and)\\s{0,9}(\\d+))?${gap}`,
  w: `(\uE000\\d+\uE001|[^\\s?]+)${gap}`,
  line: '([^\\n]+)',
  body: `(?::?\\s{0,9})(?:(\uE000\\d+\uE001)|([\\s\\S]+))${gap}?`,
  rest: '([\\s\\S]*)',
};

const compiled = rules.map(([words, make]) => [compile(words), make] as const);

function compile(words: string): RegExp {
  const tokens = words.split(' ').map((token) => {
    if (token.startsWith('{')) return braces[token.slice(1, -1)] ?? '';
    const one = `(?:${token.replace(/^[[(]|[\])]$/g, '').replaceAll('_', '\\s')})[:,]?${gap}`;
    return token.startsWith('[') ? `(?:${one})?` : one;
  });
  return new RegExp(`^${tokens.join('')}$`, 'i');
}

/** Steps of one request; more are left undone. */
const maxSteps = 12;

const polite =
  /^(?:(?:please|now|first|next|then|also|finally|ok|okay|and)[,\s]+|(?:can|could|would|will)\s+you\s+(?:please\s+)?|i(?:'d| would) like (?:you )?to\s+|i want (?:you )?to\s+|let'?s\s+)+/i;

/** What stands in quotes, back ticks or a code fence is text and never words of a rule. */
const quotes = /```[\w-]*\n([\s\S]*?)\n?```|"([^"]*)"|“([^”]*)”|`([^`]*)`|(?<=^|[\s(:])'([^'\n]+)'(?=$|[\s.,;:!?)])/g;

/** What one request asks for, step by step: "list src, then run the tests" is two. */
export function parseRequest(text: string): Intent[] {
  const taken: { readonly raw: string; readonly text: string }[] = [];
  const slashed = text.trim().startsWith('/') ? expandCommand(text.trim()) : text;
  const command = /^\s*[!$]\s*(.+)/.exec(text)?.[1];
  if (command !== undefined) return [{ kind: 'run', command: command.trim() }];
  const plain = slashed
    .trim()
    .replace(/[\uE000\uE001]/g, '')
    .replace(quotes, (raw: string, ...groups: (string | undefined)[]) => {
      const inner = groups.slice(0, 5).find((group) => group !== undefined) ?? '';
      taken.push({ raw, text: raw.startsWith('```') ? `${inner}\n` : inner });
      return `\uE000${taken.length - 1}\uE001`;
    });
  /** A whole quotation becomes its text; quotations inside longer text come back as they were written. */
  const restore = (group: string | undefined): string | undefined => {
    const alone = /^\uE000(\d+)\uE001$/.exec(group ?? '');
    if (alone) return taken[Number(alone[1])]?.text;
    return group?.replace(/\uE000(\d+)\uE001/g, (_, index: string) => taken[Number(index)]?.raw ?? '');
  };
  return plain
    .split(/[,;.]?\s{1,9}(?:and\s)?then\s/i)
    .filter((step) => step.trim() !== '')
    .slice(0, maxSteps)
    .map((step) => parseStep(step, restore));
}

function parseStep(step: string, restore: (group: string | undefined) => string | undefined): Intent {
  const plain = step
    .trim()
    .replace(polite, '')
    .replace(/(?<=[^\s.])[.!?]{1,3}$/, '')
    .replace(/,?\s{1,9}please$/i, '')
    .trim();
  for (const [words, make] of compiled) {
    const found = words.exec(plain);
    if (found) return make(...found.slice(1).map(restore));
  }
  return { kind: 'unknown', text: restore(step.trim()) ?? '' };
}
