/** One long answer through the whole element: host, client, reducer, mirror and views. */

import type { Bench, BenchPage } from './bench.js';

const SIZE = 100_000;
const DELTAS = 4_000;

type Case = 'whole element' | 'a quarter of the text';

const bench: Bench<Case> = {
  title: '100 KB of Markdown in 4,000 deltas through <ahp-chat>, flooded',
  cases: ['whole element', 'a quarter of the text'],
  columns: {
    mainMs: 'main ms',
    scriptMs: 'script ms',
    styleMs: 'style ms',
    layoutMs: 'layout ms',
    growth: 'last ÷ first tenth',
    longTasks: 'long tasks',
    longestTaskMs: 'longest task ms',
    nodes: 'nodes',
  },
  ratio: { figure: 'mainMs', to: 'a quarter of the text' },
  limitMs: 5 * 60_000,

  async measure(name, tools) {
    const share = name === 'whole element' ? 1 : 0.25;
    const page = await tools.open('element/chat.page.ts');
    await page.page.evaluate((...plan) => window.elementBench.prepareStream(...plan), SIZE * share, DELTAS * share);
    let growth = NaN;
    const figures = await page.measure(async () => {
      growth = await feed(page);
    });
    return { ...figures, growth };
  },

  targets: (result) => [
    {
      what: 'cost of a delta, last ÷ first tenth',
      value: result.median('whole element', 'growth'),
      bound: { atMost: 1.5 },
    },
    {
      what: 'S3: four times the text',
      value: result.ratio('mainMs', 'whole element', 'a quarter of the text'),
      bound: { atMost: 4.4 },
    },
    { what: 'long tasks', value: result.median('whole element', 'longTasks'), bound: { atMost: 0 } },
  ],
};
export default bench;

/** Feeds all of it. Returns the cost of the last tenth divided by that of the first. */
async function feed({ page, readCpu }: BenchPage): Promise<number> {
  const start = await readCpu();
  await page.evaluate(() => window.elementBench.feed(0, 0.1));
  const first = await readCpu();
  await page.evaluate(() => window.elementBench.feed(0.1, 0.9));
  const middle = await readCpu();
  await page.evaluate(() => window.elementBench.feed(0.9, 1));
  const last = await readCpu();
  await page.evaluate(() => window.elementBench.finish());
  return (last.mainMs - middle.mainMs) / (first.mainMs - start.mainMs);
}
