/**
 * The network between documents and a host. A frame takes as long as the seed says, but never overtakes another one of its
 * own direction; so the order in which frames of different documents and directions arrive is the seed's. Links can be
 * cut, left half-open, slowed down and throttled; frames repeated, torn and dropped.
 */

import { AhpError } from '../../src/protocol/errors.js';
import type { AhpTransport, Link } from '../../src/protocol/link.js';

export type Fault = 'cut' | 'half-open' | 'delay' | 'throttle' | 'duplicate' | 'corrupt' | 'drop echo';

/** What the network has to know of the page at its end. */
export interface NetDocument {
  readonly isDead: boolean;
  isOnline(): boolean;
  /** Runs `work` now, or when the page can; never when it is gone. */
  run(work: () => void): void;
}

export interface NetworkOptions {
  readonly random: () => number;
  readonly schedule: (delayMs: number, run: () => void) => unknown;
  readonly now: () => number;
  /** Opens a link to the host that is up. */
  readonly connect: AhpTransport['connect'];
  readonly onFault: (fault: Fault) => void;
}

const ordinaryDelayMs = 30;

export class Network {
  readonly #options: NetworkOptions;
  readonly #links = new Set<SimLink>();
  /** How long a frame takes at most. */
  delayMs = ordinaryDelayMs;
  /** The least time between two frames of one direction. */
  gapMs = 0;
  repeats = false;
  /** Frames to the clients that are still to be torn. */
  tears = 0;
  /** Echoes of a client's own actions that are still to be dropped. */
  dropsEchoes = 0;

  constructor(options: NetworkOptions) {
    this.#options = options;
  }

  get openLinks(): number {
    return this.#links.size;
  }

  transport(document: NetDocument): AhpTransport {
    return {
      isLocal: false,
      connect: async (signal) => {
        if (!document.isOnline()) throw new AhpError('disconnected', 'The network is down.');
        const far = await this.#options.connect(signal);
        if (document.isDead) {
          far.close();
          return new Promise(() => undefined);
        }
        const link = new SimLink(this, this.#options, document, far, () => this.#links.delete(link));
        this.#links.add(link);
        return link;
      },
    };
  }

  linksOf(document: NetDocument): readonly SimLink[] {
    return [...this.#links].filter((link) => link.document === document);
  }

  /** Everything as it should be, from now on. */
  heal(): void {
    this.delayMs = ordinaryDelayMs;
    this.gapMs = 0;
    this.repeats = false;
    this.tears = this.dropsEchoes = 0;
  }

  /** What arrives of a frame to a client. */
  distort(text: string, clientId: string | undefined): readonly string[] {
    const isAction = text.includes('"method":"action"');
    if (isAction && this.dropsEchoes > 0 && clientId && text.includes(`"origin":{"clientId":"${clientId}"`)) {
      this.dropsEchoes--;
      this.#options.onFault('drop echo');
      return [];
    }
    if (this.tears > 0) {
      this.tears--;
      this.#options.onFault('corrupt');
      return [text.slice(0, text.length >> 1)];
    }
    if (!isAction || !this.repeats) return [text];
    this.#options.onFault('duplicate');
    return [text, text];
  }
}

/** One connection, as the client has it. */
export class SimLink implements Link {
  readonly document: NetDocument;
  onmessage: ((text: string) => void) | undefined;
  onclose: ((close: { readonly reason: string; readonly retry: boolean }) => void) | undefined;
  /** Nothing arrives any more, and nobody is told. */
  isHalfOpen = false;
  readonly #network: Network;
  readonly #options: NetworkOptions;
  readonly #far: Link;
  readonly #closed: () => void;
  readonly #lastAt = { up: 0, down: 0 };
  #clientId: string | undefined;
  #isOpen = true;
  #isFarOpen = true;
  #isCut = false;

  constructor(network: Network, options: NetworkOptions, document: NetDocument, far: Link, closed: () => void) {
    this.#network = network;
    this.#options = options;
    this.document = document;
    this.#far = far;
    this.#closed = closed;
    far.onmessage = (text) => {
      for (const arriving of network.distort(text, this.#clientId))
        this.#pass('down', () => this.onmessage?.(arriving));
    };
    far.onclose = () => {
      this.#isFarOpen = false;
      this.#pass('down', () => this.#end());
    };
  }

  send(text: string): void {
    this.#clientId ??= /"clientId":"(\w+)"/.exec(text)?.[1];
    this.#pass('up', () => {
      if (this.#isFarOpen) this.#far.send(text);
    });
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#closed();
    // What is on its way arrives; then the host hears of the end.
    this.#pass('up', () => this.#far.close());
  }

  /** Ends both sides. What is on its way back is gone; what is on its way to the host may still be read there. */
  cut(): void {
    if (!this.#isOpen || this.#isCut) return;
    this.#isCut = true;
    this.isHalfOpen ||= this.#options.random() < 0.5;
    if (this.isHalfOpen) this.#far.close();
    else this.#pass('up', () => this.#far.close());
    this.#closed();
    this.document.run(() => this.#end());
  }

  #end(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#closed();
    this.onclose?.({ reason: 'The network ended the connection.', retry: true });
  }

  #pass(direction: 'up' | 'down', arrive: () => void): void {
    const { now, random, schedule } = this.#options;
    const at = Math.max(
      now() + Math.floor(random() * this.#network.delayMs),
      this.#lastAt[direction] + this.#network.gapMs,
    );
    this.#lastAt[direction] = at;
    schedule(at - now(), () => {
      if (this.isHalfOpen) return;
      if (direction === 'up') arrive();
      else if (!this.#isCut) this.document.run(() => this.#isOpen && arrive());
    });
  }
}
