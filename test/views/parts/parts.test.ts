/** Reasoning, content on demand, notifications, errors and what nobody knows, in a transcript. */

import { expect } from '@open-wc/testing';
import { AhpError } from '../../../src/protocol/errors.js';
import type { ContentRef, ResponsePart } from '../../../src/protocol/state.js';
import { loadInputRequest } from '../../../src/views/parts/lazy.js';
import { ManualClock } from '../../helpers/manual-environment.js';
import { activeFixture, finishedFixture, settled, transcriptFixture } from '../../helpers/transcript.js';
import { active, markdown, paragraphs, reasoning, turn } from '../../helpers/turns.js';
import { waitUntil } from '../../helpers/until.js';
import { collect, deepFocus, find, findAll, findButton, nameOf, press, textOf } from '../../helpers/views.js';

await loadInputRequest();

/** A picture of one point. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const line = (transcript: Element) => find(transcript, '[part=reasoning] .line');

describe('ahp-reasoning', () => {
  it('shows its last line while it goes on, and says how long it took when that was seen', async () => {
    const clock = new ManualClock();
    const transcript = await activeFixture([reasoning('First.\n')], { clock });
    expect(textOf(line(transcript))).to.equal('Thinking… First.');

    clock.advance(12_000);
    transcript.activeTurn = active('now', reasoning('First.\nThen I look *further*'));
    await settled();
    expect(textOf(line(transcript))).to.equal('Thinking… Then I look *further*');

    transcript.activeTurn = active('now', reasoning('First.\nThen I look *further*'), markdown('So:'));
    await settled();
    expect(textOf(line(transcript))).to.equal('Thought for 12s');
  });

  it('does not make up a duration for what began before', async () => {
    const clock = new ManualClock();
    const long = paragraphs(9);
    const transcript = await activeFixture([reasoning(long)], { clock });

    clock.advance(9_000);
    transcript.activeTurn = active('now', reasoning(long), markdown('So:'));
    await settled();

    expect(textOf(line(transcript))).to.equal('Thought');
  });

  it('opens in place and stays open while its text grows', async () => {
    const transcript = await activeFixture([reasoning('one')]);
    (line(transcript) as HTMLButtonElement).click();
    await settled();
    await waitUntil(() => textOf(find(transcript, '.fold-body')) === 'one');

    transcript.activeTurn = active('now', reasoning('one two'));
    await waitUntil(() => textOf(find(transcript, '.fold-body')) === 'one two');
    expect(line(transcript).getAttribute('aria-expanded')).to.equal('true');
  });

  it('is left out where the page does not want it', async () => {
    const transcript = await finishedFixture([reasoning('secret'), markdown('answer')], { withoutReasoning: true });

    expect(textOf(find(transcript, '.answer'))).to.equal('answer');
  });

  it('is accessible, opens with the keyboard, and points the other way in a right-to-left page', async () => {
    const transcript = await finishedFixture([reasoning('text')]);
    transcript.dir = 'rtl';
    line(transcript).focus();

    await press('Enter');
    await settled();

    expect(line(transcript).getAttribute('aria-expanded')).to.equal('true');
    expect(getComputedStyle(find(transcript, '.line .icon-chevron')).scale).to.equal('-1 1');
    await expect(transcript).to.be.accessible();
  });
});

describe('ahp-content-ref', () => {
  const part = (ref: Partial<ContentRef>): ResponsePart => ({ kind: 'contentRef', uri: 'file:///notes.md', ...ref });
  const reader = (answer: (ref: ContentRef) => Promise<string>) => {
    const asked: ContentRef[] = [];
    const readResource = async (ref: ContentRef) => {
      asked.push(ref);
      return { data: await answer(ref), encoding: 'utf-8' as const, contentType: 'text/plain' };
    };
    return { asked, services: { readResource } };
  };

  it('reads what is small by itself, once', async () => {
    const { asked, services } = reader(async () => 'the text');
    const transcript = await finishedFixture([part({ sizeHint: 100 })], { services });
    await waitUntil(() => findAll(transcript, '.code-box').length === 1);

    transcript.turns = [turn('done', { responseParts: [part({ sizeHint: 100 })] })];
    await settled();

    expect(find(transcript, '.code-box').textContent).to.equal('the text');
    expect(asked).to.have.length(1);
  });

  it('reads what is large, or of unknown size, when it is asked to', async () => {
    const { asked, services } = reader(async () => 'the text');
    const transcript = await finishedFixture([part({})], { services });
    expect(asked).to.be.empty;

    findButton(transcript, 'Load: notes.md').click();
    await waitUntil(() => findAll(transcript, '.code-box').length === 1);

    expect(asked).to.have.length(1);
  });

  it('says when it fails and tries again', async () => {
    let isBroken = true;
    const { services } = reader(async () => {
      if (isBroken) throw new AhpError('disconnected', 'gone');
      return 'the text';
    });
    const transcript = await finishedFixture([part({ sizeHint: 10 })], { services });
    await waitUntil(() => textOf(find(transcript, '.content-head')).includes('Could not be loaded.'));
    isBroken = false;

    findButton(transcript, 'Try again: notes.md').click();

    await waitUntil(() => findAll(transcript, '.code-box').length === 1);
  });

  it('is a name and a size where nothing can be read', async () => {
    const transcript = await finishedFixture([part({ uri: 'file:///x/Q1%.pdf', sizeHint: 1_200 })]);

    expect(textOf(find(transcript, '.content-ref'))).to.equal('Q1%.pdf 1.2 kB');
    expect(findAll(transcript, '.content-ref button').map(nameOf)).to.deep.equal(['Open Q1%.pdf']);
  });

  const contents = [
    ['image/png', 'base64', PIXEL, 'img'],
    ['image/svg+xml', 'base64', btoa('<svg onload="alert(1)"/>'), 'pre'],
    ['text/html', 'utf-8', '<script>alert(1)</script>', 'pre'],
    ['application/pdf', 'base64', btoa('%PDF'), 'p'],
  ] as const;
  for (const [contentType, encoding, data, shown] of contents)
    it(`shows ${contentType} as ${shown}`, async () => {
      const services = { readResource: async () => ({ data, encoding, contentType }) };
      const transcript = await finishedFixture([part({ sizeHint: 1 })], { services });
      await waitUntil(() => findAll(transcript, '.content-ref button').length === 2);

      expect(find(transcript, '.content-ref > :last-child').localName).to.equal(shown);
      expect(findAll(transcript, 'script, svg[onload], iframe, object')).to.be.empty;
    });

  it('saves as bytes of no type, so that nothing in it runs', async () => {
    const services = {
      readResource: async () => ({ data: '<script>', encoding: 'utf-8' as const, contentType: 'text/html' }),
    };
    const transcript = await finishedFixture([part({ sizeHint: 1 })], { services });
    await waitUntil(() => findAll(transcript, '.content-ref button').length === 2);
    const made: Blob[] = [];
    const names: string[] = [];
    const { createObjectURL } = URL;
    const { click } = HTMLAnchorElement.prototype;
    URL.createObjectURL = (blob: Blob) => (made.push(blob), createObjectURL.call(URL, blob));
    HTMLAnchorElement.prototype.click = function (this: HTMLAnchorElement) {
      names.push(this.download);
    };
    try {
      findButton(transcript, 'Save notes.md').click();
    } finally {
      Object.assign(URL, { createObjectURL });
      Object.assign(HTMLAnchorElement.prototype, { click });
    }

    expect(made.map(({ type }) => type)).to.deep.equal(['application/octet-stream']);
    expect(names).to.deep.equal(['notes.md']);
  });

  it('is accessible and can be loaded with the keyboard', async () => {
    const { services } = reader(async () => 'the text');
    const transcript = await finishedFixture([part({})], { services });
    await expect(transcript).to.be.accessible();
    findButton(transcript, /Load/).focus();

    await press('Enter');

    await waitUntil(() => findAll(transcript, '.code-box').length === 1);
    await expect(transcript).to.be.accessible();
  });
});

describe('other parts', () => {
  it('shows a system notification by its content alone', async () => {
    const transcript = await finishedFixture([
      { kind: 'systemNotification', content: { markdown: 'Compacted to **40 %**' }, _meta: { x: 1 } },
    ]);

    expect(textOf(find(transcript, '.notification'))).to.equal('Compacted to 40 %');
  });

  it('shows no secret in an address, neither of a notification nor of an error', async () => {
    const text = 'at https://me:hunter2@h.example/?access_token=s3cret&room=1';
    const transcript = await finishedFixture([
      { kind: 'systemNotification', content: `plain ${text}` },
      { kind: 'systemNotification', content: { markdown: `<${text.slice(3)}>` } },
      { kind: 'error', error: { errorType: 'e', message: `First.\n${text}` } },
    ]);
    findButton(find(transcript, '[part=error]'), 'Details').click();
    await settled();

    const shown = textOf(find(transcript, '.answer'));
    expect(shown).to.contain('plain').and.contain('https://me:…@h.example/?access_token=…&room=1');
    expect(find(transcript, '.answer').getHTML()).not.to.contain('s3cret').and.not.to.contain('hunter2');
  });

  it('shows nothing of metadata and stacks, wherever they stand', async () => {
    const { toolPart, completedCall } = await import('../../helpers/turns.js');
    const _meta = { note: 'm3ta' };
    const stacked = { message: 'no', stack: 'at st4ck.js' };
    const error = { ...stacked, errorType: 'e', message: 'Broken', _meta };
    const transcript = await finishedFixture([
      Object.assign(markdown('text'), { _meta }),
      { kind: 'reasoning', id: 'r', content: 'hm', _meta } as ResponsePart,
      { kind: 'systemNotification', content: 'news', _meta },
      toolPart(completedCall('c', { _meta, success: false, error: stacked })),
      { kind: 'hologram', _meta } as unknown as ResponsePart,
      { kind: 'error', error },
    ]);
    for (const fold of findAll<HTMLButtonElement>(transcript, 'button[aria-expanded=false]')) fold.click();
    await settled();

    expect(find(transcript, '.answer').getHTML()).not.to.contain('m3ta').and.not.to.contain('st4ck');
    expect(textOf(find(transcript, '.answer')))
      .to.contain('Broken')
      .and.contain('news');
  });

  const odd: readonly [string, unknown, string][] = [
    ['of an unknown kind', { kind: 'hologram' }, 'Content of a kind this page does not know: hologram'],
    ['that is nothing', undefined, 'Content of a kind this page does not know: undefined'],
    ['of Markdown without content', { kind: 'markdown', id: 'x' }, ''],
    ['of a call without a call', { kind: 'toolCall' }, ''],
    ['of a question without one', { kind: 'inputRequest' }, ''],
    ['of an error without one', { kind: 'error' }, 'Failed'],
    ['of a notification without content', { kind: 'systemNotification' }, ''],
  ];
  for (const [name, part, text] of odd)
    it(`keeps the turn when it has a part ${name}`, async () => {
      const transcript = await finishedFixture([markdown('before'), part as ResponsePart, markdown('after', 'n')]);

      expect(textOf(find(transcript, '.answer')).replace(/\s/g, '')).to.equal(`before${text}after`.replace(/\s/g, ''));
    });

  it('shows an error by its first line, the rest on request, its stack never', async () => {
    const error = { errorType: 'overloaded', message: 'Too busy.\nTry later.', stack: 'at secret.js' };
    const transcript = await finishedFixture([{ kind: 'error', error }]);
    const card = find(transcript, '[part=error]');
    expect(textOf(card)).to.equal('Too busy. Details');

    findButton(card, 'Details').click();
    await settled();

    expect(textOf(card)).to.contain('Try later.').and.contain('overloaded').and.not.contain('secret');
  });

  it('shows the failure of an old host like one of today', async () => {
    const transcript = await transcriptFixture({
      turns: [turn('old', { responseParts: [], state: 'error', error: { errorType: 'x', message: 'Quota used up' } })],
    });

    expect(textOf(find(transcript, '[part=error] .card-title'))).to.equal('Quota used up');
  });

  it('offers to resume only the last turn, only when the host allows it, only while nothing runs', async () => {
    const failed = (id: string, resumable: boolean) =>
      turn(id, {
        state: 'error',
        responseParts: [{ kind: 'error', error: { errorType: '', message: id }, resumable }],
      });
    const transcript = await transcriptFixture({ turns: [failed('a', true), failed('b', true)] });
    const resumed = collect(transcript, 'ahp-resume');
    const buttons = () =>
      findAll<HTMLButtonElement>(transcript, '[part=error] button').filter((b) => textOf(b) === 'Resume');
    expect(buttons()).to.have.length(1);

    buttons()[0]!.click();
    expect(resumed.map(({ turnId }) => turnId)).to.deep.equal(['b']);

    transcript.activeTurn = active('now');
    await settled();
    expect(buttons()).to.be.empty;

    transcript.activeTurn = undefined;
    transcript.turns = [failed('c', false)];
    await settled();
    expect(buttons()).to.be.empty;
  });

  it('opens a long run of quiet calls at the keyboard without moving the focus', async () => {
    const { toolPart, completedCall } = await import('../../helpers/turns.js');
    const transcript = await finishedFixture([1, 2, 3, 4].map((id) => toolPart(completedCall(`${id}`))));
    const run = find<HTMLButtonElement>(transcript, '[part=tool-run] > button');
    expect(textOf(run)).to.equal('4 steps done Read file 4 times');
    run.focus();

    await press('Enter');
    await settled();

    expect(findAll(transcript, '[part=tool-call-line]')).to.have.length(4);
    expect(deepFocus()).to.equal(run);
    await expect(transcript).to.be.accessible();
  });
});
