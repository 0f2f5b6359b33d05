import { expect, fixture, html, waitUntil } from '@open-wc/testing';
import type { PendingMessage } from '../../../src/protocol/state.js';
import '../../../src/views/composer/ahp-composer.js';
import type { AhpQueue } from '../../../src/views/composer/ahp-queue.js';
import { collect, deepFocus, find, findAll, findButton, press, rendered, textOf } from '../../helpers/views.js';

const waiting = (id: string, text: string, files = 0): PendingMessage => ({
  id,
  message: {
    text,
    origin: { kind: 'user' },
    attachments: Array.from({ length: files }, (_, index) => ({ type: 'simple', label: `file ${index}` })),
  },
});

/** Inside the composer, whose sheet it needs. */
async function queueFixture(props: Partial<AhpQueue>) {
  const composer = Object.assign(document.createElement('ahp-composer'), props);
  await fixture(html`${composer}`);
  await rendered(composer);
  return { composer, queue: find<AhpQueue>(composer, 'ahp-queue') };
}

describe('ahp-queue', () => {
  it('shows steering messages, then the queue in the order of sending, with their files', async () => {
    const { queue } = await queueFixture({
      steering: [waiting('s', 'turn left')],
      queued: [waiting('1', 'first\nline', 2), waiting('2', 'second')],
    });

    expect(findAll(queue, 'li').map(textOf)).to.deep.equal([
      'Steering turn left',
      'Queued first line 2 files',
      'Queued second',
    ]);
  });

  it('marks what the host is not known to have', async () => {
    const { queue } = await queueFixture({ queued: [waiting('1', 'a')], pendingIds: new Set(['1']) });

    expect(textOf(find(queue, 'li'))).to.equal('Queued a Sending…');
  });

  it('takes a message back by its kind and id', async () => {
    const { composer, queue } = await queueFixture({ steering: [waiting('x', 'a')], queued: [waiting('x', 'b')] });
    const removed = collect(composer, 'ahp-queue-remove');

    findButton(queue, 'Remove b').click();

    expect(removed.map(({ kind, id }) => [kind, id])).to.deep.equal([['queued', 'x']]);
  });

  it('hands the focus on when the focused row goes, in the end to the text field', async () => {
    const { composer, queue } = await queueFixture({ queued: [waiting('1', 'a'), waiting('2', 'b')] });
    composer.addEventListener('ahp-queue-remove', ({ id }) => {
      composer.queued = composer.queued.filter((entry) => entry.id !== id);
    });
    findButton(queue, 'Remove a').focus();

    await press('Enter');
    await waitUntil(() => deepFocus() === findButton(queue, 'Remove b'));

    await press('Enter');
    await waitUntil(() => deepFocus()?.localName === 'textarea');
  });

  it('scrolls inside itself when it is full', async () => {
    const queued = Array.from({ length: 40 }, (_, index) => waiting(`${index}`, `message ${index}`));
    const { queue } = await queueFixture({ queued });

    expect(find(queue, '.queue').offsetHeight).to.be.below(160);
  });

  it('is accessible', async () => {
    const { queue } = await queueFixture({ queued: [waiting('1', 'a', 1)], steering: [waiting('2', 'b')] });

    await expect(queue).to.be.accessible();
  });

  it('isolates each text in a right-to-left page', async () => {
    const { queue } = await queueFixture({ queued: [waiting('1', 'a\u202Eb')] });
    queue.closest('div')?.setAttribute('dir', 'rtl');

    expect(find(queue, 'bdi').textContent).to.equal('a[U+202E]b');
  });
});
