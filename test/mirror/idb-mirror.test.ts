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
});
