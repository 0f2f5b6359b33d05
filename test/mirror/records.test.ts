import { expect } from '@open-wc/testing';
import { isLargerThan, toStoredChat, withoutSecrets } from '../../src/mirror/records.js';
import type { Turn } from '../../src/protocol/state.js';
import { CHAT, record, state, turn, turns } from './samples.js';

const withParts = (...responseParts: readonly object[]): Turn => ({ ...turn('t'), responseParts }) as unknown as Turn;

describe('what is left out of a stored turn', () => {
  it('is nothing, at no cost, where there is no secret', () => {
    const plain = withParts(
      { kind: 'markdown', id: 'm', content: 'clientSecret' },
      { kind: 'toolCall', toolCall: { status: 'running', toolCallId: 'c', content: [] } },
      { kind: 'later', id: 'l', deep: [{ list: [1, 'two', null] }] },
    );

    expect(withoutSecrets(plain)).to.equal(plain);
  });

  it('shares everything but the way to the secret', () => {
    const neighbour = { kind: 'markdown', id: 'm', content: 'x' };
    const resource = { resource: 'https://mail.example' };
    const auth = { resource, oauthClient: { clientId: 'c', clientSecret: 's' } };
    const before = withParts(neighbour, { kind: 'toolCall', toolCall: { status: 'auth-required', auth } });

    const after = withoutSecrets(before);

    expect(after.responseParts[0]).to.equal(neighbour);
    expect(
      (after.responseParts[1] as unknown as { toolCall: { auth: { resource: object } } }).toolCall.auth.resource,
    ).to.equal(resource);
    expect(JSON.stringify(after)).not.to.contain('clientSecret');
    expect(JSON.stringify(before)).to.contain('clientSecret');
  });

  it('is the secret in a status of a later version', () => {
    const later = withParts({
      kind: 'toolCall',
      toolCall: { status: 'waiting-for-two', auth: { oauthClient: { clientSecret: 's' } } },
    });

    expect(JSON.stringify(withoutSecrets(later))).not.to.contain('clientSecret');
  });

  it('keeps keys that mean something to objects', () => {
    const part = JSON.parse('{"kind":"later","__proto__":{"clientSecret":"s","kept":1}}') as object;

    const after = JSON.stringify(withoutSecrets(withParts(part)).responseParts[0]);

    expect(after).to.equal('{"kind":"later","__proto__":{"kept":1}}');
  });
});

describe('a stored chat', () => {
  it('has no cursor, which dies with its connection, and no turns, which are stored one by one', () => {
    const chat = record({ state: state({ turns: turns(1, 2), turnsNextCursor: 'c', title: 'Kept' }) });

    const { state: stored } = toStoredChat(CHAT, chat, false, 1);

    expect(stored).not.to.have.any.keys('turns', 'turnsNextCursor');
    expect(stored.title).to.equal('Kept');
  });
});

describe('the size of a value', () => {
  it('is that of its strings, with something for every node', () => {
    expect(isLargerThan({ a: ['xxxx', { b: 'x'.repeat(100) }] }, 200)).to.equal(false);
    expect(isLargerThan({ a: ['xxxx', { b: 'x'.repeat(200) }] }, 200)).to.equal(true);
    expect(
      isLargerThan(
        Array.from({ length: 50 }, () => 0),
        200,
      ),
    ).to.equal(true);
  });

  it('is not counted beyond the limit', () => {
    let asked = 0;
    const parts = Array.from({ length: 1000 }, () => ({
      get text() {
        asked += 1;
        return 'x'.repeat(100);
      },
    }));

    expect(isLargerThan({ parts }, 10_000)).to.equal(true);
    expect(asked).to.be.lessThan(200);
  });
});
