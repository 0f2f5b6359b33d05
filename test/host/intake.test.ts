import { expect } from '@open-wc/testing';
import type { StateAction } from '../../src/protocol/actions.js';
import {
  CHAT,
  createFixture,
  finishedTurn,
  finishedTurns,
  message,
  SESSION,
  turnStarted,
} from '../helpers/host-fixture.js';
import type { HostFixture, FixtureOptions } from '../helpers/host-fixture.js';

/** Lets the active turn `t1` have one tool call in the given form. */
function startCall(host: HostFixture['host'], ready: object, contributor?: object): void {
  host.dispatch(CHAT, turnStarted('t1'));
  const call = { turnId: 't1', toolCallId: 'call', toolName: 'tool', displayName: 'Tool' };
  host.dispatch(CHAT, { type: 'chat/toolCallStart', ...call, ...(contributor && { contributor }) } as StateAction);
  host.dispatch(CHAT, {
    type: 'chat/toolCallReady',
    turnId: 't1',
    toolCallId: 'call',
    invocationMessage: 'runs',
    toolInput: '{}',
    ...ready,
  });
}

const running = (host: HostFixture['host']) =>
  startCall(host, { confirmed: 'not-needed' }, { kind: 'client', clientId: 'a' });
const pending = (host: HostFixture['host']) => startCall(host, {});
const mine = { kind: 'client', clientId: 'a' };

const question = { id: 'q', message: 'Which?', kind: 'text', required: true };
function ask(host: HostFixture['host'], questions: object[] = [question]): void {
  host.dispatch(CHAT, turnStarted('t1'));
  host.dispatch(CHAT, { type: 'chat/inputRequested', request: { id: 'r', questions } } as StateAction);
}

const submitted = { state: 'submitted', value: { kind: 'text', value: 'this' } };
const result = { success: true, pastTenseMessage: 'done' };
const call = { turnId: 't1', toolCallId: 'call' };

interface Case {
  readonly name: string;
  readonly options?: FixtureOptions;
  readonly given?: (host: HostFixture['host']) => void;
  readonly action: object;
  readonly channel?: string;
  readonly clientId?: string;
  readonly versions?: readonly string[];
  /** The rule that refuses; absent: accepted. */
  readonly refusedBy?: string;
}

const choices = ['a', 'b'].map((id) => ({ id, label: id }));

