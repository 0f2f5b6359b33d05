import { expect } from '@open-wc/testing';
import { flattenAttachments } from '../../src/host/collections.js';
import { findMessageFault, pinTranscripts } from '../../src/host/messages.js';
import type { ChatState, CollectionAttachment, MessageAttachment } from '../../src/protocol/state.js';
import { CHAT, createFixture, finishedTurns, message, turnStarted } from '../helpers/host-fixture.js';

const simple = (label: string, more: object = {}): MessageAttachment => ({
  type: 'simple',
  label,
  modelRepresentation: label,
  ...more,
});
const collection = (attachments: unknown, more: object = {}): MessageAttachment =>
  ({ type: 'collection', label: 'several', attachments, ...more }) as MessageAttachment;

const chats: Record<string, ChatState> = {
  'chat:known': {
    resource: 'chat:known',
    status: 8,
    modifiedAt: '',
    turns: finishedTurns(2),
    activeTurn: { id: 'running', message: message('x'), responseParts: [] },
  },
  'chat:empty': { resource: 'chat:empty', status: 1, modifiedAt: '', turns: [] },
};
const findChat = (uri: string) => chats[uri];
const rules = { findChat, takesCollections: true };
const transcript = (more: object) =>
  ({ type: 'chat', label: 'c', resource: 'chat:known', ...more }) as MessageAttachment;

describe('the attachments a host takes', () => {
  const everyType = [
    simple('a'),
    { type: 'embeddedResource', label: 'b', data: '', contentType: 'image/png' },
    { type: 'resource', label: 'c', uri: 'file:///c' },
    { type: 'annotations', label: 'd', resource: 'x' },
    transcript({ endTurn: 't1' }),
  ] as MessageAttachment[];

  const taken: [what: string, attachments: unknown][] = [
    ['none', undefined],
    ['all five types', everyType],
    ['all five types in a collection', [collection(everyType)]],
    ['a type of a later version', [{ type: 'hologram', label: 'h' }]],
    ['two equal members', [collection([simple('a'), simple('a')])]],
    ['unknown members of a collection object', [collection([simple('a')], { extra: 1, _meta: { k: 1 } })]],
    ['broken base64', [{ type: 'embeddedResource', label: 'b', data: '%%', contentType: 'image/png' }]],
    ['a transcript without an end', [transcript({})]],
    ['an empty transcript', [transcript({ resource: 'chat:empty' })]],
    ['a member without a model representation', [collection([{ type: 'simple', label: 'a' }])]],
  ];
  for (const [what, attachments] of taken) {
    it(`may be ${what}`, () => {
      expect(findMessageFault({ ...message('x'), attachments }, rules)).to.equal(undefined);
    });
  }

  const refused: [what: string, attachments: unknown, rule: string][] = [
    ['no list', {}, 'malformed'],
    ['something without a type', [{ label: 'x' }], 'malformed'],
    ['something without a label', [{ type: 'simple' }], 'malformed'],
    ['a resource without a URI', [{ type: 'resource', label: 'x' }], 'malformed'],
    ['an empty collection', [collection([])], 'empty-collection'],
    ['a collection without members', [collection(undefined)], 'empty-collection'],
    ['a collection whose members are no list', [collection({})], 'empty-collection'],
    ['a collection in a collection', [collection([collection([simple('a')])])], 'nested-collection'],
    ['a member of an unknown type', [collection([{ type: 'hologram', label: 'h' }])], 'unknown-member'],
    ['a member called "constructor"', [collection([{ type: 'constructor', label: 'h' }])], 'unknown-member'],
    ['a member that is no object', [collection([simple('a'), 7])], 'bad-member'],
    ['a member without a label', [collection([{ type: 'simple' }])], 'bad-member'],
    ['a member without its fields', [collection([{ type: 'resource', label: 'x' }])], 'bad-member'],
    ['a collection without a label', [collection([simple('a')], { label: '  ' })], 'no-label'],
    ['an unknown chat', [transcript({ resource: 'chat:none' })], 'unknown-chat'],
    ['an unknown chat in a collection', [collection([transcript({ resource: 'chat:none' })])], 'unknown-chat'],
    ['an unknown end', [transcript({ endTurn: 'none' })], 'unknown-turn'],
    ['an end that still runs', [transcript({ endTurn: 'running' })], 'active-turn'],
  ];
  for (const [what, attachments, rule] of refused) {
    it(`may not be ${what} (${rule})`, () => {
      expect(findMessageFault({ ...message('x'), attachments }, rules)?.split(':')[0]).to.equal(rule);
    });
  }
});

