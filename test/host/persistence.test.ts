import { expect } from '@open-wc/testing';
import type { JournalEntry } from '../../src/host/hooks.js';
import { createHost } from '../../src/host/create-host.js';
import { createLinkPair } from '../../src/host/link-pair.js';
import type { RestoreOptions } from '../../src/host/persistence.js';
import { CHAT, createFixture, finishedTurns, message, SESSION, turnStarted } from '../helpers/host-fixture.js';
import { ManualEnvironment } from '../helpers/manual-environment.js';
import { RawClient } from '../helpers/raw-client.js';

const agents = [{ provider: 'test', displayName: 'Test', description: '', models: [] }];
const createEmpty = () => createHost({ environment: new ManualEnvironment({ seed: 2 }), agents });

/** A host that has seen some work, and its journal as it stands on a disk. */
function createWorked() {
  const journal: JournalEntry[] = [];
  const fixture = createFixture({ turns: finishedTurns(2), hooks: { onCommitted: (entry) => journal.push(entry) } });
  const { host } = fixture;
  host.dispatch(CHAT, { type: 'chat/draftChanged', draft: message('half') });
  const second = host.createChat(SESSION, { title: 'Second' });
  host.startTurn(second, message('go'));
  host.dispatch(CHAT, turnStarted('t3'));
  host.dispatch(CHAT, { type: 'chat/turnComplete', turnId: 't3', duration: 5 });
  host.createSession({ resource: 'ahp-session:/gone', provider: 'test' });
  host.disposeSession('ahp-session:/gone');
  return { ...fixture, host, second, lines: () => journal.map((entry) => JSON.stringify(entry)) };
}

type Steered = ReturnType<typeof createSteered>;

const steering = (id: string, text: string, ...joins: string[]) =>
  ({
    type: 'chat/pendingMessageSet',
    kind: 'steering',
    id,
    message: { ...message(text), _meta: { 'ahp-chat/pending': { id, joins } } },
  }) as const;

/** A host whose running turn has read a steering message. */
function createSteered() {
  const entries: JournalEntry[] = [];
  const { host } = createFixture({
    hooks: {
      onCommitted: (entry) => entries.push(entry),
      runTurn(turn) {
        turn.takeSteering();
        return new Promise(() => undefined);
      },
    },
  });
  host.dispatch(CHAT, steering('a', 'first'));
  host.dispatch(CHAT, turnStarted('t1'));
  return { host, entries };
}

const read = (lines: readonly string[]) => lines.map((line) => JSON.parse(line) as JournalEntry);

