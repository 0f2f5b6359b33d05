/** The parts of a turn as they are laid out: one by one, but a run of quiet tool calls is one line. Pure. */

import type { ResponsePart, ToolCallPart } from '../../protocol/state.js';

export type Block =
  | { readonly kind: 'part'; readonly key: number; readonly part: ResponsePart }
  | { readonly kind: 'run'; readonly key: string; readonly calls: readonly (readonly [key: number, ToolCallPart])[] };

/** Fewer stand for themselves. */
const SHORTEST_RUN = 3;

/**
 * A part's key is its place: a turn's parts are only ever appended. Ids are no keys, hosts repeat them; of two parts with
 * one tool call the first is shown, both are kept alike.
 */
export function toBlocks(parts: readonly ResponsePart[]): readonly Block[] {
  const blocks: Block[] = [];
  const seen = new Set<string>();
  let run: [number, ToolCallPart][] = [];
  const endRun = () => {
    if (run.length >= SHORTEST_RUN) blocks.push({ kind: 'run', key: `run ${run[0]![0]}`, calls: run });
    else for (const [key, part] of run) blocks.push({ kind: 'part', key, part });
    run = [];
  };
  parts.forEach((part, key) => {
    if (part?.kind === 'toolCall') {
      const id = part.toolCall?.toolCallId;
      if (id !== undefined && seen.has(id)) return;
      if (id !== undefined) seen.add(id);
      if (isQuiet(part)) return void run.push([key, part]);
    }
    endRun();
    blocks.push({ kind: 'part', key, part });
  });
  endRun();
  return blocks;
}

/** Whether nobody needs to look at it: it was done, and well. */
const isQuiet = ({ toolCall }: ToolCallPart): boolean => toolCall?.status === 'completed' && toolCall.success !== false;
