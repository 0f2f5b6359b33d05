import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import { chatReducer } from '../../src/chat/reducer.js';
import {
  adoptReplay,
  adoptSnapshot,
  createReconciled,
  disconnect,
  discard,
  enqueue,
  expire,
  markSent,
  receive,
  retry,
  sendable,
  type Reconciled,
  type Reconciliation,
} from '../../src/chat/reconcile.js';
import {
  clientChatActionTypes,
  type ActionEnvelope,
  type ChatAction,
  type ClientChatAction,
} from '../../src/protocol/actions.js';
import type { ChatState } from '../../src/protocol/state.js';
import { anyAction, validAction } from '../helpers/chat-arbitraries.js';
import { chat, freeze, message, START } from '../helpers/chat-states.js';
import { ME } from '../helpers/reconcile.js';

const json = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
const WINDOW = 3;

/** One thing that happens in a small world of a host, a network and this client. */
type Step =
  | { readonly do: 'dispatch'; readonly actions: readonly ClientChatAction[] }
  | { readonly do: 'host acts'; readonly action: ChatAction }
  | { readonly do: 'host streams'; readonly content: string }
  | { readonly do: 'host reads'; readonly fate: 'accept' | 'refuse' | 'drop' | 'alter' }
  | { readonly do: 'deliver'; readonly count: number; readonly again: number }
  | { readonly do: 'cut'; readonly arm: 'replay' | 'snapshot' | 'restart' }
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'decide'; readonly retries: boolean };

const clientTypes: readonly string[] = clientChatActionTypes;
const clientAction = validAction.filter((action) =>
  clientTypes.includes((action as ChatAction).type),
) as fc.Arbitrary<ClientChatAction>;
const hostAction = anyAction.filter(
  (action) => (action as ChatAction).type !== 'chat/turnsLoaded',
) as fc.Arbitrary<ChatAction>;

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('dispatch' as const),
      actions: fc.array(clientAction, { minLength: 1, maxLength: 3 }),
    }),
  },
  fc.record({ do: fc.constant('host acts' as const), action: hostAction }),
  { weight: 2, arbitrary: fc.record({ do: fc.constant('host streams' as const), content: fc.constantFrom('a', 'b') }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('host reads' as const),
      fate: fc.constantFrom('accept', 'accept', 'refuse', 'drop', 'alter'),
    }),
  },
  fc.record({ do: fc.constant('deliver' as const), count: fc.nat(4), again: fc.nat(3) }),
  fc.record({ do: fc.constant('cut' as const), arm: fc.constantFrom('replay', 'snapshot', 'restart') }),
  fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(500, 3_000, 11_000) }),
  fc.record({ do: fc.constant('decide' as const), retries: fc.boolean() }),
);

class World {
  host: ChatState = chat();
  serverSeq = 0;
  now = 1_000_000;
  connectedAt = this.now;
  client: Reconciled = adoptSnapshot(createReconciled(), { state: this.host, fromSeq: 0 }, [], ME).next;
  readonly log: ActionEnvelope[] = [];
  delivered = 0;
  inbox: { clientSeq: number; action: ClientChatAction }[] = [];
  clientSeq = 0;
  readonly settled = new Map<number, number>();

  run(step: Step): void {
    switch (step.do) {
      case 'dispatch': {
        const group = `g${this.clientSeq}`;
        const entries = step.actions.map((action) => ({ clientSeq: ++this.clientSeq, group, action, sends: 0 }));
        this.client = enqueue(this.client, freeze(entries));
        this.send();
        break;
      }
      case 'host acts':
        this.publish(step.action);
        break;
      case 'host streams':
        this.stream(step.content);
        break;
      case 'host reads': {
        const sent = this.inbox.shift();
        if (!sent || step.fate === 'drop') break;
        const origin = { clientId: ME, clientSeq: sent.clientSeq };
        if (step.fate === 'refuse')
          this.log.push(freeze(this.envelope(sent.action, { origin, rejectionReason: 'no' })));
        else this.publish(step.fate === 'alter' ? { ...sent.action, _meta: { altered: true } } : sent.action, origin);
        break;
      }
      case 'deliver': {
        const upTo = Math.min(this.log.length, this.delivered + step.count);
        for (; this.delivered < upTo; this.delivered++) this.receive(this.log[this.delivered] as ActionEnvelope);
        for (const old of this.log.slice(Math.max(0, this.delivered - step.again), this.delivered)) this.receive(old);
        break;
      }
      case 'cut':
        this.reconnect(step.arm);
        break;
      case 'wait':
        this.now += step.ms;
        this.take(expire(this.client, this.now));
        this.send();
        break;
      case 'decide': {
        const group = this.client.unconfirmed[0]?.group ?? 'none';
        this.take(step.retries ? retry(this.client, group) : discard(this.client, group));
        this.send();
        break;
      }
    }
    this.check();
  }

  /** Everything that is under way arrives. */
  settleDown(): void {
    while (this.inbox.length > 0) this.run({ do: 'host reads', fate: 'accept' });
    this.run({ do: 'deliver', count: this.log.length, again: 2 });
  }

