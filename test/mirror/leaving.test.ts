/** Real pages that are left in the middle of something. */

import { expect } from '@open-wc/testing';
import { deleteRaw, newHostKey, open } from './databases.js';
import { next } from './faulty-factory.js';
import { CHAT, draft, entry, ids } from './samples.js';

describe('a page that is left', () => {
  let hostKey: string;

  beforeEach(() => {
    hostKey = newHostKey();
  });

  afterEach(() => {
    // Not waited for: in WebKit a page that goes in the middle of a commit may keep its connection as long as its process
    // lives. Others read and write all the same; an upgrade or a deletion finds the database blocked.
    void deleteRaw(hostKey);
  });

  /** Opens a page, tells it what to do last, and gives what another page finds afterwards. */
  async function leaveWith(last: string) {
    const frame = document.createElement('iframe');
    frame.src = new URL(`./pages/leaving.html?host=${encodeURIComponent(hostKey)}`, import.meta.url).href;
    document.body.append(frame);
    await next(globalThis, 'message');
    const gone = next(frame, 'load');
    frame.contentWindow!.postMessage(last, location.origin);
    await gone;

    const { mirror } = open(hostKey);
    const chat = await mirror.loadChat(CHAT, { clientId: 'me', turns: 50, now: 1 });
    await mirror.putDraft(CHAT, 'another page', draft('goes on'));
    await mirror.close();
    frame.remove();
    return chat;
  }

  // WebKit carries out what its server has begun with; a write of the very last moment it may drop, but never tears.
  const mayDrop = navigator.userAgent.includes('AppleWebKit') && !navigator.userAgent.includes('Chrome');

  it('has kept what was typed at the last moment', async () => {
    const { draft: kept } = await leaveWith('type');

    const last = draft('a whole message', 2);
    expect(kept).to.deep.equal(mayDrop && kept?.revision === 1 ? draft('half a message', 1) : last);
  });

  it('has kept the message that was sent at the last moment, and its draft is over', async () => {
    const chat = await leaveWith('send');

    const isDropped = mayDrop && chat.outbox.length === 0;
    expect([chat.outbox, chat.draft]).to.deep.equal(
      isDropped ? [[], draft('half a message', 1)] : [[entry(1)], undefined],
    );
    expect(ids(chat.record?.state.turns)).to.deep.equal(['t1', 't2', 't3']);
  });

  it('leaves no transaction behind that others would wait for', async () => {
    expect((await leaveWith('read')).draft).to.deep.equal(draft('half a message', 1));
  });
});
