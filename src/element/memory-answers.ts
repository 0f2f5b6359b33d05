/** The model of forms for a page's own store: what is entered goes to the store after a moment and is kept nowhere else. */

import { inputAnswerChanged } from '../chat/actions.js';
import type { EnteredAnswers } from '../chat/answer-drafts.js';
import type { ChatStore } from '../chat/store.js';
import type { AnswerSession } from '../client/answer-session.js';
import type { Environment } from '../client/environment.js';
import type { InputAnswer } from '../protocol/state.js';

/** The model of forms, as far as the element uses it. */
export type Answers = Pick<AnswerSession, 'find' | 'subscribe' | 'change' | 'complete' | 'onRefused' | 'flush'>;

const syncDelayMs = 1000;

interface Entered {
  answers: Map<string, InputAnswer | undefined>;
  refusal: string | undefined;
  unsent: Set<string>;
}

export class MemoryAnswers implements Answers {
  readonly #store: ChatStore;
  readonly #environment: Environment;
  readonly #entered = new Map<string, Entered>();
  readonly #listeners = new Set<() => void>();
  #cancel: (() => void) | undefined;

  constructor(store: ChatStore, environment: Environment) {
    this.#store = store;
    this.#environment = environment;
  }

  find(requestId: string): EnteredAnswers | undefined {
    const entered = this.#entered.get(requestId);
    return entered && { answers: entered.answers, refusal: entered.refusal, closedBy: undefined };
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  change(requestId: string, questionId: string, answer: InputAnswer | undefined): void {
    const entered = this.#entered.get(requestId);
    const answers = new Map(entered?.answers).set(questionId, answer);
    const unsent = new Set(entered?.unsent).add(questionId);
    this.#set(requestId, { answers, unsent, refusal: undefined });
    this.#cancel ??= this.#environment.schedule(syncDelayMs, () => this.flush());
  }

  complete(requestId: string, answers: Readonly<Record<string, InputAnswer>> | undefined): void {
    const before = this.#entered.get(requestId)?.answers ?? [];
    const all = new Map([...before, ...Object.entries(answers ?? {})]);
    this.#set(requestId, { answers: all, unsent: new Set(), refusal: undefined });
  }

  onRefused(requestId: string, reason: string): void {
    const entered = this.#entered.get(requestId) ?? {
      answers: new Map<string, InputAnswer>(),
      unsent: new Set<string>(),
    };
    this.#set(requestId, { ...entered, refusal: reason });
  }

  /** What the store has been told is the store's; a later change of it there shows. */
  flush(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    for (const [requestId, { answers, unsent }] of this.#entered) {
      for (const questionId of unsent) {
        const answer = answers.get(questionId);
        unsent.delete(questionId);
        answers.delete(questionId);
        this.#store.dispatch(inputAnswerChanged(requestId, questionId, answer));
      }
    }
  }

  #set(requestId: string, entered: Entered): void {
    this.#entered.set(requestId, entered);
    for (const listener of [...this.#listeners]) listener();
  }
}
