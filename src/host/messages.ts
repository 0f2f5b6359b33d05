/**
 * Messages that clients send: who may have written them, what their attachments must be, and which turn of another chat
 * they mean. Pure but for the look-up of chats. Source: AHP, messages and attachments; the collection contract.
 */

import type { ChatState, Message, MessageAttachment, URI } from '../protocol/state.js';
import { isRecord } from '../protocol/record.js';
import type { Params } from './read.js';
import { indexOfTurn } from './window.js';

export type FindChat = (uri: URI) => ChatState | undefined;

/** What the host knows and takes. */
export interface MessageRules {
  readonly findChat: FindChat;
  /** The host has announced that it does. */
  readonly takesCollections: boolean;
}

/** Fields each attachment type cannot do without. */
const required: Readonly<Record<string, readonly string[]>> = {
  simple: [],
  embeddedResource: ['data', 'contentType'],
  resource: ['uri'],
  annotations: ['resource'],
  chat: ['resource'],
};

/** Why the host does not take `message` from a client; `undefined` when it does. Starts with the name of the rule. */
export function findMessageFault(message: unknown, rules: MessageRules): string | undefined {
  if (!isRecord(message)) return 'malformed: a message must be an object.';
  if (typeof message.text !== 'string') return 'malformed: a message needs a text, be it empty.';
  const origin = isRecord(message.origin) ? message.origin : {};
  if (origin.kind !== 'user') return 'origin: clients send messages of users only.';
  if (isPresent(message.model) && !(isRecord(message.model) && typeof message.model.id === 'string')) {
    return 'malformed: a model is chosen by its id.';
  }
  if (isPresent(message.agent) && !(isRecord(message.agent) && typeof message.agent.uri === 'string')) {
    return 'malformed: an agent is chosen by its uri.';
  }
  if (!isPresent(message.attachments)) return undefined;
  if (!Array.isArray(message.attachments)) return 'malformed: attachments must be a list.';
  return findFirst(message.attachments, (attachment) => findAttachmentFault(attachment, rules));
}

const isPresent = (value: unknown) => value !== undefined && value !== null;

function findFirst<Fault>(items: readonly unknown[], find: (item: unknown, index: number) => Fault | undefined) {
  for (const [index, item] of items.entries()) {
    const fault = find(item, index);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function findAttachmentFault(attachment: unknown, rules: MessageRules): string | undefined {
  if (!isRecord(attachment) || typeof attachment.type !== 'string') return 'malformed: an attachment needs a type.';
  if (attachment.type === 'collection') return findCollectionFault(attachment, rules);
  if (typeof attachment.label !== 'string') return 'malformed: an attachment needs a label.';
  // A type of a later version is taken as it is.
  if (!Object.hasOwn(required, attachment.type)) return undefined;
  return findFieldFault(attachment, 'malformed') ?? findChatFault(attachment, rules);
}

function findFieldFault(attachment: Params, rule: string): string | undefined {
  const missing = required[String(attachment.type)]?.find((field) => typeof attachment[field] !== 'string');
  return missing === undefined ? undefined : `${rule}: "${missing}" of ${String(attachment.type)} must be a string.`;
}

function findCollectionFault(collection: Params, rules: MessageRules): string | undefined {
  if (!rules.takesCollections) return 'no-collections: this host did not say that it takes collections.';
  if (typeof collection.label !== 'string' || collection.label.trim() === '') {
    return 'no-label: a collection needs a label.';
  }
  const members = collection.attachments;
  if (!Array.isArray(members) || members.length === 0) return 'empty-collection: a collection has at least one member.';
  return findFirst(members, (member, index) => findMemberFault(member, index, rules));
}

function findMemberFault(member: unknown, index: number, rules: MessageRules): string | undefined {
  if (!isRecord(member) || typeof member.type !== 'string') return `bad-member: member ${index} needs a type.`;
  if (member.type === 'collection') return `nested-collection: member ${index} is a collection itself.`;
  if (!Object.hasOwn(required, member.type)) return `unknown-member: member ${index} is of type "${member.type}".`;
  if (typeof member.label !== 'string') return `bad-member: member ${index} needs a label.`;
  return findFieldFault(member, `bad-member: member ${index}`) ?? findChatFault(member, rules);
}

function findChatFault(attachment: Params, rules: MessageRules): string | undefined {
  if (attachment.type !== 'chat') return undefined;
  const chat = rules.findChat(String(attachment.resource));
  if (!chat) return 'unknown-chat: the attached chat does not exist.';
  const { endTurn } = attachment;
  if (!isPresent(endTurn)) return undefined;
  if (typeof endTurn !== 'string') return 'malformed: "endTurn" must be a string.';
  if (chat.activeTurn?.id === endTurn)
    return 'active-turn: the attached transcript would end in a turn that still runs.';
  return indexOfTurn(chat, endTurn) < 0 ? 'unknown-turn: the attached chat has no such turn.' : undefined;
}

/** `message` with every attached chat pinned to its newest finished turn, where the sender left that open. */
export function pinTranscripts(message: Message, findChat: FindChat): Message {
  const attachments = pinAll(message.attachments, findChat);
  return attachments === message.attachments ? message : { ...message, attachments };
}

function pinAll<A extends MessageAttachment>(attachments: readonly A[] | undefined, findChat: FindChat) {
  if (!attachments?.some((attachment) => attachment.type === 'chat' || attachment.type === 'collection')) {
    return attachments;
  }
  const pinned = attachments.map((attachment) => pin(attachment, findChat));
  return pinned.some((attachment, index) => attachment !== attachments[index]) ? pinned : attachments;
}

function pin<A extends MessageAttachment>(attachment: A, findChat: FindChat): A {
  if (attachment.type === 'collection') {
    const attachments = pinAll(attachment.attachments, findChat);
    return attachments === attachment.attachments ? attachment : { ...attachment, attachments };
  }
  if (attachment.type !== 'chat' || isPresent(attachment.endTurn)) return attachment;
  // An empty transcript stays open: there is no turn to name.
  const endTurn = findChat(attachment.resource)?.turns.at(-1)?.id;
  return endTurn === undefined ? attachment : { ...attachment, endTurn };
}
