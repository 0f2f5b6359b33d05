import { expect } from '@open-wc/testing';
import { isBlank } from '../../src/chat/joined-message.js';
import { emptyMessage, isEmptyDraft, isSameDraft, toHostDraft, toNextDraft } from '../../src/client/draft-message.js';
import type { Message, MessageAttachment } from '../../src/protocol/state.js';

const say = (text: string, more: Partial<Message> = {}): Message => ({ text, origin: { kind: 'user' }, ...more });
const file: MessageAttachment = { type: 'resource', label: 'a.ts', uri: 'file:///a.ts' };
const bytes: MessageAttachment = { type: 'embeddedResource', label: 'p.png', data: 'AAAA', contentType: 'image/png' };

describe('a draft message', () => {
  it('is empty without text, attachments and choices, and blank without anything to send', () => {
    expect(isEmptyDraft(emptyMessage)).to.equal(true);
    expect(isEmptyDraft(say('', { model: { id: 'm' } }))).to.equal(false);
    expect(isBlank(say(' \n', { model: { id: 'm' } }))).to.equal(true);
    expect(isBlank(say('', { attachments: [file] }))).to.equal(false);
  });

  it('compares by content: metadata and an absent draft make no difference', () => {
    expect(isSameDraft(undefined, emptyMessage)).to.equal(true);
    expect(isSameDraft(say('a', { _meta: { k: 1 } }), say('a', { attachments: [] }))).to.equal(true);
    expect(isSameDraft(say('a'), say('a', { attachments: [file] }))).to.equal(false);
    expect(isSameDraft(say('a', { model: { id: 'm' } }), say('a'))).to.equal(false);
  });

  it('goes to the host without bytes, also those inside a collection', () => {
    const whole = { type: 'collection', label: 'both', attachments: [file, bytes] } as MessageAttachment;
    const references = { type: 'collection', label: 'refs', attachments: [file] } as MessageAttachment;

    expect(toHostDraft(say('a', { attachments: [file, bytes, whole, references] }))?.attachments).to.deep.equal([
      file,
      references,
    ]);
    expect(toHostDraft(say('', { attachments: [bytes] }))).to.equal(undefined);
  });

  it('keeps model and agent for the next message', () => {
    const sent = say('a', { model: { id: 'm' }, agent: { uri: 'x:/a' }, attachments: [file] });

    expect(toNextDraft(sent)).to.deep.equal(say('', { model: { id: 'm' }, agent: { uri: 'x:/a' } }));
  });
});
