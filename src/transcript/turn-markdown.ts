/**
 * A turn as Markdown: who said what, what was done on the way, how it ended. Reads like the screen does: no stack traces,
 * no `_meta`, no thinking. Pure; the words come from `i18n`.
 */

import { turnError } from '../chat/selectors.js';
import { toOrigin } from '../i18n/origin.js';
import type { Strings } from '../i18n/strings.js';
import type {
  ActiveTurn,
  ChatInputRequest,
  InputAnswer,
  Message,
  MessageAttachment,
  ResponsePart,
  ToolCallState,
  Turn,
} from '../protocol/state.js';
import { closeFence, escapeText, link, quote, toLine, toMarkdownLine } from './markdown-text.js';

/** The whole turn; blocks are apart by one empty line, and the text ends without one. */
export function turnToMarkdown(turn: Turn | ActiveTurn, strings: Strings): string {
  const parts = turn.responseParts ?? [];
  const blocks = [messageToMarkdown(turn.message, strings), ...partsToMarkdown(parts, strings)];
  if ('state' in turn) blocks.push(endToMarkdown(turn, strings));
  return blocks.filter(Boolean).join('\n\n');
}

/** What started the turn, quoted, with the names of what was attached. */
function messageToMarkdown(message: Message | undefined, strings: Strings): string {
  if (!message) return '';
  const kind = message.origin?.kind ?? 'user';
  const attachments = (message.attachments ?? []).map((each) => `- ${attachmentToMarkdown(each)}`).join('\n');
  const text = message.text ? quote(message.text) : '';
  return [`**${escapeText(toOrigin(kind, strings))}**`, text, attachments].filter(Boolean).join('\n\n');
}

function attachmentToMarkdown(attachment: MessageAttachment): string {
  // Only what a reader elsewhere could follow is an address; the others are names.
  const uri = attachment.type === 'resource' && /^https?:/i.test(attachment.uri) ? attachment.uri : undefined;
  return uri === undefined ? toLine(attachment.label) : link(attachment.label, uri);
}

/** Neighbouring steps are one list. */
function partsToMarkdown(parts: readonly ResponsePart[], strings: Strings): readonly string[] {
  const blocks: string[] = [];
  const seen = new Set<string>();
  let steps: string[] = [];
  const endSteps = () => {
    if (steps.length > 0) blocks.push(steps.join('\n'));
    steps = [];
  };
  for (const part of parts) {
    if (part?.kind === 'toolCall') {
      const { toolCall } = part;
      // A call that a host has sent as two parts is one step.
      if (!toolCall || seen.has(toolCall.toolCallId)) continue;
      seen.add(toolCall.toolCallId);
      steps.push(`- ${callToMarkdown(toolCall, strings)}`);
      continue;
    }
    const block = partToMarkdown(part, strings);
    if (block === '') continue;
    endSteps();
    blocks.push(block);
  }
  endSteps();
  return blocks;
}

function partToMarkdown(part: ResponsePart, strings: Strings): string {
  switch (part?.kind) {
    case 'markdown':
      return closeFence((part.content ?? '').trim());
    case 'contentRef':
      return link(part.uri.slice(part.uri.lastIndexOf('/') + 1) || part.uri, part.uri);
    case 'systemNotification':
      return quote(typeof part.content === 'string' ? escapeText(part.content) : (part.content?.markdown ?? ''));
    case 'inputRequest':
      return questionToMarkdown(part.request, part.request.answers ?? {}, strings);
    // The end of the turn says it.
    case 'error':
    case 'reasoning':
    case 'toolCall':
      return '';
    default:
      return `*${toLine(strings.unknownPart(String((part as { kind?: unknown })?.kind)))}*`;
  }
}

function callToMarkdown(call: ToolCallState, strings: Strings): string {
  const name = toLine(call.displayName || call.toolName);
  switch (call.status) {
    case 'completed': {
      const done = toMarkdownLine(call.pastTenseMessage) || name;
      return call.success ? done : [done, toLine(call.error?.message ?? '')].filter(Boolean).join(' – ');
    }
    case 'cancelled':
      return `${name} – ${toLine(strings.turnCancelled)}`;
    default:
      return ('invocationMessage' in call && toMarkdownLine(call.invocationMessage)) || name;
  }
}

function questionToMarkdown(
  request: ChatInputRequest,
  answers: Readonly<Record<string, InputAnswer>>,
  strings: Strings,
): string {
  const head = `**${toLine(strings.question)}** ${toMarkdownLine(request.message)}`.trim();
  const lines = (request.questions ?? []).map((question) => {
    const asked = toMarkdownLine(question.message) || toLine(question.title ?? question.id);
    return `- ${asked}: ${toLine(answerToText(answers[question.id], strings))}`;
  });
  return [head, lines.join('\n')].filter(Boolean).join('\n\n');
}

function answerToText(answer: InputAnswer | undefined, strings: Strings): string {
  if (answer?.state !== 'submitted') return strings.noAnswer;
  const { value } = answer;
  switch (value?.kind) {
    case 'selected':
      return [value.value, ...(value.freeformValues ?? [])].filter(Boolean).join(', ');
    case 'selected-many':
      return [...value.value, ...(value.freeformValues ?? [])].join(', ');
    case 'boolean':
      return value.value ? strings.yes : strings.no;
    case 'text':
    case 'number':
      return String(value.value);
    default:
      return strings.noAnswer;
  }
}

function endToMarkdown(turn: Turn, strings: Strings): string {
  if (turn.state === 'cancelled') return `*${toLine(strings.turnCancelled)}*`;
  if (turn.state !== 'error') return '';
  const message = turnError(turn)?.message;
  return `**${toLine(strings.turnFailed)}**${message ? ` ${toLine(message)}` : ''}`;
}
