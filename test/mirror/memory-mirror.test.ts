import { expect } from '@open-wc/testing';
import { MemoryMirror } from '../../src/mirror/memory-mirror.js';
import { describeMirror } from '../conformance/mirror.js';

describeMirror('the memory mirror', () => new MemoryMirror());

describe('the memory mirror', () => {
  it('says that nothing outlives the page, unless it is told to say something else', () => {
    expect(new MemoryMirror().notKept).to.equal('memory');
    expect(new MemoryMirror('quota').notKept).to.equal('quota');
  });
});
