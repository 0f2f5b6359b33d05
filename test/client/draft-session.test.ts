import { expect } from '@open-wc/testing';
import { DraftSession, type DraftWire } from '../../src/client/draft-session.js';
import { rescueDraft } from '../../src/client/draft-keeper.js';
import { listLeftovers } from '../../src/client/leftovers.js';
import { MemoryMirror } from '../../src/mirror/memory-mirror.js';
import { DiskMirror } from '../helpers/disk-mirror.js';
import type { Mirror, StoredDraft } from '../../src/mirror/mirror.js';
import type { Message, MessageAttachment } from '../../src/protocol/state.js';
import { ManualEnvironment, settle } from '../helpers/manual-environment.js';

const channel = 'ahp-chat:/c';
const clientId = 'me';
/** Sends as the element does; the message that left. */
const send = (draft: DraftSession): Message | undefined => {
  const [action] = draft.takeForSend(undefined);
  return action?.type === 'chat/turnStarted' ? action.message : undefined;
};
const say = (text: string, more: Partial<Message> = {}): Message => ({ text, origin: { kind: 'user' }, ...more });

/** A host that echoes drafts when told to. */
class FakeWire implements DraftWire {
  isLive = true;
  readonly sent: (Message | undefined)[] = [];
  /** What was sent in the chat, from wherever. */
  readonly messages: Message[] = [];
  holds({ text }: Message) {
    return this.messages.some((message) => message.text === text);
  }
  /** What is on its way. */
  readonly sending: Message[] = [];
  isSending({ text }: Message) {
    return this.sending.some((message) => message.text === text);
  }
  sendDraft(draft: Message | undefined) {
    this.sent.push(draft);
  }
}

function setup(options: { environment?: ManualEnvironment; mirror?: Mirror; isLoaded?: boolean } = {}) {
  const environment = options.environment ?? new ManualEnvironment();
  const mirror = options.mirror ?? new DiskMirror();
  const wire = new FakeWire();
  const draft = new DraftSession({ environment, mirror, key: 'host', channel, identity: { clientId }, wire });
  if (options.isLoaded !== false) draft.load(undefined);
  const stored = async (): Promise<StoredDraft | undefined> => {
    await settle();
    return (await mirror.loadChat(channel, { clientId, turns: 0, now: environment.now() })).draft;
  };
  return { environment, mirror, wire, draft, stored };
}

/** The same tab after a reload. */
async function reload({ environment, mirror, stored }: ReturnType<typeof setup>) {
  const next = setup({ environment, mirror, isLoaded: false });
  next.draft.load(await stored());
  return next;
}

