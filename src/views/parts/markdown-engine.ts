/**
 * The Markdown lexer, fetched beside the first load and from its very start: it is as large as a quarter of everything
 * else, and there is no text to show before a chat has been found. Until it is here text stands as it came; a load that
 * fails is tried again with the next text.
 */

import type { MarkdownStream } from '../../markdown/stream.js';

let Stream: typeof MarkdownStream | undefined;
let loading: Promise<void> | undefined;

/** Resolves when `createStream` gives something, or when the load has failed; never rejects. */
export function loadEngine(): Promise<void> {
  loading ??= import('../../markdown/stream.js').then(
    (module) => {
      Stream = module.MarkdownStream;
    },
    () => {
      // The network, or a page that has been deployed anew: the text can be read all the same.
      loading = undefined;
    },
  );
  return loading;
}

/** `undefined` while the lexer is not here. */
export const createStream = (): MarkdownStream | undefined => Stream && new Stream();

void loadEngine();
