/**
 * What the documents of `test/live` load, as one file each: a run loads a dozen documents, and the element has hundreds of
 * modules. For the test server, and for `npm run faults -- --browser`.
 */
import path from 'node:path';
import { build } from 'vite';
import { root } from './counted.mjs';
import { prismPlugin } from './prism-plugin.mjs';

/**
 * @param {string} entry from the root of the repository
 * @returns {Promise<string>}
 */
export async function bundle(entry) {
  const result = await build({
    root,
    configFile: false,
    logLevel: 'warn',
    plugins: [prismPlugin()],
    publicDir: false,
    worker: { format: 'es' },
    build: {
      write: false,
      target: 'es2022',
      minify: false,
      lib: { entry: path.join(root, entry), formats: ['es'], fileName: 'bundle' },
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
  const chunks = [result].flat().flatMap(({ output }) => output.filter(({ type }) => type === 'chunk'));
  if (chunks.length !== 1) throw new Error(`${entry} became ${chunks.length} files; it should be one.`);
  return chunks[0].code;
}

const framePath = '/test/live/frame.js';

/** @returns {import('@web/dev-server-core').Plugin} */
export function liveFramePlugin() {
  let code;
  return {
    name: 'live-frame',
    async serve({ path }) {
      if (path !== framePath) return undefined;
      code ??= bundle('test/live/frame.ts');
      return { body: await code, type: 'js' };
    },
  };
}
