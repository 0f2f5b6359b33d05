/**
 * The network between a page and the host, for one scene: every WebSocket of the page goes through here, byte by byte, and
 * can be cut, held up, slowed down, or left half-open. It reads nothing but the request that opens it.
 */

import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

export type Direction = 'up' | 'down';

export class Wire {
  readonly #findHost: () => URL;
  readonly #tunnels = new Set<Tunnel>();
  readonly held = new Set<Direction>();
  /** Nobody is let through any more. */
  isDown = false;
  /** How long a byte takes. */
  delayMs = 0;
  /** In either direction. */
  bytesPerSecond = Infinity;
  /** How many connections were asked for. */
  attempts = 0;

  constructor(findHost: () => URL) {
    this.#findHost = findHost;
  }

  /** Connections that the page and the host both have. */
  get open(): number {
    return this.#tunnels.size;
  }

  admit(request: IncomingMessage, page: Duplex, head: Buffer): void {
    this.attempts++;
    page.on('error', () => page.destroy());
    if (this.isDown) return void page.destroy();
    const { hostname, port } = this.#findHost();
    const host = connect(Number(port), hostname);
    const tunnel = new Tunnel(this, page, host, () => this.#tunnels.delete(tunnel));
    this.#tunnels.add(tunnel);
    host.write(toRequest(request, `${hostname}:${port}`));
    host.write(head);
  }

  /** Ends every connection at both ends. */
  cut(): void {
    for (const tunnel of this.#tunnels) tunnel.end();
  }

  /** From now on nothing passes any connection there is, and neither end is ever told. */
  abandon(): void {
    for (const tunnel of this.#tunnels) tunnel.abandon();
    this.#tunnels.clear();
  }

  hold(direction: Direction): void {
    this.held.add(direction);
  }

  /** What was held up goes on. */
  release(): void {
    this.held.clear();
    for (const tunnel of this.#tunnels) tunnel.pump();
  }
}

class Tunnel {
  readonly #ends: readonly [Duplex, Duplex];
  readonly #flows: readonly Flow[];
  readonly #onEnd: () => void;
  #isAbandoned = false;

  constructor(wire: Wire, page: Duplex, host: Socket, onEnd: () => void) {
    this.#ends = [page, host];
    this.#onEnd = onEnd;
    this.#flows = [new Flow(wire, 'up', host), new Flow(wire, 'down', page)];
    const [up, down] = this.#flows as [Flow, Flow];
    host.on('error', () => host.destroy());
    page.on('data', (bytes: Buffer) => this.#isAbandoned || up.take(bytes));
    host.on('data', (bytes: Buffer) => this.#isAbandoned || down.take(bytes));
    page.on('close', () => this.#isAbandoned || up.finish(() => this.end()));
    host.on('close', () => this.#isAbandoned || down.finish(() => this.end()));
  }

  pump(): void {
    for (const flow of this.#flows) flow.pump();
  }

  end(): void {
    this.#onEnd();
    for (const end of this.#ends) end.destroy();
  }

  abandon(): void {
    this.#isAbandoned = true;
    for (const flow of this.#flows) flow.stop();
  }
}

/** One direction: bytes leave in order, not before their time, and not while they are held up. */
class Flow {
  readonly #wire: Wire;
  readonly #direction: Direction;
  readonly #to: Duplex;
  #waiting: { readonly bytes: Buffer; readonly at: number }[] = [];
  #timer: NodeJS.Timeout | undefined;
  #freeAt = 0;
  #onEmpty: (() => void) | undefined;
  #isStopped = false;

  constructor(wire: Wire, direction: Direction, to: Duplex) {
    this.#wire = wire;
    this.#direction = direction;
    this.#to = to;
  }

  take(bytes: Buffer): void {
    const { delayMs, bytesPerSecond } = this.#wire;
    this.#freeAt = Math.max(this.#freeAt, performance.now() + delayMs) + (bytes.length / bytesPerSecond) * 1000;
    this.#waiting.push({ bytes, at: this.#freeAt });
    this.pump();
  }

  /** Calls `then` when everything is through. */
  finish(then: () => void): void {
    this.#onEmpty = then;
    this.pump();
  }

  pump(): void {
    if (this.#isStopped || this.#wire.held.has(this.#direction)) return;
    clearTimeout(this.#timer);
    for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
      const waitMs = next.at - performance.now();
      if (waitMs > 0) {
        this.#timer = setTimeout(() => this.pump(), waitMs);
        return;
      }
      this.#waiting.shift();
      this.#to.write(next.bytes);
    }
    this.#onEmpty?.();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }
}

/** As the page sent it, but to the host's own address: it answers to no other, and to no foreign page. */
function toRequest({ method, url, rawHeaders }: IncomingMessage, address: string): string {
  const headers = rawHeaders.flatMap((name, index) => {
    if (index % 2 === 1 || /^(host|origin)$/i.test(name)) return [];
    return [`${name}: ${rawHeaders[index + 1]}`];
  });
  return [`${method} ${url} HTTP/1.1`, `Host: ${address}`, ...headers, '', ''].join('\r\n');
}
