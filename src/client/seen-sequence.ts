/**
 * Which `serverSeq` may be claimed as seen when a connection is resumed. Too low is harmless, too high loses data: a
 * host may hold envelopes of one channel back while those of another are already here. Source: AHP, reconnect.
 */

interface Mark {
  readonly at: number;
  readonly seq: number;
}

/** Beyond the hold-back a channel asked for, in milliseconds. */
const marginMs = 1000;

export class SeenSequence {
  /** Everything up to here is known of all channels. */
  #base = 0;
  /** Rising numbers with the time each was first seen; only the last one older than the margin is kept of the old. */
  #marks: Mark[] = [];
  #highest = 0;
  #highestEarlier = 0;

  /** The host's counter may have started anew: nothing that was seen before counts any more. */
  restart(base: number): void {
    this.#base = base;
    this.#marks = [];
    this.#highest = 0;
    this.#highestEarlier = 0;
  }

  /**
   * What follows arrives on a new connection to a host that goes on counting. Everything up to `base` is known, and
   * `applied` is the greatest number in any state known here.
   */
  continue(base: number, applied: number): void {
    this.#base = base;
    this.#highest = Math.max(this.#highest, applied);
    this.#highestEarlier = this.#highest;
  }

  note(seq: number, at: number, maxLatencyMs: number): void {
    if (seq <= this.#highest) return;
    this.#highest = seq;
    this.#marks.push({ at, seq });
    // From the front: each mark is passed once in its life, however many arrive within the margin.
    const until = at - maxLatencyMs - marginMs;
    let settled = 0;
    while ((this.#marks[settled + 1]?.at ?? Infinity) <= until) settled++;
    if (settled > 0) this.#marks.splice(0, settled);
  }

  /** Whether a live, accepted envelope with this number proves that the host counts anew. */
  isImpossible(seq: number): boolean {
    return seq <= this.#highestEarlier;
  }

  /**
   * `lastSeenServerSeq` for a connection that was last known to work at `lastHeardAt`; `maxLatencyMs` is the greatest
   * hold-back asked for.
   */
  lastSeen(lastHeardAt: number, maxLatencyMs: number): number {
    const until = maxLatencyMs > 0 ? lastHeardAt - maxLatencyMs - marginMs : Infinity;
    const mark = this.#marks.findLast(({ at }) => at <= until);
    return Math.max(this.#base, mark?.seq ?? 0);
  }
}
