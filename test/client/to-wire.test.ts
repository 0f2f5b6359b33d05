import { expect } from '@open-wc/testing';
import { flatten, toWire, toWireMessage, type WireHost } from '../../src/client/to-wire.js';
import type { ClientChatAction } from '../../src/protocol/actions.js';
import type { CollectionAttachment, Message, MessageAttachment, TextRange } from '../../src/protocol/state.js';

const host = (protocolVersion = '1.0.0', more: Partial<WireHost> = {}): WireHost => ({
  protocolVersion,
  takesCollections: false,
  takesSteeringList: false,
  capabilities: {},
  findLastTurn: () => undefined,
  ...more,
});
const simple = (label: string, more: object = {}): MessageAttachment => ({
  type: 'simple',
  label,
  modelRepresentation: label,
  ...more,
});
const collection = (label: string, attachments: readonly unknown[], more: object = {}): CollectionAttachment =>
  ({ type: 'collection', label, attachments, ...more }) as CollectionAttachment;
const message = (...attachments: MessageAttachment[]): Message => ({
  text: 'hi',
  origin: { kind: 'user' },
  attachments,
});
const range: TextRange = { start: { line: 0, character: 0 }, end: { line: 0, character: 2 } };
const labels = (list: readonly MessageAttachment[] | undefined) => list?.map(({ label }) => label);

describe('what a host may be sent', () => {
  const gated: readonly [ClientChatAction, from: string][] = [
    [{ type: 'chat/isReadChanged', isRead: true }, '0.9.0'],
    [{ type: 'chat/isArchivedChanged', isArchived: true }, '0.9.0'],
  ];
  for (const [action, from] of gated) {
    it(`sends ${action.type} from ${from} on only`, () => {
      expect(toWire(action, host('0.8.0'))).to.equal(undefined);
      expect(toWire(action, host(from))).to.equal(action);
      expect(toWire(action, host('0.10.0'))).to.equal(action);
    });
  }

  it('changes working directories only where the agent says it can', () => {
    const action: ClientChatAction = { type: 'chat/workingDirectorySet', directory: 'file:///a' };

    expect(toWire(action, host())).to.equal(undefined);
    expect(toWire(action, host('1.0.0', { capabilities: { multipleWorkingDirectories: {} } }))).to.equal(action);
  });

  it('puts a steering message into the list, marked with its id, or into the queue of a host that has none', () => {
    const action = { type: 'chat/steeringMessageSet', steeringMessage: { id: 's', message: message() } } as const;

    expect(toWire(action, host('1.1.0', { takesSteeringList: true }))).to.deep.equal({
      ...action,
      steeringMessage: { id: 's', message: { ...message(), _meta: { 'ahp-chat/pending': { id: 's' } } } },
    });
    expect(toWire(action, host())).to.include({ type: 'chat/pendingMessageSet', kind: 'queued', id: 's' });
  });

  it('marks a pending message with its id, so that the turn made of it proves it', () => {
    const action: ClientChatAction = {
      type: 'chat/pendingMessageSet',
      kind: 'queued',
      id: 'q',
      message: { text: 'a', origin: { kind: 'user' }, _meta: { other: 1 } },
    };

    expect(toWire(action, host())).to.have.deep.nested.property('message._meta', {
      other: 1,
      'ahp-chat/pending': { id: 'q' },
    });
  });

  it('speaks for the person alone, whoever wrote what the message was made of', () => {
    const foreign: Message = { text: 'hi', origin: { kind: 'agent' } };
    const id = 'x';
    const actions: readonly ClientChatAction[] = [
      { type: 'chat/turnStarted', turnId: id, startedAt: '', message: foreign },
      { type: 'chat/pendingMessageSet', kind: 'queued', id, message: foreign },
      { type: 'chat/pendingMessageSet', kind: 'steering', id, message: foreign },
      { type: 'chat/steeringMessageSet', steeringMessage: { id, message: foreign } },
      { type: 'chat/draftChanged', draft: foreign },
      {
        type: 'chat/toolCallConfirmed',
        turnId: id,
        toolCallId: id,
        approved: false,
        reason: 'denied',
        userSuggestion: foreign,
      },
    ];

    for (const action of actions) {
      const wire = JSON.stringify(toWire(action, host()));
      expect(wire, action.type).to.include('"origin":{"kind":"user"}').and.not.to.include('agent');
    }
  });

  it('passes a message it need not change on as the same object', () => {
    const plain = message(simple('a'));

    expect(toWireMessage(plain, host())).to.equal(plain);
  });

  it('pins the end of a chat attachment for hosts before 0.8, where it is known', () => {
    const attached = message({ type: 'chat', label: 'c', resource: 'ahp-chat:/c' });
    const known = { findLastTurn: () => 't9' };

    expect(toWireMessage(attached, host('0.7.0', known)).attachments![0]).to.have.property('endTurn', 't9');
    expect(toWireMessage(attached, host('0.7.0')).attachments![0]).not.to.have.property('endTurn');
    expect(toWireMessage(attached, host('1.0.0', known))).to.equal(attached);
  });

  it('says in words what 0.6 has no attachment for', () => {
    const attached = message({ type: 'chat', label: 'Plan', resource: 'ahp-chat:/c', range });

    expect(toWireMessage(attached, host('0.6.0')).attachments).to.deep.equal([
      { type: 'simple', label: 'Plan', range, modelRepresentation: 'Plan: ahp-chat:/c' },
    ]);
  });

  it('converts the members of a collection as well', () => {
    const chat: MessageAttachment = { type: 'chat', label: 'c', resource: 'ahp-chat:/c' };
    const wire = toWireMessage(
      message(collection('all', [chat])),
      host('0.7.0', { takesCollections: true, findLastTurn: () => 't1' }),
    );

    expect(wire.attachments).to.have.deep.nested.property('[0].attachments[0].endTurn', 't1');
  });
});