describe('a draft on this device', () => {
  it('is written 200 ms after a change, however fast the typing', async () => {
    const { environment, draft, stored } = setup();

    draft.change(say('h'));
    environment.advance(150);
    draft.change(say('he'));
    expect(await stored()).to.equal(undefined);
    environment.advance(50);

    expect((await stored())!.message.text).to.equal('he');
  });

  it('is written at once when the field is left', async () => {
    const { draft, stored } = setup();
    const field = {};
    draft.setFocused(field, true);
    draft.change(say('hel'));

    draft.setFocused(field, false);

    expect((await stored())!.message.text).to.equal('hel');
  });

  it('comes back after a reload with text, attachments and model', async () => {
    const file: MessageAttachment = { type: 'resource', label: 'a', uri: 'file:///a' };
    const before = setup();
    before.draft.change(say('hello', { attachments: [file], model: { id: 'big' } }));
    before.draft.flush();

    const after = await reload(before);

    expect(after.draft.message).to.deep.equal(say('hello', { attachments: [file], model: { id: 'big' } }));
    expect(after.draft.revision).to.equal(before.draft.revision);
  });

  it('survives a page that is left within the 200 ms, and is removed from the origin when it is safe', async () => {
    const before = setup();
    before.draft.change(say('just typed'));
    before.draft.suspend();
    expect(before.environment.local.keys()).to.have.length(1);

    const after = await reload(before);
    expect(after.draft.message.text).to.equal('just typed');
    after.environment.advance(200);

    expect((await after.stored())!.message.text).to.equal('just typed');
    expect(after.environment.local.keys()).to.have.length(0);
  });

  it('leaves nothing at the origin when everything is on disk, or where memory was chosen', async () => {
    const kept = setup();
    kept.draft.change(say('kept'));
    kept.draft.flush();
    await settle();
    kept.draft.suspend();
    const chosen = setup({ mirror: new MemoryMirror('memory') });
    chosen.draft.change(say('secret'));
    chosen.draft.suspend();

    expect([...kept.environment.local.keys(), ...chosen.environment.local.keys()]).to.deep.equal([]);
  });

  it('leaves the text alone at the origin when attachments are too large to go along', async () => {
    const bytes: MessageAttachment = {
      type: 'embeddedResource',
      label: 'p',
      data: 'A'.repeat(300 * 1024),
      contentType: 'image/png',
    };
    const before = setup();
    before.draft.change(say('with', { attachments: [bytes] }));
    before.draft.flush();
    await settle();
    before.draft.change(say('with picture', { attachments: [bytes] }));
    before.draft.suspend();

    const after = await reload(before);

    expect(after.draft.message.text).to.equal('with picture');
    expect(after.draft.message.attachments).to.deep.equal([bytes]);
  });

  it('is there once, not twice, when the page comes back from the cache', async () => {
    const page = setup();
    page.draft.change(say('typed'));
    page.draft.suspend();

    page.draft.resume();
    page.environment.advance(200);

    expect(page.draft.message.text).to.equal('typed');
    expect((await page.stored())!.message.text).to.equal('typed');
    expect(page.environment.local.keys()).to.deep.equal([]);
  });

  it('begins nothing while the page is away', async () => {
    const page = setup();
    page.draft.change(say('typed'));
    page.draft.suspend();

    page.environment.advance(5000);
    page.draft.flush();

    expect(await page.stored()).to.equal(undefined);
    expect(page.wire.sent).to.deep.equal([]);
  });

  it('stands below what was stored when it was typed before the mirror answered', async () => {
    const before = setup();
    before.draft.change(say('stored'));
    before.draft.flush();

    const after = setup({ environment: before.environment, mirror: before.mirror, isLoaded: false });
    after.draft.change(say('typed'));
    after.draft.load(await before.stored());

    expect(after.draft.message.text).to.equal('stored\n\ntyped');
  });

  it('is not doubled when another document has joined it with its own before the mirror answered', () => {
    const { draft } = setup({ isLoaded: false });
    draft.change(say('typed early'));

    draft.load({ message: say('typed early\n\ntyped there'), revision: 3, updatedAt: 1 });

    expect(draft.message.text).to.equal('typed early\n\ntyped there');
  });

  it('is moved to the mirror for adoption when its tab is gone for good', async () => {
    const before = setup();
    before.draft.change(say('orphan'));
    before.draft.suspend();
    const { environment, mirror, stored } = before;

    const found = listLeftovers(environment.local, 'draft', 'host');
    await rescueDraft(environment.local, mirror, found[0]!, environment.now());

    expect(found).to.have.length(1);
    expect(found[0]).to.include({ clientId, channel });
    expect((await stored())!.message.text).to.equal('orphan');
    expect(environment.local.keys()).to.deep.equal([]);
  });

  it('ignores what somebody else wrote under its key', () => {
    const page = setup({ isLoaded: false });
    page.environment.local.set(`ahp-chat:draft:host:${clientId}:${channel}`, '{"message":{"text":1}}');

    page.draft.load(undefined);

    expect(page.draft.message.text).to.equal('');
  });
});

