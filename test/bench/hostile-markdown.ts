/** How long Markdown takes that was made to take long. Each input is 20 KB; every one is to stay below a tenth of a second. */

import { parseMarkdown } from '../../src/markdown/parse.js';
import { hostileInputs } from '../markdown/hostile-input.js';
import type { Bench } from './bench.js';
import { createAnswer } from './stream/workload.js';

const LENGTH = 20_000;
const plain = 'an answer of a model';
const names = [plain, ...Object.keys(hostileInputs)];

const bench: Bench = {
  title: '20 KB of hostile Markdown, at once',
  cases: names,
  columns: { cpuMs: 'CPU ms' },
  ratio: { figure: 'cpuMs', to: plain },
  measure(name, { cpuMs }) {
    const text = hostileInputs[name]?.(LENGTH) ?? createAnswer(LENGTH);
    return { cpuMs: cpuMs(() => void parseMarkdown(text)) };
  },
  targets: (result) => [
    {
      what: 'MDS-14: the slowest, in ms',
      value: Math.max(...names.map((name) => result.median(name, 'cpuMs'))),
      bound: { atMost: 100 },
    },
  ],
};
export default bench;
