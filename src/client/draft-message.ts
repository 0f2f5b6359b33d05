/** What a draft is worth: comparing and reducing messages that nobody has sent yet. Pure. */

import { isEqual } from '../protocol/record.js';
import type { Message, MessageAttachment } from '../protocol/state.js';

export const emptyMessage: Message = { text: '', origin: { kind: 'user' } };

/** Nothing a person would miss: the choice of model and agent counts as well. */
export const isEmptyDraft = ({ text, attachments, model, agent }: Message): boolean =>
  text === '' && !attachments?.length && !model && !agent;

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