const cases: readonly Case[] = [
  // toolCallConfirmed
  {
    name: 'confirming a call that waits for it',
    given: pending,
    action: { type: 'chat/toolCallConfirmed', ...call, approved: true, confirmed: 'user-action' },
  },
  {
    name: 'confirming a call that runs already',
    given: running,
    action: { type: 'chat/toolCallConfirmed', ...call, approved: true, confirmed: 'user-action' },
    refusedBy: 'not-pending',
  },
  {
    name: 'confirming a call of another turn',
    given: pending,
    action: { type: 'chat/toolCallConfirmed', ...call, turnId: 'other', approved: true, confirmed: 'user-action' },
    refusedBy: 'not-pending',
  },
  {
    name: 'changing an input that is not to be changed',
    given: pending,
    action: { type: 'chat/toolCallConfirmed', ...call, approved: true, confirmed: 'user-action', editedToolInput: 'x' },
    refusedBy: 'not-editable',
  },
  {
    name: 'changing an input that may be changed',
    given: (host) => startCall(host, { editable: true }),
    action: { type: 'chat/toolCallConfirmed', ...call, approved: true, confirmed: 'user-action', editedToolInput: 'x' },
  },
  {
    name: 'denying with a suggestion that is no message of a user',
    given: pending,
    action: {
      type: 'chat/toolCallConfirmed',
      ...call,
      approved: false,
      reason: 'denied',
      userSuggestion: { text: 'x', origin: { kind: 'agent' } },
    },
    refusedBy: 'origin',
  },
  {
    name: 'confirming a result nobody asked about',
    given: running,
    action: { type: 'chat/toolCallResultConfirmed', ...call, approved: true },
    refusedBy: 'not-pending',
  },
  // turnCancelled
  {
    name: 'cancelling the turn that runs',
    given: (host) => host.dispatch(CHAT, turnStarted('t1')),
    action: { type: 'chat/turnCancelled', turnId: 't1', duration: 3 },
  },
  {
    name: 'cancelling where no turn runs',
    action: { type: 'chat/turnCancelled', turnId: 't1', duration: 3 },
    refusedBy: 'not-active',
  },
  {
    name: 'cancelling another turn than the one that runs',
    given: (host) => host.dispatch(CHAT, turnStarted('t1')),
    action: { type: 'chat/turnCancelled', turnId: 't2', duration: 3 },
    refusedBy: 'not-active',
  },
  // turnResume
  {
    name: 'resuming a turn that offers it',
    options: { turns: [failedTurn(true)] },
    action: { type: 'chat/turnResume', turnId: 't1' },
  },
  {
    name: 'resuming a turn that does not offer it',
    options: { turns: [failedTurn(false)] },
    action: { type: 'chat/turnResume', turnId: 't1' },
    refusedBy: 'not-resumable',
  },
  {
    name: 'resuming a turn that is not the last',
    options: { turns: [failedTurn(true), finishedTurn('t2')] },
    action: { type: 'chat/turnResume', turnId: 't1' },
    refusedBy: 'not-resumable',
  },
  {
    name: 'resuming while another turn runs',
    options: { turns: [failedTurn(true)] },
    given: (host) => host.dispatch(CHAT, turnStarted('t2')),
    action: { type: 'chat/turnResume', turnId: 't1' },
    refusedBy: 'not-resumable',
  },
  {
    name: 'resuming by a version that has no resume',
    options: { turns: [failedTurn(true)] },
    action: { type: 'chat/turnResume', turnId: 't1' },
    versions: ['0.8.0'],
    refusedBy: 'not-dispatchable',
  },
  // toolCallComplete and ContentChanged
  { name: 'completing a call of its own', given: running, action: { type: 'chat/toolCallComplete', ...call, result } },
  {
    name: 'completing a call of another client',
    given: running,
    clientId: 'b',
    action: { type: 'chat/toolCallComplete', ...call, result },
    refusedBy: 'not-owner',
  },
  {
    name: 'completing a call of the host',
    given: (host) => startCall(host, { confirmed: 'not-needed' }),
    action: { type: 'chat/toolCallComplete', ...call, result },
    refusedBy: 'not-owner',
  },
  {
    name: 'completing a call that is over',
    given(host) {
      running(host);
      host.dispatch(CHAT, { type: 'chat/toolCallComplete', ...call, result });
    },
    action: { type: 'chat/toolCallComplete', ...call, result },
    refusedBy: 'not-running',
  },
  {
    name: 'completing an unknown call',
    given: running,
    action: { type: 'chat/toolCallComplete', turnId: 't1', toolCallId: 'other', result },
    refusedBy: 'unknown-call',
  },
  {
    name: 'giving up a call that waits for a token, by anybody',
    given: waitingForToken,
    clientId: 'b',
    action: { type: 'chat/toolCallComplete', ...call, result: { ...result, success: false } },
  },
  {
    name: 'success of a call that waits for a token',
    given: waitingForToken,
    action: { type: 'chat/toolCallComplete', ...call, result },
    refusedBy: 'auth-required',
  },
  {
    name: 'live content of a call of its own',
    given: running,
    action: { type: 'chat/toolCallContentChanged', ...call, content: [] },
  },
  {
    name: 'live content of a call of another client',
    given: running,
    clientId: 'b',
    action: { type: 'chat/toolCallContentChanged', ...call, content: [] },
    refusedBy: 'not-owner',
  },
  {
    name: 'live content of a call that does not run yet',
    given: (host) => startCall(host, {}, mine),
    action: { type: 'chat/toolCallContentChanged', ...call, content: [] },
    refusedBy: 'not-running',
  },
  // input requests
  {
    name: 'a draft of an answer',
    given: ask,
    action: {
      type: 'chat/inputAnswerChanged',
      requestId: 'r',
      questionId: 'q',
      answer: { ...submitted, state: 'draft' },
    },
  },
  {
    name: 'taking an answer back',
    given: ask,
    action: { type: 'chat/inputAnswerChanged', requestId: 'r', questionId: 'q' },
  },
  {
    name: 'an answer to a request that is not open',
    given: ask,
    action: { type: 'chat/inputAnswerChanged', requestId: 'other', questionId: 'q', answer: submitted },
    refusedBy: 'not-open',
  },
  {
    name: 'an answer to a question nobody asked',
    given: ask,
    action: { type: 'chat/inputAnswerChanged', requestId: 'r', questionId: '__proto__', answer: submitted },
    refusedBy: 'unknown-question',
  },
  {
    name: 'an answer without a value',
    given: ask,
    action: { type: 'chat/inputAnswerChanged', requestId: 'r', questionId: 'q', answer: { state: 'draft' } },
    refusedBy: 'malformed',
  },
  {
    name: 'an answer of the wrong kind',
    given: ask,
    action: {
      type: 'chat/inputAnswerChanged',
      requestId: 'r',
      questionId: 'q',
      answer: { state: 'draft', value: { kind: 'number', value: 1 } },
    },
    refusedBy: 'wrong-answer',
  },
  {
    name: 'accepting with every required answer',
    given: ask,
    action: { type: 'chat/inputCompleted', requestId: 'r', response: 'accept', answers: { q: submitted } },
  },
  {
    name: 'accepting with an answer that was submitted before',
    given(host) {
      ask(host);
      host.dispatch(CHAT, {
        type: 'chat/inputAnswerChanged',
        requestId: 'r',
        questionId: 'q',
        answer: submitted,
      } as StateAction);
    },
    action: { type: 'chat/inputCompleted', requestId: 'r', response: 'accept' },
  },
  {
    name: 'accepting without a required answer',
    given: ask,
    action: { type: 'chat/inputCompleted', requestId: 'r', response: 'accept' },
    refusedBy: 'unanswered',
  },
  {
    name: 'accepting with a required answer that is a draft',
    given: ask,
    action: {
      type: 'chat/inputCompleted',
      requestId: 'r',
      response: 'accept',
      answers: { q: { ...submitted, state: 'draft' } },
    },
    refusedBy: 'unanswered',
  },
  {
    name: 'declining without any answer',
    given: ask,
    action: { type: 'chat/inputCompleted', requestId: 'r', response: 'decline' },
  },
  {
    name: 'completing a request that is not open',
    action: { type: 'chat/inputCompleted', requestId: 'r', response: 'cancel' },
    refusedBy: 'not-open',
  },
  {
    name: 'an answer to a question of a later version',
    given: (host) => ask(host, [{ id: 'q', message: 'Which?', kind: 'colour-wheel' }]),
    action: { type: 'chat/inputAnswerChanged', requestId: 'r', questionId: 'q', answer: submitted },
  },
  ...(
    [
      ['integer', { kind: 'number', value: 3 }, true],
      ['number', { kind: 'number', value: '3' }, false],
      ['boolean', { kind: 'boolean', value: 'yes' }, false],
      ['multi-select', { kind: 'selected-many', value: ['a', 'b'] }, true],
      ['multi-select', { kind: 'selected-many', value: 'a' }, false],
      ['single-select', { kind: 'selected', value: '', freeformValues: ['own words'] }, true],
      ['single-select', { kind: 'selected-many', value: ['a'] }, false],
    ] as const
  ).map(([kind, value, fits]): Case => ({
    name: `${JSON.stringify(value)} as an answer of kind ${kind}`,
    given: (host) => ask(host, [{ id: 'q', message: '?', kind, options: choices, allowFreeformInput: true }]),
    action: {
      type: 'chat/inputCompleted',
      requestId: 'r',
      response: 'accept',
      answers: { q: { state: 'submitted', value } },
    },
    ...(!fits && { refusedBy: 'wrong-answer' }),
  })),
  {
    name: 'skipping a question',
    given: ask,
    action: { type: 'chat/inputAnswerChanged', requestId: 'r', questionId: 'q', answer: { state: 'skipped' } },
  },
  // pending messages
  {
    name: 'queueing a message again of which a turn was made',
    given: (host) => {
      const marked = { ...message('x'), _meta: { 'ahp-chat/pending': { id: 'm' } } };
      host.dispatch(CHAT, turnStarted('t1', { message: marked }));
    },
    action: { type: 'chat/pendingMessageSet', kind: 'queued', id: 'm', message: message('x, better') },
    refusedBy: 'already-taken',
  },
  {
    name: 'removing a queued message',
    given: queued,
    action: { type: 'chat/pendingMessageRemoved', kind: 'queued', id: 'm' },
  },
  {
    name: 'removing a message of the other kind',
    given: queued,
    action: { type: 'chat/pendingMessageRemoved', kind: 'steering', id: 'm' },
    refusedBy: 'unknown-message',
  },
  {
    name: 'removing an unknown message',
    given: queued,
    action: { type: 'chat/pendingMessageRemoved', kind: 'queued', id: 'other' },
    refusedBy: 'unknown-message',
  },
  {
    name: 'a pending message of an unknown kind',
    action: { type: 'chat/pendingMessageSet', kind: 'later', id: 'm', message: message('x') },
    refusedBy: 'malformed',
  },
  {
    name: 'the list form of steering where it was not agreed on',
    action: { type: 'chat/steeringMessageSet', steeringMessage: { id: 's', message: message('x') } },
    refusedBy: 'not-dispatchable',
  },
  // turnStarted
  { name: 'a turn', action: turnStarted('t1') },
  {
    name: 'a turn while another one runs',
    given: (host) => host.dispatch(CHAT, turnStarted('t1')),
    action: turnStarted('t2'),
    refusedBy: 'turn-active',
  },
  {
    name: 'a message that is not of a user',
    action: turnStarted('t1', { message: { text: 'x', origin: { kind: 'agent' } } }),
    refusedBy: 'origin',
  },
  {
    name: 'a message without a text',
    action: { ...turnStarted('t1'), message: { origin: { kind: 'user' } } },
    refusedBy: 'malformed',
  },
  {
    name: 'a model without an id',
    action: turnStarted('t1', { message: { ...message('x'), model: {} as never } }),
    refusedBy: 'malformed',
  },
  {
    name: 'an agent without a URI',
    action: turnStarted('t1', { message: { ...message('x'), agent: {} as never } }),
    refusedBy: 'malformed',
  },
  { name: 'a turn without a message', action: { ...turnStarted('t1'), message: undefined }, refusedBy: 'malformed' },
  { name: 'a turn without an id', action: { ...turnStarted('t1'), turnId: '' }, refusedBy: 'malformed' },
  // working directories
  {
    name: 'a directory of the session',
    given: () => undefined,
    action: { type: 'chat/workingDirectorySet', directory: 'file:///known' },
    options: withDirectories(true),
    channel: 'ahp-chat:/dirs',
  },
  {
    name: 'a directory that is not in the session',
    action: { type: 'chat/workingDirectorySet', directory: 'file:///other' },
    options: withDirectories(true),
    channel: 'ahp-chat:/dirs',
    refusedBy: 'unknown-directory',
  },
  {
    name: 'a directory for an agent that has one set of them',
    action: { type: 'chat/workingDirectorySet', directory: 'file:///known' },
    options: withDirectories(false),
    channel: 'ahp-chat:/dirs',
    refusedBy: 'not-supported',
  },
  // truncation
  {
    name: 'cutting off after a known turn',
    options: { turns: finishedTurns(3) },
    action: { type: 'chat/truncated', turnId: 't1' },
  },
  { name: 'cutting off everything', options: { turns: finishedTurns(3) }, action: { type: 'chat/truncated' } },
  {
    name: 'cutting off after an unknown turn',
    options: { turns: finishedTurns(3) },
    action: { type: 'chat/truncated', turnId: 'other' },
    refusedBy: 'unknown-turn',
  },
  // what clients do not send
  {
    name: 'a delta',
    action: { type: 'chat/delta', turnId: 't1', partId: 'p', content: 'x' },
    refusedBy: 'not-dispatchable',
  },
  { name: 'a page of turns', action: { type: 'chat/turnsLoaded', turns: [] }, refusedBy: 'not-dispatchable' },
  { name: 'an action of a later version', action: { type: 'chat/sparkle' }, refusedBy: 'not-dispatchable' },
  { name: 'an action called "constructor"', action: { type: 'constructor' }, refusedBy: 'not-dispatchable' },
  {
    name: 'an action of another channel',
    action: { type: 'session/titleChanged', title: 'x' },
    refusedBy: 'not-dispatchable',
  },
  { name: 'a read mark', action: { type: 'chat/isReadChanged', isRead: true } },
  {
    name: 'a read mark by a version that has none',
    action: { type: 'chat/isReadChanged', isRead: true },
    versions: ['0.8.0'],
    refusedBy: 'not-dispatchable',
  },
  { name: 'a draft', action: { type: 'chat/draftChanged', draft: message('half') } },
  { name: 'the end of a draft', action: { type: 'chat/draftChanged' } },
  { name: 'the end of a draft said as null', action: { type: 'chat/draftChanged', draft: null } },
  // sessions and the root
  { name: 'a session title', channel: SESSION, action: { type: 'session/titleChanged', title: 'New' } },
  {
    name: 'tools of its own',
    channel: SESSION,
    action: { type: 'session/activeClientSet', activeClient: { clientId: 'a', tools: [] } },
  },
  {
    name: 'tools of another client',
    channel: SESSION,
    action: { type: 'session/activeClientSet', activeClient: { clientId: 'b', tools: [] } },
    refusedBy: 'not-owner',
  },
  {
    name: 'the removal of another client',
    channel: SESSION,
    action: { type: 'session/activeClientRemoved', clientId: 'b' },
    refusedBy: 'not-owner',
  },
  {
    name: 'a setting of a session that has none',
    channel: SESSION,
    action: { type: 'session/configChanged', config: { a: 1 } },
    refusedBy: 'no-config',
  },
  {
    name: 'switching an agent of a plugin off',
    given: (host) =>
      host.dispatch(SESSION, {
        type: 'session/customizationsChanged',
        customizations: [{ type: 'plugin', id: 'p', name: 'P', children: [{ type: 'agent', id: 'a', name: 'A' }] }],
      }),
    channel: SESSION,
    action: { type: 'session/customizationToggled', id: 'a', enabled: false },
  },
  {
    name: 'switching off what the session does not have',
    channel: SESSION,
    action: { type: 'session/customizationToggled', id: 'a', enabled: false },
    refusedBy: 'unknown-customization',
  },
  { name: 'ready by a client', channel: SESSION, action: { type: 'session/ready' }, refusedBy: 'not-dispatchable' },
  {
    name: 'a setting of a host',
    options: { config: { schema: { properties: {} }, values: {} } },
    channel: 'ahp-root://',
    action: { type: 'root/configChanged', config: { a: 1 } },
  },
  {
    name: 'a setting of a host that has none',
    channel: 'ahp-root://',
    action: { type: 'root/configChanged', config: { a: 1 } },
    refusedBy: 'no-config',
  },
];

