/** What every part of a turn may need beside itself. One object, the same one as long as nothing in it changes. */

import type { AnswerDrafts } from '../../chat/answer-drafts.js';
import type { ChatServices } from '../../chat/store.js';
import type { Clock } from '../clock.js';
import type { ViewMemory } from './view-memory.js';

export interface PartScope {
  readonly services: ChatServices | undefined;
  /** Without one there are no relative times and no measured durations. */
  readonly clock: Clock | undefined;
  readonly memory: ViewMemory;
  /** What was entered into forms; without one a form begins with what the host says. */
  readonly answerDrafts: AnswerDrafts | undefined;
  /**
   * Whether questions and confirmations may be answered here. `waiting`: what is shown may be out of date, so the buttons
   * are there and do nothing. `no`: the chat is read-only.
   */
  readonly answers: 'yes' | 'waiting' | 'no';
  /** Ids of turns, calls and requests about which an intent of this client is under way. */
  readonly pendingIds: ReadonlySet<string>;
  readonly withoutReasoning: boolean;
  /** Origins whose pictures are loaded by themselves. */
  readonly imageOrigins: readonly string[];
}
