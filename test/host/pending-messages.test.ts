import { expect } from '@open-wc/testing';
import type { TurnHandle } from '../../src/host/turn-handle.js';
import { CHAT, createFixture, message, turnStarted } from '../helpers/host-fixture.js';

/** A host whose turns wait for the test. */
function createWaiting() {
  const turns: TurnHandle[] = [];
  const fixture = createFixture({
    hooks: {
      runTurn: (turn) => {
        turns.push(turn);
        return new Promise(() => undefined);
      },
    },
  });
  return { ...fixture, turns };
}

const queue = (id: string) => ({ type: 'chat/pendingMessageSet', kind: 'queued', id, message: message(id) }) as const;
const steer = (id: string) => ({ type: 'chat/pendingMessageSet', kind: 'steering', id, message: message(id) }) as const;

describe('the queue of a chat', () => {
  it('starts its head after a turn that ended by itself, and says so in two steps', async () => {
    const { client: create, host, turns } = createWaiting();
    const client = await create();
    host.dispatch(CHAT, turnStarted('t1'));
    client.dispatch(CHAT, queue('first'));
    client.dispatch(CHAT, queue('second'));
    await client.settle();

    turns[0]?.complete();
    await client.settle();

    const [removed, started] = client.of(CHAT).slice(-2);
    expect(removed?.action).to.deep.equal({ type: 'chat/pendingMessageRemoved', kind: 'queued', id: 'first' });
    expect(started?.action).to.deep.include({ type: 'chat/turnStarted', queuedMessageId: 'first' });
    expect(client.chat(CHAT).activeTurn?.message.text).to.equal('first');
    expect(client.chat(CHAT).queuedMessages?.map(({ id }) => id)).to.deep.equal(['second']);
  });

  it('runs empty in its order', async () => {
    const { host, turns } = createWaiting();
    host.dispatch(CHAT, turnStarted('t1'));
    for (const id of ['a', 'b', 'c']) host.dispatch(CHAT, queue(id));

    for (let index = 0; index < 4; index++) turns[index]?.complete();

    expect(host.getChat(CHAT)?.turns.map((turn) => turn.message.text)).to.deep.equal(['message of t1', 'a', 'b', 'c']);
    expect(host.getChat(CHAT)?.queuedMessages).to.equal(undefined);
  });

  it('starts at once when a message is queued while idle', async () => {
    const { client: create, host } = createWaiting();
    const client = await create();

    client.dispatch(CHAT, queue('now'));
    await client.settle();

    expect(host.getChat(CHAT)?.activeTurn?.message.text).to.equal('now');
    expect(client.chat(CHAT)).to.deep.equal(host.getChat(CHAT));
  });

  it('stays after a turn that was stopped', async () => {
    const { client: create, host } = createWaiting();
    const client = await create();
    host.dispatch(CHAT, turnStarted('t1'));
    client.dispatch(CHAT, queue('later'));

    client.dispatch(CHAT, { type: 'chat/turnCancelled', turnId: 't1', duration: 1 });
    await client.settle();

    expect(host.getChat(CHAT)?.activeTurn).to.equal(undefined);
    expect(host.getChat(CHAT)?.queuedMessages).to.have.length(1);
  });

  it('stays after a turn that failed, and after an edit in place', async () => {
    const { client: create, host, turns } = createWaiting();
    const client = await create();
    host.dispatch(CHAT, turnStarted('t1'));
    client.dispatch(CHAT, queue('later'));
    await client.settle();

    turns[0]?.fail({ errorType: 'x', message: 'x' });
    client.dispatch(CHAT, { ...queue('later'), message: message('edited') });
    await client.settle();

    expect(host.getChat(CHAT)?.activeTurn).to.equal(undefined);
    expect(host.getChat(CHAT)?.queuedMessages?.[0]?.message.text).to.equal('edited');
  });

  it('goes on after the next turn that ends by itself', async () => {
    const { client: create, host, turns } = createWaiting();
    const client = await create();
    host.dispatch(CHAT, turnStarted('t1'));
    client.dispatch(CHAT, queue('later'));
    client.dispatch(CHAT, { type: 'chat/turnCancelled', turnId: 't1', duration: 1 });
    client.dispatch(CHAT, turnStarted('t2'));
    await client.settle();

    turns[1]?.complete();

    expect(host.getChat(CHAT)?.activeTurn?.message.text).to.equal('later');
  });

  it('can be started by the host', () => {
    const { host } = createWaiting();
    host.dispatch(CHAT, turnStarted('t1'));
    host.dispatch(CHAT, queue('later'));
    host.dispatch(CHAT, { type: 'chat/turnCancelled', turnId: 't1', duration: 1 });

    const isStarted = host.startPending(CHAT);

    expect(isStarted).to.equal(true);
    expect(host.getChat(CHAT)?.activeTurn?.message.text).to.equal('later');
  });
});

