import { expect } from '@open-wc/testing';
import { findSpoken, parseHandshake, toHandshake } from '../../src/client/handshake.js';

const epoch = 'epoch';
const result = { protocolVersion: '0.9.0', serverSeq: 3, snapshots: [] };

describe('what a handshake settles', () => {
  it('is the version, and what typing may ask for', () => {
    const handshake = toHandshake({ ...result, completionTriggerCharacters: ['@'], terminalCommandPrefix: '!' }, epoch);

    expect(handshake).to.deep.equal({
      protocolVersion: '0.9.0',
      epoch,
      completionTriggerCharacters: ['@'],
      terminalCommandPrefix: '!',
      takesCollections: false,
      takesSteeringList: false,
    });
  });

  it('does not depend on who the host says it is', () => {
    const names = [undefined, { name: 'VS Code', version: '1.99.0' }, { name: 'other', title: 'Other' }];

    const handshakes = names.map((serverInfo) => toHandshake(serverInfo ? { ...result, serverInfo } : result, epoch));

    expect(handshakes[1]).to.deep.equal(handshakes[0]);
    expect(handshakes[2]).to.deep.equal(handshakes[0]);
  });

  it('has no command prefix where the host names an empty one', () => {
    expect(toHandshake({ ...result, terminalCommandPrefix: '' }, epoch)).not.to.have.property('terminalCommandPrefix');
  });

  it('takes collections where the host says so, in its own field or in its metadata', () => {
    expect(toHandshake({ ...result, attachmentCollections: {} }, epoch).takesCollections).to.equal(true);
    expect(toHandshake({ ...result, _meta: { attachmentCollections: {} } }, epoch).takesCollections).to.equal(true);
    expect(toHandshake({ ...result, _meta: { attachmentCollections: true } }, epoch).takesCollections).to.equal(false);
  });

  it('has a list of steering messages where the host says so, and one slot elsewhere', () => {
    expect(toHandshake({ ...result, steeringMessages: {} }, epoch).takesSteeringList).to.equal(true);
    expect(parseHandshake(JSON.stringify(toHandshake({ ...result, steeringMessages: {} }, epoch)))).to.deep.include({
      takesSteeringList: true,
    });
    expect(toHandshake(result, epoch).takesSteeringList).to.equal(false);
  });

  it('is read again after a reload as it was, without what somebody else wrote there', () => {
    const handshake = toHandshake(
      { ...result, completionTriggerCharacters: ['@', '#'], terminalCommandPrefix: '!' },
      epoch,
    );

    expect(parseHandshake(JSON.stringify(handshake))).to.deep.equal(handshake);
    for (const text of [undefined, '', '{', 'null', '[]', '{"protocolVersion":7}', '{"protocolVersion":"latest"}']) {
      expect(parseHandshake(text), text).to.equal(undefined);
    }
    const odd = { protocolVersion: '1.0.0', completionTriggerCharacters: ['@', 7], terminalCommandPrefix: 7 };
    expect(parseHandshake(JSON.stringify(odd))).to.deep.equal({
      protocolVersion: '1.0.0',
      epoch: '',
      completionTriggerCharacters: ['@'],
      takesCollections: false,
      takesSteeringList: false,
    });
  });
});

describe('versions a host names in a refusal', () => {
  const offered = ['1.0.0', '0.7.0'];
  const cases: readonly [supported: readonly string[], spoken: readonly string[]][] = [
    [['0.7.3'], ['0.7.3']],
    [
      ['1.4.0', '1.7.0'],
      ['1.7.0', '1.4.0'],
    ],
    [['>=1.2.0 <2.0.0'], ['1.2.0']],
    [['0.5.0', '2.0.0', '>=3.0.0 <4.0.0', 'latest'], []],
    [['1.0.0'], []],
  ];
  for (const [supported, spoken] of cases) {
    it(`as ${supported.join(', ')} leave ${spoken.join(', ') || 'nothing'} to try`, () => {
      expect(findSpoken(supported, offered)).to.deep.equal(spoken);
    });
  }
});