describe('a host that announces no collections', () => {
  it('refuses them by name, in every message', async () => {
    const client = await createFixture({ attachmentCollections: false }).client();
    const draft = message('x', { attachments: [collection([simple('a')])] });

    client.dispatch(CHAT, { type: 'chat/draftChanged', draft });
    await client.settle();

    expect(client.envelopes[0]?.rejectionReason).to.match(/^no-collections/);
  });
});

describe('attached transcripts', () => {
  it('end in the newest finished turn when the sender left that open, inside collections too', () => {
    const sent = message('x', { attachments: [transcript({}), collection([simple('a'), transcript({})])] });

    const pinned = pinTranscripts(sent, findChat);

    expect(pinned.attachments?.[0]).to.have.property('endTurn', 't2');
    expect(pinned.attachments?.[1]).to.have.nested.property('attachments[1].endTurn', 't2');
  });

  it('stay as they are when there is nothing to pin', () => {
    const sent = message('x', {
      attachments: [transcript({ endTurn: 't1' }), transcript({ resource: 'chat:empty' }), collection([simple('a')])],
    });

    expect(pinTranscripts(sent, findChat)).to.equal(sent);
  });

  it('are pinned in the echo of a turn, not in a draft', async () => {
    const { client: create } = createFixture({ turns: finishedTurns(2) });
    const client = await create();
    const attachments = [{ type: 'chat', label: 'c', resource: CHAT }] as const;

    client.dispatch(CHAT, { type: 'chat/draftChanged', draft: message('x', { attachments }) });
    client.dispatch(CHAT, turnStarted('t3', { message: message('x', { attachments }) }));
    await client.settle();

    expect(client.chat(CHAT).draft?.attachments?.[0]).not.to.have.property('endTurn');
    expect(client.chat(CHAT).activeTurn?.message.attachments?.[0]).to.have.property('endTurn', 't2');
  });
});

describe('a flattened list', () => {
  const range = { start: { line: 0, character: 1 }, end: { line: 0, character: 2 } };

  it('has the members in the place of the collection, and is the same list without one', () => {
    const flat = [simple('a'), simple('b')];

    expect(flattenAttachments(flat)).to.equal(flat);
    expect(flattenAttachments([simple('x'), collection(flat), simple('y')])).to.deep.equal([
      simple('x'),
      ...flat,
      simple('y'),
    ]);
  });

  it('gives the range of the collection to the first member when no member has one', () => {
    expect(flattenAttachments([collection([simple('a'), simple('b')], { range })])).to.deep.equal([
      simple('a', { range }),
      simple('b'),
    ]);
    const own = simple('b', { range: { start: range.start, end: range.start } });
    expect(flattenAttachments([collection([simple('a'), own], { range })])).to.deep.equal([simple('a'), own]);
  });

  it('keeps what members say of themselves and drops what the collection said', () => {
    const member = simple('a', { _meta: { key: 'member' } });

    expect(
      flattenAttachments([collection([member], { _meta: { key: 'item' }, displayKind: 'directory' })]),
    ).to.deep.equal([member]);
  });

  it('holds no collection, whatever came in', () => {
    let nested: MessageAttachment = collection([simple('deep')]);
    for (let depth = 0; depth < 20; depth++) nested = collection([nested]);

    const flat = flattenAttachments([nested, collection(undefined), collection('no list'), collection([])]);

    expect(flat.some(({ type }) => type === 'collection')).to.equal(false);
  });
});

