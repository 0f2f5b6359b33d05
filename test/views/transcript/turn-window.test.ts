import { expect } from '@open-wc/testing';
import { MOST, PAGE, TurnWindow } from '../../../src/views/transcript/turn-window.js';
import { active, turns } from '../../helpers/turns.js';

function windowOf(count: number) {
  const view = new TurnWindow();
  view.set(turns(count), undefined);
  return view;
}
const ids = (view: TurnWindow) => view.shown().map(({ id }) => id);

describe('TurnWindow', () => {
  it('opens at the end, however much there is', () => {
    expect(ids(windowOf(3))).to.deep.equal(['t0', 't1', 't2']);
    expect(ids(windowOf(10_000)).at(0)).to.equal('t9970');
    expect(ids(windowOf(10_000)).at(-1)).to.equal('t9999');
    expect(ids(windowOf(0))).to.deep.equal([]);
  });

  it('takes in new turns while it is at the end, and none while it is not', () => {
    const view = windowOf(100);
    view.set(turns(101), active('now'));
    expect(ids(view).slice(-2)).to.deep.equal(['t100', 'now']);

    view.showAround(20);
    view.set(turns(102), active('later'));
    expect([ids(view).at(0), ids(view).at(-1)]).to.deep.equal(['t5', 't34']);
  });

  it('keeps its turns when a running one becomes a finished one', () => {
    const view = windowOf(3);
    view.set(turns(3), active('t3'));
    view.set(turns(4), undefined);

    expect(ids(view)).to.deep.equal(['t0', 't1', 't2', 't3']);
  });

  it('keeps its turns when older ones arrive in front, and then grows into them', () => {
    const view = windowOf(40);
    view.growUp();
    view.set([...turns(50, 'old'), ...turns(40)], undefined);
    expect([view.first, ids(view).at(0)]).to.deep.equal([50, 't0']);

    view.growUp();
    expect(ids(view).at(0)).to.equal(`old${50 - PAGE}`);
  });

  it('opens at the end again when its turns are gone', () => {
    const view = windowOf(100);

    view.set(turns(60, 'other'), undefined);
    expect(ids(view).at(-1)).to.equal('other59');

    view.set(turns(2, 'other'), undefined);
    expect(ids(view)).to.deep.equal(['other0', 'other1']);
  });

  it('keeps the turns that a truncation leaves', () => {
    const view = windowOf(100);
    view.showAround(50);

    view.set(turns(55), undefined);

    expect([ids(view).at(0), ids(view).at(-1)]).to.deep.equal(['t35', 't54']);
  });

  it('counts what is too much and lets it go at either side', () => {
    const view = windowOf(1_000);
    while (view.surplus === 0) view.growUp();
    expect(view.end - view.first).to.be.above(MOST);

    view.dropFromBottom(view.surplus);
    expect([view.end - view.first, view.isAtEnd]).to.deep.equal([MOST, false]);

    view.growDown();
    view.dropFromTop(view.surplus);
    expect([view.end - view.first, view.isAtEnd]).to.deep.equal([MOST, true]);
  });

  it('finds a turn by its id, running or not', () => {
    const view = windowOf(10);
    view.set(turns(10), active('now'));

    expect([view.find('t4'), view.find('now'), view.find('gone'), view.find(undefined)]).to.deep.equal([4, 10, -1, -1]);
  });

  it('shows everything for print', () => {
    const view = windowOf(300);
    view.showAll();

    expect(ids(view)).to.have.length(300);
  });
});
