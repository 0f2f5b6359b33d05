import { expect } from '@open-wc/testing';
import { OlderTurns, type PagedChat } from '../../src/client/older-turns.js';
import { AhpError, RpcCode } from '../../src/protocol/errors.js';

/** A chat whose host answers every page with one older turn. */
function setup() {
  const asked: string[] = [];
  const chat: PagedChat & { first: string; refreshes: number; hidden: boolean; refusal: AhpError | undefined } = {
    first: 't9',
    refreshes: 0,
    hidden: false,
    hasOlder: true,
    isLive: true,
    refusal: undefined,
    findFirstTurn: () => chat.first,
    readKept: () => Promise.resolve({ turns: [], older: 'unknown' as const }),
    prepend: () => undefined,
    hideOlder: () => void (chat.hidden = true),
    refresh: () => {
      chat.refreshes++;
      older.onSnapshot('fresh', true);
      return Promise.resolve();
    },
    fetch: (cursor: string) => {
      asked.push(cursor);
      const { refusal } = chat;
      chat.refusal = undefined;
      if (refusal) return Promise.reject(refusal);
      chat.first = `before ${cursor}`;
      older.onPage('next');
      return Promise.resolve();
    },
  };
  const older = new OlderTurns(chat);
  return { chat, older, asked };
}

const refusal = (code: number) => new AhpError('rpc', 'No.', { rpc: { code, message: 'No.' } });

describe('a cursor', () => {
  for (const cursor of ['', '0', 't9', ' {"a":1}\n', '%2F../?x=1#y', '\u202e\u{1f600}']) {
    it(`${JSON.stringify(cursor)} goes back to the host as it came`, async () => {
      const { older, asked } = setup();
      older.onSnapshot(cursor, false);

      await older.load();

      expect(asked).to.deep.equal([cursor]);
    });
  }

  it('is followed by the one of the page that came', async () => {
    const { older, asked } = setup();
    older.onSnapshot('a', false);

    await older.load();
    await older.load();

    expect(asked).to.deep.equal(['a', 'next']);
  });

  it('does not outlive its connection: another snapshot is asked for first', async () => {
    const { chat, older, asked } = setup();
    older.onSnapshot('a', false);
    older.onLost();

    await older.load();

    expect(chat.refreshes).to.equal(1);
    expect(asked).to.deep.equal(['fresh']);
  });

  it('that the host does not know any more is replaced once, and a second refusal is told', async () => {
    const { chat, older, asked } = setup();
    older.onSnapshot('old', false);
    chat.refusal = refusal(RpcCode.InvalidParams);

    await older.load();
    expect(asked).to.deep.equal(['old', 'fresh']);
    chat.refusal = refusal(RpcCode.InternalError);
    const error: unknown = await older.load().catch((reason: unknown) => reason);

    expect((error as AhpError).rpc?.code).to.equal(RpcCode.InternalError);
  });

  it('is of no use with a host that has no pages: nothing more is offered', async () => {
    const { chat, older } = setup();
    older.onSnapshot('a', false);
    chat.refusal = refusal(RpcCode.MethodNotFound);

    await older.load();

    expect(chat.hidden).to.equal(true);
  });
});
