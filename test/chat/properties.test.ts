import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import type { ChatAction } from '../../src/protocol/actions.js';
import { isEqual } from '../../src/protocol/record.js';
import type { ChatState } from '../../src/protocol/state.js';
import { chatReducer } from '../../src/chat/reducer.js';
import { activityOf } from '../../src/chat/status.js';
import { actionList, anyAction } from '../helpers/chat-arbitraries.js';
import { chat, freeze, reduce } from '../helpers/chat-states.js';

const runs = { numRuns: 400 };

const json = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** Every state on the way, the first included. */
function statesOf(actions: readonly object[]): readonly ChatState[] {
  const states = [chat()];
  for (const action of actions) states.push(reduce(states.at(-1) as ChatState, action));
  return states;
}

describe('any list of actions', () => {
  it('leaves frozen states alone, never throws, and gives the same object where nothing changed', () => {
    fc.assert(
      fc.property(actionList, (actions) => {
        const states = statesOf(actions);
        states.slice(1).forEach((after, index) => {
          const before = states[index];
          if (isEqual(before, after)) expect(after).to.equal(before);
        });
      }),
      runs,
    );
  });

  it('gives the same state wherever it is cut, written down and read again', () => {
    fc.assert(
      fc.property(actionList, fc.nat(), (actions, at) => {
        const cut = at % (actions.length + 1);
        const whole = reduce(chat(), ...actions);

        const halves = reduce(json(reduce(chat(), ...actions.slice(0, cut))), ...actions.slice(cut));

        expect(json(halves)).to.deep.equal(json(whole));
      }),
      runs,
    );
  });

  it('gives the same state whatever else was made of the states on the way', () => {
    fc.assert(
      fc.property(actionList, fc.array(fc.tuple(fc.nat(), anyAction), { maxLength: 10 }), (actions, detours) => {
        const states = statesOf(actions);
        const taken = detours.map(([at, action]) => [states[at % states.length] as ChatState, action] as const);
        for (const [state, action] of taken) reduce(state, action);

        const again = taken.map(([state, action]) => reduce(state, action));

        taken.forEach(([state, action], index) => {
          expect(json(again[index])).to.deep.equal(json(chatReducer(json(state), action as ChatAction)));
        });
        expect(json(statesOf(actions))).to.deep.equal(json(states));
      }),
      runs,
    );
  });

  it('keeps the keys and kinds of later versions', () => {
    const later = { since: '9.0', nested: [{ deep: null }] };
    fc.assert(
      fc.property(actionList, (actions) => {
        const state = freeze({ ...chat(), later } as ChatState);
        const part = { kind: 'hologram', later };
        const [start, ...rest] = actions;

        const after = reduce(state, start as object, {
          type: 'chat/responsePart',
          turnId: (start as { turnId: string }).turnId,
          part,
        });

        expect(reduce(after, ...rest)).to.have.property('later', later);
        expect(after.activeTurn?.responseParts.at(-1)).to.equal(part);
      }),
      runs,
    );
  });

  it('keeps the status an unsigned number that fits the running turn after every recompute', () => {
    fc.assert(
      fc.property(actionList, (actions) => {
        const recompute = { type: 'chat/toolCallAuthResolved', turnId: 'none', toolCallId: 'none' };
        const after = reduce({ ...chat(), status: 2 ** 31 + 1 }, ...actions, recompute);

        expect(after.status).to.be.at.least(2 ** 31);
        expect((after.status & 31) >>> 0).to.equal(activityOf(json(after).activeTurn));
      }),
      runs,
    );
  });

  it('shuffled is still no reason to throw', () => {
    fc.assert(
      fc.property(
        actionList.chain((actions) => fc.shuffledSubarray([...actions, ...actions], { minLength: 2 * actions.length })),
        (actions) => void reduce(chat(), ...actions),
      ),
      runs,
    );
  });
});
