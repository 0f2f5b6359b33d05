/**
 * `<ahp-markdown>` without a chat around it, beside `streaming-markdown` (smd), on the same text in the same run. The
 * targets are S1 to S4 and S6 for the core.
 */

import type { Bench, BenchPage, BenchResult, BenchTools, Target } from './bench.js';

const texts = {
  short: { kind: 'answer', size: 24_000, deltas: 1_000 },
  long: { kind: 'answer', size: 97_000, deltas: 4_000 },
  fence: { kind: 'fence', size: 100_000, deltas: 4_000 },
  list: { kind: 'list', size: 100_000, deltas: 4_000 },
  table: { kind: 'table', size: 100_000, deltas: 4_000 },
  paragraph: { kind: 'paragraph', size: 100_000, deltas: 4_000 },
} as const;

type Text = keyof typeof texts;
type Case = `${'smd' | 'ours'} ${Text}`;

const cases = (Object.keys(texts) as Text[]).flatMap((text): Case[] => [`smd ${text}`, `ours ${text}`]);

const bench: Bench<Case> = {
  title: 'Markdown arriving in pieces, flooded, in the bare element',
  cases,
  columns: {
    mainMs: 'main ms',
    scriptMs: 'script ms',
    styleMs: 'style ms',
    layoutMs: 'layout ms',
    growth: 'last ÷ first tenth',
    longestTaskMs: 'longest task ms',
    churn: 'added ÷ left',
    nodes: 'nodes',
  },
  ratio: { figure: 'mainMs', to: 'smd short' },
  limitMs: 10 * 60_000,

  async measure(name, tools) {
    const [renderer, text] = name.split(' ') as ['smd' | 'ours', Text];
    const page = await open(tools, renderer, text);
    let growth = NaN;
    const figures = await page.measure(async () => {
      growth = await feed(page);
    });
    const churn = await measureChurn(tools, renderer, text);
    return { ...figures, growth, churn };
  },

  targets: (result) => [
    ...(['short', 'long', 'fence', 'list', 'table'] as const).map((text) => toTarget(result, text)),
    {
      what: 'S3: four times the text',
      value: result.ratio('mainMs', 'ours long', 'ours short'),
      bound: { atMost: 4.4 },
    },
    { what: 'S6: nodes added ÷ left', value: result.median('ours long', 'churn'), bound: { atMost: 1.3 } },
    {
      what: 'cost of a delta, last ÷ first tenth',
      value: result.median('ours long', 'growth'),
      bound: { atMost: 1.5 },
    },
  ],
};
export default bench;

const bounds = { short: 1.5, long: 1.3, fence: 1, list: 1.5, table: 1.5 };
const names = { short: 'S1', long: 'S2', fence: 'S4', list: 'S4', table: 'S4' };

const toTarget = (result: BenchResult<Case>, text: keyof typeof bounds): Target => ({
  what: `${names[text]}: ${text}, × smd`,
  value: result.ratio('mainMs', `ours ${text}`, `smd ${text}`),
  bound: { atMost: bounds[text] },
});

async function open(tools: BenchTools, renderer: string, text: Text): Promise<BenchPage> {
  const page = await tools.open('stream/core.page.ts', { query: { renderer } });
  const { kind, size, deltas } = texts[text];
  await page.page.evaluate((...plan) => window.streamBench.prepare(...plan), kind, size, deltas);
  return page;
}

/** Feeds all of it. Returns the cost of the last tenth divided by that of the first. */
async function feed({ page, readCpu }: BenchPage): Promise<number> {
  const start = await readCpu();
  await page.evaluate(() => window.streamBench.feed(0, 0.1));
  const first = await readCpu();
  await page.evaluate(() => window.streamBench.feed(0.1, 0.9));
  const middle = await readCpu();
  await page.evaluate(() => window.streamBench.feed(0.9, 1));
  const last = await readCpu();
  await page.evaluate(() => window.streamBench.finish());
  return (last.mainMs - middle.mainMs) / (first.mainMs - start.mainMs);
}

async function measureChurn(tools: BenchTools, renderer: string, text: Text): Promise<number> {
  if (tools.round > 0) return NaN;
  const { page } = await open(tools, renderer, text);
  await page.evaluate(() => window.streamBench.count());
  await page.evaluate(() => window.streamBench.feed(0, 1));
  const { added, left } = await page.evaluate(() => window.streamBench.finish());
  return added / left;
}
