/** Two messages in one: how they are put together, and taken apart again. Pure. */

import { MetaKey } from '../protocol/meta.js';
import type { Message, MessageAttachment, TextRange } from '../protocol/state.js';

/** What stands between the two texts. */
const separator = '\n\n';

/** Nothing that could be sent. */
export const isBlank = ({ text, attachments }: Message): boolean => text.trim() === '' && !attachments?.length;

/** `above` and what stands in the composer, in this order; neither replaces the other. */
export function joinMessages(above: Message, below: Message): Message {
  if (isBlank(above)) return below;
  const returned = withoutPendingId(above);
  if (isBlank(below)) return { ...returned, ...toChoice(below) };
  const offset = returned.text === '' ? '' : returned.text + separator;
  const shift = offset.split('\n').length - 1;
  const attachments = [
    ...(returned.attachments ?? []),
    ...(below.attachments ?? []).map((attachment) => withShiftedRange(attachment, shift)),
  ];
  return {
    ...returned,
    text: below.text === '' ? returned.text : offset + below.text,
    ...(attachments.length ? { attachments } : {}),
    ...toChoice(below),
  };
}

/** What `joinMessages` put below `above`; all of it if `above` does not stand there any more. */
export function splitMessage(joined: Message, above: Message): Message {
  const hasBoth = above.text !== '' && joined.text !== above.text;
  const offset = hasBoth ? above.text + separator : above.text;
  if (!joined.text.startsWith(offset)) return withoutPendingId(joined);
  const lines = offset.split('\n').length - 1;
  const { attachments: all = [], ...rest } = joined;
  const attachments = all
    .slice(above.attachments?.length ?? 0)
    .map((attachment) => withShiftedRange(attachment, -lines));
  const text = joined.text.slice(offset.length);
  return withoutPendingId({ ...rest, text, ...(attachments.length ? { attachments } : {}) });
}

/** The message as it was written; the id it waited under belongs to what was refused. */
function withoutPendingId(message: Message): Message {
  if (!message._meta || !(MetaKey.pending in message._meta)) return message;
  const { [MetaKey.pending]: _, ...meta } = message._meta;
  const { _meta, ...rest } = message;
  return Object.keys(meta).length ? { ...rest, _meta: meta } : rest;
}

const toChoice = ({ model, agent }: Message) => ({ ...(model ? { model } : {}), ...(agent ? { agent } : {}) });

function withShiftedRange(attachment: MessageAttachment, lines: number): MessageAttachment {
  const { range } = attachment;
  if (!range || lines === 0) return attachment;
  const shift = (position: TextRange['start']) => ({ ...position, line: position.line + lines });
  return { ...attachment, range: { start: shift(range.start), end: shift(range.end) } };
}
