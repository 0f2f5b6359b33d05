/**
 * The house rules that can be read off the sources: which folder may import which, which package may be used where, and
 * a few that a text shows (no HTML sinks, no left and right in styles, long files say why). Pure: texts in, complaints
 * out; `test/layers.node.js` runs it over the repository.
 */
import path from 'node:path';
import ts from 'typescript';

/** The folders of src by layer. Imports point strictly down; folders of one row never import each other. */
const ROWS = [
  ['protocol', 'bytes'],
  ['chat', 'channels', 'markdown', 'i18n'],
  ['mirror', 'worker', 'transcript', 'host'],
  ['attachments'],
  ['client', 'views'],
  ['element'],
];
const [row0, row1, row2] = ROWS;

/** What each folder may import from others: everything, and types only. `index.ts` of src counts as a folder. */
const ALLOWED = {
  ...each(row0, { values: [] }),
  ...each(row1, { values: ['protocol'] }),
  ...each(row2, { values: [...row0, ...row1] }),
  attachments: { values: [...row0, ...row1], types: row2 },
  client: { values: [...row0, ...row1, 'attachments'], types: row2 },
  views: { values: [...row0, ...row1], types: ['attachments'] },
  element: { values: ROWS.slice(0, 5).flat() },
  'index.ts': { values: ROWS.flat() },
  adapters: {
    values: ROWS.slice(0, 5)
      .flat()
      .filter((folder) => folder !== 'views'),
  },
};

/** What a public entry hands on besides, so that one import is enough. */
const ENTRIES = { 'src/client/index.ts': ['mirror'] };

