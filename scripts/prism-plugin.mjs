/**
 * Prism as modules. Its files are scripts that talk through a global `Prism`, and the core reads the page as soon as it
 * loads. A page may have a Prism of its own, so ours must not touch it: the query says what a file becomes.
 *
 * - `prismjs/components/prism-core.js?prism-core` exports Prism, which has seen no page;
 * - `prismjs/components/prism-go.js?prism-grammar` exports a function that adds its languages to the Prism it is given.
 *
 * One plugin for Vite and one for the test server. What is built has the result in it and needs neither.
 */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const query = /^(prismjs\/components\/[\w-]+\.js)(\?prism-(?:core|grammar))$/;

/**
 * @param {string} code
 * @param {string} id
 * @returns {string | undefined} nothing if `id` does not ask for it
 */
function toModule(code, id) {
  if (id.endsWith('?prism-grammar')) return `export default function (Prism) {\n${code}\n}\n`;
  if (!id.endsWith('?prism-core')) return undefined;
  // A window without a document: nothing to highlight, nobody to hand Prism to.
  const page = '{ Prism: { manual: true, disableWorkerMessageHandler: true } }';
  return `export default (function (window, module, global) {\n${code}\nreturn Prism;\n})(${page});\n`;
}

/** @returns {import('vite').Plugin} */
export function prismPlugin() {
  return {
    name: 'prism',
    enforce: 'pre',
    resolveId(source) {
      const [, file, kind] = query.exec(source) ?? [];
      return file && kind ? require.resolve(file) + kind : null;
    },
    transform(code, id) {
      const module = toModule(code, id);
      return module === undefined ? null : { code: module, map: { mappings: '' } };
    },
  };
}

/** @returns {import('@web/dev-server-core').Plugin} */
export function prismTestPlugin() {
  return {
    name: 'prism',
    transform(context) {
      const module = typeof context.body === 'string' ? toModule(context.body, context.url) : undefined;
      return module === undefined ? undefined : { body: module, transformCache: true };
    },
  };
}