function failedTurn(resumable: boolean) {
  return finishedTurn('t1', {
    state: 'error',
    responseParts: [{ kind: 'error', error: { errorType: 'x', message: 'x' }, resumable }],
  });
}

function waitingForToken(host: HostFixture['host']): void {
  startCall(host, { confirmed: 'not-needed' }, { kind: 'mcp', customizationId: 'server' });
  const auth = { reason: 'required', resource: { resource: 'https://token.example' } };
  host.dispatch(CHAT, { type: 'chat/toolCallAuthRequired', ...call, auth });
}

function queued(host: HostFixture['host']): void {
  host.dispatch(CHAT, turnStarted('t1'));
  host.dispatch(CHAT, { type: 'chat/pendingMessageSet', kind: 'queued', id: 'm', message: message('x') });
}

/** A second session whose agent may or may not work in several directories. */
function withDirectories(isSupported: boolean): FixtureOptions {
  return { capabilities: isSupported ? { multipleWorkingDirectories: {} } : {} };
}

function openSecondSession(host: HostFixture['host']): void {
  host.createSession({
    resource: 'ahp-session:/dirs',
    provider: 'test',
    workingDirectories: ['file:///known'],
    defaultChat: 'ahp-chat:/dirs',
  });
}

describe('what a host makes of a client action', () => {
  for (const { name, options, given, action, channel = CHAT, clientId = 'a', versions, refusedBy } of cases) {
    it(`${refusedBy ? `refuses ${name} (${refusedBy})` : `accepts ${name}`}`, async () => {
      const { client: create, host } = createFixture(options);
      if (channel === 'ahp-chat:/dirs') openSecondSession(host);
      given?.(host);
      const client = await create(clientId, [channel], versions ? { protocolVersions: versions } : {});
      const before = JSON.stringify([host.getChat(CHAT), host.getSession(SESSION)]);

      const clientSeq = client.dispatch(channel, action);
      await client.settle();

      const echo = client.envelopes.find(({ origin }) => origin?.clientSeq === clientSeq);
      expect(echo?.origin).to.deep.equal({ clientId, clientSeq });
      expect(echo?.rejectionReason?.split(':')[0]).to.equal(refusedBy);
      if (refusedBy) expect(JSON.stringify([host.getChat(CHAT), host.getSession(SESSION)])).to.equal(before);
    });
  }

  it('tells nobody but the sender of a refusal', async () => {
    const { client: create } = createFixture();
    const [sender, other] = [await create('a'), await create('b')];

    sender.dispatch(CHAT, { type: 'chat/turnCancelled', turnId: 'none', duration: 0 });
    await sender.settle();

    expect(sender.envelopes).to.have.length(1);
    expect(other.envelopes).to.deep.equal([]);
  });

  it('tells the sender of a refusal also where it is not subscribed', async () => {
    const client = await createFixture().client('a', []);

    client.dispatch(CHAT, { type: 'chat/turnCancelled', turnId: 'none', duration: 0 });
    await client.settle();

    expect(client.envelopes[0]?.rejectionReason).to.match(/^not-active/);
  });

  it('brings the words of a sender back as they came, also to one that does not know collections', async () => {
    const client = await createFixture().client('a', [CHAT], { capabilities: {} });
    const action = { type: 'chat/turnStarted', turnId: 't1', startedAt: 7, extra: [1] };

    client.dispatch(CHAT, action);
    await client.settle();

    expect(client.envelopes[0]?.rejectionReason).to.match(/^malformed/);
    expect(client.envelopes[0]?.action).to.deep.equal(action);
  });

  const silent: [what: string, params: object][] = [
    ['an unknown channel', { channel: 'ahp-chat:/unknown', clientSeq: 1, action: turnStarted('t1') }],
    ['no channel', { clientSeq: 1, action: turnStarted('t1') }],
    ['no clientSeq', { channel: CHAT, action: turnStarted('t1') }],
    ['a clientSeq that is no whole number', { channel: CHAT, clientSeq: 1.5, action: turnStarted('t1') }],
    ['no action', { channel: CHAT, clientSeq: 1 }],
    ['an action that is a list', { channel: CHAT, clientSeq: 1, action: [] }],
    ['an action without a type', { channel: CHAT, clientSeq: 1, action: { turnId: 't1' } }],
  ];
  for (const [what, params] of silent) {
    it(`is silent about ${what}`, async () => {
      const { client: create, host } = createFixture();
      const client = await create();

      client.send({ method: 'dispatchAction', params });
      await client.settle();

      expect(client.envelopes).to.deep.equal([]);
      expect(host.getChat(CHAT)?.activeTurn).to.equal(undefined);
    });
  }

  it('takes a turn that is known already without starting it again', async () => {
    let runs = 0;
    const { client: create, host } = createFixture({
      hooks: {
        runTurn: () => {
          runs++;
          return new Promise(() => undefined);
        },
      },
    });
    const client = await create();
    client.dispatch(CHAT, turnStarted('t1'));
    await client.settle();
    host.dispatch(CHAT, { type: 'chat/responsePart', turnId: 't1', part: { kind: 'markdown', id: 'p', content: 'x' } });
    const before = host.getChat(CHAT);

    const again = client.dispatch(CHAT, turnStarted('t1'));
    await client.settle();

    expect(host.getChat(CHAT)).to.equal(before);
    expect(runs).to.equal(1);
    expect(client.envelopes.at(-1)?.origin?.clientSeq).to.equal(again);
    expect(client.envelopes.at(-1)?.rejectionReason).to.equal(undefined);
  });

  it('lets a client answer in a chat it is not subscribed to', async () => {
    const { client: create, host } = createFixture();
    pending(host);
    const client = await create('a', [SESSION]);

    client.dispatch(CHAT, { type: 'chat/toolCallConfirmed', ...call, approved: true, confirmed: 'user-action' });
    await client.settle();

    expect(client.of(CHAT)).to.deep.equal([]);
    expect(client.session(SESSION).inputNeeded).to.equal(undefined);
  });
});