/** Where a package may be imported from, as patterns of paths. What is not listed may be imported nowhere in src. */
const PACKAGES = {
  lit: [/^src\/(views|element)\//, /^src\/i18n\/localize\.ts$/, /^src\/index\.ts$/],
  '@lit': [/^src\/(views|element)\//, /^src\/i18n\/localize\.ts$/, /^src\/index\.ts$/],
  idb: [/^src\/mirror\//],
  comlink: [/^src\/worker\//],
  'file-type': [/^src\/worker\//],
  diff: [/^src\/views\/tool-call\/diff-/],
  marked: [/^src\/markdown\//],
  prismjs: [/^src\/views\/parts\/(highlight|grammars)\.ts$/],
  '@xterm/headless': [/^src\/views\/parts\/(terminal-|xterm)/],
  lucide: [/^src\/views\/icons[^/]*(\/|$)/],
};

/** The demo host's plug-ins are loaded by name and do not know each other. */
const PLUG_INS = ['agents', 'artifact', 'context', 'happy'];

/** Names that turn a string into HTML or code. */
const SINKS = new Set([
  'innerHTML',
  'outerHTML',
  'insertAdjacentHTML',
  'setHTMLUnsafe',
  'parseFromString',
  'createContextualFragment',
  'srcdoc',
  'unsafeHTML',
  'unsafeSVG',
  'unsafeStatic',
]);
const SINK_ATTRIBUTE = /[\s.]\??\.?(innerHTML|outerHTML|srcdoc)=/;

/** CSS that names a side of the page instead of a side of the text. */
const PHYSICAL = [
  /(?<![\w-])(?:(?:scroll-)?(?:margin|padding)-|border-(?:top-|bottom-)?)?(?:left|right)(?:-(?:width|style|color|radius))?\s*:/,
  /(?<![\w-])(?:text-align|float|clear|caption-side)\s*:\s*(?:left|right)\b/,
];

/** What runs when it is imported; `sideEffects` in `package.json` has the same list, all else may be shaken off. */
const REGISTERING = [/^src\/index\.ts$/, /^src\/element\/[^/]+$/, /^src\/views\/(.*\/)?ahp-[^/]*$/, /\.worker\.ts$/];

const MOST_LINES = 500;

/**
 * @typedef {{ file: string, line: number, message: string }} Complaint
 * @param {Iterable<readonly [file: string, text: string]>} sources paths from the root of the repository, with slashes
 * @returns {Complaint[]}
 */
export function findComplaints(sources) {
  return [...sources].flatMap(([file, text]) => complaintsOf(file, text));
}

function complaintsOf(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, /* setParentNodes */ true);
  const complaints = [];
  const complain = (position, message) => {
    complaints.push({ file, line: source.getLineAndCharacterOfPosition(position).line + 1, message });
  };
  const isSource = file.startsWith('src/');
  const folder = isSource ? file.split('/')[1] : undefined;
  if (isSource && !(folder in ALLOWED)) {
    // Declarations for the compiler alone stand beside `index.ts`.
    if (!file.endsWith('.d.ts')) complain(0, `src/${folder} is in no layer: give it one in scripts/layer-rules.mjs.`);
    return complaints;
  }
  for (const reference of referencesIn(source)) {
    const message = isSource ? judge(file, folder, reference) : judgeDemo(file, reference);
    if (message) complain(reference.position, message);
  }
  checkSinks(source, complain);
  if (isSource && folder !== 'host') checkNoHost(source, complain);
  if (isSource && !REGISTERING.some((pattern) => pattern.test(file))) checkSideEffects(source, complain);
  if (file.endsWith('.styles.ts')) checkDirections(text, complain);
  checkLength(source, complain);
  return complaints;
}

/**
 * Every module another one is reached by: imports and re-exports, `import()`, `import('…')` types, and the URLs workers
 * are started from.
 */
function referencesIn(source) {
  const references = [];
  const add = (node, specifier, isType) => {
    if (specifier && ts.isStringLiteralLike(specifier)) {
      references.push({ specifier: specifier.text, isType, position: node.getStart(source) });
    }
  };
  const visit = (node) => {
    if (ts.isImportDeclaration(node)) {
      // `import { type A }` still loads the module under `verbatimModuleSyntax`; only `import type` does not.
      add(node, node.moduleSpecifier, node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword);
    } else if (ts.isExportDeclaration(node)) {
      add(node, node.moduleSpecifier, node.isTypeOnly);
    } else if (ts.isImportTypeNode(node)) {
      add(node, ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined, true);
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      add(node, node.arguments[0], false);
    } else if (ts.isNewExpression(node) && node.expression.getText(source) === 'URL') {
      const [specifier, base] = node.arguments ?? [];
      if (base?.getText(source) === 'import.meta.url') add(node, specifier, false);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return references;
}

/** Returns what is wrong with one reference from a file of src, or undefined. */
function judge(file, folder, { specifier, isType }) {
  if (!specifier.startsWith('.')) return judgePackage(file, specifier);
  const plain = specifier.replace(/\?.*$/, '');
  const target = path.posix.normalize(path.posix.join(path.posix.dirname(file), plain));
  if (!target.startsWith('src/')) return `"${specifier}" is outside of src.`;
  if (!/\.js$|\.worker\.ts$/.test(plain)) return `"${specifier}" must end in ".js", or node cannot load the types.`;
  if (/(^|\/)index\.js$/.test(target))
    return `"${specifier}" is an index: those are for publishing, import the module.`;

  const targetFolder = target.split('/')[1];
  if (targetFolder === folder) return undefined;
  if (targetFolder === 'adapters') return 'Adapters are imported by applications only, never inside src.';
  const { values, types = [] } = ALLOWED[folder];
  if (values.includes(targetFolder) || ENTRIES[file]?.includes(targetFolder)) return undefined;
  if (types.includes(targetFolder)) {
    return isType ? undefined : `${folder} may import types of ${targetFolder} only: write "import type".`;
  }
  const may = [...values, ...types.map((name) => `types of ${name}`)].join(', ') || 'no other folder';
  return `${folder} may not import ${targetFolder}; it may import ${may}.`;
}

function judgePackage(file, specifier) {
  const name = specifier.startsWith('@lit/') ? '@lit' : packageName(specifier);
  const places = PACKAGES[name];
  if (!places) return `"${specifier}" may be imported nowhere in src; its place would be in scripts/layer-rules.mjs.`;
  return places.some((place) => place.test(file)) ? undefined : `"${specifier}" may not be imported here.`;
}

const packageName = (specifier) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

function judgeDemo(file, { specifier }) {
  if (!specifier.startsWith('.')) return undefined;
  const target = path.posix.normalize(path.posix.join(path.posix.dirname(file), specifier));
  const [from, to] = [file, target].map((name) => /^demo\/host\/(\w+)\//.exec(name)?.[1]);
  if (from === to || !PLUG_INS.includes(from) || !PLUG_INS.includes(to)) return undefined;
  return `The plug-ins of the demo host do not know each other: ${from} may not import ${to}.`;
}

function checkSinks(source, complain) {
  const visit = (node) => {
    if (ts.isIdentifier(node) && SINKS.has(node.text)) {
      complain(node.getStart(source), `${node.text}: everything shown is untrusted, so no string becomes HTML.`);
    } else if (isTemplateText(node) && SINK_ATTRIBUTE.test(node.text)) {
      complain(node.getStart(source), 'A template sets HTML from a string: everything shown is untrusted.');
    } else if (ts.isElementAccessExpression(node) && SINKS.has(node.argumentExpression.text)) {
      complain(node.getStart(source), `${node.argumentExpression.text}: no string becomes HTML.`);
    } else if (isStringToCode(node, source)) {
      complain(node.getStart(source), 'No string becomes code, and none is written into the document.');
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
}

const isTemplateText = (node) =>
  ts.isNoSubstitutionTemplateLiteral(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);

const isStringToCode = (node, source) =>
  (ts.isCallExpression(node) || ts.isNewExpression(node)) &&
  /^((globalThis|window)\.)?(eval|Function|document\.write(ln)?)$/.test(node.expression.getText(source));

/** Who answers `initialize` is a host, and there is one: src/host. Asking is a call with the name as an argument. */
function checkNoHost(source, complain) {
  const isName = (node) => ts.isStringLiteralLike(node) && node.text === 'initialize';
  const visit = (node) => {
    const isAnswer =
      (ts.isCaseClause(node) && isName(node.expression)) ||
      (ts.isPropertyAssignment(node) &&
        (node.name.text === 'initialize' || isName(node.name)) &&
        (ts.isArrowFunction(node.initializer) || ts.isFunctionExpression(node.initializer)));
    if (isAnswer) complain(node.getStart(source), 'Only src/host answers "initialize".');
    ts.forEachChild(node, visit);
  };
  visit(source);
}

function checkSideEffects(source, complain) {
  for (const statement of source.statements) {
    const isElement =
      ts.isClassDeclaration(statement) &&
      ts.getDecorators(statement)?.some((it) => /customElement/.test(it.getText(source)));
    if (ts.isExpressionStatement(statement) || isElement) {
      complain(
        statement.getStart(source),
        'This runs on import, but bundlers may leave the module out: only ahp-… files of views and element may do that.',
      );
    }
  }
}

function checkDirections(text, complain) {
  // Comments are blanked, not removed, so that positions stay.
  const css = text.replace(/\/\*[^]*?\*\/|\/\/.*/g, (comment) => comment.replace(/[^\n]/g, ' '));
  for (const pattern of PHYSICAL) {
    for (const match of css.matchAll(new RegExp(pattern, 'g'))) {
      complain(match.index, `"${match[0].trim()}": styles know start and end, not left and right.`);
    }
  }
}

function checkLength(source, complain) {
  const lines = source.getLineAndCharacterOfPosition(source.end).line;
  if (lines <= MOST_LINES) return;
  const [first] = ts.getLeadingCommentRanges(source.text, 0) ?? [];
  const comment = first ? source.text.slice(first.pos, first.end) : '';
  if (!/\bone (file|thing|table|switch)\b|cannot be (cut|split)/i.test(comment)) {
    complain(0, `${lines} lines: cut it, or say in its first comment why it is one file (over ${MOST_LINES}).`);
  }
}

function each(folders, rule) {
  return Object.fromEntries(folders.map((folder) => [folder, rule]));
}
