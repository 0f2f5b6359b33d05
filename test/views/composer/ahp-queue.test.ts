import { expect, fixture, html } from '@open-wc/testing';
import { Edits } from '../../../src/chat/edits.js';
import type { PendingMessage } from '../../../src/protocol/state.js';
import '../../../src/views/composer/ahp-composer.js';
import type { AhpQueue } from '../../../src/views/composer/ahp-queue.js';
import { sendKeys, sendMouse } from '@web/test-runner-commands';
import { waitUntil } from '../../helpers/until.js';
import {
  collect,
  deepFocus,
  find,
  findAll,
  findButton,
  press,
  rendered,
  textOf,
  type,
  undo,
} from '../../helpers/views.js';

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
  const composer = Object.assign(document.createElement('ahp-composer'), { edits: new Edits(), ...props });
  await fixture(html`${composer}`);
  await rendered(composer);
  const queue = find<AhpQueue>(composer, 'ahp-queue');
  await waitUntil(() => queue.querySelector('[data-control=edit], [data-control=move]'), 'the tools are there');
  return { composer, queue };
}

/** A queue whose owner does what it is asked, as the chat does. */
async function workingQueue(props: Partial<AhpQueue>) {
  const made = await queueFixture(props);
  const { composer } = made;
  composer.addEventListener('ahp-queue-move', ({ order }) => {
    composer.queued = order.map((id) => composer.queued.find((entry) => entry.id === id)!);
  });
  composer.addEventListener('ahp-queue-edit', ({ id, message }) => {
    composer.queued = composer.queued.map((entry) => (entry.id === id ? { ...entry, message } : entry));
  });
  return made;
}

const three = () => [waiting('1', 'one'), waiting('2', 'two'), waiting('3', 'three')];
const texts = (queue: AhpQueue) => findAll(queue, '.queue-text').map(textOf);
const middle = (element: Element): [number, number] => {
  const { x, y, width, height } = element.getBoundingClientRect();
  return [Math.round(x + width / 2), Math.round(y + height / 2)];
};
const handleOf = (queue: AhpQueue, name: string) => findButton(queue, new RegExp(`^Move ${name}`));
const editorOf = (queue: AhpQueue) => find<HTMLTextAreaElement>(queue, 'textarea');

