/**
 * What leaves one connection, in the order of `serverSeq`. Neighbouring pieces of one growing part may wait a little and
 * go out as one; everything else goes out at once and takes along what waits. Source: AHP, subscriptions (delivery).
 */

import type { ActionEnvelope, ChatDeltaAction, ChatReasoningAction, StateAction } from '../protocol/actions.js';
import type { URI } from '../protocol/state.js';
import type { HostEnvironment } from './environment.js';

type Envelope = ActionEnvelope<StateAction>;
type Growth = ActionEnvelope<ChatDeltaAction | ChatReasoningAction>;

/** More waiting text than this goes out at once, whatever the client allowed. UTF-16 units. */
const MAX_WAITING_TEXT = 256 * 1024;

/** Whether `envelope` only makes one part longer and says nothing else. */
export function isGrowth(envelope: Envelope): envelope is Growth {
  const { action } = envelope;
  if (action.type !== 'chat/delta' && action.type !== 'chat/reasoning') return false;
  return action._meta === undefined && envelope.origin === undefined && envelope.rejectionReason === undefined;
}

/**
 * One envelope that has the effect of both, with the number of the second; `undefined` when they are not pieces of one
 * part. Both must be new to the receiver: a replay is never merged, since the receiver may have the first already.
 */
export function mergeGrowth(first: Envelope, second: Envelope): Growth | undefined {
  if (!isGrowth(first) || !isGrowth(second) || first.channel !== second.channel) return undefined;
  const [a, b] = [first.action, second.action];
  if (a.type !== b.type || a.turnId !== b.turnId || a.partId !== b.partId) return undefined;
  return { ...second, action: { ...b, content: a.content + b.content } };
}

export class Delivery {
  readonly #environment: HostEnvironment;
  readonly #send: (envelope: Envelope) => void;
  /** The last waiting envelope of each channel is the only one that may still grow. */
  readonly #last = new Map<URI, number>();
  #waiting: Envelope[] = [];
  #waitingText = 0;
  #timer: { readonly at: number; readonly cancel: () => void } | undefined;

  constructor(environment: HostEnvironment, send: (envelope: Envelope) => void) {
    this.#environment = environment;
    this.#send = send;
  }

  /** Sends `envelope` within `maxLatencyMs`. */
  push(envelope: Envelope, maxLatencyMs: number): void {
    if (maxLatencyMs <= 0 || !isGrowth(envelope)) {
      this.flush();
      this.#send(envelope);
      return;
    }
    this.#wait(envelope);
    if (this.#waitingText > MAX_WAITING_TEXT) this.flush();
    else this.#flushWithin(maxLatencyMs);
  }

  /** Sends all that waits. Called before every answer, so that an answer never overtakes what it builds on. */
  flush(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    if (this.#waiting.length === 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#waitingText = 0;
    this.#last.clear();
    // A merged envelope carries its last number, which may be above that of another channel that came in between.
    if (waiting.length > 1) waiting.sort((a, b) => a.serverSeq - b.serverSeq);
    for (const envelope of waiting) this.#send(envelope);
  }

  /** Drops what waits: the receiver is gone and will ask for it again. */
  close(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#waiting = [];
    this.#last.clear();
  }

  #wait(envelope: Growth): void {
    this.#waitingText += envelope.action.content.length;
    const index = this.#last.get(envelope.channel);
    const last = index === undefined ? undefined : this.#waiting[index];
    const merged = last && mergeGrowth(last, envelope);
    if (merged && index !== undefined) {
      this.#waiting[index] = merged;
    } else {
      this.#last.set(envelope.channel, this.#waiting.length);
      this.#waiting.push(envelope);
    }
  }

  #flushWithin(maxLatencyMs: number): void {
    const at = this.#environment.now() + maxLatencyMs;
    if (this.#timer && this.#timer.at <= at) return;
    this.#timer?.cancel();
    const cancel = this.#environment.schedule(maxLatencyMs, () => {
      this.flush();
    });
    this.#timer = { at, cancel };
  }
}
