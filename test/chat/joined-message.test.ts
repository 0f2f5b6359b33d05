import { expect } from '@open-wc/testing';
import { joinMessages, splitMessage } from '../../src/chat/joined-message.js';
import type { Message, MessageAttachment } from '../../src/protocol/state.js';

const say = (text: string, more: Partial<Message> = {}): Message => ({ text, origin: { kind: 'user' }, ...more });
const file: MessageAttachment = { type: 'resource', label: 'a.ts', uri: 'file:///a.ts' };
const bytes: MessageAttachment = { type: 'embeddedResource', label: 'p.png', data: 'AAAA', contentType: 'image/png' };

describe('a message', () => {
  it('stands above what was typed since, and replaces nothing', () => {
    const joined = joinMessages(say('first', { attachments: [file] }), say('second', { attachments: [bytes] }));

    expect(joined.text).to.equal('first\n\nsecond');
    expect(joined.attachments).to.deep.equal([file, bytes]);
  });

  it('comes back alone when nothing was typed, and without the id it waited under', () => {
    const refused = say('first', { _meta: { 'ahp-chat/pending': { id: 'q' } } });

    expect(joinMessages(refused, say(''))).to.deep.equal(say('first'));
    expect(joinMessages(say(''), say('typed'))).to.deep.equal(say('typed'));
  });

  it('moves the mentions of what stands below by the lines above', () => {
    const range = { start: { line: 0, character: 1 }, end: { line: 0, character: 3 } };
    const joined = joinMessages(say('one\ntwo'), say('see a', { attachments: [{ ...file, range }] }));

    expect(joined.text.split('\n')[3]).to.equal('see a');
    expect(joined.attachments![0]!.range!.start).to.deep.equal({ line: 3, character: 1 });
  });

  it('is taken apart again as it was put together, unless what stood above has changed', () => {
    const range = { start: { line: 0, character: 4 }, end: { line: 0, character: 5 } };
    const below = say('see a', { attachments: [{ ...file, range }] });
    for (const above of [say('one\ntwo', { attachments: [file] }), say('', { attachments: [file] })]) {
      expect(splitMessage(joinMessages(above, below), above)).to.deep.equal(below);
    }

    const attachedOnly = say('', { attachments: [file] });
    expect(splitMessage(joinMessages(say('one'), attachedOnly), say('one'))).to.deep.equal(attachedOnly);
    expect(splitMessage(say('other\n\ntext'), say('one'))).to.deep.equal(say('other\n\ntext'));
  });
});
