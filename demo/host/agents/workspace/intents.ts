/**
 * Plain English to what is wanted, by simple rules in a fixed order: the first that fits wins. Pure. What fits no rule is
 * `unknown`, and the agent says so instead of guessing.
 */

export type Intent =
  | { readonly kind: 'help' }
  | { readonly kind: 'list'; readonly path: string }
  | { readonly kind: 'read'; readonly path: string; readonly from?: number; readonly to?: number }
  | { readonly kind: 'search'; readonly text: string; readonly path: string; readonly isPattern: boolean }
  | { readonly kind: 'explain'; readonly path: string }
  | { readonly kind: 'count'; readonly path: string; readonly word?: string }
  | {
      readonly kind: 'replace';
      readonly path: string;
      readonly find: string;
      readonly replaceWith: string;
      readonly everywhere: boolean;
    }
  | { readonly kind: 'create'; readonly path: string; readonly text: string }
  | { readonly kind: 'append'; readonly path: string; readonly text: string }
  | { readonly kind: 'run'; readonly command: string }
  | { readonly kind: 'test' }
  | { readonly kind: 'fix' }
  | { readonly kind: 'summarise'; readonly path: string }
  | { readonly kind: 'report' }
  | { readonly kind: 'fail' }
  | { readonly kind: 'unknown'; readonly text: string };

/** Gets the groups of a match with what was quoted put back. `undefined`: the rule does not fit after all. */
type Make = (...groups: (string | undefined)[]) => Intent | undefined;

/** Quoted pieces are taken out before the rules run; this is one of them. */
const Q = '(\uE000\\d+\uE001)';
/** A path or name: quoted, or bare. */
const P = '(\uE000\\d+\uE001|[\\w@.~/\\\\-]*[\\w/~-]|\\.{1,2})';
/** "in the src folder" */
const IN = `(?:\\s+(?:in|under|below|inside|from|of)\\s+(?:the\\s+)?(?:folder\\s+|directory\\s+|file\\s+)?${P}(?:\\s+(?:folder|directory))?)?`;
/** What a file shall hold: quoted, or everything after the first line. */
const BODY = `\\s*:?\\s*(?:${Q}|\\n([\\s\\S]+))`;
const FILE = '(?:the\\s+)?(?:file\\s+)?';

/** Words for the workspace itself, where a folder could be named. */
const whole = /^(?:it|this|here|there|all|everything|workspace|project|repo|repository|files?|folder|directory)$/i;
const folder = (name: string | undefined): string => (name === undefined || whole.test(name) ? '.' : name);

const search = (text = '', path?: string, isPattern = false): Intent => ({
  kind: 'search',
  text,
  path: folder(path),
  isPattern,
});

