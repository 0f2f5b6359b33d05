/** An agent of the simulation: works, asks, fails and falls silent as the seed says, and keeps what it was told. */

import type { TurnHandle } from '../../src/host/turn-handle.js';
import { TurnAborted } from '../../src/host/turn-handle.js';
import type { PendingMessage } from '../../src/protocol/state.js';
import { pageToolName } from './page-tool.js';

export interface AgentOptions {
  readonly random: () => number;
  readonly schedule: (delayMs: number, run: () => void) => unknown;
  /** What it does by itself, as often as it stands there. */
  readonly work?: readonly Work[];
  /** A client that offers its tool in the session, if there is one. */
  readonly findToolOwner?: () => string | undefined;
}

export type Work = 'talk' | 'call' | 'ask' | 'fail' | 'hang' | 'call, and ask about the result' | 'call a page';

const ordinaryWork: readonly Work[] = ['talk', 'talk', 'talk', 'call', 'call', 'ask', 'fail', 'hang'];
export const allWork: readonly Work[] = [
  ...ordinaryWork,
  'call, and ask about the result',
  'call a page',
  'call a page',
  'call a page',
];

export class Agent {
  readonly #options: AgentOptions;
  /** How each call was decided, as often as it was. */
  readonly decisions = new Map<string, number>();
  /** By call, how often a page has run its tool. */
  readonly runs = new Map<string, number>();
  /** Messages it was steered with. */
  readonly steered: PendingMessage[] = [];
  #count = 0;
  #isHurried = false;

  constructor(options: AgentOptions) {
    this.#options = options;
  }

  /** From now on every turn ends by itself. */
  hurry(): void {
    this.#isHurried = true;
  }

  /** A page runs its tool for the call. */
  noteRun(toolCallId: string): void {
    this.runs.set(toolCallId, (this.runs.get(toolCallId) ?? 0) + 1);
  }

  readonly run = async (turn: TurnHandle): Promise<void> => {
    try {
      await this.#work(turn);
    } catch (error) {
      // The turn is over, or a client has broken a wait: the host says how.
      if (!(error instanceof TurnAborted)) throw error;
    }
  };

  async #work(turn: TurnHandle): Promise<void> {
    const { work = ordinaryWork } = this.#options;
    const steps = this.#isHurried ? 1 : 1 + Math.floor(this.#options.random() * 3);
    for (let step = 0; step < steps && !turn.signal.aborted; step++) {
      await this.#do(turn, this.#isHurried ? 'talk' : work[Math.floor(this.#options.random() * work.length)]!);
      const taken = turn.takeSteering();
      if (taken) this.steered.push(taken);
    }
  }

  async #do(turn: TurnHandle, what: Work): Promise<void> {
    const id = `${turn.turnId}-${this.#count++}`;
    switch (what) {
      case 'talk':
        return this.#talk(turn, id);
      case 'call':
        return this.#call(turn, id);
      case 'call, and ask about the result':
        await this.#call(turn, id, { requiresResultConfirmation: true });
        await turn.completion(id);
        return;
      case 'call a page':
        return this.#callPage(turn, id);
      case 'ask':
        turn.dispatch({
          type: 'chat/inputRequested',
          request: { id, message: 'Which?', questions: [{ kind: 'text', id: 'q', message: 'Name' }] },
        });
        await turn.answer(id);
        return;
      case 'fail':
        turn.fail({ errorType: 'simulated', message: 'It broke.' }, { resumable: this.#options.random() < 0.7 });
        return;
      case 'hang':
        // Only a stop, or the end of its host, ends it.
        return new Promise((resolve) => turn.signal.addEventListener('abort', () => resolve()));
    }
  }

  async #call(turn: TurnHandle, id: string, result: { requiresResultConfirmation?: boolean } = {}): Promise<void> {
    turn.dispatch({ type: 'chat/toolCallStart', toolCallId: id, toolName: 'write', displayName: 'Write' });
    turn.dispatch({ type: 'chat/toolCallReady', toolCallId: id, invocationMessage: 'Write it', toolInput: id });
    await turn.confirmation(id);
    this.decisions.set(id, (this.decisions.get(id) ?? 0) + 1);
    await this.#wait();
    turn.dispatch({
      type: 'chat/toolCallComplete',
      toolCallId: id,
      result: { success: true, pastTenseMessage: 'Wrote it', content: [{ type: 'text', text: id }] },
      ...result,
    });
  }

  async #callPage(turn: TurnHandle, toolCallId: string): Promise<void> {
    const { findToolOwner, random, schedule } = this.#options;
    const clientId = findToolOwner?.();
    if (clientId === undefined) return this.#talk(turn, toolCallId);
    const contributor = { kind: 'client' as const, clientId };
    const isAsked = random() < 0.3;
    turn.dispatch({ type: 'chat/toolCallStart', toolCallId, toolName: pageToolName, displayName: 'Note', contributor });
    turn.dispatch({
      type: 'chat/toolCallReady',
      toolCallId,
      invocationMessage: 'Note it',
      toolInput: toolCallId,
      ...(isAsked ? {} : { confirmed: 'not-needed' }),
    });
    // Before the page is done, or after it: then its completion stays.
    if (random() < 0.3) schedule(Math.floor(random() * 3_000), () => this.#override(turn, toolCallId));
    await turn.completion(toolCallId);
  }

  /** The host has waited long enough, or knows the result from elsewhere. */
  #override(turn: TurnHandle, toolCallId: string): void {
    const isDone = this.#options.random() < 0.3;
    const result = isDone
      ? { success: true, pastTenseMessage: 'Was noted before' }
      : { success: false, pastTenseMessage: 'Gave up', error: { code: 'timeout', message: 'It took too long.' } };
    turn.dispatch({ type: 'chat/toolCallComplete', toolCallId, result });
  }

  async #talk(turn: TurnHandle, partId: string): Promise<void> {
    turn.dispatch({ type: 'chat/responsePart', part: { kind: 'markdown', id: partId, content: '' } });
    for (let count = Math.floor(this.#options.random() * 5); count >= 0 && !turn.signal.aborted; count--) {
      await this.#wait();
      turn.dispatch({ type: 'chat/delta', partId, content: `${count} ` });
    }
  }

  #wait(): Promise<void> {
    return new Promise((resolve) => this.#options.schedule(Math.floor(this.#options.random() * 400), () => resolve()));
  }
}
