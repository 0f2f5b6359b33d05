import { expect, fixture, html } from '@open-wc/testing';
import type { Announcement } from '../../../src/chat/announcements.js';
import '../../../src/views/status/ahp-announcer.js';
import type { AhpAnnouncer } from '../../../src/views/status/ahp-announcer.js';
import { ManualClock } from '../../helpers/manual-environment.js';
import { findAll } from '../../helpers/views.js';

async function announcerFixture() {
  const clock = new ManualClock();
  const announcer = document.createElement('ahp-announcer');
  announcer.clock = clock;
  await fixture(html`${announcer}`);
  return { announcer, clock };
}
/** What the polite and the assertive region hold. */
async function heard(announcer: AhpAnnouncer): Promise<string[]> {
  await announcer.updateComplete;
  return findAll(announcer, '[aria-live]').map((region) => region.textContent);
}

describe('ahp-announcer', () => {
  it('has both regions from the start, empty', async () => {
    const { announcer } = await announcerFixture();

    expect(findAll(announcer, '[aria-live]').map((region) => region.getAttribute('aria-live'))).to.deep.equal([
      'polite',
      'assertive',
    ]);
    expect(await heard(announcer)).to.deep.equal(['', '']);
  });

  const cases: readonly [Announcement, string][] = [
    [{ key: 'turnStarted', politeness: 'polite' }, 'Working.'],
    [
      { key: 'turnFinished', politeness: 'polite', text: 'Use **`a`**, see [b](https://c)', isTrimmed: false },
      'Answer: Use a, see b',
    ],
    [{ key: 'turnFinished', politeness: 'polite', text: '', isTrimmed: false }, 'Done.'],
    [{ key: 'turnCancelled', politeness: 'polite' }, 'Stopped.'],
    [{ key: 'turnFailed', politeness: 'assertive', message: 'No\u202E quota' }, 'Failed: No[U+202E] quota'],
    [{ key: 'confirmationNeeded', politeness: 'assertive', tool: 'Shell' }, 'Your answer is needed: may Shell run?'],
    [
      { key: 'resultConfirmationNeeded', politeness: 'assertive', tool: 'Query' },
      'Your answer is needed: may the result of Query be used?',
    ],
    [{ key: 'authenticationNeeded', politeness: 'assertive', tool: 'Calendar' }, 'Calendar needs you to sign in.'],
    [{ key: 'questionAsked', politeness: 'assertive', message: 'Which **one**?' }, 'A question: Which one?'],
    [{ key: 'questionAsked', politeness: 'assertive', message: '' }, 'The agent asks you something.'],
  ];
  for (const [announcement, text] of cases)
    it(`says “${text}”`, async () => {
      const { announcer } = await announcerFixture();

      announcer.announce(announcement);

      const isPolite = announcement.politeness === 'polite';
      expect(await heard(announcer)).to.deep.equal(isPolite ? [text, ''] : ['', text]);
    });

  it('says the last of what comes close together, and urgent things at once', async () => {
    const { announcer, clock } = await announcerFixture();
    announcer.announceFact('sent');
    announcer.announce({ key: 'turnStarted', politeness: 'polite' });
    announcer.announce({ key: 'turnFinished', politeness: 'polite', text: '42', isTrimmed: false });
    announcer.announce({ key: 'turnFailed', politeness: 'assertive', message: 'no' });
    expect(await heard(announcer)).to.deep.equal(['Message sent.', 'Failed: no']);

    clock.advance(1_500);
    expect(await heard(announcer)).to.deep.equal(['Answer: 42', 'Failed: no']);

    clock.advance(20_000);
    expect(await heard(announcer)).to.deep.equal(['', '']);
    expect(clock.pendingTimers).to.equal(0);
  });

  it('changes at most ten times in 200 announcements within ten seconds', async () => {
    const { announcer, clock } = await announcerFixture();
    const said = new Set<string>();

    for (let i = 0; i < 200; i += 1) {
      announcer.say(`message ${i}`, 'polite');
      clock.advance(50);
      said.add((await heard(announcer))[0]!);
    }

    expect(said.size).to.be.at.most(10);
    clock.advance(1_500);
    expect((await heard(announcer))[0]).to.equal('message 199');
  });

  it('says the same words twice when they are said twice', async () => {
    const { announcer, clock } = await announcerFixture();
    announcer.announceFact('offline');
    const [first] = await heard(announcer);
    clock.advance(2_000);
    announcer.announceFact('offline');
    const [second] = await heard(announcer);

    expect(second).to.not.equal(first);
    expect(second!.trim()).to.equal(first);
  });

  it('cuts what is too long to listen to', async () => {
    const { announcer } = await announcerFixture();

    announcer.say('word '.repeat(1_000), 'polite');

    expect((await heard(announcer))[0]!.length).to.be.below(310);
  });

  it('says everything at once without a clock', async () => {
    const { announcer } = await announcerFixture();
    announcer.clock = undefined;

    announcer.say('one', 'polite');
    announcer.say('two', 'polite');

    expect((await heard(announcer))[0]).to.equal('two');
  });

  it('is out of sight and accessible in either direction', async () => {
    const { announcer } = await announcerFixture();
    announcer.dir = 'rtl';
    announcer.say('text', 'assertive');
    await announcer.updateComplete;

    expect([announcer.offsetWidth, announcer.offsetHeight]).to.deep.equal([1, 1]);
    await expect(announcer).to.be.accessible();
  });

  it('has nothing to reach with the keyboard, and ends its timers when it goes', async () => {
    const { announcer, clock } = await announcerFixture();
    announcer.say('one', 'polite');
    announcer.say('two', 'polite');

    announcer.remove();

    expect(findAll(announcer, 'button, [tabindex]')).to.be.empty;
    expect(clock.pendingTimers).to.equal(0);
  });
});
