import { expect } from '@open-wc/testing';
import { describeMirror } from '../conformance/mirror.js';
import { newHostKey, open } from './databases.js';

describeMirror('the stored mirror', () => open(newHostKey()).mirror);

describe('the stored mirror', () => {
  it('keeps everything', async () => {
    const { mirror } = open(newHostKey());
    await mirror.listClients();

    expect(mirror.notKept).to.equal(undefined);
    await mirror.close();
  });

  it('lets a tool run once for all documents of the host, until a month has gone by', async () => {
    const key = newHostKey();
    const [first, second] = [open(key).mirror, open(key).mirror];
    const day = 24 * 60 * 60 * 1000;

    expect(await first.claimToolRun('call', day)).to.equal(true);
    expect(await second.claimToolRun('call', 29 * day)).to.equal(false);
    await first.claimToolRun('other', 32 * day);
    expect(await second.claimToolRun('call', 32 * day)).to.equal(true);
    await Promise.all([first.close(), second.close()]);
  });
});
