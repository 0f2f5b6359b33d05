/** What every `ChatStore` promises to a view, run against each implementation. */
import { expect } from '@open-wc/testing';
import { draftChanged, pendingMessageSet, turnStarted } from '../../src/chat/actions.js';
import type { ChatStore, Rejection } from '../../src/chat/store.js';
import type { ChatAction, UnknownAction } from '../../src/protocol/actions.js';
import type { Turn } from '../../src/protocol/state.js';
import { createTurns, userMessage } from '../helpers/scripted-host.js';

export interface StoreUnderTest {
  readonly store: ChatStore;
  /** Applies what a host would do, and lets everything come to rest. */
  host(...actions: readonly (ChatAction | UnknownAction)[]): Promise<void>;
  /** Lets everything come to rest. */
  settle(): Promise<void>;
  /** Refuses the next group as a host does; called before it is dispatched, `settle` after it. */
  refuseNext(reason: string): void;
  close(): Promise<void>;
}

export interface StoreSetup {
  /** Finished turns in memory at the start. */
  readonly turns?: readonly Turn[];
  /** Older ones that `loadOlderTurns` finds. */
  readonly older?: readonly Turn[];
  /** The store has no state yet, and gets none. */
  readonly isEmpty?: boolean;
}

export function runChatStoreSuite(name: string, create: (setup: StoreSetup) => Promise<StoreUnderTest>): void {
  const start = (id: string) => turnStarted(id, userMessage(id), '2026-01-01T00:00:00.000Z');

  describe(`${name} as a chat store`, () => {
    let subject: StoreUnderTest;
    const open = async (setup: StoreSetup = {}) => {
      subject = await create(setup);
      return subject;
    };

    afterEach(async () => {
      await subject.close();
    });

    it('is loading without a state, and takes intents all the same', async () => {
      const { store } = await open({ isEmpty: true });

      store.dispatch(start('early'));

      expect(store.state).to.equal(undefined);
      expect(store.status.phase).to.be.oneOf(['loading', 'offline']);
    });

    it('is live with the state of the host', async () => {
      const { store } = await open({ turns: createTurns(2) });

      expect(store.status).to.include({ phase: 'live', pending: 0 });
      expect(store.status.unconfirmed).to.deep.equal([]);
      expect(store.state!.turns.map(({ id }) => id)).to.deep.equal(['t1', 't2']);
    });

    it('gives the same objects while nothing changes', async () => {
      const { store, host } = await open();
      const { state, status, session } = store;

      await host({ type: 'x-vendor/later' });
      store.dispatch();

      expect(store.state).to.equal(state);
      expect(store.status).to.equal(status);
      expect(store.session).to.equal(session);
    });

    it('tells its listeners of a change until they leave, also while they are told', async () => {
      const { store, host } = await open();
      const told: string[] = [];
      const endFirst = store.subscribe(() => {
        told.push('first');
        endSecond();
      });
      const endSecond = store.subscribe(() => told.push('second'));

      await host({ type: 'chat/activityChanged', activity: 'a' });
      const afterFirst = told.length;
      endFirst();
      endFirst();
      await host({ type: 'chat/activityChanged', activity: 'b' });

      expect(told[0]).to.equal('first');
      expect(told).not.to.include('second');
      expect(told).to.have.length(afterFirst);
    });

    it('shows an intent before it returns, and keeps it', async () => {
      const { store, settle } = await open();

      store.dispatch(start('mine'));
      expect(store.state!.activeTurn!.id).to.equal('mine');
      await settle();

      expect(store.state!.activeTurn!.id).to.equal('mine');
      expect(store.status.pending).to.equal(0);
    });

    it('applies a group in its order', async () => {
      const { store, settle } = await open();

      store.dispatch(start('mine'), pendingMessageSet('queued', 'q', userMessage('next')), draftChanged());
      await settle();

      expect(store.state!.activeTurn!.id).to.equal('mine');
      expect(store.state!.queuedMessages!.map(({ id }) => id)).to.deep.equal(['q']);
    });

    it('shares what an action does not touch', async () => {
      const { store, host } = await open({ turns: createTurns(3) });
      const { turns } = store.state!;

      await host({ type: 'chat/activityChanged', activity: 'busy' });

      expect(store.state!.turns).to.equal(turns);
    });

    it('gives a refused group back to whoever listens', async () => {
      const { store, refuseNext, settle } = await open();
      const rejections: Rejection[] = [];
      const end = store.onRejected((rejection) => rejections.push(rejection));

      refuseNext('No.');
      store.dispatch(start('refused'));
      await settle();
      end();
      refuseNext('No.');
      store.dispatch(start('refused again'));
      await settle();

      expect(rejections).to.have.length(1);
      expect(rejections[0]!.reason).to.equal('No.');
      expect(rejections[0]!.actions).to.deep.equal([start('refused')]);
    });

    it('ignores a retry and a discard of what it does not know', async () => {
      const { store } = await open();

      store.retry('nobody');
      store.discard('nobody');

      expect(store.status.unconfirmed).to.deep.equal([]);
    });

    it('puts older turns in front, and resolves when there are none', async () => {
      const all = createTurns(60);
      const { store, settle } = await open({ turns: all.slice(10), older: all.slice(0, 10) });
      expect(store.state!.turnsNextCursor).to.be.a('string');

      await Promise.all([store.loadOlderTurns(), settle()]);
      await Promise.all([store.loadOlderTurns(), settle()]);

      expect(store.state!.turns.map(({ id }) => id)).to.deep.equal(all.map(({ id }) => id));
      expect(store.state!.turnsNextCursor).to.equal(undefined);
    });
  });
}
