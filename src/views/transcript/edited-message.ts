/** A message as it goes out again after it was changed. Pure. */

import { MetaKey } from '../../protocol/meta.js';
import type { Message, MessageAttachment, TextRange } from '../../protocol/state.js';

/**
 * The message with what was changed. It keeps model and agent; it loses the mark that it once waited in the queue, which
 * would make it look like the old one, and ranges that no longer name the text they named.
 */
export function toEditedMessage(
  message: Message,
  { text = message.text, attachments }: Partial<Pick<Message, 'text' | 'attachments'>>,
): Message {
  const { _meta, attachments: sent, ...rest } = message;
  const { [MetaKey.pending]: _pending, ...meta } = _meta ?? {};
  const kept = (attachments ?? sent ?? []).map((each) => withoutStaleRange(each, message.text, text));
  return {
    ...rest,
    text,
    ...(kept.length > 0 ? { attachments: kept } : {}),
    ...(Object.keys(meta).length > 0 ? { _meta: meta } : {}),
  };
}

function withoutStaleRange(attachment: MessageAttachment, before: string, after: string): MessageAttachment {
  const { range, ...rest } = attachment;
  if (!range || before === after) return attachment;
  const named = textAt(before, range);
  return named !== undefined && named === textAt(after, range) ? attachment : rest;
}

/** What a range on one line names. */
function textAt(text: string, { start, end }: TextRange): string | undefined {
  if (start.line !== end.line) return undefined;
  return text.split('\n')[start.line]?.slice(start.character, end.character);
}
