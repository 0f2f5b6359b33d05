/**
 * How the questions of a running turn answer the three input actions. Only an open part is ever touched; a part keeps its
 * place for good. Source: AHP, chat reducer, input requests.
 */

import type {
  ChatInputAnswerChangedAction,
  ChatInputCompletedAction,
  ChatInputRequestedAction,
} from '../protocol/actions.js';
import { isEqual, isRecord, withField, without } from '../protocol/record.js';
import type { ChatInputRequest, InputAnswer, InputRequestPart, ResponsePart } from '../protocol/state.js';
import { appendPart, replacePart, type Parts } from './parts.js';

type Answers = NonNullable<ChatInputRequest['answers']>;

const responses: readonly string[] = ['accept', 'decline', 'cancel'] satisfies InputRequestPart['response'][];
const answerStates: readonly string[] = ['draft', 'submitted', 'skipped'] satisfies InputAnswer['state'][];

const isOpen = (part: ResponsePart, requestId: string): part is InputRequestPart =>
  part?.kind === 'inputRequest' && part.response === undefined && part.request?.id === requestId;

/** Adds a request, or replaces the open one of the same id. Answers given so far stay unless it brings its own. */
export function addRequest(parts: Parts, action: ChatInputRequestedAction): Parts {
  const { request } = action;
  if (!isRecord(request) || typeof request.id !== 'string') return parts;
  const at = parts.findIndex((part) => isOpen(part, request.id));
  const old = parts[at] as InputRequestPart | undefined;
  if (!old) return appendPart(parts, { kind: 'inputRequest', request });
  const next = request.answers === undefined ? withField(request, 'answers', old.request.answers) : request;
  return isEqual(old.request, next) ? parts : replacePart(parts, at, { ...old, request: next });
}

export function changeAnswer(parts: Parts, action: ChatInputAnswerChangedAction): Parts {
  const { questionId, answer } = action;
  if (typeof questionId !== 'string') return parts;
  if (answer !== undefined && !(isRecord(answer) && answerStates.includes(answer.state))) return parts;
  return updateOpen(parts, action.requestId, (part) => {
    const answers = part.request.answers ?? {};
    // A question may be called `__proto__`: only own members count, and members are defined, never assigned.
    const old = Object.hasOwn(answers, questionId) ? answers[questionId] : undefined;
    if (isEqual(old, answer)) return part;
    const next: Answers = answer === undefined ? without(answers, questionId) : { ...answers, [questionId]: answer };
    return { ...part, request: withAnswers(part.request, next) };
  });
}

/** Closes a request. Answers of the completion win over the drafts, question by question. */
export function completeRequest(parts: Parts, action: ChatInputCompletedAction): Parts {
  const { response, answers } = action;
  if (!responses.includes(response)) return parts;
  return updateOpen(parts, action.requestId, (part) => {
    const final = { ...part.request.answers, ...(isRecord(answers) ? answers : undefined) };
    return { ...part, request: withAnswers(part.request, final), response };
  });
}

function updateOpen(parts: Parts, requestId: string, update: (part: InputRequestPart) => InputRequestPart): Parts {
  const at = parts.findIndex((part) => isOpen(part, requestId));
  const old = parts[at] as InputRequestPart | undefined;
  if (!old) return parts;
  const next = update(old);
  return next === old ? parts : replacePart(parts, at, next);
}

const withAnswers = (request: ChatInputRequest, answers: Answers): ChatInputRequest =>
  withField(request, 'answers', Object.keys(answers).length > 0 ? answers : undefined);
