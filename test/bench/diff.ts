/** A change of every line of a file, from the state of the call to the first lines on the screen, by how many there are. */

import type { Bench } from './bench.js';

const counts = { '1,000 lines': 1_000, '10,000 lines': 10_000 } as const;
type Case = keyof typeof counts;

const bench: Bench<Case> = {
  title: 'A file edit that changes a word in every line, to the first lines shown',
  cases: ['1,000 lines', '10,000 lines'],
  columns: {
    mainMs: 'main ms',
    scriptMs: 'script ms',
    longestTaskMs: 'longest task ms',
    shownMs: 'shown ms',
    nodes: 'nodes',
    allMs: 'read to the end, main ms',
  },
  ratio: { figure: 'mainMs', to: '1,000 lines' },
  rounds: 7,

  async measure(name, tools) {
    const page = await tools.open('element/diff.page.ts');
    // Chunks and styles are there before anything is measured.
    await page.page.evaluate(() => window.diffBench.show(20));
    let shownMs = NaN;
    const figures = await page.measure(async () => {
      shownMs = await page.page.evaluate(async (lines) => {
        const start = performance.now();
        await window.diffBench.show(lines);
        return performance.now() - start;
      }, counts[name]);
    });
    const { mainMs: allMs } = await page.measure(async () => {
      await page.page.evaluate(() => window.diffBench.readOn());
    });
    return { ...figures, shownMs, allMs };
  },

  targets: (result) => [
    {
      what: '10,000 lines against 1,000, main thread',
      value: result.ratio('mainMs', '10,000 lines', '1,000 lines'),
      bound: { atMost: 3 },
    },
    {
      what: '10,000 lines against 1,000, nodes',
      value: result.ratio('nodes', '10,000 lines', '1,000 lines'),
      bound: { atMost: 1.1 },
    },
  ],
};
export default bench;
