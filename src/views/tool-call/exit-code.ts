/** How the command of a terminal block ended, whichever version's shape says it. Pure. */

import type { ToolResultContent } from '../../protocol/state.js';

/** Nothing while it runs, and for every other block. */
export function findExitCode(block: ToolResultContent | undefined): number | undefined {
  if (block?.type === 'terminal') return block.result?.exitCode;
  return block?.type === 'terminalComplete' ? block.exitCode : undefined;
}
