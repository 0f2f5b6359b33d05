/** The parts of a turn as they are laid out: one by one, but a run of quiet tool calls is one line. Pure. */

import { isBlocking } from '../../chat/parts.js';
import type { ResponsePart, ToolCallPart } from '../../protocol/state.js';
import { findExitCode } from '../tool-call/exit-code.js';

type PlacedCall = readonly [key: number, part: ToolCallPart];

export type Block =
  | { readonly kind: 'part'; readonly key: number; readonly part: ResponsePart; readonly isInRun: boolean }
  /** The line of a run. Its calls follow as parts while it is open, so that each keeps its element. */
  | { readonly kind: 'run'; readonly key: string; readonly calls: readonly PlacedCall[]; readonly isOpen: boolean };

/** Fewer stand for themselves. */
const SHORTEST_RUN = 3;

/**
 * A part's key is its place: a turn's parts are only ever appended. Ids are no keys, hosts repeat them; of two parts with
 * one tool call the first is shown, both are kept alike. `isOpen` says of a key whether the person has opened it: a call
 * that is being read is not folded away with those that come after it.
 */
export function toBlocks(
  parts: readonly ResponsePart[],
  isOpen: (key: string) => boolean = () => false,
): readonly Block[] {
  const blocks: Block[] = [];
  const seen = new Set<string>();
  let run: PlacedCall[] = [];
  const endRun = () => {
    const isRun = run.length >= SHORTEST_RUN;
    if (isRun) {
      const key = `run ${run[0]![0]}`;
      const isRunOpen = isOpen(key) || run.some(([place]) => isOpen(String(place)));
      blocks.push({ kind: 'run', key, calls: run, isOpen: isRunOpen });
      if (!isRunOpen) run = [];
    }
    for (const [key, part] of run) blocks.push({ kind: 'part', key, part, isInRun: isRun });
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
    blocks.push({ kind: 'part', key, part, isInRun: false });
  });
  endRun();
  return blocks;
}

/**
 * The newest blocks of a turn that has too many to be laid out, and before them those of the older ones that wait for
 * somebody. `hidden` counts the others.
 */
export function toNewest(blocks: readonly Block[], most: number): { shown: readonly Block[]; hidden: number } {
  const start = blocks.length - most;
  if (start <= 0) return { shown: blocks, hidden: 0 };
  const waiting: Block[] = [];
  for (let at = 0; at < start && waiting.length < most; at += 1) {
    const block = blocks[at]!;
    if (block.kind === 'part' && isBlocking(block.part)) waiting.push(block);
  }
  return { shown: [...waiting, ...blocks.slice(start)], hidden: start - waiting.length };
}

/** Whether nobody needs to look at it: it was done, and well. */
function isQuiet({ toolCall }: ToolCallPart): boolean {
  if (toolCall?.status !== 'completed' || toolCall.success === false) return false;
  return !Array.isArray(toolCall.content) || !toolCall.content.some(findExitCode);
}
