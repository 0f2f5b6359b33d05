/** A read-only copy of a channel's state, kept in step with the host by the channel's own reducer. */

import type { ActionEnvelope, UnknownAction } from '../protocol/actions.js';
import type { Snapshot } from '../protocol/commands.js';
import type { AhpError } from '../protocol/errors.js';
import type { URI } from '../protocol/state.js';
import type { AhpClient } from './ahp-client.js';
import type { ChannelListener, ChannelOptions, ChannelSubscription } from './channels.js';
import type { Cancel } from './environment.js';
import { Listeners } from './listeners.js';

export class Replica<State extends Snapshot['state']> implements ChannelListener {
  readonly uri: URI;
  readonly #reduce: (state: State, action: UnknownAction) => State;
  readonly #listeners = new Listeners<[]>();
  readonly #subscription: ChannelSubscription;
  #state: State | undefined;
  #appliedSeq = -1;
  #error: AhpError | undefined;

  readonly #adopt: (state: State) => State;

  /** Subscribes at once; `close` ends that. `adopt` changes what a snapshot brings, for example its length. */
  constructor(
    client: AhpClient,
    uri: URI,
    reduce: (state: State, action: UnknownAction) => State,
    { adopt = (state) => state, ...options }: ChannelOptions & { readonly adopt?: (state: State) => State },
  ) {
    this.uri = uri;
    this.#reduce = reduce;
    this.#adopt = adopt;
    this.#subscription = client.subscribe(uri, this, options);
  }

  get state(): State | undefined {
    return this.#state;
  }

  /** Why the host does not give the channel; absent while it does. */
  get error(): AhpError | undefined {
    return this.#error;
  }

  /** Called after every change of `state` or `error`. */
  subscribe(listener: () => void): Cancel {
    return this.#listeners.add(listener);
  }

  /** Asks again after a failure. */
  refresh(): Promise<void> {
    return this.#subscription.refresh();
  }

  close(): void {
    this.#subscription.release();
  }

  current(): Snapshot | undefined {
    return this.#state && { resource: this.uri, state: this.#state, fromSeq: this.#appliedSeq };
  }

  onSnapshot(snapshot: Snapshot, early: readonly ActionEnvelope[]): void {
    // The channel was opened with its kind, by which `parse.ts` has read the state.
    this.#state = this.#adopt(snapshot.state as State);
    this.#appliedSeq = snapshot.fromSeq;
    this.#error = undefined;
    for (const envelope of early) this.#apply(envelope);
    this.#listeners.call();
  }

  onReplay(envelopes: readonly ActionEnvelope[]): void {
    for (const envelope of envelopes) this.#apply(envelope);
    this.#listeners.call();
  }

  onEnvelope(envelope: ActionEnvelope): void {
    const before = this.#state;
    this.#apply(envelope);
    if (this.#state !== before) this.#listeners.call();
  }

  onLost(): void {
    // What is known stays; the next handshake brings it up to date.
  }

  onFailed(error: AhpError): void {
    this.#error = error;
    this.#listeners.call();
  }

  #apply({ serverSeq, action, rejectionReason }: ActionEnvelope): void {
    if (!this.#state || serverSeq <= this.#appliedSeq) return;
    this.#appliedSeq = serverSeq;
    if (rejectionReason === undefined) this.#state = this.#reduce(this.#state, action);
  }
}