describe('collections for a host without them', () => {
  it('are replaced by their members, in order and in place', () => {
    const list = [simple('a'), collection('c', [simple('b', { _meta: { k: 1 } }), simple('d')]), simple('e')];

    const flat = flatten(list);

    expect(labels(flat)).to.deep.equal(['a', 'b', 'd', 'e']);
    expect(flat[1]).to.have.deep.property('_meta', { k: 1 });
    expect(flatten(flat)).to.deep.equal(flat);
  });

  it('leave their place in the text to the first member, unless a member has one of its own', () => {
    const other: TextRange = { start: { line: 1, character: 0 }, end: { line: 1, character: 1 } };

    const anchored = flatten([collection('c', [simple('a'), simple('b')], { range })]);
    const own = flatten([collection('c', [simple('a'), simple('b', { range: other })], { range })]);

    expect(anchored.map((one) => one.range)).to.deep.equal([range, undefined]);
    expect(own.map((one) => one.range)).to.deep.equal([undefined, other]);
  });

  it('are never sent nested, also to a host that takes them', () => {
    const nested = collection('outer', [simple('a'), collection('inner', [simple('b')]), simple('c')]);

    const kept = toWireMessage(message(nested), host('1.0.0', { takesCollections: true })).attachments!;

    expect(labels(kept)).to.deep.equal(['outer']);
    expect(labels((kept[0] as CollectionAttachment).attachments)).to.deep.equal(['a', 'b', 'c']);
    expect(labels(flatten([nested]))).to.deep.equal(['a', 'b', 'c']);
  });

  it('survive whatever a host called a collection', () => {
    let deep = collection('bottom', [simple('x')]);
    for (let level = 0; level < 20; level++) deep = collection(`level ${level}`, [deep]);

    expect(flatten([{ type: 'collection', label: 'none' } as unknown as MessageAttachment])).to.deep.equal([]);
    expect(flatten([deep])).to.deep.equal([]);
  });

  it('stay as they are for a host that takes them', () => {
    const kept = message(collection('c', [simple('a')]));

    expect(toWireMessage(kept, host('1.0.0', { takesCollections: true }))).to.equal(kept);
  });
});
