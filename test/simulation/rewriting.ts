/**
 * What a host makes of an action before it applies and echoes it: it takes bytes out of a message and keeps them elsewhere,
 * adds to its text, or has another result of a tool than the page that ran it.
 */

import type { Decision } from '../../src/host/hooks.js';
import type { StateAction } from '../../src/protocol/actions.js';
import type { Message, MessageAttachment } from '../../src/protocol/state.js';

/** `undefined` takes the action as it is. */
export function rewrite(action: StateAction, random: () => number): Decision | undefined {
  switch (action.type) {
    case 'chat/turnStarted':
    case 'chat/pendingMessageSet': {
      const message = rewriteMessage(action.message, random);
      return message === action.message ? undefined : { kind: 'accept', action: { ...action, message } };
    }
    case 'chat/toolCallComplete': {
      if (random() < 0.8) return undefined;
      const error = { code: 'timeout', message: 'It took too long.' };
      const result = { success: false, pastTenseMessage: 'Gave up', error };
      return { kind: 'accept', action: { ...action, result } };
    }
    default:
      return undefined;
  }
}

function rewriteMessage(message: Message, random: () => number): Message {
  const { attachments } = message;
  const isStored = attachments?.some(({ type }) => type === 'embeddedResource') === true && random() < 0.5;
  const stored = isStored ? { ...message, attachments: attachments.map(toStored) } : message;
  return random() < 0.05 ? { ...stored, text: `${stored.text} (as read)` } : stored;
}

function toStored(attachment: MessageAttachment): MessageAttachment {
  if (attachment.type !== 'embeddedResource') return attachment;
  const { data, type: _, ...rest } = attachment;
  return { ...rest, type: 'resource', uri: `content:/${data}` };
}