describe('a read-only chat', () => {
  const createReadOnly = () => {
    const fixture = createFixture();
    fixture.host.createChat(SESSION, { resource: 'ahp-chat:/worker', interactivity: 'read-only' });
    return fixture;
  };

  it('takes no messages, drafts or cuts', async () => {
    const client = await createReadOnly().client('a', ['ahp-chat:/worker']);
    for (const action of [
      turnStarted('t1'),
      { type: 'chat/draftChanged', draft: message('x') },
      { type: 'chat/truncated' },
      { type: 'chat/pendingMessageSet', kind: 'queued', id: 'm', message: message('x') },
    ]) {
      client.dispatch('ahp-chat:/worker', action);
    }

    await client.settle();

    expect(client.envelopes.map(({ rejectionReason }) => rejectionReason?.split(':')[0])).to.deep.equal(
      Array(4).fill('read-only'),
    );
  });

  it('takes answers to what it asks', async () => {
    const { client: create, host } = createReadOnly();
    const client = await create('a', ['ahp-chat:/worker']);
    host.startTurn('ahp-chat:/worker', message('work'));
    host.dispatch('ahp-chat:/worker', { type: 'chat/inputRequested', request: { id: 'r' } });

    client.dispatch('ahp-chat:/worker', { type: 'chat/inputCompleted', requestId: 'r', response: 'accept' });
    await client.settle();

    expect(client.envelopes.at(-1)?.rejectionReason).to.equal(undefined);
    expect(host.getChat('ahp-chat:/worker')?.status).to.equal(8);
  });
});

