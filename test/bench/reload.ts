/** A reload without a host: from the mirror to the last screen painted, by how much the mirror holds. */

import type { Bench } from './bench.js';

const counts = { '50 turns': 50, '1,000 turns': 1_000 } as const;
type Case = keyof typeof counts;

const bench: Bench<Case> = {
  title: 'Reload of a chat from the mirror, to the last screen painted',
  cases: ['50 turns', '1,000 turns'],
  columns: { openMs: 'open ms', mainMs: 'main ms', nodes: 'nodes' },
  ratio: { figure: 'openMs', to: '50 turns' },
  rounds: 7,
  limitMs: 5 * 60_000,

  async measure(name, tools) {
    const count = counts[name];
    const page = await tools.open('element/chat.page.ts');
    await page.page.evaluate((turns) => window.elementBench.fill(turns), count);
    await page.page.waitForFunction(
      (turns) => window.elementBench.countStored().then((found) => found === turns),
      {},
      count,
    );
    await page.page.reload();
    let openMs = NaN;
    const figures = await page.measure(async () => {
      openMs = await page.page.evaluate((turns) => window.elementBench.open(turns), count);
    });
    return { ...figures, openMs };
  },

  targets: (result) => [
    {
      what: '1,000 turns against 50, time to paint',
      value: result.ratio('openMs', '1,000 turns', '50 turns'),
      bound: { atMost: 1.5 },
    },
    {
      what: '1,000 turns against 50, main thread',
      value: result.ratio('mainMs', '1,000 turns', '50 turns'),
      bound: { atMost: 1.5 },
    },
  ],
};
export default bench;
