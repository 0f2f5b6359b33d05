import { expect } from '@open-wc/testing';
import {
  appendPart,
  countBlocking,
  findCalls,
  findPart,
  forgetParts,
  replacePart,
  type Parts,
} from '../../src/chat/parts.js';
import { calls, freeze, markdown, question, toolPart } from '../helpers/chat-states.js';

describe('the parts of a turn', () => {
  it('are found by the first with the id, calls by all with it', () => {
    const parts: Parts = freeze([
      { kind: 'contentRef', uri: 'file:///x' },
      toolPart(calls.running),
      markdown('c'),
      toolPart(calls.streaming),
      markdown('m'),
    ]);

    expect(findPart(parts, 'c')).to.equal(1);
    expect(findPart(parts, 'm')).to.equal(4);
    expect(findPart(parts, 'x')).to.equal(-1);
    expect(findCalls(parts, 'c')).to.deep.equal([1, 3]);
    expect(findCalls(parts, 'm')).to.deep.equal([]);
  });

  it('are found in ids that mean something to JavaScript', () => {
    const parts = [markdown('__proto__'), markdown('constructor')];

    expect(findPart(parts, '__proto__')).to.equal(0);
    expect(findPart(parts, 'constructor')).to.equal(1);
    expect(findPart(parts, 'toString')).to.equal(-1);
  });

  it('stay as they were when others are made of them, in every direction', () => {
    const root: Parts = freeze([markdown('m')]);

    const left = freeze(appendPart(root, markdown('left')));
    const right = freeze(appendPart(root, question('q')));
    const further = appendPart(left, markdown('m2'));

    expect(findPart(left, 'left')).to.equal(1);
    expect(findPart(right, 'left')).to.equal(-1);
    expect(findPart(root, 'left')).to.equal(-1);
    expect(findPart(further, 'm2')).to.equal(2);
    expect([root, left, right, further].map(countBlocking)).to.deep.equal([0, 0, 1, 0]);
  });

  it('keep their index while many turns stream at once', () => {
    let turns: Parts[] = Array.from({ length: 12 }, (_, index) => [markdown(`m${index}`), question('q')]);

    for (let round = 0; round < 3; round++) {
      turns = turns.map((parts, index) => {
        const at = findPart(parts, `m${index}`);
        return appendPart(replacePart(parts, at, markdown(`m${index}`, 'x')), question(`q${round}`));
      });
    }

    turns.forEach((parts, index) => {
      expect(findPart(parts, `m${index}`)).to.equal(0);
      expect(findPart(parts, 'm99')).to.equal(-1);
      expect(countBlocking(parts)).to.equal(4);
    });
  });

  it('can be asked about after they were let go', () => {
    const parts = appendPart([], markdown('m'));

    forgetParts(parts);

    expect(findPart(parts, 'm')).to.equal(0);
  });
});
