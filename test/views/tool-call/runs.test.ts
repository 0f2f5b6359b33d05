/** Runs of quiet calls on screen: what folds, what stays open, and where the focus goes. */

import { expect } from '@open-wc/testing';
import type { AhpTranscript } from '../../../src/views/transcript/ahp-transcript.js';
import { activeFixture, settled } from '../../helpers/transcript.js';
import { active, completedCall, toolPart } from '../../helpers/turns.js';
import { deepFocus, find, findAll, press, textOf } from '../../helpers/views.js';

const done = (id: string, displayName = 'Read file') => toolPart(completedCall(id, { displayName }));
const runLine = (transcript: AhpTranscript) => find<HTMLButtonElement>(transcript, '[part=tool-run] > button');
const lines = (transcript: AhpTranscript) => findAll<HTMLButtonElement>(transcript, '[part=tool-call-line]');
const show = async (transcript: AhpTranscript, ...parts: ReturnType<typeof done>[]) => {
  transcript.activeTurn = active('now', ...parts);
  await settled();
};

describe('a run of quiet calls', () => {
  it('is one line that says what was done how often', async () => {
    const ran = toolPart(
      completedCall('c', { displayName: 'Run command', pastTenseMessage: { markdown: 'Ran `npm test`' } }),
    );
    const transcript = await activeFixture([done('a'), done('b'), ran]);

    expect(textOf(runLine(transcript))).to.equal('3 steps done Read file 2 times and Ran npm test');
    expect(lines(transcript)).to.be.empty;
  });

  it('names a call that the host has no words for', async () => {
    const silent = toolPart(completedCall('c', { displayName: 'Run command', pastTenseMessage: '' }));
    const transcript = await activeFixture([done('a'), done('b'), silent]);

    expect(textOf(runLine(transcript))).to.equal('3 steps done Read file 2 times and Run command');
  });

  it('shows a failure in its middle without being opened', async () => {
    const failed = toolPart(completedCall('x', { success: false, error: { message: 'no' } }));
    const transcript = await activeFixture([done('a'), done('b'), done('c'), failed, done('d'), done('e'), done('f')]);

    expect(findAll(transcript, '[part=tool-run]')).to.have.length(2);
    expect(lines(transcript).map(textOf)).to.deep.equal(['Read file-x.ts Failed']);
  });

  it('takes the focus of a call that is folded away', async () => {
    const transcript = await activeFixture([done('a'), done('b')]);
    lines(transcript)[1]!.focus();

    await show(transcript, done('a'), done('b'), done('c'));

    expect(deepFocus()).to.equal(runLine(transcript));
  });

  it('stays open around a call that is being read, whose element stays', async () => {
    const transcript = await activeFixture([done('a'), done('b')]);
    lines(transcript)[1]!.focus();
    await press('Enter');
    await settled();
    const element = findAll(transcript, 'ahp-tool-call')[1];
    const line = lines(transcript)[1];

    await show(transcript, done('a'), done('b'), done('c'));

    expect(runLine(transcript).getAttribute('aria-expanded')).to.equal('true');
    expect(findAll(transcript, 'ahp-tool-call')[1]).to.equal(element);
    expect(deepFocus()).to.equal(line);
    expect(findAll(transcript, '[part=tool-call-body]')).to.have.length(1);
  });

  it('closes with all that is open in it', async () => {
    const transcript = await activeFixture([done('a'), done('b'), done('c')]);
    runLine(transcript).click();
    await settled();
    lines(transcript)[0]!.click();
    await settled();

    runLine(transcript).click();
    await settled();
    expect(lines(transcript)).to.be.empty;

    await show(transcript, done('a'), done('b'), done('c'), done('d'));
    expect(lines(transcript)).to.be.empty;
  });
});
