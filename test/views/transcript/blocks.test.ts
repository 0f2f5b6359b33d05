import { expect } from '@open-wc/testing';
import type { ResponsePart } from '../../../src/protocol/state.js';
import { toBlocks, toNewest } from '../../../src/views/transcript/blocks.js';
import { completedCall, markdown, toolPart } from '../../helpers/turns.js';

const quiet = (id: string) => toolPart(completedCall(id));
const toPart = (id: string) => ({ kind: 'inputRequest' as const, request: { id } });
const shape = (parts: readonly ResponsePart[], isOpen?: (key: string) => boolean) =>
  toBlocks(parts, isOpen).map((block) =>
    block.kind === 'run' ? block.calls.map(([key]) => key) : block.isInRun ? `in run ${block.key}` : block.key,
  );

describe('toBlocks', () => {
  it('folds three and more quiet calls in a row', () => {
    expect(shape([quiet('a'), quiet('b'), quiet('c'), markdown('x'), quiet('d'), quiet('e')])).to.deep.equal([
      [0, 1, 2],
      3,
      4,
      5,
    ]);
  });

  it('leaves calls that failed, run or wait outside', () => {
    const failed = toolPart(completedCall('f', { success: false }));
    const running = toolPart({ ...completedCall('r'), status: 'running' });

    expect(shape([quiet('a'), quiet('b'), failed, quiet('c'), quiet('d'), running])).to.deep.equal([0, 1, 2, 3, 4, 5]);
  });

  it('leaves a command that ended badly outside, although the tool did what it was asked', () => {
    const content = [{ type: 'terminal' as const, resource: 't', title: 'x', result: { exitCode: 1 } }];
    const bad = toolPart(completedCall('x', { content }));

    expect(shape([quiet('a'), quiet('b'), quiet('c'), bad])).to.deep.equal([[0, 1, 2], 3]);
  });

  it('lets the calls of an open run follow its line', () => {
    const parts = [quiet('a'), quiet('b'), quiet('c'), markdown('x')];

    expect(shape(parts, (key) => key === 'run 0')).to.deep.equal([[0, 1, 2], 'in run 0', 'in run 1', 'in run 2', 3]);
  });

  it('does not fold away what is open', () => {
    const parts = [quiet('a'), quiet('b'), quiet('c')];

    expect(shape(parts, (key) => key === '1')).to.deep.equal([[0, 1, 2], 'in run 0', 'in run 1', 'in run 2']);
  });

  it('shows the first of two parts with one call', () => {
    expect(shape([quiet('a'), quiet('a'), markdown('x'), quiet('a')])).to.deep.equal([0, 2]);
  });

  it('are the newest, and of the older ones those that wait, where there are too many', () => {
    const waiting = toPart('w');
    const parts = [markdown('a'), waiting, ...Array.from({ length: 10 }, (_, at) => markdown(`${at}`))];

    const { shown, hidden } = toNewest(toBlocks(parts), 3);

    expect(shown.map(({ key }) => key)).to.deep.equal([1, 9, 10, 11]);
    expect(hidden).to.equal(8);
    expect(toNewest(toBlocks(parts), 12)).to.deep.equal({ shown: toBlocks(parts), hidden: 0 });
  });

  it('passes on what it does not know', () => {
    const odd = [undefined, { kind: 'toolCall' }, { kind: 'hologram' }] as unknown as ResponsePart[];

    expect(shape(odd)).to.deep.equal([0, 1, 2]);
  });

  it('names a run by its first call, so that it stays the same while it grows', () => {
    const [one] = toBlocks([quiet('a'), quiet('b'), quiet('c')]);
    const [same] = toBlocks([quiet('a'), quiet('b'), quiet('c'), quiet('d')]);

    expect(one?.key).to.equal(same?.key);
  });
});