describe('a draft that is sent', () => {
  it('leaves the composer at once and keeps the choice of model', () => {
    const { draft } = setup();
    draft.change(say('hello', { model: { id: 'big' } }));

    const taken = send(draft);

    expect(taken!.text).to.equal('hello');
    expect(draft.message).to.deep.equal(say('', { model: { id: 'big' } }));
  });

  it('is taken once by two presses in one task, and a deliberate second one is taken again', () => {
    const { draft } = setup();
    draft.change(say('hello'));

    const [first, second] = [send(draft), send(draft)];
    draft.change(say('hello'));

    expect(first!.text).to.equal('hello');
    expect(second).to.equal(undefined);
    expect(send(draft)!.text).to.equal('hello');
  });

  it('is not brought back by a write that was waiting', async () => {
    const { environment, draft, mirror, stored } = setup();
    draft.change(say('hello'));
    draft.flush();
    draft.change(say('hello there'));
    send(draft);
    await mirror.putOutbox(
      [{ clientId, clientSeq: 1, channel, group: 'g', action: { type: 'chat/draftChanged' }, sends: 1 }],
      { nextClientSeq: 2, clearDraft: true },
    );

    environment.advance(5000);

    expect((await stored())?.message.text ?? '').to.equal('');
  });

  it('is not brought back by a write that was under way', async () => {
    const mirror = new DiskMirror();
    mirror.hold();
    const { environment, draft, stored } = setup({ mirror });
    draft.change(say('hello'));
    draft.flush();
    send(draft);
    void mirror.putOutbox(
      [{ clientId, clientSeq: 1, channel, group: 'g', action: { type: 'chat/draftChanged' }, sends: 1 }],
      { nextClientSeq: 2, clearDraft: true },
    );

    mirror.release();
    await settle();
    environment.advance(5000);

    expect((await stored())?.message.text ?? '').to.equal('');
    expect(draft.message.text).to.equal('');
  });

  it('comes back above what was typed meanwhile when it is refused', () => {
    const { draft } = setup();
    draft.change(say('refused'));
    const taken = send(draft)!;
    draft.change(say('typed since'));

    draft.giveBack(taken);

    expect(draft.message.text).to.equal('refused\n\ntyped since');
  });

  it('shows as empty when the host still has it as a draft', () => {
    const { draft } = setup();
    draft.change(say('hello'));
    send(draft);

    draft.onHostDraft(say('hello'), false);
    draft.onLive(say('hello'));

    expect(draft.message.text).to.equal('');
    expect(draft.offer).to.equal(undefined);
  });
});