async function edit(queue: AhpQueue, name: string): Promise<HTMLTextAreaElement> {
  findButton(queue, `Edit ${name}`).click();
  await rendered(queue);
  return editorOf(queue);
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

    expect(find(queue, '.queue').offsetHeight).to.be.below(200);
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

  it('can be read and removed before its tools are there', async () => {
    const queue = Object.assign(document.createElement('ahp-queue'), { queued: three() });
    document.body.append(queue);
    await queue.updateComplete;

    const names = findAll(queue, 'button').map((button) => button.getAttribute('aria-label'));
    queue.remove();
    expect(names).to.deep.equal(['Remove one', 'Remove two', 'Remove three']);
  });

  describe('editing', () => {
    it('saves with Enter and keeps attachments and place', async () => {
      const { composer, queue } = await workingQueue({ queued: [waiting('1', 'first', 2), waiting('2', 'second')] });
      const edits = collect(composer, 'ahp-queue-edit');
      const field = await edit(queue, 'first');
      expect(deepFocus()).to.equal(field);
      expect(field.selectionStart).to.equal(5);

      await type(' thing');
      await press('Enter');
      await rendered(queue);

      expect(edits.map(({ kind, id, message }) => [kind, id, message])).to.deep.equal([
        ['queued', '1', { ...waiting('1', 'first', 2).message, text: 'first thing' }],
      ]);
      await waitUntil(() => texts(queue)[0] === 'first thing');
      await waitUntil(() => deepFocus() === findButton(queue, 'Edit first thing'), 'the focus is back on the row');
    });

    it('takes several lines', async () => {
      const { composer, queue } = await workingQueue({ queued: [waiting('1', 'a')] });
      const edits = collect(composer, 'ahp-queue-edit');
      const field = await edit(queue, 'a');

      await sendKeys({ down: 'Shift' });
      await press('Enter');
      await sendKeys({ up: 'Shift' });
      await type('b');
      expect(field.rows).to.equal(2);
      await press('Enter');

      expect(edits.map(({ message }) => message.text)).to.deep.equal(['a\nb']);
    });

    it('cancels with Escape, which goes no further', async () => {
      const { composer, queue } = await workingQueue({ queued: [waiting('1', 'first')] });
      const edits = collect(composer, 'ahp-queue-edit');
      const escapes: Event[] = [];
      const onKey = (event: KeyboardEvent) => event.key === 'Escape' && escapes.push(event);
      document.addEventListener('keydown', onKey);
      await edit(queue, 'first');

      await type(' no');
      await press('Escape');
      document.removeEventListener('keydown', onKey);
      await rendered(queue);

      expect(edits).to.be.empty;
      expect(escapes).to.be.empty;
      expect(texts(queue)).to.deep.equal(['first']);
      await waitUntil(() => deepFocus() === findButton(queue, 'Edit first'));
    });

    it('does not save with the key that confirms a composition in Safari', async () => {
      const { composer, queue } = await workingQueue({ queued: [waiting('1', 'にほん')] });
      const edits = collect(composer, 'ahp-queue-edit');
      const field = await edit(queue, 'にほん');
      const enter = (keyCode: number) =>
        new KeyboardEvent('keydown', { key: 'Enter', keyCode, bubbles: true, cancelable: true });
      await type('x');

      field.dispatchEvent(new CompositionEvent('compositionstart'));
      field.dispatchEvent(new CompositionEvent('compositionend'));
      field.dispatchEvent(enter(229));
      expect(edits).to.be.empty;

      field.dispatchEvent(new KeyboardEvent('keyup', { key: 'Enter' }));
      field.dispatchEvent(enter(13));
      expect(edits).to.have.length(1);
    });

    it('stays open with its text when the page prevents it', async () => {
      const { composer, queue } = await queueFixture({ queued: [waiting('1', 'first')] });
      composer.addEventListener('ahp-queue-edit', (event) => event.preventDefault());
      await edit(queue, 'first');

      await type('!');
      await press('Enter');
      await rendered(queue);

      expect(editorOf(queue).value).to.equal('first!');
    });

    it('keeps half-edited texts while rows come, go and move', async () => {
      const { composer, queue } = await workingQueue({ queued: three() });
      await edit(queue, 'one');
      await type('!');
      findButton(queue, 'Edit three').click();
      await rendered(queue);
      await type('?');

      composer.queued = [waiting('3', 'three'), waiting('1', 'one'), waiting('4', 'four')];
      composer.pendingIds = new Set(['3']);
      await rendered(composer);

      expect(findAll<HTMLTextAreaElement>(queue, 'textarea').map(({ value }) => value)).to.deep.equal([
        'three?',
        'one!',
      ]);
      expect((deepFocus() as HTMLTextAreaElement).value).to.equal('three?');
    });

    it('says that somebody else has changed the message meanwhile, and keeps what is written', async () => {
      const { composer, queue } = await workingQueue({ queued: [waiting('1', 'mine')] });
      await edit(queue, 'mine');
      await type('!');

      composer.queued = [waiting('1', 'theirs')];
      await rendered(composer);

      expect(editorOf(queue).value).to.equal('mine!');
      expect(textOf(find(queue, '.queue-editor'))).to.contain('Changed somewhere else');
    });

    it('hands the focus to the text field when the message is taken meanwhile', async () => {
      const { composer, queue } = await workingQueue({ queued: [waiting('1', 'first', 1), waiting('2', 'second')] });
      await edit(queue, 'first');
      await type(' thing');

      composer.queued = composer.queued.slice(1);

      await waitUntil(() => deepFocus() === find(composer, '[part=textarea]'));
      expect(texts(queue)).to.deep.equal(['second']);
    });

    it('is left alone by what happens to the message being written', async () => {
      const { composer, queue } = await workingQueue({ queued: [waiting('1', 'first')] });
      const field = await edit(queue, 'first');
      await type('!');

      Object.assign(composer, { message: { text: 'a draft', origin: { kind: 'user' } }, revision: 1 });
      await composer.updateComplete;

      expect(field.value).to.equal('first!');
      expect(find<HTMLTextAreaElement>(composer, '[part=textarea]').value).to.equal('a draft');
    });

    it('goes on where it was left, without taking the focus', async () => {
      const edits = new Edits();
      const message = { ...waiting('2', 'second').message, text: 'second, bet' };
      edits.set('pending 2', { was: 'second', message });

      const { queue } = await workingQueue({ queued: [waiting('1', 'first'), waiting('2', 'second')], edits });

      expect(editorOf(queue).value).to.equal('second, bet');
      expect(deepFocus()).to.not.equal(editorOf(queue));
    });

    it('stays with its chat when another one is shown', async () => {
      const edits = new Edits();
      const { composer, queue } = await workingQueue({ queued: [waiting('1', 'first')], edits });
      await edit(queue, 'first');
      await type('!');

      Object.assign(composer, { edits: new Edits(), queued: [waiting('1', 'first')] });
      await rendered(composer);
      expect(texts(queue)).to.deep.equal(['first']);
      Object.assign(composer, { edits });
      await rendered(composer);

      expect(editorOf(queue).value).to.equal('first!');
    });

    it('takes an attachment out with the words it is tied to, and brings both back with undo', async () => {
      const range = { start: { line: 0, character: 4 }, end: { line: 0, character: 9 } };
      const message = {
        ...waiting('1', 'see @a.ts').message,
        attachments: [
          { type: 'simple' as const, label: 'a.ts', range },
          { type: 'simple' as const, label: 'free' },
        ],
      };
      const { composer, queue } = await workingQueue({ queued: [{ id: '1', message }] });
      const edits = collect(composer, 'ahp-queue-edit');
      await edit(queue, 'see @a.ts');

      await press('Backspace');
      await rendered(queue);
      expect(textOf(find(queue, '.queue-editor'))).to.contain('1 file');
      await undo(editorOf(queue));
      await waitUntil(() => editorOf(queue).value === 'see @a.ts');
      await press('Home');
      await type('I ');
      await press('Enter');

      const moved = { start: { line: 0, character: 6 }, end: { line: 0, character: 11 } };
      expect(edits[0]?.message.attachments).to.deep.equal([
        { type: 'simple', label: 'a.ts', range: moved },
        { type: 'simple', label: 'free' },
      ]);
    });

    it('is not offered for what the host has written, nor for what only the host takes out', async () => {
      const { queue } = await queueFixture({
        queued: [
          { id: '1', message: { text: 'automatic', origin: { kind: 'automation' } } },
          { id: '2', message: { text: 'mine', origin: { kind: 'user' } } },
        ],
        steering: [{ id: '3', message: { text: 'listed', origin: { kind: 'user' } }, isListed: true }],
      });

      expect(findAll(queue, 'button').map((button) => button.getAttribute('aria-label'))).to.deep.equal([
        'Move automatic, 1 of 2',
        'Remove automatic',
        'Move mine, 2 of 2',
        'Edit mine',
        'Remove mine',
      ]);
    });
  });

  describe('moving', () => {
    it('moves with the arrow keys on the handle, keeps the focus there and says where it is', async () => {
      const { composer, queue } = await workingQueue({ queued: three() });
      const orders = collect(composer, 'ahp-queue-move');
      const said = collect(composer, 'ahp-announce');
      handleOf(queue, 'one').focus();

      await press('ArrowDown');
      await waitUntil(() => texts(queue).join() === 'two,one,three');
      await press('ArrowDown');
      await waitUntil(() => texts(queue).join() === 'two,three,one');
      await press('ArrowDown');

      expect(orders.map(({ order }) => order)).to.deep.equal([
        ['2', '1', '3'],
        ['2', '3', '1'],
      ]);
      expect(said.map(({ text }) => text)).to.deep.equal(['Moved to place 2 of 3.', 'Moved to place 3 of 3.']);
      expect(deepFocus()).to.equal(handleOf(queue, 'one'));
    });

    it('moves with Alt and an arrow key from any control of the row', async () => {
      const { composer, queue } = await workingQueue({ queued: three() });
      const orders = collect(composer, 'ahp-queue-move');
      findButton(queue, 'Remove three').focus();

      await sendKeys({ down: 'Alt' });
      await press('ArrowUp');
      await sendKeys({ up: 'Alt' });
      await waitUntil(() => texts(queue).join() === 'one,three,two');

      expect(orders.map(({ order }) => order)).to.deep.equal([['1', '3', '2']]);
      expect(deepFocus()).to.equal(findButton(queue, 'Remove three'));
    });

    it('moves with two buttons that a press on the handle shows', async () => {
      const { queue } = await workingQueue({ queued: three() });
      handleOf(queue, 'two').click();
      await rendered(queue);
      expect(findButton(queue, 'Move down').getAttribute('aria-disabled')).to.equal('false');

      findButton(queue, 'Move up').click();
      await waitUntil(() => texts(queue).join() === 'two,one,three');

      expect(findButton(queue, 'Move up').getAttribute('aria-disabled')).to.equal('true');
      handleOf(queue, 'two').click();
      await rendered(queue);
      expect(findAll(queue, '[data-control=up]')).to.be.empty;
    });

    it('moves with the mouse and tells once, when it is let go of', async () => {
      const { composer, queue } = await workingQueue({ queued: three() });
      const orders = collect(composer, 'ahp-queue-move');
      const [x, y] = middle(handleOf(queue, 'one'));
      const [, bottom] = middle(handleOf(queue, 'three'));

      await sendMouse({ type: 'move', position: [x, y] });
      await sendMouse({ type: 'down' });
      await sendMouse({ type: 'move', position: [x, y + 20] });
      await sendMouse({ type: 'move', position: [x, bottom + 4] });
      await waitUntil(() => texts(queue).join() === 'two,three,one');
      expect(orders).to.be.empty;
      await sendMouse({ type: 'up' });
      await rendered(queue);

      expect(orders.map(({ order }) => order)).to.deep.equal([['2', '3', '1']]);
      expect(findAll(queue, '[data-control=up]'), 'the end of a drag is no press').to.be.empty;
    });

    const pointer = (name: string, target: Element, y: number) =>
      target.dispatchEvent(
        new PointerEvent(name, {
          bubbles: true,
          composed: true,
          cancelable: true,
          isPrimary: true,
          pointerId: 7,
          pointerType: 'touch',
          clientY: y,
        }),
      );

    it('moves with a finger, without scrolling, and lets a gesture that is taken away change nothing', async () => {
      const { composer, queue } = await workingQueue({ queued: three() });
      // No browser has a pointer 7; capturing it would throw.
      queue.setPointerCapture = () => undefined;
      const orders = collect(composer, 'ahp-queue-move');
      const handle = handleOf(queue, 'one');
      const [, bottom] = middle(handleOf(queue, 'two'));
      expect(getComputedStyle(handle).touchAction).to.equal('none');

      pointer('pointerdown', handle, middle(handle)[1]);
      pointer('pointermove', handle, bottom + 4);
      await rendered(queue);
      expect(texts(queue)).to.deep.equal(['two', 'one', 'three']);
      pointer('pointercancel', handle, bottom + 4);
      await rendered(queue);
      expect(texts(queue)).to.deep.equal(['one', 'two', 'three']);
      expect(orders).to.be.empty;

      pointer('pointerdown', handle, middle(handle)[1]);
      pointer('pointermove', handle, bottom + 4);
      pointer('pointerup', queue, bottom + 4);
      expect(orders.map(({ order }) => order)).to.deep.equal([['2', '1', '3']]);
    });

    it('goes back at once when the page prevents it, and when the host refuses it', async () => {
      const { composer, queue } = await queueFixture({ queued: three() });
      const prevent = (event: Event) => event.preventDefault();
      composer.addEventListener('ahp-queue-move', prevent);
      handleOf(queue, 'one').focus();

      await press('ArrowDown');
      await rendered(queue);
      expect(texts(queue)).to.deep.equal(['one', 'two', 'three']);

      composer.removeEventListener('ahp-queue-move', prevent);
      await press('ArrowDown');
      await rendered(queue);
      expect(texts(queue)).to.deep.equal(['two', 'one', 'three']);
      composer.queued = three();
      await rendered(composer);
      expect(texts(queue)).to.deep.equal(['one', 'two', 'three']);
    });

    it('shows a message that is taken while another one is being moved', async () => {
      const { composer, queue } = await workingQueue({ queued: three() });
      queue.setPointerCapture = () => undefined;
      const orders = collect(composer, 'ahp-queue-move');
      const handle = handleOf(queue, 'three');
      pointer('pointerdown', handle, middle(handle)[1]);
      pointer('pointermove', handle, middle(handleOf(queue, 'one'))[1] - 4);
      await rendered(queue);

      composer.queued = [waiting('2', 'two'), waiting('3', 'three'), waiting('4', 'four')];
      await rendered(composer);
      pointer('pointerup', queue, 0);

      expect(orders.map(({ order }) => order)).to.deep.equal([['3', '2', '4']]);
    });
  });

  it('is accessible while a row is edited and another one is moved', async () => {
    const { queue } = await workingQueue({ queued: three() });
    await edit(queue, 'one');
    handleOf(queue, 'two').click();
    await rendered(queue);

    await expect(queue).to.be.accessible();
  });
});