describe('a host that was restarted', () => {
  it('has everything again from its journal alone', () => {
    const { host, second, lines } = createWorked();
    const again = createEmpty();

    again.restore({ journal: read(lines()), activeTurns: 'keep' });

    for (const uri of [CHAT, second]) expect(again.getChat(uri)).to.deep.equal(host.getChat(uri));
    expect(again.getSession(SESSION)).to.deep.equal(host.getSession(SESSION));
    expect(again.getSession('ahp-session:/gone')).to.equal(undefined);
    expect(again.listSessions()).to.deep.equal(host.listSessions());
    expect(again.root.activeSessions).to.equal(1);
  });

  it('has everything again from an export and the journal after it, whole or overlapping', () => {
    const { host, lines } = createWorked();
    const saved = JSON.parse(JSON.stringify(host.exportState())) as ReturnType<typeof host.exportState>;
    host.dispatch(CHAT, turnStarted('t4'));
    host.createChat(SESSION, { resource: 'ahp-chat:/third' });
    const again = createEmpty();

    again.restore({ saved, journal: read(lines()), activeTurns: 'keep' });

    expect(again.getChat(CHAT)).to.deep.equal(host.getChat(CHAT));
    expect(again.getSession(SESSION)).to.deep.equal(host.getSession(SESSION));
    expect(again.getChat('ahp-chat:/third')).to.deep.equal(host.getChat('ahp-chat:/third'));
  });

  for (const [way, options] of [
    ['its journal', ({ entries }: Steered) => ({ journal: entries })],
    ['an export', ({ host }: Steered) => ({ saved: host.exportState() })],
    [
      'an export and a journal that overlaps',
      ({ host, entries }: Steered) => ({ saved: host.exportState(), journal: entries }),
    ],
  ] as const) {
    it(`knows from ${way} which steering message was read, and cuts it out of the next`, async () => {
      const steered = createSteered();
      const again = createEmpty();
      again.restore(JSON.parse(JSON.stringify({ ...options(steered), activeTurns: 'keep' })) as RestoreOptions);
      const [end, other] = createLinkPair();
      again.connect(other);
      const client = new RawClient('client-a', end);
      await client.initialize();
      await client.subscribe(CHAT);

      client.dispatch(CHAT, steering('b', 'first\n\nsecond', 'a'));
      await client.settle();

      expect(client.chat(CHAT).steeringMessage?.message.text).to.equal('second');
    });
  }

  it('counts on above every number a client may have seen', () => {
    const { host, lines } = createWorked();
    const again = createEmpty();

    again.restore({ journal: read(lines()) });

    expect(again.serverSeq).to.be.greaterThan(host.serverSeq);
  });

  it('ends turns that ran with an error that can be resumed', () => {
    const { second, lines } = createWorked();
    const again = createEmpty();

    again.restore({ journal: read(lines()) });

    const chat = again.getChat(second);
    expect(chat?.activeTurn).to.equal(undefined);
    expect(chat?.turns[0]?.state).to.equal('error');
    expect(chat?.turns[0]?.responseParts.at(-1)).to.deep.include({ kind: 'error', resumable: true });
    expect(again.getSession(SESSION)?.chats.find(({ resource }) => resource === second)?.status).to.equal(2);
  });

  it('journals how those turns ended', () => {
    const { lines } = createWorked();
    const journal: JournalEntry[] = [];
    const again = createHost({
      environment: new ManualEnvironment(),
      agents,
      hooks: { onCommitted: (entry) => journal.push(entry) },
    });

    again.restore({ journal: read(lines()) });

    expect(journal.some((entry) => entry.kind === 'action' && entry.action.type === 'chat/error')).to.equal(true);
  });

  it('has no client with tools any more, and no session that is being created', async () => {
    const { client: create, host } = createFixture();
    const client = await create('a', [SESSION]);
    client.dispatch(SESSION, { type: 'session/activeClientSet', activeClient: { clientId: 'a', tools: [] } });
    await client.settle();
    host.createSession({ resource: 'ahp-session:/slow', provider: 'test', ready: new Promise(() => undefined) });
    const again = createEmpty();

    again.restore({ saved: host.exportState() });

    expect(again.getSession(SESSION)?.activeClients).to.deep.equal([]);
    expect(again.getSession('ahp-session:/slow')?.lifecycle).to.equal('failed');
  });

  it('keeps the queue of a chat waiting', () => {
    const { host } = createFixture();
    host.dispatch(CHAT, turnStarted('t1'));
    host.dispatch(CHAT, { type: 'chat/pendingMessageSet', kind: 'queued', id: 'q', message: message('later') });
    const again = createEmpty();

    again.restore({ saved: host.exportState() });

    expect(again.getChat(CHAT)?.activeTurn).to.equal(undefined);
    expect(again.getChat(CHAT)?.queuedMessages).to.have.length(1);
  });

  const broken: [what: string, entry: unknown][] = [
    ['nothing', null],
    ['a word', 'torn'],
    ['an entry without a number', { kind: 'action', channel: CHAT, action: { type: 'chat/truncated' } }],
    ['an entry without a channel', { kind: 'removed', serverSeq: 10_000 }],
    ['an action without an action', { kind: 'action', channel: CHAT, serverSeq: 10_000 }],
    ['an action for a chat that never was', { kind: 'action', channel: 'x', serverSeq: 10_000, action: { type: 'y' } }],
    ['a chat without a state', { kind: 'chat', channel: 'x', session: SESSION, serverSeq: 10_000 }],
    ['a chat of no session', { kind: 'chat', channel: 'x', session: 'none', serverSeq: 10_000, state: { turns: [] } }],
    ['a kind of a later version', { kind: 'sparkle', channel: CHAT, serverSeq: 10_000 }],
  ];
  for (const [what, entry] of broken) {
    it(`passes over ${what} in its journal`, () => {
      const { host, lines } = createWorked();
      const again = createEmpty();

      again.restore({ journal: [...read(lines()), entry as JournalEntry], activeTurns: 'keep' });

      expect(again.getChat(CHAT)).to.deep.equal(host.getChat(CHAT));
      expect(again.getChat('x')).to.equal(undefined);
    });
  }
});

describe('the journal', () => {
  it('is written before anybody is told', async () => {
    const order: string[] = [];
    const { client: create, host } = createFixture({
      hooks: {
        onCommitted: (entry) => {
          if (entry.kind === 'action' && entry.channel === CHAT) order.push(`journal ${entry.serverSeq}`);
        },
      },
    });
    const client = await create();
    order.length = 0;

    host.dispatch(CHAT, turnStarted('t1'));
    await client.settle();

    expect(order).to.deep.equal([`journal ${client.envelopes[0]?.serverSeq}`]);
  });

  it('holds no refusals, no terminals and no counts', async () => {
    const entries: JournalEntry[] = [];
    const { client: create, host } = createFixture({ hooks: { onCommitted: (entry) => entries.push(entry) } });
    const client = await create();
    entries.length = 0;

    client.dispatch(CHAT, { type: 'chat/turnCancelled', turnId: 'none', duration: 0 });
    host.createTerminal('t:1', { title: 'sh', content: [], claim: { kind: 'session', session: SESSION } });
    host.dispatch('t:1', { type: 'terminal/data', data: 'x' });
    await client.settle();

    expect(entries).to.deep.equal([]);
  });

  it('that fails is reported, and the chat goes on', async () => {
    const diagnosed: string[] = [];
    const { client: create, host } = createFixture({
      hooks: {
        onCommitted: () => {
          throw new Error('disk full');
        },
        onDiagnostic: ({ errorType }) => diagnosed.push(errorType),
      },
    });
    const client = await create();

    host.dispatch(CHAT, turnStarted('t1'));
    await client.settle();

    expect(client.chat(CHAT)).to.deep.equal(host.getChat(CHAT));
    expect(new Set(diagnosed)).to.deep.equal(new Set(['journal-failed']));
  });
});