describe('a draft and the host', () => {
  it('is sent a second after a change, and not again while nothing changes', () => {
    const { environment, draft, wire } = setup();
    draft.change(say('hel'));
    environment.advance(600);
    draft.change(say('hello'));
    environment.advance(400);
    draft.onHostDraft(say('hello'), true);
    environment.advance(10_000);

    expect(wire.sent).to.deep.equal([say('hello')]);
  });

  it('is sent at once when the field is left', () => {
    const { draft, wire } = setup();
    draft.setFocused(wire, true);
    draft.change(say('hel'));

    draft.setFocused(wire, false);

    expect(wire.sent).to.deep.equal([say('hel')]);
  });

  it('never touches the text for an own echo, however old', () => {
    const { environment, draft } = setup();
    draft.change(say('hel'));
    environment.advance(1000);
    draft.change(say('hello'));

    draft.onHostDraft(say('hel'), true);

    expect(draft.message.text).to.equal('hello');
    expect(draft.offer).to.equal(undefined);
  });

  it('shows the draft of somebody else when ours is clean and nobody types', () => {
    const { draft } = setup();

    draft.onLive(say('from the phone'));

    expect(draft.message.text).to.equal('from the phone');
    draft.onHostDraft(say('from the phone, more'), false);
    expect(draft.message.text).to.equal('from the phone, more');
  });

  it('leaves a field that has the caret when it was sent from where it was written', () => {
    const { draft, wire } = setup();
    draft.onHostDraft(say('written elsewhere'), false);
    draft.setFocused({}, true);
    expect(draft.message.text).to.equal('written elsewhere');

    wire.messages.push(say('written elsewhere'));
    draft.onHostDraft(undefined, false);

    expect(draft.message.text).to.equal('');
  });

  it('keeps what was written here, unless the other text holds it or it was sent from there', () => {
    const { draft, wire, environment } = setup();
    draft.change(say('written here'));
    environment.advance(1_000);
    draft.onHostDraft(say('written here'), true);

    draft.onHostDraft(say('quite another'), false);
    expect([draft.message.text, draft.offer?.text]).to.deep.equal(['written here', 'quite another']);
    draft.onHostDraft(say('written here'), false);
    draft.onHostDraft(undefined, false);
    expect(draft.message.text).to.equal('written here');

    draft.onHostDraft(say('written here'), false);
    draft.onHostDraft(say('written here, and on there'), false);
    expect([draft.message.text, draft.offer]).to.deep.equal(['written here, and on there', undefined]);
    wire.messages.push(say('written here, and on there'));
    draft.onHostDraft(undefined, false);
    expect(draft.message.text).to.equal('');
  });

  it('offers it while the field is in use or holds something else', () => {
    const { draft, wire } = setup();
    draft.change(say('mine'));

    draft.onHostDraft(say('theirs'), false);

    expect(draft.message.text).to.equal('mine');
    expect(draft.offer!.text).to.equal('theirs');
    draft.acceptOffer();
    expect(draft.message.text).to.equal('theirs');
    expect(draft.offer).to.equal(undefined);
    expect(wire.sent).to.deep.equal([]);
  });

  it('of somebody else is not cleared by a message that is sent from here', () => {
    const { draft } = setup();
    draft.setFocused({}, true);
    draft.change(say('ours'));
    draft.onHostDraft(say('theirs'), false);

    const group = draft.takeForSend(undefined);

    expect(group.map(({ type }) => type)).to.deep.equal(['chat/turnStarted']);
    expect(draft.offer!.text).to.equal('theirs');
  });

  it('is offered again by the next document while nobody has decided about it', async () => {
    const before = setup();
    before.draft.change(say('ours'));
    before.draft.onHostDraft(say('theirs'), false);
    await before.environment.advanceAsync(300);

    const after = await reload(before);
    after.draft.onLive(say('theirs'));

    expect([after.draft.message.text, after.draft.offer?.text]).to.deep.equal(['ours', 'theirs']);
    expect(after.wire.sent).to.deep.equal([]);
  });

  it('is kept here, on disk too, once ours has taken its place at the host', async () => {
    const before = setup();
    before.draft.change(say('ours'));
    before.draft.onHostDraft(say('theirs'), false);
    before.draft.onHostDraft(undefined, true);
    await before.environment.advanceAsync(300);
    expect(before.draft.offer!.text).to.equal('theirs');

    const after = await reload(before);
    after.draft.onLive(undefined);

    expect(after.draft.offer!.text).to.equal('theirs');
  });

  it('fills an untouched composer that had the caret from the start', () => {
    const { draft } = setup();
    draft.setFocused(draft, true);

    draft.onLive(say('from the phone'));

    expect(draft.message.text).to.equal('from the phone');
  });

  it('does not answer a foreign draft by itself, so that two composers do not take turns', () => {
    const { environment, draft, wire } = setup();
    draft.change(say('mine'));
    draft.onHostDraft(say('theirs'), false);
    environment.advance(60_000);
    expect(wire.sent).to.deep.equal([]);

    draft.change(say('mine again'));
    environment.advance(1000);

    expect(wire.sent).to.deep.equal([say('mine again')]);
    expect(draft.offer!.text).to.equal('theirs');
  });

  it('waits offline and goes out when the host still has the draft last seen there', () => {
    const { environment, draft, wire } = setup();
    draft.onLive(say('old'));
    wire.isLive = false;
    draft.change(say('written offline'));
    environment.advance(60_000);
    expect(wire.sent).to.deep.equal([]);

    wire.isLive = true;
    draft.onLive(say('old'));

    expect(wire.sent).to.deep.equal([say('written offline')]);
  });

  it('offers what somebody else wrote while we were offline, instead of overwriting it', () => {
    const { environment, draft, wire } = setup();
    draft.onLive(undefined);
    wire.isLive = false;
    draft.change(say('written offline'));
    environment.advance(1000);

    wire.isLive = true;
    draft.onLive(say('from the phone'));
    environment.advance(60_000);

    expect(wire.sent).to.deep.equal([]);
    expect(draft.message.text).to.equal('written offline');
    expect(draft.offer!.text).to.equal('from the phone');
  });

  it('recognises an older state of its own whose echo was lost', () => {
    const { environment, draft, wire } = setup();
    draft.change(say('hel'));
    environment.advance(1000);
    wire.isLive = false;
    draft.change(say('hello'));

    wire.isLive = true;
    draft.onLive(say('hel'));

    expect(draft.offer).to.equal(undefined);
    expect(wire.sent.at(-1)).to.deep.equal(say('hello'));
  });

  it('recognises an older state of its own after a reload', async () => {
    const before = setup();
    before.draft.change(say('hel'));
    before.environment.advance(1000);
    before.draft.onHostDraft(say('hel'), true);
    before.draft.change(say('hello'));
    before.draft.flush();

    const after = await reload(before);
    after.draft.onLive(say('hel'));

    expect(after.draft.message.text).to.equal('hello');
    expect(after.draft.offer).to.equal(undefined);
  });

  it('stays what it is when the host has an older state of it that was ours', async () => {
    const before = setup();
    before.draft.change(say('hel'));
    before.environment.advance(1000);
    before.draft.onHostDraft(say('hel'), true);
    before.draft.change(say('hello'));
    // Sent and never heard, while the page is loaded again.
    before.environment.advance(1000);
    before.draft.flush();

    const after = await reload(before);
    after.draft.onLive(say('hel'));

    expect(after.draft.message.text).to.equal('hello');
    expect(after.wire.sent).to.deep.equal([say('hello')]);
  });

  it('that was on its way to the host when its page was left is no news two pages later', async () => {
    const first = setup();
    first.draft.change(say('half a thought'));
    await first.environment.advanceAsync(1_300);
    expect(first.wire.sent).to.deep.equal([say('half a thought')]);
    const second = await reload(first);
    second.wire.isLive = false;
    second.draft.change(say(''));
    second.draft.change(say('another'));
    second.draft.takeForSend(undefined);
    await second.environment.advanceAsync(300);

    const third = await reload(second);
    third.draft.onLive(say('half a thought'));

    expect([third.draft.message.text, third.draft.offer]).to.deep.equal(['', undefined]);
    expect(third.wire.sent).to.deep.equal([undefined]);
  });

  it('of which only a clearing is on its way is not shown again after a reload', async () => {
    const before = setup();
    before.draft.change(say('hel'));
    before.environment.advance(1000);
    before.draft.onHostDraft(say('hel'), true);
    before.draft.change(say('hello'));
    send(before.draft);
    before.environment.advance(200);

    const after = await reload(before);
    after.draft.onLive(say('hel'));

    expect(after.draft.message.text).to.equal('');
    expect(after.draft.offer).to.equal(undefined);
    expect(after.wire.sent).to.deep.equal([undefined]);
  });

  it('of which the host still has an older state is not shown again when its tab is gone and it was adopted', async () => {
    const before = setup();
    before.draft.change(say('hel'));
    before.environment.advance(1000);
    before.draft.onHostDraft(say('hel'), true);
    before.draft.change(say('hello'));
    send(before.draft);
    before.environment.advance(200);
    const left = await before.stored();
    const after = setup();

    after.draft.adopt(left!);
    after.draft.onLive(say('hel'));

    expect(after.draft.message.text).to.equal('');
    expect(after.draft.offer).to.equal(undefined);
    expect(after.wire.sent).to.deep.equal([undefined]);
  });

  it('that was taken away here does not come back from a tab that is gone', () => {
    const { draft } = setup();
    draft.onLive(say('half a thought'));
    draft.change(say(''));

    draft.adopt({ message: say('half a thought'), revision: 1, updatedAt: 0 });
    expect([draft.message.text, draft.offer]).to.deep.equal(['', undefined]);
    draft.adopt({ message: say('another thought'), revision: 1, updatedAt: 0 });

    expect(draft.message.text).to.equal('another thought');
  });

  it('that was sent from here comes back with a tab that is gone, unless it is on its way still or was taken', () => {
    const { draft, wire } = setup();
    for (const text of ['moved to another tab', 'on its way', 'in the chat']) {
      draft.change(say(text));
      send(draft);
    }
    wire.sending.push(say('on its way'));
    wire.messages.push(say('in the chat'));

    for (const text of ['on its way', 'in the chat', 'moved to another tab'])
      draft.adopt({ message: say(text), revision: 1, updatedAt: 0 });

    expect([draft.message.text, draft.offer]).to.deep.equal(['moved to another tab', undefined]);
  });

  it('clears the host when its own text was taken away offline', () => {
    const { draft, wire } = setup();
    draft.onLive(say('old'));
    wire.isLive = false;
    draft.change(say(''));

    wire.isLive = true;
    draft.onLive(say('old'));

    expect(wire.sent).to.deep.equal([undefined]);
  });

  it('sends no bytes', () => {
    const { environment, draft, wire } = setup();
    draft.change(
      say('a', { attachments: [{ type: 'embeddedResource', label: 'p', data: 'AA', contentType: 'image/png' }] }),
    );

    environment.advance(1000);

    expect(wire.sent).to.deep.equal([say('a')]);
  });
});
