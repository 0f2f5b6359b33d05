/** Markdown that is complete, at once. For text that grows see `stream.ts`; both end in the same blocks. Pure. */

import type { Block } from './tokens.js';
import { MarkdownStream } from './stream.js';

/** The blocks of `text`. Never throws. */
export function parseMarkdown(text: string): readonly Block[] {
  const stream = new MarkdownStream();
  return stream.finish(text).blocks;
}
