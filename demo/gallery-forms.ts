/** Questions for the gallery: every kind, every way they end, and what this page knows of them beside the host. */

import type { AnswerDrafts, EnteredAnswers } from '../src/chat/answer-drafts.js';
import type { ActiveTurn, ChatInputRequest, InputAnswer, ResponsePart, Turn } from '../src/protocol/state.js';
import { user } from './gallery-calls.js';

const text = (value: string, state: 'draft' | 'submitted' = 'draft'): InputAnswer => ({
  state,
  value: { kind: 'text', value },
});

const every: ChatInputRequest = {
  id: 'every',
  message: { markdown: 'Before I deploy, a few questions. Each has a reason, see `docs/deploy.md`.' },
  questions: [
    {
      id: 'target',
      kind: 'single-select',
      title: 'Target',
      message: 'Where to?',
      required: true,
      options: [
        { id: 's', label: 'Staging', recommended: true, description: 'Nobody is disturbed; takes two minutes.' },
        { id: 'p', label: 'Production' },
      ],
      allowFreeformInput: true,
    },
    {
      id: 'services',
      kind: 'multi-select',
      message: 'Which services?',
      options: [
        { id: 'a', label: 'API', recommended: true },
        { id: 'w', label: 'Worker' },
        { id: 'cron', label: '' },
      ],
      allowFreeformInput: true,
      min: 1,
      max: 2,
    },
    { id: 'migrate', kind: 'boolean', message: 'Run the migrations?', defaultValue: true },
    { id: 'replicas', kind: 'integer', message: 'How many replicas?', min: 1, max: 9, defaultValue: 2 },
    { id: 'share', kind: 'number', message: 'Which share of the requests goes there?', min: 0, max: 1 },
    { id: 'tell', kind: 'text', message: 'Whom to tell?', format: 'email', required: true },
    { id: 'when', kind: 'text', message: 'When?', format: 'date-time', defaultValue: '2026-12-01T08:00:00.000Z' },
    { id: 'tag', kind: 'text', message: 'What is the tag called?', min: 2, max: 20 },
    { id: 'notes', kind: 'text', title: 'Notes', message: { markdown: 'What should the **release notes** say?' } },
    { id: 'light', kind: 'hologram', message: 'Which light?' } as never,
  ],
};

const opening = (id: string, url: string, message: string): ResponsePart => ({
  kind: 'inputRequest',
  request: { id, message, url },
});

export const everyTurn: ActiveTurn = {
  id: 'every',
  message: user('Deploy it.'),
  responseParts: [{ kind: 'inputRequest', request: every }],
};

export const faultyTurn: ActiveTurn = {
  id: 'faulty',
  message: user('Deploy it.'),
  responseParts: [
    {
      kind: 'inputRequest',
      request: {
        ...every,
        id: 'faulty',
        answers: {
          services: { state: 'draft', value: { kind: 'selected-many', value: ['a', 'w'], freeformValues: ['cron'] } },
          replicas: { state: 'draft', value: { kind: 'number', value: 12 } },
          tell: text('nobody'),
          tag: text('a'),
          share: { state: 'skipped' },
        },
        questions: every.questions!.slice(0, 8),
      },
    },
  ],
};

export const addressesTurn: ActiveTurn = {
  id: 'addresses',
  message: user('Connect my calendar.'),
  responseParts: [
    opening('url', 'https://sign.example.com/licence?id=42', 'Sign the licence.'),
    opening('user', 'https://accounts.example.com@evil.example/login', 'Sign in.'),
    opening('puny', 'https://аррӏе.com/', 'Confirm your account.'),
    opening('script', 'javascript:alert(1)', 'Press here.'),
    { kind: 'inputRequest', request: { id: 'plain', message: 'Shall I go on?' } },
  ],
};

export const branch: ChatInputRequest = {
  id: 'branch',
  message: 'One thing first.',
  questions: [{ id: 'q', kind: 'text', message: 'Which branch?' }],
};

export const closedTurn: Turn = {
  id: 'closed',
  message: user('Release it.'),
  responseParts: [
    {
      kind: 'inputRequest',
      request: { ...branch, id: 'mine', answers: { q: text('main', 'submitted') } },
      response: 'accept',
    },
    {
      kind: 'inputRequest',
      request: { ...branch, id: 'theirs', answers: { q: text('release/2026', 'submitted') } },
      response: 'accept',
    },
    { kind: 'inputRequest', request: { ...branch, id: 'host' }, response: 'cancel' },
    { kind: 'inputRequest', request: { ...branch, id: 'no' }, response: 'decline' },
    { kind: 'inputRequest', request: { ...branch, id: 'open', answers: { q: text('ma') } } },
  ],
  state: 'complete',
};

const nothing: EnteredAnswers = { answers: new Map(), refusal: undefined, closedBy: undefined };

/** What a page would know of these. */
const known = new Map<string, EnteredAnswers>([
  ['theirs', { ...nothing, answers: new Map([['q', text('my-own-branch')]]), closedBy: 'other' }],
  ['host', { ...nothing, closedBy: 'host' }],
  ['faulty', { ...nothing, refusal: 'unanswered: "tell" must be answered before the request is accepted.' }],
]);

export const answerDrafts: AnswerDrafts = { find: (id) => known.get(id), subscribe: () => () => undefined };

/** Presses Submit in every form as soon as it is there, so that what is wrong shows. */
export async function pressSubmit(frame: Element): Promise<void> {
  const { loadInputRequest } = await import('../src/views/parts/lazy.js');
  await loadInputRequest();
  for (let i = 0; i < 6; i += 1) await new Promise(requestAnimationFrame);
  const transcript = frame.querySelector('ahp-transcript')!;
  for (const button of transcript.shadowRoot!.querySelectorAll<HTMLElement>('form .button.filled')) button.click();
}

/** Writes into a composer as a person does. */
export function write(frame: Element, text: string): void {
  requestAnimationFrame(() => {
    const field = frame.querySelector('ahp-composer')!.shadowRoot!.querySelector('textarea')!;
    field.value = text;
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
  });
}