describe('the decision of a host about an action', () => {
  it('may alter it: the echo is what is applied', async () => {
    const { client: create, host } = createFixture({
      hooks: {
        decide: (action) =>
          action.type === 'chat/turnStarted'
            ? { kind: 'accept', action: { ...action, message: message('rewritten') } }
            : undefined,
      },
    });
    const client = await create();

    client.dispatch(CHAT, turnStarted('t1'));
    await client.settle();

    expect(client.chat(CHAT).activeTurn?.message.text).to.equal('rewritten');
    expect(host.getChat(CHAT)).to.deep.equal(client.chat(CHAT));
  });

  it('may refuse it', async () => {
    const { client: create } = createFixture({ hooks: { decide: () => ({ kind: 'refuse', reason: 'not today' }) } });
    const client = await create();

    client.dispatch(CHAT, turnStarted('t1'));
    await client.settle();

    expect(client.envelopes[0]?.rejectionReason).to.equal('not today');
  });

  it('may pass it over in silence', async () => {
    const { client: create, host } = createFixture({ hooks: { decide: () => ({ kind: 'silent' }) } });
    const client = await create();

    client.dispatch(CHAT, turnStarted('t1'));
    await client.settle();

    expect(client.envelopes).to.deep.equal([]);
    expect(host.getChat(CHAT)?.activeTurn).to.equal(undefined);
  });

  it('is asked only about what the rules let pass', async () => {
    const asked: string[] = [];
    const { client: create } = createFixture({
      hooks: {
        decide: ({ type }) => {
          asked.push(type);
          return undefined;
        },
      },
    });
    const client = await create();

    client.dispatch(CHAT, { type: 'chat/turnCancelled', turnId: 'none', duration: 0 });
    client.dispatch(CHAT, turnStarted('t1'));
    await client.settle();

    expect(asked).to.deep.equal(['chat/turnStarted']);
  });

  it('keeps later actions of the channel waiting while it is open', async () => {
    let decide = () => {};
    const open = new Promise<undefined>((resolve) => (decide = () => resolve(undefined)));
    const { client: create } = createFixture({
      hooks: { decide: ({ type }) => (type === 'chat/turnStarted' ? open : undefined) },
    });
    const client = await create('a', [CHAT, SESSION]);

    client.dispatch(CHAT, turnStarted('t1'));
    client.dispatch(CHAT, { type: 'chat/turnCancelled', turnId: 't1', duration: 1 });
    client.dispatch(SESSION, { type: 'session/titleChanged', title: 'not waiting' });
    await client.settle();
    const early = client.envelopes.map(({ action }) => action.type);
    decide();
    await client.settle();

    expect(early).to.deep.equal(['session/titleChanged']);
    expect(client.of(CHAT).map(({ action }) => action.type)).to.deep.equal(['chat/turnStarted', 'chat/turnCancelled']);
  });

  it('is checked against the rules again when it comes late', async () => {
    let decide = () => {};
    const open = new Promise<undefined>((resolve) => (decide = () => resolve(undefined)));
    const { client: create, host } = createFixture({ hooks: { decide: () => open } });
    const client = await create();
    client.dispatch(CHAT, turnStarted('t1'));
    await client.settle();

    host.dispatch(CHAT, turnStarted('of the host'));
    decide();
    await client.settle();

    expect(client.envelopes.at(-1)?.rejectionReason).to.match(/^turn-active/);
  });

  it('comes to nothing when the host was closed or the chat disposed of in the meantime', async () => {
    for (const end of ['close', 'dispose'] as const) {
      let decide = () => {};
      const open = new Promise<undefined>((resolve) => (decide = () => resolve(undefined)));
      const { client: create, host } = createFixture({ hooks: { decide: () => open } });
      const client = await create();
      client.dispatch(CHAT, turnStarted('t1'));
      await client.settle();

      if (end === 'close') host.close();
      else host.disposeChat(CHAT);
      const { serverSeq } = host;
      decide();
      await client.settle();

      expect(host.serverSeq).to.equal(serverSeq);
    }
  });

  for (const [how, decide] of [
    [
      'throws',
      () => {
        throw new Error('broken');
      },
    ],
    ['rejects', () => Promise.reject(new Error('broken'))],
  ] as const) {
    it(`counts as a refusal when it ${how}`, async () => {
      const { client: create } = createFixture({ hooks: { decide } });
      const client = await create();

      client.dispatch(CHAT, turnStarted('t1'));
      await client.settle();

      expect(client.envelopes[0]?.rejectionReason).to.match(/^host-failed/);
    });
  }
});

describe('settings of a session', () => {
  const config = {
    schema: { properties: { open: { type: 'string', sessionMutable: true }, fixed: { type: 'string' } } },
    values: {},
  };

  for (const [name, isAccepted] of [
    ['open', true],
    ['fixed', false],
    ['unknown', false],
    ['__proto__', false],
  ] as const) {
    it(`${isAccepted ? 'takes' : 'refuses'} a change of "${name}"`, async () => {
      const { client: create, host } = createFixture();
      host.createSession({ resource: 'ahp-session:/set', provider: 'test', config });
      const client = await create('a', ['ahp-session:/set']);

      client.send(
        `{"method":"dispatchAction","params":{"channel":"ahp-session:/set","clientSeq":1,"action":{"type":"session/configChanged","config":{"${name}":"x"}}}}`,
      );
      await client.settle();

      const reason = client.envelopes.at(-1)?.rejectionReason;
      expect(reason === undefined).to.equal(isAccepted);
    });
  }
});
