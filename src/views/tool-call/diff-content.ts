/** Reads both sides of a file edit and compares them. What fails throws; what cannot be compared is said in the result. */

import { decodeBase64 } from '../../bytes/base64.js';
import type { ChatServices } from '../../chat/store.js';
import type { ContentRef, FileEdit } from '../../protocol/state.js';
import { compareLines, toLines, type LineChange, type TextLines } from './diff-lines.js';

export type Comparison =
  | { readonly kind: 'text'; readonly old: TextLines; readonly now: TextLines; readonly changes: readonly LineChange[] }
  /** No text on at least one side. Sizes are in bytes. */
  | { readonly kind: 'binary'; readonly isSame: boolean }
  /** More text than is compared here. */
  | { readonly kind: 'too-large' };

/** UTF-16 units of one side. */
const MAX_TEXT = 2_000_000;

const none: TextLines = toLines('');

/** `services` can read. Rejects with what `readResource` rejects with. `pause` is awaited between two pieces of work. */
export async function compareEdit(
  { before, after }: FileEdit,
  services: ChatServices,
  pause: () => Promise<void>,
  signal: AbortSignal,
): Promise<Comparison> {
  const read = async (ref: ContentRef | undefined) => ref && toText(await services.readResource!(ref, signal));
  const [old, now] = await Promise.all([read(before?.content), read(after?.content)]);
  if (old?.isBinary || now?.isBinary) return { kind: 'binary', isSame: old?.data === now?.data };
  if (Math.max(old?.data.length ?? 0, now?.data.length ?? 0) > MAX_TEXT) return { kind: 'too-large' };
  const [oldLines, newLines] = [old ? toLines(old.data) : none, now ? toLines(now.data) : none];
  const changes = await compareLines(oldLines, newLines, async () => {
    await pause();
    signal.throwIfAborted();
  });
  return { kind: 'text', old: oldLines, now: newLines, changes };
}

interface Side {
  readonly data: string;
  readonly isBinary: boolean;
}

/** Bytes are text if they are UTF-8 without a NUL, whatever their type is called. */
function toText({ data, encoding }: { readonly data: string; readonly encoding?: string }): Side {
  if (encoding !== 'base64') return { data, isBinary: data.includes('\0') };
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(decodeBase64(data));
    return text.includes('\0') ? { data, isBinary: true } : { data: text, isBinary: false };
  } catch {
    // No UTF-8, or no base64 at all: bytes of whatever kind.
    return { data, isBinary: true };
  }
}
