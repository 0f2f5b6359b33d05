import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import { chatReducer } from '../../src/chat/reducer.js';
import { Delivery, mergeGrowth } from '../../src/host/delivery.js';
import type { ActionEnvelope, StateAction } from '../../src/protocol/actions.js';
import type { ChatState } from '../../src/protocol/state.js';
import { ManualEnvironment } from '../helpers/manual-environment.js';

type Envelope = ActionEnvelope<StateAction>;

const delta = (serverSeq: number, content: string, more: object = {}, channel = 'c'): Envelope => ({
  channel,
  serverSeq,
  action: { type: 'chat/delta', turnId: 't', partId: 'p', content, ...more },
});

const other = (serverSeq: number, channel = 'c'): Envelope => ({
  channel,
  serverSeq,
  action: { type: 'chat/activityChanged', activity: `a${serverSeq}` },
});

function createDelivery() {
  const environment = new ManualEnvironment();
  const sent: Envelope[] = [];
  const delivery = new Delivery(environment, (envelope) => sent.push(envelope));
  return { environment, sent, delivery };
}

describe('the delivery of one connection', () => {
  it('sends at once when no latency is allowed', () => {
    const { delivery, sent } = createDelivery();

    delivery.push(delta(1, 'a'), 0);

    expect(sent).to.deep.equal([delta(1, 'a')]);
  });

  it('merges neighbouring deltas of one part and numbers them by the last', () => {
    const { delivery, sent, environment } = createDelivery();

    delivery.push(delta(1, 'a'), 50);
    delivery.push(delta(2, 'b'), 50);
    delivery.push(delta(3, 'c'), 50);
    environment.advance(50);

    expect(sent).to.deep.equal([delta(3, 'abc')]);
  });

  it('waits no longer than the first of them may', () => {
    const { delivery, sent, environment } = createDelivery();

    delivery.push(delta(1, 'a'), 50);
    environment.advance(40);
    delivery.push(delta(2, 'b'), 50);
    environment.advance(9);
    const before = sent.length;
    environment.advance(1);

    expect([before, sent.length]).to.deep.equal([0, 1]);
  });

  it('takes the shorter of two latencies', () => {
    const { delivery, sent, environment } = createDelivery();

    delivery.push(delta(1, 'a'), 500);
    delivery.push(delta(2, 'b', {}, 'other'), 10);
    environment.advance(10);

    expect(sent.map(({ serverSeq }) => serverSeq)).to.deep.equal([1, 2]);
  });

  it('lets nothing overtake what waits', () => {
    const { delivery, sent } = createDelivery();

    delivery.push(delta(1, 'a'), 50);
    delivery.push(other(2), 50);

    expect(sent).to.deep.equal([delta(1, 'a'), other(2)]);
  });

  it('keeps the order of numbers between channels', () => {
    const { delivery, sent } = createDelivery();

    delivery.push(delta(1, 'a', {}, 'x'), 50);
    delivery.push(delta(2, 'b', {}, 'y'), 50);
    delivery.push(delta(3, 'c', {}, 'x'), 50);
    delivery.flush();

    expect(sent).to.deep.equal([delta(2, 'b', {}, 'y'), delta(3, 'ac', {}, 'x')]);
  });

  it('sends at once what has grown too long to wait', () => {
    const { delivery, sent } = createDelivery();

    delivery.push(delta(1, 'a'.repeat(300_000)), 50);

    expect(sent).to.have.length(1);
  });

  it('leaves no timer behind when it is closed', () => {
    const { delivery, environment, sent } = createDelivery();
    delivery.push(delta(1, 'a'), 50);

    delivery.close();
    environment.advance(100);

    expect([environment.clock.pendingTimers, sent.length]).to.deep.equal([0, 0]);
  });

  const apart: [what: string, second: Envelope][] = [
    ['another part', delta(2, 'b', { partId: 'q' })],
    ['another turn', delta(2, 'b', { turnId: 'u' })],
    ['another channel', delta(2, 'b', {}, 'd')],
    ['another kind', delta(2, 'b', { type: 'chat/reasoning' })],
    ['extra data', delta(2, 'b', { _meta: { key: 1 } })],
    ['an origin', { ...delta(2, 'b'), origin: { clientId: 'a', clientSeq: 1 } }],
    ['a refusal', { ...delta(2, 'b'), rejectionReason: 'no' }],
    ['something that is no delta', other(2)],
  ];
  for (const [what, second] of apart) {
    it(`does not merge a delta with ${what}`, () => {
      expect(mergeGrowth(delta(1, 'a'), second)).to.equal(undefined);
      expect(mergeGrowth(second, delta(3, 'a'))).to.equal(undefined);
    });
  }

  it('never changes what the actions reduce to, nor their order (property)', () => {
    const start: ChatState = {
      resource: 'c',
      status: 8,
      modifiedAt: '',
      turns: [],
      activeTurn: {
        id: 't',
        message: { text: '', origin: { kind: 'user' } },
        responseParts: [
          { kind: 'markdown', id: 'm1', content: '' },
          { kind: 'markdown', id: 'm2', content: '' },
          { kind: 'reasoning', id: 'r', content: '' },
        ],
      },
    };
    const growth = fc.record({
      type: fc.constantFrom('chat/delta', 'chat/reasoning'),
      turnId: fc.constantFrom('t', 't', 't', 'gone'),
      partId: fc.constantFrom('m1', 'm1', 'm2', 'r'),
      content: fc.string({ maxLength: 3 }),
    });
    const activity = fc.record({ type: fc.constant('chat/activityChanged'), activity: fc.string({ maxLength: 3 }) });
    const step = fc.record({
      action: fc.oneof({ weight: 6, arbitrary: growth }, { weight: 1, arbitrary: activity }),
      waitMs: fc.constantFrom(0, 0, 0, 20, 60),
      latency: fc.constantFrom(50, 50, 0),
    });

    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { delivery, sent, environment } = createDelivery();
        let expected = start;
        steps.forEach(({ action, waitMs, latency }, index) => {
          expected = chatReducer(expected, action);
          delivery.push({ channel: 'c', serverSeq: index + 1, action: action }, latency);
          environment.advance(waitMs);
        });
        delivery.flush();

        const numbers = sent.map(({ serverSeq }) => serverSeq);
        const reduced = sent.reduce((state, { action }) => chatReducer(state, action as never), start);
        expect(reduced).to.deep.equal(expected);
        expect(numbers).to.deep.equal([...numbers].sort((a, b) => a - b));
        expect(new Set(numbers).size).to.equal(numbers.length);
        if (steps.length > 0) expect(numbers.at(-1)).to.equal(steps.length);
      }),
      { numRuns: 300 },
    );
  });
});
