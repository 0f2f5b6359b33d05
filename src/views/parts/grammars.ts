/**
 * The languages that can be highlighted, each loaded when it is first met. Knows Prism's grammars and nothing of nodes.
 * Part of a lazy chunk; every grammar is a chunk of its own.
 */

import prism from 'prismjs/components/prism-core.js?prism-core';

/** As much of Prism as is used. */
export interface Prism {
  readonly languages: Readonly<Record<string, object | undefined>>;
  tokenize(text: string, grammar: object): readonly PrismToken[];
}
export type PrismToken =
  | string
  | {
      readonly type: string;
      readonly content: PrismToken | readonly PrismToken[];
      readonly alias?: string | readonly string[];
    };

type Name = keyof typeof loads;

const loads = {
  markup: () => import('prismjs/components/prism-markup.js?prism-grammar'),
  css: () => import('prismjs/components/prism-css.js?prism-grammar'),
  clike: () => import('prismjs/components/prism-clike.js?prism-grammar'),
  javascript: () => import('prismjs/components/prism-javascript.js?prism-grammar'),
  typescript: () => import('prismjs/components/prism-typescript.js?prism-grammar'),
  jsx: () => import('prismjs/components/prism-jsx.js?prism-grammar'),
  tsx: () => import('prismjs/components/prism-tsx.js?prism-grammar'),
  json: () => import('prismjs/components/prism-json.js?prism-grammar'),
  bash: () => import('prismjs/components/prism-bash.js?prism-grammar'),
  python: () => import('prismjs/components/prism-python.js?prism-grammar'),
  java: () => import('prismjs/components/prism-java.js?prism-grammar'),
  c: () => import('prismjs/components/prism-c.js?prism-grammar'),
  cpp: () => import('prismjs/components/prism-cpp.js?prism-grammar'),
  csharp: () => import('prismjs/components/prism-csharp.js?prism-grammar'),
  go: () => import('prismjs/components/prism-go.js?prism-grammar'),
  rust: () => import('prismjs/components/prism-rust.js?prism-grammar'),
  ruby: () => import('prismjs/components/prism-ruby.js?prism-grammar'),
  'markup-templating': () => import('prismjs/components/prism-markup-templating.js?prism-grammar'),
  php: () => import('prismjs/components/prism-php.js?prism-grammar'),
  sql: () => import('prismjs/components/prism-sql.js?prism-grammar'),
  yaml: () => import('prismjs/components/prism-yaml.js?prism-grammar'),
  toml: () => import('prismjs/components/prism-toml.js?prism-grammar'),
  ini: () => import('prismjs/components/prism-ini.js?prism-grammar'),
  diff: () => import('prismjs/components/prism-diff.js?prism-grammar'),
  markdown: () => import('prismjs/components/prism-markdown.js?prism-grammar'),
  docker: () => import('prismjs/components/prism-docker.js?prism-grammar'),
  kotlin: () => import('prismjs/components/prism-kotlin.js?prism-grammar'),
  swift: () => import('prismjs/components/prism-swift.js?prism-grammar'),
  lua: () => import('prismjs/components/prism-lua.js?prism-grammar'),
  powershell: () => import('prismjs/components/prism-powershell.js?prism-grammar'),
  makefile: () => import('prismjs/components/prism-makefile.js?prism-grammar'),
  graphql: () => import('prismjs/components/prism-graphql.js?prism-grammar'),
  scss: () => import('prismjs/components/prism-scss.js?prism-grammar'),
  r: () => import('prismjs/components/prism-r.js?prism-grammar'),
  perl: () => import('prismjs/components/prism-perl.js?prism-grammar'),
  dart: () => import('prismjs/components/prism-dart.js?prism-grammar'),
  scala: () => import('prismjs/components/prism-scala.js?prism-grammar'),
  haskell: () => import('prismjs/components/prism-haskell.js?prism-grammar'),
  elixir: () => import('prismjs/components/prism-elixir.js?prism-grammar'),
  nix: () => import('prismjs/components/prism-nix.js?prism-grammar'),
  protobuf: () => import('prismjs/components/prism-protobuf.js?prism-grammar'),
  hcl: () => import('prismjs/components/prism-hcl.js?prism-grammar'),
} satisfies Record<string, () => Promise<{ readonly default: (prism: Prism) => void }>>;

/** What a grammar builds on. */
const needs: { readonly [name in Name]?: readonly Name[] } = {
  javascript: ['clike'],
  typescript: ['javascript'],
  jsx: ['markup', 'javascript'],
  tsx: ['jsx', 'typescript'],
  java: ['clike'],
  c: ['clike'],
  cpp: ['c'],
  csharp: ['clike'],
  go: ['clike'],
  ruby: ['clike'],
  'markup-templating': ['markup'],
  php: ['markup-templating', 'clike'],
  markdown: ['markup'],
  kotlin: ['clike'],
  scss: ['css'],
  dart: ['clike'],
  scala: ['java'],
  protobuf: ['clike'],
};

/** Other names under which languages are written behind a fence. */
const aliases: Readonly<Record<string, Name>> = {
  html: 'markup',
  xml: 'markup',
  svg: 'markup',
  vue: 'markup',
  svelte: 'markup',
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  node: 'javascript',
  ts: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  jsonc: 'json',
  json5: 'json',
  sh: 'bash',
  shell: 'bash',
  zsh: 'bash',
  console: 'bash',
  'shell-session': 'bash',
  py: 'python',
  python3: 'python',
  'c++': 'cpp',
  h: 'c',
  hpp: 'cpp',
  cs: 'csharp',
  'c#': 'csharp',
  golang: 'go',
  rs: 'rust',
  rb: 'ruby',
  postgresql: 'sql',
  mysql: 'sql',
  sqlite: 'sql',
  yml: 'yaml',
  patch: 'diff',
  md: 'markdown',
  dockerfile: 'docker',
  kt: 'kotlin',
  ps1: 'powershell',
  pwsh: 'powershell',
  make: 'makefile',
  mk: 'makefile',
  gql: 'graphql',
  sass: 'scss',
  less: 'scss',
  pl: 'perl',
  hs: 'haskell',
  ex: 'elixir',
  exs: 'elixir',
  proto: 'protobuf',
  terraform: 'hcl',
  tf: 'hcl',
};

const installed = new Map<Name, Promise<void>>();

function install(name: Name): Promise<void> {
  let installing = installed.get(name);
  if (!installing) {
    installing = load(name);
    installed.set(name, installing);
    // Tried again the next time.
    installing.catch(() => installed.delete(name));
  }
  return installing;
}

async function load(name: Name): Promise<void> {
  const [module] = await Promise.all([loads[name](), ...(needs[name] ?? []).map(install)]);
  // Another may have asked for it meanwhile as part of its own; adding it twice would add its hooks twice.
  if (!prism.languages[name]) module.default(prism);
}

function findName(language: string): Name | undefined {
  const name = language.toLowerCase();
  if (Object.hasOwn(aliases, name)) return aliases[name];
  return Object.hasOwn(loads, name) ? (name as Name) : undefined;
}

/** `text` as Prism's tokens, or nothing for a language nobody knows. Rejects when the grammar cannot be loaded. */
export async function tokenize(text: string, language: string): Promise<readonly PrismToken[] | undefined> {
  const name = findName(language);
  if (name === undefined) return undefined;
  await install(name);
  const grammar = prism.languages[name];
  return grammar && prism.tokenize(text, grammar);
}
