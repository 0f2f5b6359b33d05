/**
 * Our action → what this host may be sent. The only place that asks for the negotiated version, and only about sending:
 * every shape is read at all times. Source: AHP, versioning rules; collection attachments, negotiation and flattening.
 */

import { pendingIdsOf } from '../chat/selectors.js';
import type { ActionEnvelope, ClientChatAction } from '../protocol/actions.js';
import { MetaKey } from '../protocol/meta.js';
import type {
  AgentCapabilities,
  CollectionAttachment,
  MemberAttachment,
  Message,
  MessageAttachment,
  URI,
} from '../protocol/state.js';
import { compareVersions } from '../protocol/versions.js';

/** What is known of the host at the moment of sending. */
export interface WireHost {
  readonly protocolVersion: string;
  readonly takesCollections: boolean;
  readonly takesSteeringList: boolean;
  /** Of the agent that owns the session; empty while unknown. */
  readonly capabilities: AgentCapabilities;
  /** The newest finished turn of a chat, where this client knows it. */
  findLastTurn(chat: URI): string | undefined;
}

/** Deeper than any host nests; what is nested deeper is dropped, since it can never be sent. */
const maxNesting = 8;

/** The action as this host takes it, or `undefined` if it does not know such a thing. */
export function toWire(action: ClientChatAction, host: WireHost): ClientChatAction | undefined {
  switch (action.type) {
    case 'chat/isReadChanged':
    case 'chat/isArchivedChanged':
      return isBelow(host, '0.9.0') ? undefined : action;
    case 'chat/workingDirectorySet':
    case 'chat/workingDirectoryRemoved':
      return host.capabilities.multipleWorkingDirectories ? action : undefined;
    case 'chat/turnStarted':
      return { ...action, message: toWireMessage(action.message, host) };
    case 'chat/pendingMessageSet':
      return { ...action, message: toWireMessage(withPendingId(action.message, action.id), host) };
    case 'chat/steeringMessageSet': {
      const { id, message } = action.steeringMessage;
      // It was written for another host: the one slot may hold another message by now, which the queue never replaces.
      if (!host.takesSteeringList) return toWire({ type: 'chat/pendingMessageSet', kind: 'queued', id, message }, host);
      return { ...action, steeringMessage: { id, message: toWireMessage(withPendingId(message, id), host) } };
    }
    case 'chat/draftChanged':
      return action.draft ? { ...action, draft: toWireMessage(action.draft, host) } : action;
    case 'chat/toolCallConfirmed':
      if (action.approved || !action.userSuggestion) return action;
      return { ...action, userSuggestion: toWireMessage(action.userSuggestion, host) };
    default:
      return action;
  }
}

/** A host that sends a collection takes one. */
export function holdsCollection(action: ActionEnvelope['action']): boolean {
  if (action.type !== 'chat/turnStarted' && action.type !== 'chat/pendingMessageSet') return false;
  // An action of either type has a message, or is left as it is by the reducer.
  const { message } = action as { readonly message?: Message };
  return message?.attachments?.some(({ type }) => type === 'collection') === true;
}

/** A message as this host takes it; the same object if nothing had to change. */
export function toWireMessage(given: Message, host: WireHost): Message {
  const message = ofUser(given);
  const { attachments } = message;
  if (!attachments) return message;
  const listed = host.takesCollections ? attachments.map(unnest) : flatten(attachments);
  const converted = listed.map((attachment) => convert(attachment, host));
  const isSame = converted.length === attachments.length && converted.every((one, at) => one === attachments[at]);
  return isSame ? message : { ...message, attachments: converted };
}

/** A client speaks for the person alone, whoever wrote the draft that the message was made of. */
const ofUser = (message: Message): Message =>
  message.origin.kind === 'user' ? message : { ...message, origin: { kind: 'user' } };

const isBelow = (host: WireHost, version: string) => compareVersions(host.protocolVersion, version) < 0;

/** The id travels with the message into its turn, which proves that the host has taken it. */
function withPendingId(message: Message, id: string): Message {
  const [own, ...others] = pendingIdsOf(message);
  const joins = own === id ? others : [];
  return { ...message, _meta: { ...message._meta, [MetaKey.pending]: { id, ...(joins.length > 0 && { joins }) } } };
}

/** Every collection is replaced by its members, in order and in place. Flattening twice changes nothing. */
export function flatten(attachments: readonly MessageAttachment[]): readonly MemberAttachment[] {
  return attachments.flatMap((attachment) => (isCollection(attachment) ? toMembers(attachment) : [attachment]));
}

/** A host may have sent a collection within a collection; it is never sent back like that. */
function unnest(attachment: MessageAttachment): MessageAttachment {
  if (!isCollection(attachment) || !listMembers(attachment).some(isCollection)) return attachment;
  return { ...attachment, attachments: listDeep(attachment) };
}

/** Members in place of their collection; the mention in the text keeps an anchor, unless a member has one of its own. */
function toMembers(collection: CollectionAttachment): readonly MemberAttachment[] {
  const members = listDeep(collection);
  const [first, ...others] = members;
  if (!first || !collection.range || members.some(({ range }) => range)) return members;
  return [{ ...first, range: collection.range }, ...others];
}

function listDeep(collection: CollectionAttachment, depth = 0): readonly MemberAttachment[] {
  if (depth >= maxNesting) return [];
  return listMembers(collection).flatMap((member) => (isCollection(member) ? listDeep(member, depth + 1) : [member]));
}

/** What a host calls a collection may hold anything, or nothing at all. */
const listMembers = ({ attachments }: CollectionAttachment): readonly MessageAttachment[] =>
  Array.isArray(attachments) ? (attachments as readonly MessageAttachment[]) : [];

const isCollection = (attachment: MessageAttachment): attachment is CollectionAttachment =>
  attachment.type === 'collection';

function convert(attachment: MessageAttachment, host: WireHost): MessageAttachment {
  if (isCollection(attachment)) {
    const members = listMembers(attachment);
    const converted = members.map((member) => convert(member, host) as MemberAttachment);
    return converted.every((one, at) => one === members[at]) ? attachment : { ...attachment, attachments: converted };
  }
  if (attachment.type !== 'chat') return attachment;
  if (isBelow(host, '0.7.0')) {
    const { label, range, displayKind, _meta, resource } = attachment;
    return omitAbsent({
      type: 'simple',
      label,
      range,
      displayKind,
      _meta,
      modelRepresentation: `${label}: ${resource}`,
    });
  }
  // Some early 0.7 hosts demand the end; pinning it here is what the others do themselves.
  if (attachment.endTurn !== undefined || !isBelow(host, '0.8.0')) return attachment;
  const endTurn = host.findLastTurn(attachment.resource);
  return endTurn === undefined ? attachment : { ...attachment, endTurn };
}

function omitAbsent<T extends object>(record: T): T {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as T;
}
