import { expect } from '@open-wc/testing';
import type { ConnectionState } from '../../src/client/ahp-client.js';
import { toStatus, type StatusFacts } from '../../src/client/store-status.js';
import { AhpError } from '../../src/protocol/errors.js';

const facts = (more: Partial<StatusFacts> = {}): StatusFacts => ({
  connection: { phase: 'connected', attempt: 0 },
  failure: undefined,
  isLive: true,
  hasState: true,
  pending: [],
  unconfirmed: [],
  waiting: 0,
  notKept: undefined,
  stoppingTurnId: undefined,
  isStalled: false,
  signIns: [],
  ...more,
});
const gone = new AhpError('gone', 'Gone.');
const lost = new AhpError('disconnected', 'Lost.');
const connection = (phase: ConnectionState['phase'], attempt = 0, more: object = {}): ConnectionState => ({
  phase,
  attempt,
  ...more,
});

describe('the phase of a store', () => {
  const cases: readonly [name: string, Partial<StatusFacts>, expected: string][] = [
    ['live in step with the host', {}, 'live'],
    [
      'nothing known, first attempt',
      { isLive: false, hasState: false, connection: connection('connecting') },
      'loading',
    ],
    [
      'nothing known, not asked to connect yet',
      { isLive: false, hasState: false, connection: connection('idle') },
      'loading',
    ],
    [
      'nothing known, first attempt failed',
      { isLive: false, hasState: false, connection: connection('waiting', 1) },
      'offline',
    ],
    [
      'nothing known, trying again',
      { isLive: false, hasState: false, connection: connection('connecting', 2) },
      'offline',
    ],
    ['something known, connecting', { isLive: false, connection: connection('connecting') }, 'offline'],
    ['connected, chat still on its way', { isLive: false, hasState: false }, 'loading'],
    ['no browser online', { isLive: false, hasState: false, connection: connection('offline') }, 'offline'],
    ['the client gave up', { isLive: false, connection: connection('failed', 1, { error: lost }) }, 'failed'],
    ['the chat is gone', { isLive: false, failure: gone }, 'failed'],
  ];
  for (const [name, more, expected] of cases) {
    it(`is ${expected}: ${name}`, () => {
      expect(toStatus(facts(more)).phase).to.equal(expected);
    });
  }
});

describe('the status of a store', () => {
  it('is the same object while the facts are', () => {
    const before = facts();
    const status = toStatus(before);
    const same = { ...before };

    expect(toStatus(same, before, status)).to.equal(status);
    expect(toStatus({ ...before, isStalled: true }, before, status)).not.to.equal(status);
  });

  it('names the error of the chat before that of the connection, and none while live', () => {
    const failing = { failure: gone, isLive: false, connection: connection('waiting', 1, { error: lost, retryAt: 5 }) };

    expect(toStatus(facts(failing))).to.include({ error: gone, retryAt: 5 });
    expect(toStatus(facts({ ...failing, failure: undefined })).error).to.equal(lost);
    expect(toStatus(facts({ connection: connection('connected', 0, { error: lost }) }))).not.to.have.property('error');
  });

  it('counts intents, not actions', () => {
    const entry = { group: 'g', sends: 0, action: { type: 'chat/draftChanged' as const } };
    const pending = [
      { ...entry, clientSeq: 1 },
      { ...entry, clientSeq: 2 },
      { ...entry, clientSeq: 3, group: 'h' },
    ];

    expect(toStatus(facts({ pending, waiting: 1 })).pending).to.equal(3);
  });
});
