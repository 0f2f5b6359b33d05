/**
 * Collections for clients that have not declared that they understand them: the members take the collection's place.
 * Pure; what holds no collection comes back as the very same object. Source: the collection contract, flattening.
 */

import type { MemberAttachment, Message, MessageAttachment } from '../protocol/state.js';

/** Collections are not nested by contract; what came from elsewhere is opened this often, then dropped. */
const MAX_NESTING = 8;

/** The list with every collection replaced by its members, in order. */
export function flattenAttachments(list: readonly MessageAttachment[]): readonly MessageAttachment[] {
  return list.some(isCollection) ? list.flatMap((attachment) => flatten(attachment, MAX_NESTING)) : list;
}

export function flattenMessage(message: Message): Message {
  if (!Array.isArray(message.attachments)) return message;
  const attachments = flattenAttachments(message.attachments);
  return attachments === message.attachments ? message : { ...message, attachments };
}

const isCollection = (attachment: MessageAttachment): boolean => attachment.type === 'collection';

function flatten(attachment: MessageAttachment, nesting: number): readonly MessageAttachment[] {
  if (attachment.type !== 'collection') return [attachment];
  if (nesting === 0 || !Array.isArray(attachment.attachments)) return [];
  const members: readonly MemberAttachment[] = attachment.attachments;
  // The mention in the text keeps an anchor if no member brings its own.
  const isRangeFree = attachment.range && members.every((member) => !member.range);
  const anchored = isRangeFree
    ? members.map((member, index) => (index === 0 ? { ...member, range: attachment.range } : member))
    : members;
  return anchored.flatMap((member) => flatten(member, nesting - 1));
}
