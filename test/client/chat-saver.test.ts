import { expect } from '@open-wc/testing';
import { ChatSaver } from '../../src/client/chat-saver.js';
import type { ChatRecord } from '../../src/mirror/mirror.js';
import type { ActiveTurn, ChatState, Turn } from '../../src/protocol/state.js';
import { DiskMirror } from '../helpers/disk-mirror.js';
import { ManualClock, ManualEnvironment, ManualLocks, settle } from '../helpers/manual-environment.js';
import { CHAT, createTurns, userMessage } from '../helpers/scripted-host.js';

/** A chat whose state a test sets, saved by one of several documents. */
function setup(options: { locks?: ManualLocks | 'none'; clock?: ManualClock; costMs?: number } = {}) {
  const environment = new ManualEnvironment(options);
  const mirror = new DiskMirror();
  const saved: ChatState[] = [];
  mirror.saveChat = async (_channel, record) => {
    saved.push(record.state);
    if (options.costMs) environment.clock.advance(options.costMs);
  };
  let claims = 0;
  mirror.claimChat = () => void claims++;
  let record: ChatRecord | undefined;
  const saver = new ChatSaver({ environment, mirror, key: 'host', channel: CHAT, find: () => record });
  const set = (turns: readonly Turn[], text?: string) => {
    const activeTurn: ActiveTurn | undefined =
      text === undefined
        ? undefined
        : { id: 'run', message: userMessage('m'), responseParts: [{ kind: 'markdown', id: 'p', content: text }] };
    const state: ChatState = { resource: CHAT, status: 1, modifiedAt: '', turns, ...(activeTurn && { activeTurn }) };
    record = { state, isComplete: true, appliedSeq: 1, epoch: 'epoch', protocolVersion: '1.0.0' };
    saver.note();
  };
  return { environment, saver, set, saved, countClaims: () => claims };
}

describe('copying a chat to the mirror', () => {
  it('happens at once for a finished turn', async () => {
    const { saver, set, saved } = setup();
    await saver.start();

    set(createTurns(1));
    set(createTurns(2));

    expect(saved.map(({ turns }) => turns.length)).to.deep.equal([1, 2]);
  });

  it('happens every 500 ms for a running turn', async () => {
    const { environment, saver, set, saved } = setup();
    await saver.start();
    const turns = createTurns(1);
    set(turns);
    for (let count = 0; count < 100; count++) {
      set(turns, `text ${count}`);
      environment.advance(10);
    }

    expect(saved).to.have.length(1 + 2);
  });

  it('takes no more than a fiftieth of the time where writing is slow', async () => {
    const { environment, saver, set, saved } = setup({ costMs: 40 });
    await saver.start();
    const turns = createTurns(1);
    set(turns);
    for (let count = 0; count < 400; count++) {
      set(turns, `text ${count}`);
      environment.advance(10);
    }

    expect(saved).to.have.length(1 + 2);
  });

  it('does not happen for what did not change', async () => {
    const { saver, set, saved } = setup();
    await saver.start();
    const turns = createTurns(1);
    set(turns);

    saver.note();
    saver.note();

    expect(saved).to.have.length(1);
  });

  it('is done by one document at a time, which writes everything once', async () => {
    const [locks, clock] = [new ManualLocks(), new ManualClock()];
    const [first, second] = [setup({ locks, clock }), setup({ locks, clock })];
    await first.saver.start();
    void second.saver.start();
    await settle();
    first.set(createTurns(1));
    second.set(createTurns(1));
    expect([first.saved.length, second.saved.length]).to.deep.equal([1, 0]);

    first.saver.stop();
    await settle();

    expect(second.countClaims()).to.equal(1);
    expect(second.saved).to.have.length(1);
    first.set(createTurns(3));
    expect(first.saved).to.have.length(1);
  });

  it('does not happen without locks, where tabs would overwrite each other', async () => {
    const { saver, set, saved } = setup({ locks: 'none' });
    await saver.start();

    set(createTurns(1));

    expect(saved).to.deep.equal([]);
  });

  it('begins nothing when the page is left, and goes on when it is back', async () => {
    const { environment, saver, set, saved } = setup();
    await saver.start();
    const turns = createTurns(1);
    set(turns);
    set(turns, 'running');

    saver.suspend();
    environment.advance(5_000);
    set(createTurns(2));
    expect(saved).to.have.length(1);
    await saver.start();

    expect(saved.at(-1)!.turns).to.have.length(2);
  });

  it('writes what waits when it ends', async () => {
    const { saver, set, saved } = setup();
    await saver.start();
    const turns = createTurns(1);
    set(turns);
    set(turns, 'running');

    saver.stop();

    expect(saved.at(-1)!.activeTurn).not.to.equal(undefined);
  });
});