const rules: readonly (readonly [pattern: RegExp, make: Make])[] = (
  [
    ['[!$]\\s*([^\\n]+)', (command = '') => ({ kind: 'run', command: command.trim() })],
    ['(?:help|hi|hello|hey|what (?:can|do) you do|how do you work)(?:\\s+me)?', () => ({ kind: 'help' })],
    ['fail(?:\\s+on purpose)?', () => ({ kind: 'fail' })],
    [
      '(?:(?:write|give|make|create|generate)\\s+(?:me\\s+)?(?:an?|the)?\\s*)?(?:very\\s+)?(?:long|full|detailed|complete)\\s+(?:report|answer|text|review)(?:\\s+(?:about|on|of)\\s+.+)?',
      () => ({ kind: 'report' }),
    ],
    [
      '(?:run|execute|start)\\s+(?:all\\s+)?(?:the\\s+)?(?:unit\\s+)?tests?(?:\\s+suite)?|test(?:\\s+(?:it|this|everything|the (?:project|workspace)))?|do the tests pass',
      () => ({ kind: 'test' }),
    ],
    [
      '(?:fix|repair|mend)\\s+(?:the\\s+)?(?:failing\\s+)?(?:tests?|bug|it|problem)|make the tests? pass',
      () => ({ kind: 'fix' }),
    ],
    [
      '(?:run|execute)\\s+(?:the\\s+)?(?:command\\s+)?:?\\s*([^\\n]+)',
      (command = '') => ({ kind: 'run', command: command.trim() }),
    ],
    [
      `(?:replace|change|substitute)\\s+(all\\s+|every\\s+|each\\s+)?${Q}\\s+(?:with|by|to|into)\\s+${Q}\\s+in\\s+${FILE}${P}(\\s+everywhere)?`,
      (all, find = '', replaceWith = '', path = '', everywhere) => ({
        kind: 'replace',
        path,
        find,
        replaceWith,
        everywhere: Boolean(all ?? everywhere),
      }),
    ],
    [
      `(?:in|edit)\\s+${FILE}${P}[,:]?\\s+(?:and\\s+)?(?:replace|change)\\s+(all\\s+|every\\s+)?${Q}\\s+(?:with|by|to|into)\\s+${Q}`,
      (path = '', all, find = '', replaceWith = '') => ({
        kind: 'replace',
        path,
        find,
        replaceWith,
        everywhere: Boolean(all),
      }),
    ],
    [
      `(?:append|add)\\s+${Q}\\s+(?:to|at the end of)\\s+${FILE}${P}`,
      (text = '', path = '') => ({ kind: 'append', path, text }),
    ],
    [
      `(?:append|add)\\s+(?:to|at the end of)\\s+${FILE}${P}${BODY}`,
      (path = '', text, rest = '') => ({ kind: 'append', path, text: text ?? rest }),
    ],
    [
      `(?:create|make)\\s+(?:an?\\s+)?(?:empty|new)\\s+file\\s+(?:called\\s+|named\\s+)?${P}`,
      (path = '') => ({ kind: 'create', path, text: '' }),
    ],
    [
      `(?:create|write|make|save)\\s+(?:an?\\s+|the\\s+)?(?:new\\s+)?(?:file\\s+)?(?:called\\s+|named\\s+)?${P}(?:\\s+(?:with|that says|containing|saying)(?:\\s+(?:the\\s+)?(?:text|contents?|lines?))?)?${BODY}`,
      (path = '', text, rest = '') => ({ kind: 'create', path, text: text ?? rest }),
    ],
    [
      `(?:how many times does|count)\\s+(?:the\\s+word\\s+)?${Q}(?:\\s+(?:occur|appear)s?)?${IN}`,
      (word = '', path) => ({ kind: 'count', path: folder(path), word }),
    ],
    [
      `(?:how many|count)(?:\\s+(?:the|all))?\\s+(?:lines|words|files|characters|bytes|folders)(?:\\s+(?:and|of|,)\\s+(?:lines|words|files|code))*(?:\\s+(?:are there|does it have|are))?${IN}`,
      (path) => ({ kind: 'count', path: folder(path) }),
    ],
    [`how (?:long|big|large) is\\s+${FILE}${P}`, (path) => ({ kind: 'count', path: folder(path) })],
    [
      `(?:search|look|grep|find)(?:\\s+(?:for|all|every))*(?:\\s+(?:the\\s+)?(pattern|regex|word|text|lines? with))?\\s+${Q}${IN}`,
      (how, text, path) => search(text, path, /pattern|regex/i.test(how ?? '')),
    ],
    [`(?:search|look|grep|find)\\s+(?:for\\s+)?/(.+)/${IN}`, (text, path) => search(text, path, true)],
    [`(?:search|look|grep|find)(?:\\s+for)?\\s+(\\S+)${IN}`, (text, path) => search(text, path)],
    [
      `where\\s+(?:is|are|do(?:es)?|can i find)\\s+(?:the\\s+)?(\uE000\\d+\uE001|[\\w.$-]+)(?:\\s+(?:used|defined|mentioned|called|occur|appear|exported|imported))?`,
      (text) => search(text),
    ],
    [
      `(?:summari[sz]e|sum up|give (?:me )?an? (?:summary|overview) of|overview of|describe|tell me about|what is)(?:\\s+(?:the\\s+|this\\s+)?${P})?|overview|summary`,
      (path) => ({ kind: 'summarise', path: folder(path) }),
    ],
    [
      `(?:explain|what does|how does|outline)\\s+${FILE}(?:this\\s+)?${P}(?:\\s+(?:do|work|contain|say|mean))?`,
      (path = '') => (whole.test(path) ? { kind: 'summarise', path: '.' } : { kind: 'explain', path }),
    ],
    [
      `(?:show|read|print|open|view|display|cat|give me|see)\\s+(?:me\\s+)?lines?\\s+(\\d+)(?:\\s*(?:-|–|to|through|and)\\s*(\\d+))?\\s+(?:of|in|from)\\s+${FILE}${P}`,
      (from, to, path = '') => ({ kind: 'read', path, from: Number(from), to: Number(to ?? from) }),
    ],
    [
      `(?:list|ls|dir|show|what)(?:\\s+me)?(?:\\s+(?:all|the|every))*\\s+(?:files|folders|contents?|directory|folder|workspace|entries)(?:\\s+(?:and|or)\\s+folders)?(?:\\s+(?:are|is)(?:\\s+there)?)?${IN}`,
      (path) => ({ kind: 'list', path: folder(path) }),
    ],
    [
      "list|ls|dir|what(?:'s| is) (?:here|there|in (?:here|the (?:workspace|project|folder)))",
      () => ({ kind: 'list', path: '.' }),
    ],
    [
      `(?:list|ls|dir|what(?:'s| is| files are) (?:in|inside|under))\\s+(?:the\\s+)?(?:folder\\s+|directory\\s+)?${P}(?:\\s+(?:folder|directory))?`,
      (path) => ({ kind: 'list', path: folder(path) }),
    ],
    [
      `(?:show|read|print|open|view|display|cat|give me|see)\\s+(?:me\\s+)?(?:the\\s+)?(?:file\\s+|contents? of\\s+)?(?:the\\s+)?${P}(?:\\s+file)?`,
      (path = '') => (whole.test(path) ? { kind: 'list', path: '.' } : { kind: 'read', path }),
    ],
  ] satisfies [string, Make][]
).map(([pattern, make]) => [new RegExp(`^(?:${bounded(pattern)})[.!?]*$`, 'i'), make]);

/** Long runs of spaces would be tried at every length; nobody means anything by them. */
function bounded(pattern: string): string {
  return pattern.replaceAll('\\s+', '\\s{1,9}').replaceAll('\\s*', '\\s{0,9}');
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
  const isCommand = /^\s*[!$]/.test(text);
  const plain = text
    .trim()
    .replace(/[\uE000\uE001]/g, '')
    .replace(isCommand ? /(?!)/g : quotes, (raw: string, ...groups: (string | undefined)[]) => {
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
  const steps = isCommand ? [plain] : plain.split(/[,;.]?\s{1,9}(?:and\s)?then\s/i);
  return steps
    .filter((step) => step.trim() !== '')
    .slice(0, maxSteps)
    .map((step) => parseStep(step, restore));
}

function parseStep(step: string, restore: (group: string | undefined) => string | undefined): Intent {
  const plain = step
    .trim()
    .replace(polite, '')
    .replace(/,?\s{1,9}please([.!?]{0,3})$/i, '$1')
    .trim();
  for (const [pattern, make] of rules) {
    const found = pattern.exec(plain);
    const intent = found && make(...found.slice(1).map(restore));
    if (intent) return intent;
  }
  return { kind: 'unknown', text: restore(step.trim()) ?? '' };
}
