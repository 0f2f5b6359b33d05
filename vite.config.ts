/**
 * Three builds and one dev server. The mode says which:
 *
 * - `library`: the package. One file per module; entries are the public subpaths of `package.json`, packages stay imports.
 * - `standalone`: everything in `ahp-chat.js`, and the list of chats in `ahp-chat-list.js`, with the chunks of both beside
 *   them, for script tags; no bare import is left.
 * - any other: the demo, served from `demo/`, or built to `demo-dist/` for any static file server.
 */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin, type UserConfig } from 'vite';
import { minifyTemplates } from './scripts/minify-templates.js';
import { prismPlugin } from './scripts/prism-plugin.mjs';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

interface PackageJson {
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
  readonly dependencies: Readonly<Record<string, string>>;
}
const packageJson = JSON.parse(readFileSync(at('package.json'), 'utf8')) as PackageJson;

/**
 * The modules behind the package's subpaths, by their path without ending: the list is `exports` in `package.json` and
 * stands nowhere else. A pattern takes every module that fits.
 */
function findEntries(): Record<string, string> {
  const entries: Record<string, string> = {};
  for (const [subpath, target] of Object.entries(packageJson.exports)) {
    if (typeof target === 'string') continue;
    const module = /^\.\/dist\/(.*)\.js$/.exec(target.default)?.[1];
    if (!module) throw new Error(`exports["${subpath}"] is "${target.default}"; it should be "./dist/….js".`);
    const found = expand(module);
    if (found.length === 0) throw new Error(`exports["${subpath}"] has no module src/${module}.ts.`);
    for (const name of found) entries[name] = at(`src/${name}.ts`);
  }
  return entries;
}

/** `views/*\/index` → `['views/composer/index', …]`. */
function expand(module: string): string[] {
  const [folder = '', rest] = module.split('*');
  const exists = (name: string) => existsSync(at(`src/${name}.ts`));
  if (rest === undefined) return exists(module) ? [module] : [];
  const names = readdirSync(at(`src/${folder}`)).map((name) => name.replace(/(\.d)?\.ts$/, ''));
  return [...new Set(names)]
    .filter((name) => name !== 'index')
    .map((name) => folder + name + rest)
    .filter(exists);
}

/**
 * Published files carry the worker's text: bundlers other than Vite do not see `new Worker(new URL(…))`, and a page of
 * another origin may not start a worker from it. Sources keep the plain form, which dev servers and tests serve as is.
 */
const inlineWorker: Plugin = {
  name: 'inline-worker',
  enforce: 'pre',
  resolveId: {
    filter: { id: /\/worker-factory\.js$/ },
    handler(source, importer) {
      const inlined = source.replace('worker-factory.js', 'worker-factory.inline.js');
      return this.resolve(inlined, importer, { skipSelf: true });
    },
  },
};

/**
 * All that marked can do hangs on one object at the end of its file, which keeps the parser and the renderers alive.
 * Only what takes text apart is used.
 */
const onlyTheLexer: Plugin = {
  name: 'only-the-lexer',
  transform: {
    filter: { id: /\/marked\.esm\.js$/ },
    handler(code) {
      const exported = (name: string) => new RegExp(`(\\w+) as ${name}\\b`).exec(code)?.[1];
      const end = code.search(/var (\w+)=new \w+;function \w+\(\w+,\w+\)\{return \1\.parse/);
      const [lexer, tokenizer] = [exported('Lexer'), exported('Tokenizer')];
      if (end < 0 || !lexer || !tokenizer) throw new Error('marked is built differently now: see only-the-lexer.');
      return { code: `${code.slice(0, end)}export{${lexer} as Lexer,${tokenizer} as Tokenizer};`, map: null };
    },
  },
};

const library = (): UserConfig => ({
  plugins: [inlineWorker, prismPlugin()],
  publicDir: false,
  worker: { format: 'es' },
  build: {
    outDir: 'dist',
    target: 'es2022',
    sourcemap: true,
    minify: false,
    lib: { entry: findEntries(), formats: ['es'] },
    rolldownOptions: {
      external: Object.keys(packageJson.dependencies).map((name) => new RegExp(`^${name}($|/)`)),
      // A module is a file, so `sideEffects` can name exactly those that register elements.
      output: {
        preserveModules: true,
        preserveModulesRoot: 'src',
        // The compiler's own helpers have a version and an at sign in their paths.
        entryFileNames: ({ name }) => `${name.replace(/^_virtual\/.*\//, 'helpers/')}.js`,
      },
    },
  },
});

/** What the chat's entry reaches without a lazy import: one file, which packs better than the many that are shared with lazy ones. */
function isInFirstLoad(id: string, graph: ModuleGraph): boolean {
  if (firstLoad.size === 0) {
    const waiting = [at('src/index.ts')];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (firstLoad.has(next)) continue;
      firstLoad.add(next);
      waiting.push(...(graph.getModuleInfo(next)?.importedIds ?? []));
    }
  }
  return firstLoad.has(id);
}
const firstLoad = new Set<string>();

interface ModuleGraph {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null;
}

const standalone = (): UserConfig => ({
  plugins: [inlineWorker, minifyTemplates, onlyTheLexer, prismPlugin()],
  publicDir: false,
  worker: { format: 'es' },
  build: {
    outDir: 'dist/standalone',
    target: 'es2022',
    sourcemap: true,
    minify: true,
    lib: {
      entry: { 'ahp-chat': at('src/index.ts'), 'ahp-chat-list': at('src/element/ahp-chat-list.ts') },
      formats: ['es'],
    },
    rolldownOptions: {
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: '[name]-[hash].js',
        codeSplitting: {
          groups: [{ debugName: 'first load', name: (id, graph) => (isInFirstLoad(id, graph) ? 'first-load' : null) }],
        },
        // For a library Vite keeps the white space, to spare annotations a bundler would read; here none follows.
        minify: true,
      },
    },
  },
});

/** Every page of the demo; `?host=worker` lets it run without a host process. */
const demo = (): UserConfig => {
  const pages = readdirSync(at('demo')).filter((name) => name.endsWith('.html'));
  return {
    root: at('demo'),
    base: './',
    plugins: [prismPlugin()],
    worker: { format: 'es' },
    // Packages found late are bundled late, and then Vite reloads the page in the middle of a chat.
    optimizeDeps: { entries: ['*.html', '**/*.worker.ts', '../src/**/*.ts'] },
    server: {
      host: '127.0.0.1',
      port: 5173,
      // What the agents write is no source.
      watch: { ignored: ['**/demo/data/**', '**/out/**', '**/dist/**', '**/demo-dist/**'] },
    },
    preview: { host: '127.0.0.1', port: 5173 },
    build: {
      outDir: at('demo-dist'),
      emptyOutDir: true,
      target: 'es2022',
      rolldownOptions: { input: pages.map((page) => at(`demo/${page}`)) },
    },
  };
};

export default defineConfig(({ mode }) => {
  switch (mode) {
    case 'library':
      return library();
    case 'standalone':
      return standalone();
    default:
      return demo();
  }
});