describe('collections and clients that do not know them', () => {
  const several = collection([simple('a'), simple('b')]) as CollectionAttachment;
  const sent = message('x', { attachments: [several] });
  const types = (attachments: readonly MessageAttachment[] | undefined) => attachments?.map(({ type }) => type);

  it('get the members, live and in snapshots, while the others get the collection', async () => {
    const { client: create, host } = createFixture();
    const [knowing, other] = [await create('a'), await create('b', [CHAT], { capabilities: {} })];

    knowing.dispatch(CHAT, turnStarted('t1', { message: sent }));
    knowing.dispatch(CHAT, { type: 'chat/draftChanged', draft: sent });
    knowing.dispatch(CHAT, { type: 'chat/pendingMessageSet', kind: 'steering', id: 's', message: sent });
    await knowing.settle();
    host.dispatch(CHAT, { type: 'chat/pendingMessageSet', kind: 'queued', id: 'q', message: sent });
    await knowing.settle();
    const late = await create('c', [CHAT], { capabilities: {} });

    expect(types(host.getChat(CHAT)?.activeTurn?.message.attachments)).to.deep.equal(['collection']);
    expect(knowing.chat(CHAT)).to.deep.equal(host.getChat(CHAT));
    for (const client of [other, late]) {
      const chat = client.chat(CHAT);
      const all = [
        chat.activeTurn?.message,
        chat.draft,
        chat.steeringMessage?.message,
        chat.queuedMessages?.[0]?.message,
      ];
      expect(all.map((each) => types(each?.attachments))).to.deep.equal(Array(4).fill(['simple', 'simple']));
    }
    expect(other.chat(CHAT)).to.deep.equal(late.chat(CHAT));
  });

  it('get them flat in pages of old turns and in replays', async () => {
    const turns = finishedTurns(3).map((turn) => ({ ...turn, message: sent }));
    const { client: create, host, relink } = createFixture({ turns });
    const client = await create('b', [CHAT], { capabilities: {}, turns: 1 });
    await client.request('fetchTurns', { channel: CHAT });
    const lastSeenServerSeq = host.serverSeq;
    client.cut();
    await client.settle();
    host.dispatch(CHAT, turnStarted('t4', { message: sent }));
    relink(client);

    await client.reconnect({ lastSeenServerSeq });

    const messages = [...client.chat(CHAT).turns, client.chat(CHAT).activeTurn!].map((turn) => turn.message);
    expect(messages.map(({ attachments }) => types(attachments))).to.deep.equal(Array(3).fill(['simple', 'simple']));
  });

  it('get the suggestion of a denial flat', async () => {
    const { client: create, host } = createFixture();
    host.dispatch(CHAT, turnStarted('t1'));
    host.dispatch(CHAT, { type: 'chat/toolCallStart', turnId: 't1', toolCallId: 'c', toolName: 't', displayName: 'T' });
    host.dispatch(CHAT, { type: 'chat/toolCallReady', turnId: 't1', toolCallId: 'c', invocationMessage: '' });
    const [knowing, other] = [await create('a'), await create('b', [CHAT], { capabilities: {} })];

    const denial = { type: 'chat/toolCallConfirmed', turnId: 't1', toolCallId: 'c', approved: false, reason: 'denied' };
    knowing.dispatch(CHAT, { ...denial, userSuggestion: sent });
    await knowing.settle();
    const late = await create('c', [CHAT], { capabilities: {} });

    const path = 'activeTurn.responseParts[0].toolCall.userSuggestion.attachments';
    expect(other.chat(CHAT)).to.have.nested.property(path).with.length(2);
    expect(late.chat(CHAT)).to.deep.equal(other.chat(CHAT));
  });
});
