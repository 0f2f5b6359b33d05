/** A host in the page, in real time, for tests of the whole element: one session, one chat, and an agent that repeats. */

import { createBrowserEnvironment } from '../../src/client/browser-environment.js';
import { createHost, type Host } from '../../src/host/create-host.js';
import { createLinkPair } from '../../src/host/link-pair.js';
import type { HostOptions } from '../../src/host/options.js';
import type { TurnHandle } from '../../src/host/turn-handle.js';
import { AhpError } from '../../src/protocol/errors.js';
import type { AhpTransport, Link } from '../../src/protocol/link.js';
import type { ChatState, Turn, URI } from '../../src/protocol/state.js';
import { testAgent } from './scripted-host.js';

export const SESSION: URI = 'ahp-session:/page';
export const CHAT: URI = 'ahp-chat:/page';

let made = 0;

export class PageHost {
  readonly host: Host;
  readonly transport: AhpTransport;
  /** Names storage of this host's own in `storageKey`. */
  readonly key = `test-${performance.timeOrigin}-${(made += 1)}`;
  isReachable = true;
  /** Every frame that clients have sent, in order. */
  readonly received: { readonly method?: string; readonly params?: Readonly<Record<string, unknown>> }[] = [];
  readonly #links = new Set<Link>();
  #connections = 0;

  constructor(options: Partial<HostOptions> & { readonly turns?: readonly Turn[] } = {}) {
    const { turns, ...rest } = options;
    this.host = createHost({
      environment: createBrowserEnvironment(),
      agents: [testAgent],
      hooks: { runTurn: repeat },
      ...rest,
    });
    this.host.createSession({ resource: SESSION, provider: 'test', title: 'Page', defaultChat: null });
    this.host.createChat(SESSION, { resource: CHAT, ...(turns && { turns }) });
    this.host.dispatch(SESSION, { type: 'session/defaultChatChanged', defaultChat: CHAT });
    this.transport = {
      isLocal: true,
      connect: () => {
        if (!this.isReachable) return Promise.reject(new AhpError('disconnected', 'The test keeps the host away.'));
        const [end, other] = createLinkPair();
        this.#connections += 1;
        this.#links.add(other);
        const close = other.close.bind(other);
        this.host.connect(other);
        const heard = other.onmessage;
        other.onmessage = (text) => {
          this.received.push(JSON.parse(text) as (typeof this.received)[number]);
          heard?.(text);
        };
        const told = other.onclose;
        other.onclose = (reason) => {
          this.#links.delete(other);
          told?.(reason);
        };
        other.close = () => {
          this.#links.delete(other);
          close();
        };
        return Promise.resolve(end);
      },
    };
  }

  /** What clients have asked about one channel, by method. */
  methodsOn(channel: URI): readonly string[] {
    return this.received.flatMap(({ method, params }) => (params?.['channel'] === channel && method ? method : []));
  }

  get chat(): ChatState {
    return this.host.getChat(CHAT)!;
  }

  /** Links that are open now. */
  get links(): number {
    return this.#links.size;
  }

  /** Links ever made. */
  get connections(): number {
    return this.#connections;
  }

  /** Cuts every link; new ones fail until `isReachable` is set again. */
  goAway(): void {
    this.isReachable = false;
    for (const link of [...this.#links]) link.close();
  }
}

/** Answers with what was said. */
function repeat(turn: TurnHandle): void {
  const part = { kind: 'markdown', id: `${turn.turnId}-m`, content: '' } as const;
  turn.dispatch({ type: 'chat/responsePart', part });
  turn.dispatch({ type: 'chat/delta', partId: part.id, content: `You said: ${turn.message.text}` });
}
