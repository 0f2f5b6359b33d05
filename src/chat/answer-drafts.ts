/**
 * What was entered here into open requests and is not answered for good. Views read it, whoever keeps it implements it:
 * with a host `client/answer-session.ts`, without one the element itself.
 */

import type { InputAnswer } from '../protocol/state.js';

/** What this page knows of one request beside what the host says. */
export interface EnteredAnswers {
  /** By question id; `undefined` where the person took an answer away. Each wins over the request's own. */
  readonly answers: ReadonlyMap<string, InputAnswer | undefined>;
  /** Why the host did not take the answer; in its words, untrusted. */
  readonly refusal: string | undefined;
  /** Who closed the request, if it was not this page: another client, or the host itself. */
  readonly closedBy: 'other' | 'host' | undefined;
}

export interface AnswerDrafts {
  /** `undefined` where there is nothing to add to what the host says. */
  find(requestId: string): EnteredAnswers | undefined;
  /** Calls `listener` after each change. Returns the end of the subscription. */
  subscribe(listener: () => void): () => void;
}
