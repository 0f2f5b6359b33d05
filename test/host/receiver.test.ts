import { expect } from '@open-wc/testing';
import { adaptAction, adaptState } from '../../src/host/receiver.js';
import { CHAT, createFixture, finishedTurn, SESSION, turnStarted } from '../helpers/host-fixture.js';

const error = { errorType: 'quota', message: 'Enough.' };
const failed = finishedTurn('t1', {
  state: 'error',
  responseParts: [
    { kind: 'markdown', id: 'p', content: 'half' },
    { kind: 'error', error, resumable: true },
  ],
});

describe('a client of 0.8 and older', () => {
  const old = { protocolVersions: ['0.8.0'] };

  it('gets a failure on the turn, live and in snapshots', async () => {
    const { client: create, host } = createFixture();
    const client = await create('a', [CHAT], old);

    host.dispatch(CHAT, turnStarted('t1'));
    host.dispatch(CHAT, { type: 'chat/error', turnId: 't1', duration: 3, part: { kind: 'error', error } });
    await client.settle();
    const late = await create('b', [CHAT], old);

    expect(client.of(CHAT).at(-1)?.action).to.deep.equal({ type: 'chat/error', turnId: 't1', duration: 3, error });
    expect(client.chat(CHAT).turns[0]).to.deep.include({ error, responseParts: [], state: 'error' });
    expect(late.chat(CHAT)).to.deep.equal(client.chat(CHAT));
  });

  it('gets no error parts of a turn that was resumed', async () => {
    const { client: create, host } = createFixture({ turns: [failed] });
    host.dispatch(CHAT, { type: 'chat/turnResume', turnId: 't1' });

    const client = await create('a', [CHAT], old);

    expect(client.chat(CHAT).activeTurn?.responseParts.map(({ kind }) => kind)).to.deep.equal(['markdown']);
  });

  it('gets a failed session by its old word', async () => {
    const { client: create, host } = createFixture();
    host.dispatch(SESSION, { type: 'session/creationFailed', error });

    const client = await create('a', [SESSION], old);

    expect(client.session(SESSION).lifecycle).to.equal('creationFailed');
  });
});

describe('a client that reads everything', () => {
  const receiver = { protocolVersion: '1.0.0', hasCollections: true };

  it('gets the host’s own objects', () => {
    const action = { type: 'chat/turnsLoaded', turns: [failed] } as const;
    const state = { resource: CHAT, status: 1, modifiedAt: '', turns: [failed] };

    expect(adaptAction(receiver, action)).to.equal(action);
    expect(adaptState(receiver, state)).to.equal(state);
  });
});

describe('what needs no change', () => {
  const receiver = { protocolVersion: '0.6.0', hasCollections: false };

  it('stays the same object for every client', () => {
    const action = { type: 'chat/turnsLoaded', turns: [finishedTurn('t1')] } as const;
    const state = { resource: CHAT, status: 1, modifiedAt: '', turns: [finishedTurn('t1')] };

    expect(adaptAction(receiver, action)).to.equal(action);
    expect(adaptState(receiver, state)).to.equal(state);
  });
});