  private envelope(action: object, members: Partial<ActionEnvelope> = {}): ActionEnvelope {
    return { channel: 'ahp-chat:/one', serverSeq: ++this.serverSeq, action: action as ChatAction, ...members };
  }

  private publish(action: ChatAction, origin?: ActionEnvelope['origin']): void {
    // What a client may not hold is loaded before it is referred to.
    if (action.type === 'chat/truncated') {
      this.log.push(freeze(this.envelope({ type: 'chat/turnsLoaded', turns: this.host.turns })));
    }
    this.host = freeze(chatReducer(this.host, freeze(action)));
    this.log.push(freeze(this.envelope(action, origin && { origin })));
  }

  /** Starts a turn, opens its text, or lets it grow, whichever is next. */
  private stream(content: string): void {
    const turnId = this.host.activeTurn?.id;
    if (turnId === undefined) {
      const id = `turn-${this.host.turns.length}-${this.log.length}`;
      this.publish({ type: 'chat/turnStarted', turnId: id, startedAt: START, message: message('go') });
    } else if (!this.host.activeTurn?.responseParts.some((part) => part.kind === 'markdown')) {
      this.publish({ type: 'chat/responsePart', turnId, part: { kind: 'markdown', id: 'text', content: '' } });
    } else {
      this.publish({ type: 'chat/delta', turnId, partId: 'text', content });
    }
  }

  private receive(envelope: ActionEnvelope): void {
    this.take(receive(this.client, envelope, ME));
  }

  private reconnect(arm: 'replay' | 'snapshot' | 'restart'): void {
    this.inbox = [];
    this.client = disconnect(this.client);
    this.now += 1_000;
    this.connectedAt = this.now;
    if (arm === 'replay') {
      this.take(adoptReplay(this.client, this.log.slice(Math.max(0, this.delivered - 2)), ME));
    } else {
      const hidden = this.host.turns.length - WINDOW;
      const window = { ...this.host, turns: this.host.turns.slice(-WINDOW), turnsNextCursor: 'older' };
      // A host that starts anew counts anew.
      if (arm === 'restart') this.serverSeq = 0;
      const snapshot = { state: freeze(json(hidden > 0 ? window : this.host)), fromSeq: this.serverSeq };
      this.take(adoptSnapshot(this.client, snapshot, [], ME));
    }
    this.delivered = this.log.length;
    if (arm === 'restart') this.log.length = this.delivered = 0;
    this.send();
  }

  private send(): void {
    const result = sendable(this.client, this.now, this.connectedAt);
    this.take(result);
    this.client = markSent(
      this.client,
      result.send.map((entry) => entry.clientSeq),
      this.now,
    );
    this.inbox.push(...result.send);
  }

  private take({ next, settled }: Reconciliation): void {
    this.client = freeze(next);
    for (const { clientSeq } of settled) this.settled.set(clientSeq, (this.settled.get(clientSeq) ?? 0) + 1);
  }

  private check(): void {
    const { confirmed, pending, unconfirmed, optimistic } = this.client;
    const open = [...pending, ...unconfirmed].map((entry) => entry.clientSeq);
    const all = [...open, ...this.settled.keys()].sort((a, b) => a - b);
    expect(all, 'every action is somewhere, and nowhere twice').to.deep.equal(
      Array.from({ length: this.clientSeq }, (_, index) => index + 1),
    );
    for (const [clientSeq, times] of this.settled) expect(times, `settlements of ${clientSeq}`).to.equal(1);
    if (pending.length === 0) expect(optimistic).to.equal(confirmed);
    const anew = createReconciled({ ...(confirmed && { confirmed }), outbox: pending });
    expect(json(optimistic), 'what is shown is pending over confirmed').to.deep.equal(json(anew.optimistic));
  }
}

describe('any course of events between a host and a client', () => {
  it('ends with the host’s state, and with every intent settled once or still in sight', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 20, maxLength: 60, size: 'max' }), (steps) => {
        const world = new World();
        for (const next of steps) world.run(next);
        world.settleDown();

        const { turns, turnsNextCursor: _, ...rest } = json(world.client.confirmed as ChatState);
        const host = json(world.host);
        const { turns: hosted, ...hostRest } = host;
        expect(rest).to.deep.equal(hostRest);
        // What is held is an unbroken run that ends with the newest turn.
        expect(turns).to.deep.equal(turns.length === 0 ? [] : hosted.slice(-turns.length));
      }),
      { numRuns: 300 },
    );
  });

  it('sends a start again only after its id was looked for and not found', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 20, maxLength: 40, size: 'max' }), (steps) => {
        const world = new World();
        for (const next of steps) {
          world.run(next);
          const { send } = sendable(world.client, world.now, world.connectedAt);
          const known = new Set(world.client.confirmed?.turns.map(({ id }) => id));
          for (const { action } of send)
            if (action.type === 'chat/turnStarted') expect(known).not.to.include(action.turnId);
        }
      }),
      { numRuns: 100 },
    );
  });
});
