/**
 * The Markdown lexer, fetched beside the first load and from its very start: it is as large as a quarter of everything
 * else, and there is no text to show before a chat has been found. Until it is here text stands as it came; a load that
 * fails is tried again with the next text.
 */

import type { MarkdownStream } from '../../markdown/stream.js';

let Stream: typeof MarkdownStream | undefined;
let loading: Promise<boolean> | undefined;

/** Resolves to whether `createStream` gives something now; never rejects. */
export function loadEngine(): Promise<boolean> {
  loading ??= import('../../markdown/stream.js').then(
    (module) => {
      Stream = module.MarkdownStream;
      return true;
    },
    () => {
      // The network, or a page that has been deployed anew: the text can be read all the same.
      loading = undefined;
      return false;
    },
  );
  return loading;
}

/** `undefined` while the lexer is not here. */
export const createStream = (): MarkdownStream | undefined => Stream && new Stream();
