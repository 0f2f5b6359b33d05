import { expect } from '@open-wc/testing';
import { DraftPace } from '../../src/client/draft-pace.js';
import type { StoredDraft } from '../../src/mirror/mirror.js';
import { DiskMirror } from '../helpers/disk-mirror.js';
import { ManualEnvironment, settle } from '../helpers/manual-environment.js';

const channel = 'ahp-chat:/c';
const clientId = 'me';

/** A text, and all that was sent of it. */
function setup(mirror = new DiskMirror(), environment = new ManualEnvironment()) {
  let text = '';
  let revision = 0;
  const sent: string[] = [];
  const toStored = (): StoredDraft => ({
    message: { text, origin: { kind: 'user' } },
    revision,
    updatedAt: environment.now(),
  });
  const options = { environment, mirror, key: 'host', channel, identity: { clientId } };
  const pace = new DraftPace(options, { toStored, send: () => sent.push(text) });
  const write = (next: string) => {
    text = next;
    revision += 1;
    pace.keepLater();
    pace.syncLater();
  };
  const onDisk = async () => {
    await settle();
    return (await mirror.loadChat(channel, { clientId, turns: 0, now: 0 })).draft?.message.text;
  };
  return { environment, mirror, pace, write, sent, onDisk };
}

describe('the pace of what is written', () => {
  it('is a moment to the disk and a second to the host, from the first change on', async () => {
    const { environment, pace, write, sent, onDisk } = setup();
    pace.recover(undefined);

    write('m');
    environment.advance(199);
    const early = await onDisk();
    write('ma');
    environment.advance(1);
    const kept = await onDisk();
    environment.advance(799);
    const before = [...sent];
    write('main');
    environment.advance(1);

    expect([early, kept]).to.deep.equal([undefined, 'ma']);
    expect([before, sent]).to.deep.equal([[], ['main']]);
  });

  it('is at once when the field is left, and only for what waits', async () => {
    const { pace, write, sent, onDisk } = setup();
    pace.recover(undefined);

    write('main');
    pace.flush();
    pace.flush();

    expect(sent).to.deep.equal(['main']);
    expect(await onDisk()).to.equal('main');
  });

  it('holds still while the page is away, and keeps what was written in its last moment', async () => {
    const before = setup();
    before.pace.recover(undefined);
    before.write('main');

    before.pace.suspend();
    before.pace.flush();
    before.pace.sync();
    before.environment.advance(60_000);
    const after = setup(before.mirror, before.environment);

    expect(before.sent).to.deep.equal([]);
    expect(after.pace.recover(undefined)?.message.text).to.equal('main');
  });

  it('goes on when the page is back', async () => {
    const { environment, pace, write, sent, onDisk } = setup();
    pace.recover(undefined);
    write('main');
    pace.suspend();

    pace.resume();
    environment.advance(200);
    pace.sync();

    expect(await onDisk()).to.equal('main');
    expect(sent).to.deep.equal(['main']);
    expect(environment.local.keys()).to.deep.equal([]);
  });

  it('writes what waits at the end, and sends nothing any more', async () => {
    const { environment, pace, write, sent, onDisk } = setup();
    pace.recover(undefined);
    write('main');

    pace.close();
    environment.advance(60_000);

    expect(await onDisk()).to.equal('main');
    expect(sent).to.deep.equal([]);
  });
});
