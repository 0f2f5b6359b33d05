/** The bound on incoming frames, put around the links of every transport. */

import type { Link, LinkClose } from '../protocol/link.js';

export const defaultMaxFrameBytes = 32 * 1024 * 1024;

/** Closes `link` when a frame over `maxFrameBytes` comes in; the frame is dropped and the refusal names both numbers. */
export function limitFrames(link: Link, maxFrameBytes = defaultMaxFrameBytes): Link {
  const limited: Link = {
    onmessage: undefined,
    onclose: undefined,
    send: (text) => link.send(text),
    close: () => link.close(),
  };
  link.onmessage = (text) => {
    const byteSize = findExcess(text, maxFrameBytes);
    if (byteSize === undefined) return limited.onmessage?.(text);
    link.close();
    limited.onclose?.(toRefusal(byteSize, maxFrameBytes));
  };
  link.onclose = (close) => limited.onclose?.(close);
  return limited;
}

/** The size of `text` in UTF-8 if that is over `limit`. */
export function findExcess(text: string, limit: number): number | undefined {
  // A UTF-16 unit takes one to three bytes, so most frames need no counting.
  if (text.length * 3 <= limit) return undefined;
  let byteSize = text.length;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    // Both halves of a surrogate pair make four bytes of two units: one more for each.
    const isSurrogate = unit >= 0xd800 && unit < 0xe000;
    byteSize += unit < 0x800 || isSurrogate ? 1 : 2;
  }
  return byteSize > limit ? byteSize : undefined;
}

/** The host would send the same again, so nothing is tried again by itself. */
const toRefusal = (byteSize: number, limit: number): LinkClose => ({
  reason: `The host sent a frame of ${byteSize} bytes; the limit is ${limit}. The connection was closed and is not tried again by itself. Raise maxFrameBytes if you trust the host.`,
  retry: false,
  code: 'frame-too-large',
});
