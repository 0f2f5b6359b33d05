/**
 * The clock of one run in a real browser. While something real is under way – a transaction, a lock that was asked for, a
 * frame to be painted – its time passes as real time does; in the silence between it jumps to the next timer. So an hour
 * costs nothing, and a disk is never slower than it is. On a machine that has no time for either, both go slowly.
 */

import { ManualClock } from '../helpers/manual-environment.js';

/** What takes longer than this, in ms of this clock, waits for something that does not come by itself. */
const PATIENCE_MS = 2_000;
/** How far time goes on in one look: what is under way has had no more than that if the machine was busy meanwhile. */
const STRIDE_MS = 10;

export class PacedClock extends ManualClock {
  /** Until when what is under way counts. */
  readonly #work = new Map<object, number>();

  /** To be called when something real begins; the result is to be called at its end, or at the end of its document. */
  begin(patienceMs = PATIENCE_MS): () => void {
    const work = {};
    this.#work.set(work, this.monotonic() + patienceMs);
    return () => this.#work.delete(work);
  }

  /** Lets `milliseconds` pass. */
  async pass(milliseconds: number): Promise<void> {
    const end = this.monotonic() + milliseconds;
    let before = performance.now();
    for (let isBusy = true; ;) {
      await (isBusy ? pause(4) : breathe());
      const now = performance.now();
      isBusy = this.#isBusy();
      const until = isBusy ? Math.min(end, this.monotonic() + Math.min(now - before, STRIDE_MS)) : end;
      before = now;
      if (this.runNext(until)) continue;
      this.advance(until - this.monotonic());
      if (this.monotonic() >= end) return;
    }
  }

  #isBusy(): boolean {
    for (const [work, until] of this.#work) {
      if (this.monotonic() < until) return true;
      this.#work.delete(work);
    }
    return false;
  }
}

const { port1, port2 } = new MessageChannel();
let waiting: (() => void)[] = [];
port1.onmessage = () => {
  const all = waiting;
  waiting = [];
  for (const go of all) go();
};

const hop = () =>
  new Promise<void>((resolve) => {
    waiting.push(resolve);
    port2.postMessage(undefined);
  });

/** Leaves the thread to others, in ms of real time. */
export const pause = (delayMs: number) => new Promise<void>((resolve) => setTimeout(resolve, delayMs));

let breaths = 0;

/** Lets messages that were posted, and what they set off, arrive. */
async function breathe(): Promise<void> {
  await hop();
  await hop();
  // Messages alone would keep everything else away: in Firefox and WebKit no document is loaded then.
  if ((breaths += 1) % 2 === 0) await pause(0);
}