describe('the steering message of a chat', () => {
  it('keeps the message that waits from being replaced by another client’s, unless that holds it', async () => {
    const { client: create, host } = createWaiting();
    const [one, two] = [await create('one'), await create('two')];
    host.dispatch(CHAT, turnStarted('t1'));
    one.dispatch(CHAT, steer('first'));
    two.dispatch(CHAT, steer('second'));
    await two.settle();

    expect(host.getChat(CHAT)!.steeringMessage!.id).to.equal('first');
    expect(two.of(CHAT).at(-1)!.rejectionReason).to.match(/^slot-taken: /);
    const mark = { 'ahp-chat/pending': { id: 'both', joins: ['first'] } };
    two.dispatch(CHAT, { ...steer('both'), message: message('both', { _meta: mark }) });
    await two.settle();
    expect(host.getChat(CHAT)!.steeringMessage!.id).to.equal('both');
  });

  it('is taken out of its slot by the agent at a convenient point', async () => {
    const { client: create, host, turns } = createWaiting();
    const client = await create();
    host.dispatch(CHAT, turnStarted('t1'));
    client.dispatch(CHAT, steer('s'));
    await client.settle();

    const taken = turns[0]?.takeSteering();
    await client.settle();

    expect(taken?.message.text).to.equal('s');
    expect(client.chat(CHAT).steeringMessage).to.equal(undefined);
    expect(client.chat(CHAT).activeTurn?.id).to.equal('t1');
    expect(turns[0]?.takeSteering()).to.equal(undefined);
  });

  it('starts the next turn, before the queue, when nobody took it', async () => {
    const { client: create, host, turns } = createWaiting();
    const client = await create();
    host.dispatch(CHAT, turnStarted('t1'));
    client.dispatch(CHAT, queue('q'));
    client.dispatch(CHAT, steer('s'));
    await client.settle();

    turns[0]?.complete();
    await client.settle();

    expect(client.of(CHAT).at(-1)?.action).to.deep.include({ type: 'chat/turnStarted', queuedMessageId: 's' });
    expect(client.chat(CHAT).steeringMessage).to.equal(undefined);
    expect(client.chat(CHAT).queuedMessages).to.have.length(1);
  });

  it('waits for a turn when it is set while idle', async () => {
    const { client: create, host, turns } = createWaiting();
    const client = await create();

    client.dispatch(CHAT, steer('s'));
    await client.settle();
    const idle = host.getChat(CHAT)?.activeTurn;
    client.dispatch(CHAT, turnStarted('t1'));
    await client.settle();

    expect(idle).to.equal(undefined);
    expect(turns[0]?.takeSteering()?.id).to.equal('s');
  });

  it('may be one of a list where both sides know the list', async () => {
    const turns: TurnHandle[] = [];
    const { client: create, host } = createFixture({
      steeringMessages: true,
      hooks: {
        runTurn: (turn) => {
          turns.push(turn);
          return new Promise(() => undefined);
        },
      },
    });
    const client = await create('a', [CHAT], { capabilities: { steeringMessages: {} } });
    host.dispatch(CHAT, turnStarted('t1'));

    client.dispatch(CHAT, { type: 'chat/steeringMessageSet', steeringMessage: { id: 's', message: message('s') } });
    await client.settle();
    const taken = turns[0]?.takeSteering();

    expect(taken?.id).to.equal('s');
    expect(host.getChat(CHAT)?.steeringMessages).to.equal(undefined);
  });

  describe('that was put behind another one by a client that had not heard the first was read', () => {
    /** As clients mark what they send: `text`, which takes the place of the messages `joins`. */
    const marked = (id: string, text: string, ...joins: string[]) =>
      ({
        type: 'chat/pendingMessageSet',
        kind: 'steering',
        id,
        message: { ...message(text), _meta: { 'ahp-chat/pending': { id, joins } } },
      }) as const;

    async function running() {
      const fixture = createWaiting();
      const client = await fixture.client();
      client.dispatch(CHAT, turnStarted('t1'));
      client.dispatch(CHAT, marked('a', 'a'));
      await client.settle();
      return { ...fixture, client };
    }

    it('is read as the rest of it, and shown as that', async () => {
      const { client, turns } = await running();

      turns[0]?.takeSteering();
      client.dispatch(CHAT, marked('b', 'a\n\nb', 'a'));
      await client.settle();
      const shown = client.chat(CHAT).steeringMessage;
      const taken = turns[0]?.takeSteering();

      expect(shown?.message.text).to.equal('b');
      expect(taken?.message.text).to.equal('b');
    });

    it('is read whole when the first one was not read yet', async () => {
      const { client, turns } = await running();

      client.dispatch(CHAT, marked('b', 'a\n\nb', 'a'));
      await client.settle();

      expect(turns[0]?.takeSteering()?.message.text).to.equal('a\n\nb');
      expect(turns[0]?.takeSteering()).to.equal(undefined);
    });

    it('is read piece by piece, however many were put together', async () => {
      const { client, turns } = await running();

      turns[0]?.takeSteering();
      client.dispatch(CHAT, marked('b', 'a\n\nb', 'a'));
      await client.settle();
      turns[0]?.takeSteering();
      client.dispatch(CHAT, marked('c', 'a\n\nb\n\nc', 'b', 'a'));
      await client.settle();

      expect(turns[0]?.takeSteering()?.message.text).to.equal('c');
    });

    it('does not start a turn with what the turn before it has read', async () => {
      const { client, host, turns } = await running();

      turns[0]?.takeSteering();
      client.dispatch(CHAT, marked('b', 'a\n\nb', 'a'));
      await client.settle();
      turns[0]?.complete();

      expect(host.getChat(CHAT)?.activeTurn?.message.text).to.equal('b');
    });

    it('does not repeat to a turn what the turn was started with', async () => {
      const { client, turns } = await running();

      turns[0]?.complete();
      client.dispatch(CHAT, marked('b', 'a\n\nb', 'a'));
      await client.settle();

      expect(turns[1]?.message.text).to.equal('a');
      expect(turns[1]?.takeSteering()?.message.text).to.equal('b');
    });

    it('stays as it is where the first one is not in it any more', async () => {
      const { client, turns } = await running();

      turns[0]?.takeSteering();
      client.dispatch(CHAT, marked('b', 'not a, but b', 'a'));
      await client.settle();

      expect(turns[0]?.takeSteering()?.message.text).to.equal('not a, but b');
    });
  });
});
