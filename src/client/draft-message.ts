/** What a draft is worth: comparing, joining and reducing messages that nobody has sent yet. Pure. */

import { MetaKey } from '../protocol/meta.js';
import { isEqual } from '../protocol/record.js';
import type { Message, MessageAttachment, TextRange } from '../protocol/state.js';

/** The separator between a text that was given back and what was typed since. */
const separator = '\n\n';

export const emptyMessage: Message = { text: '', origin: { kind: 'user' } };

/** Nothing a person would miss: the choice of model and agent counts as well. */
export const isEmptyDraft = ({ text, attachments, model, agent }: Message): boolean =>
  text === '' && !attachments?.length && !model && !agent;

/** Nothing that could be sent. */
export const isBlank = ({ text, attachments }: Message): boolean => text.trim() === '' && !attachments?.length;

/** Same content for the reader and the model; metadata and an absent draft against an empty one make no difference. */
export function isSameDraft(a: Message = emptyMessage, b: Message = emptyMessage): boolean {
  return (
    a.text === b.text &&
    isEqual(a.attachments ?? [], b.attachments ?? []) &&
    isEqual(a.model, b.model) &&
    isEqual(a.agent, b.agent)
  );
}

/** An empty composer that keeps what was chosen for the next message. */
export function toNextDraft({ model, agent }: Message): Message {
  return { ...emptyMessage, ...(model ? { model } : {}), ...(agent ? { agent } : {}) };
}

/** What goes to the host while it is not sent: everything but bytes, which would travel with every pause in typing. */
export function toHostDraft(message: Message): Message | undefined {
  const attachments = message.attachments?.filter((attachment) => !holdsBytes(attachment));
  const { attachments: _, ...rest } = message;
  const draft = attachments?.length ? { ...rest, attachments } : rest;
  return isEmptyDraft(draft) ? undefined : draft;
}

export const holdsBytes = (attachment: MessageAttachment): boolean =>
  attachment.type === 'embeddedResource' ||
  (attachment.type === 'collection' && attachment.attachments.some((member) => member.type === 'embeddedResource'));

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
  const offset = above.text === '' ? '' : above.text + separator;
  if (!joined.text.startsWith(offset)) return withoutPendingId(joined);
  const lines = offset.split('\n').length - 1;
  const rest = joined.attachments?.slice(above.attachments?.length ?? 0) ?? [];
  const attachments = rest.map((attachment) => withShiftedRange(attachment, -lines));
  return withoutPendingId({ ...joined, text: joined.text.slice(offset.length), attachments });
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
