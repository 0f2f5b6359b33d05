/** How the `workspace` agent speaks. Its rules need no model; what a person chooses is the manner of its answers. Pure. */

import type { Message, ModelInfo } from '../../../../src/protocol/state.js';

export interface Manner {
  readonly model: string;
  readonly thinks: boolean;
  readonly isFast: boolean;
  /** Rows, items or lines of one block that are said; the rest is counted. */
  readonly maxLines: number;
}

const speed = {
  type: 'string',
  title: 'Speed',
  enum: ['natural', 'fast'],
  enumLabels: ['As if typed', 'At once'],
  default: 'natural',
};
const presetLines = 3;

export const thorough: ModelInfo = {
  id: 'rules',
  provider: 'workspace',
  name: 'Thorough',
  configSchema: { properties: { thoughts: { type: 'boolean', title: 'Show thoughts', default: true }, speed } },
};

export const brief: ModelInfo = {
  id: 'brief',
  provider: 'workspace',
  name: 'Brief',
  configSchema: {
    properties: {
      lines: {
        type: 'number',
        title: 'Lines of a list',
        description: 'Rows, items and lines of code that are shown; the rest is counted',
        default: presetLines,
      },
      speed,
    },
  },
};

export function mannerOf({ model }: Message): Manner {
  const config = model?.config ?? {};
  const isFast = config.speed === 'fast';
  if (model?.id !== brief.id) {
    return { model: thorough.id, thinks: config.thoughts !== false, isFast, maxLines: Infinity };
  }
  const lines = Number(config.lines ?? presetLines);
  return { model: brief.id, thinks: false, isFast, maxLines: lines >= 1 ? Math.floor(lines) : presetLines };
}

/** Markdown whose tables, lists and fences have at most so many lines of their own, and say how many are left out. */
export function shorten(markdown: string, maxLines: number): string {
  if (maxLines === Infinity) return markdown;
  return blocksOf(markdown)
    .map((block) => cut(block, maxLines))
    .join('\n\n');
}

/** Blank lines inside a fence part nothing. */
function blocksOf(markdown: string): string[][] {
  const blocks: string[][] = [[]];
  let fence: string | undefined;
  for (const line of markdown.split('\n')) {
    const [ticks] = /^`{3,}/.exec(line) ?? [];
    if (fence === undefined) fence = ticks;
    else if (line === fence) fence = undefined;
    if (line.trim() === '' && fence === undefined) blocks.push([]);
    else blocks.at(-1)?.push(line);
  }
  return blocks.filter((block) => block.length > 0);
}

function cut(block: readonly string[], maxLines: number): string {
  const [first = ''] = block;
  // What opens a block and what closes it is none of its lines.
  const [head, foot] = first.startsWith('```') ? [1, 1] : first.startsWith('|') ? [2, 0] : [0, 0];
  const isLong = /^(?:```|\||[-*] |\d+\. )/.test(first);
  const left = block.length - head - foot - maxLines;
  if (!isLong || left <= 0) return block.join('\n');
  const shown = [...block.slice(0, head + maxLines), ...block.slice(block.length - foot)];
  return `${shown.join('\n')}\n\n… and ${left} more`;
}
