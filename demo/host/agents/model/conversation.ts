/** A chat as the messages of a chat-completions request: what was said, what tools were called, what they gave. Pure. */

import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import type { ActiveTurn, Message, MessageAttachment, ToolCallState, Turn } from '../../../../src/protocol/state.js';
import { fromFileUri } from '../../workspace/content.js';

/** Older turns are left out beyond this. UTF-16 units of all messages. */
const maxHistory = 200_000;
const maxToolText = 8_000;

export const systemPrompt = (workspace: string): string =>
  [
    `You work on the files of "${workspace}" with the tools you have. Paths are relative to it.`,
    'Look before you answer: list, search and read instead of guessing. Make small exact edits.',
    'A person must allow edits and commands; when one is denied, do not try it again, ask what to do instead.',
    'Answer in short, plain Markdown.',
  ].join('\n');

/** The finished turns, the newest that fit, oldest first. */
export function toHistory(turns: readonly Turn[]): ChatCompletionMessageParam[] {
  const kept: ChatCompletionMessageParam[][] = [];
  let length = 0;
  for (const turn of turns.toReversed()) {
    const messages = toMessages(turn);
    length += JSON.stringify(messages).length;
    if (length > maxHistory && kept.length > 0) break;
    kept.unshift(messages);
  }
  return kept.flat();
}

/** One turn: its message, then text and calls in the order in which they came. */
export function toMessages(turn: Turn | ActiveTurn): ChatCompletionMessageParam[] {
  const messages: ChatCompletionMessageParam[] = [toUserMessage(turn.message)];
  let text = '';
  const flush = (): void => {
    if (text.trim() !== '') messages.push({ role: 'assistant', content: text });
    text = '';
  };
  for (const part of turn.responseParts) {
    if (part.kind === 'markdown') text += part.content;
    if (part.kind !== 'toolCall' || part.toolCall.status === 'unknown') continue;
    const { toolCall } = part;
    const input = 'toolInput' in toolCall && typeof toolCall.toolInput === 'string' ? toolCall.toolInput : '{}';
    messages.push({
      role: 'assistant',
      content: text.trim() === '' ? null : text,
      tool_calls: [
        { id: toolCall.toolCallId, type: 'function', function: { name: toolCall.toolName, arguments: input } },
      ],
    });
    text = '';
    messages.push({ role: 'tool', tool_call_id: toolCall.toolCallId, content: describeResult(toolCall) });
  }
  flush();
  return messages;
}

export function toUserMessage(message: Message): ChatCompletionMessageParam {
  const attachments = (message.attachments ?? []).flatMap((attachment) =>
    attachment.type === 'collection' ? attachment.attachments : [attachment],
  );
  return { role: 'user', content: [message.text, ...attachments.map(describeAttachment)].join('\n\n') };
}

function describeAttachment(attachment: MessageAttachment): string {
  const label = `[attached: ${attachment.label}]`;
  if (attachment.type === 'simple') return `${label}\n${attachment.modelRepresentation ?? ''}`;
  if (attachment.type === 'resource') {
    const path = fromFileUri(attachment.uri);
    return path === undefined ? label : `${label} is the workspace file ${path}`;
  }
  if (attachment.type === 'embeddedResource')
    return `${label} (${attachment.contentType}; its content is not shown here)`;
  return label;
}

function describeResult(call: ToolCallState): string {
  if (call.status === 'cancelled') return denied(call.userSuggestion?.text);
  if (call.status !== 'completed') return 'The call did not end.';
  const text = (call.content ?? []).map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('\n');
  const whole = call.success ? text || 'Done.' : `Failed: ${call.error?.message ?? ''}\n${text}`;
  return whole.length > maxToolText ? `${whole.slice(0, maxToolText)}\n… cut.` : whole;
}

export const denied = (suggestion?: string): string =>
  suggestion === undefined || suggestion === ''
    ? 'The person did not allow this call.'
    : `The person did not allow this call and says: ${suggestion}`;
