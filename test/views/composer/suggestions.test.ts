import { expect, fixture, html } from '@open-wc/testing';
import { sendMouse, setViewport } from '@web/test-runner-commands';
import type { ChatServices, SessionInfo } from '../../../src/chat/store.js';
import type { CompletionItem } from '../../../src/protocol/commands.js';
import type { Message, MessageAttachment } from '../../../src/protocol/state.js';
import type { AhpComposer } from '../../../src/views/composer/ahp-composer.js';
import '../../../src/views/composer/ahp-composer.js';
import { loadAssist } from '../../../src/views/parts/lazy.js';
import { ManualEnvironment } from '../../helpers/manual-environment.js';
import { waitUntil } from '../../helpers/until.js';
import {
  collect,
  deepFocus,
  find,
  findAll,
  findButton,
  frame,
  press,
  textOf,
  type,
  undo,
} from '../../helpers/views.js';

const session = { models: [], agents: [], completionTriggerCharacters: ['@', '/', '#'] } as unknown as SessionInfo;
const draft = (text: string, more: Partial<Message> = {}): Message => ({ text, origin: { kind: 'user' }, ...more });
const field = (composer: AhpComposer) => find<HTMLTextAreaElement>(composer, '[part=textarea]');
const popupOf = (composer: AhpComposer) => composer.shadowRoot!.querySelector<HTMLElement>('.suggestions');
const options = (composer: AhpComposer) => findAll(composer, '[role=option]');
const chosen = (composer: AhpComposer) => textOf(find(composer, '[role=option][aria-selected=true] bdi'));

/** What a host says to `@`: the files whose names hold what was typed. */
const files = ['alpha.ts', 'beta.ts', 'gamma.ts'];
const file = (name: string): MessageAttachment => ({
  type: 'resource',
  label: name,
  uri: `file:///${name}`,
  displayKind: 'x-vendor/unheard-of',
  _meta: { 'host/id': name, nested: { a: [1] } },
});
function answer(text: string, offset: number): CompletionItem[] {
  const rangeStart = text.lastIndexOf('@', offset - 1);
  const typed = text.slice(rangeStart + 1, offset);
  return files
    .filter((name) => name.includes(typed))
    .map((name) => ({ insertText: `@${name}`, rangeStart, rangeEnd: offset, attachment: file(name) }));
}

interface Asked {
  readonly text: string;
  readonly offset: number;
  readonly signal: AbortSignal | undefined;
}

async function composerFixture(props: Partial<AhpComposer> = {}, complete: ChatServices['complete'] = undefined) {
  const asked: Asked[] = [];
  const services: ChatServices = {
    async complete(text, offset, signal) {
      asked.push({ text, offset, signal });
      return complete ? complete(text, offset, signal) : answer(text, offset);
    },
  };
  const composer = Object.assign(document.createElement('ahp-composer'), { canSend: true, session, services }, props);
  await fixture(html`${composer}`);
  composer.focus();
  return { composer, asked };
}

const opened = (composer: AhpComposer, count: number) =>
  waitUntil(() => options(composer).length === count, `${count} suggestions are there`);
const closed = (composer: AhpComposer) => waitUntil(() => !popupOf(composer), 'the list has gone');

describe('suggestions in the composer', () => {
  before(() => loadAssist());
  afterEach(() => setViewport({ width: 800, height: 600 }));

  it('are asked for when a trigger character is typed, with the whole text and the caret in UTF-16 units', async () => {
    const { composer, asked } = await composerFixture();

    await type('😀 see ');
    expect(asked).to.be.empty;
    await type('@');
    await opened(composer, 3);

    expect(asked.map(({ text, offset }) => [text, offset])).to.deep.equal([['😀 see @', 8]]);
    expect(options(composer).map(textOf)).to.deep.equal(files.map((name) => `Attachment: ${name} @${name}`));
  });

  it('belong to the field while they are there, and a plain field again', async () => {
    const { composer } = await composerFixture();
    await type('@');
    await opened(composer, 3);
    const attributes = () =>
      ['aria-controls', 'aria-activedescendant', 'aria-autocomplete', 'aria-haspopup'].map((name) =>
        field(composer).getAttribute(name),
      );

    expect(attributes()).to.deep.equal(['suggestions', 'suggestion-0', 'list', 'listbox']);
    expect(find(composer, '#suggestions').getAttribute('role')).to.equal('listbox');
    expect(deepFocus()).to.equal(field(composer));
    await expect(composer).to.be.accessible();

    await press('Escape');
    await closed(composer);
    expect(attributes()).to.deep.equal([null, null, null, null]);
    await expect(composer).to.be.accessible();
  });

  it('are walked with arrows, Home and End, round and round', async () => {
    const { composer } = await composerFixture();
    await type('@');
    await opened(composer, 3);

    const seen = [chosen(composer)];
    for (const key of ['ArrowDown', 'End', 'ArrowDown', 'ArrowUp', 'Home']) {
      await press(key);
      await composer.updateComplete;
      seen.push(chosen(composer));
    }

    expect(seen).to.deep.equal(['alpha.ts', 'beta.ts', 'gamma.ts', 'alpha.ts', 'gamma.ts', 'alpha.ts']);
    expect(field(composer).getAttribute('aria-activedescendant')).to.equal('suggestion-0');
  });

  for (const key of ['Enter', 'Tab'])
    it(`are taken with ${key}, which does nothing else, and bring their attachment with its place`, async () => {
      const { composer } = await composerFixture();
      const sent = collect(composer, 'ahp-send');
      await type('see @b');
      await opened(composer, 1);

      await press(key);
      await closed(composer);
      expect(field(composer).value).to.equal('see @beta.ts');
      expect(sent).to.be.empty;
      expect(deepFocus()).to.equal(field(composer));
      await type(' please');
      await press('Enter');

      const range = { start: { line: 0, character: 4 }, end: { line: 0, character: 12 } };
      expect(sent.map(({ message }) => message)).to.deep.equal([
        draft('see @beta.ts please', { attachments: [{ ...file('beta.ts'), range }] }),
      ]);
    });

  it('keep the place the host gives its attachment', async () => {
    const range = { start: { line: 0, character: 1 }, end: { line: 0, character: 4 } };
    const { composer } = await composerFixture({}, async () => [
      { insertText: '@all', rangeStart: 0, rangeEnd: 1, attachment: { type: 'simple', label: 'all', range } },
    ]);
    const changes = collect(composer, 'ahp-draft-change');
    await type('@');
    await opened(composer, 1);

    await press('Enter');

    expect(changes.at(-1)?.message.attachments).to.deep.equal([{ type: 'simple', label: 'all', range }]);
  });

  it('close with Escape, which leaves the text and goes no further', async () => {
    const { composer, asked } = await composerFixture();
    const escapes: Event[] = [];
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && escapes.push(event);
    document.addEventListener('keydown', onKey);
    await type('@a');
    await opened(composer, 3);
    const before = asked.length;

    await press('Escape');
    await closed(composer);
    await type('l');
    document.removeEventListener('keydown', onKey);

    expect(field(composer).value).to.equal('@al');
    expect(escapes).to.be.empty;
    expect(asked.length).to.equal(before);
  });

  it('are taken with a press, which does not take the focus', async () => {
    const { composer } = await composerFixture();
    await type('@');
    await opened(composer, 3);
    await frame();
    const { x, y, width, height } = options(composer)[2]!.getBoundingClientRect();

    await sendMouse({ type: 'click', position: [Math.round(x + width / 2), Math.round(y + height / 2)] });
    await closed(composer);

    expect(field(composer).value).to.equal('@gamma.ts');
    expect(deepFocus()).to.equal(field(composer));
  });

  it('go with undo, and come back with redo, in the text and among the attachments', async () => {
    const { composer } = await composerFixture();
    const changes = collect(composer, 'ahp-draft-change');
    await type('see @b');
    await opened(composer, 1);
    await press('Enter');
    expect(changes.at(-1)?.message.attachments).to.have.length(1);

    await undo(field(composer));
    await waitUntil(() => field(composer).value === 'see @b', 'what was typed is back');

    expect(changes.at(-1)?.message.attachments).to.deep.equal([]);
    await undo(field(composer), 'redo');
    await waitUntil(() => field(composer).value === 'see @beta.ts');
    expect(changes.at(-1)?.message.attachments).to.have.length(1);
  });

  it('say how many there are, what was attached and that it went', async () => {
    const { composer } = await composerFixture();
    const said = collect(composer, 'ahp-announce');
    await type('@b');
    await opened(composer, 1);
    await press('Enter');
    await press('Backspace');

    expect(said.map(({ text }) => text)).to.deep.equal([
      '3 suggestions',
      '1 suggestion',
      'beta.ts attached.',
      'beta.ts is not attached any more.',
    ]);
  });

  it('leave the keys to an input method, and ask again when it is done', async () => {
    const { composer, asked } = await composerFixture();
    await type('@');
    await opened(composer, 3);
    const to = field(composer);

    to.dispatchEvent(new CompositionEvent('compositionstart'));
    await closed(composer);
    const before = asked.length;
    to.setRangeText('ア', 1, 1, 'end');
    to.dispatchEvent(new InputEvent('input', { inputType: 'insertCompositionText', isComposing: true, bubbles: true }));
    await composer.updateComplete;
    expect(asked.length, 'nobody is asked about half a word').to.equal(before);
    to.dispatchEvent(new CompositionEvent('compositionend'));

    expect(to.value).to.equal('@ア');
  });

  it('wait for a pause in typing, give up the older question, and drop an answer that comes late', async () => {
    const environment = new ManualEnvironment();
    const answers: ((items: CompletionItem[]) => void)[] = [];
    const { composer, asked } = await composerFixture(
      { clock: environment },
      () => new Promise<CompletionItem[]>((resolve) => answers.push(resolve)),
    );

    await type('@');
    expect(asked).to.have.length(1);
    await type('al');
    expect(asked, 'somebody is typing').to.have.length(1);
    expect(asked[0]!.signal?.aborted).to.equal(true);
    await environment.advanceAsync(200);
    expect(asked.map(({ text }) => text)).to.deep.equal(['@', '@al']);
    answers[0]!(answer('@', 1));
    await frame();
    expect(options(composer)).to.be.empty;
    answers[1]!(answer('@al', 3));

    await opened(composer, 1);
  });

  it('are taken rightly also while the next answer is on its way', async () => {
    const environment = new ManualEnvironment();
    const { composer } = await composerFixture({ clock: environment });
    await type('to @');
    await opened(composer, 3);

    await type('al');
    await press('Enter');

    expect(field(composer).value).to.equal('to @alpha.ts');
  });

  it('say in one line that the host had none to give, and do not stand in the way', async () => {
    const { composer } = await composerFixture({}, () => Promise.reject(new Error('no')));
    const sent = collect(composer, 'ahp-send');
    await type('@a');
    await waitUntil(() => popupOf(composer));

    expect(textOf(popupOf(composer)!)).to.equal('The host has no suggestions right now.');
    expect(field(composer).getAttribute('aria-controls')).to.equal(null);
    await expect(composer).to.be.accessible();
    await press('Enter');
    expect(sent.map(({ message }) => message.text)).to.deep.equal(['@a']);
  });

  it('are not asked for while there is nobody to ask, nor for characters that are no triggers', async () => {
    const { composer, asked } = await composerFixture({ services: undefined });
    await type('@a #b /c');
    expect(asked).to.be.empty;

    const { asked: other } = await composerFixture();
    await type('!a $b');
    expect(other).to.be.empty;
    expect(popupOf(composer)).to.equal(null);
  });

  it('go when the field is left, and when the caret leaves what was begun', async () => {
    const { composer } = await composerFixture();
    await type('@');
    await opened(composer, 3);
    field(composer).blur();
    await closed(composer);

    composer.focus();
    await type('a');
    await press('Backspace');
    await type(' @');
    await opened(composer, 3);
    await press('Backspace');
    await closed(composer);
  });

  for (const [name, width, dir] of [
    ['the width of a phone', 480, 'ltr'],
    ['a right-to-left page', 800, 'rtl'],
  ] as const)
    it(`stand within the screen beside the text on ${name}`, async () => {
      await setViewport({ width, height: 500 });
      const long = 'a-very-long-name-'.repeat(12);
      const { composer } = await composerFixture({}, async (text, offset) =>
        answer(text, offset).map((item) => ({ ...item, insertText: `@${long}` })),
      );
      const box = composer.parentElement!;
      box.dir = dir;
      box.style.cssText = 'position: fixed; inset-inline: 0; inset-block-end: 0; max-inline-size: 360px';
      await type(dir === 'rtl' ? 'انظر @' : 'see this @');
      await opened(composer, 3);
      await frame();

      const popup = popupOf(composer)!.getBoundingClientRect();
      const text = field(composer).getBoundingClientRect();
      expect(popup.left).to.be.at.least(0);
      expect(popup.right).to.be.at.most(innerWidth);
      expect(popup.top).to.be.at.least(0);
      expect(popup.bottom).to.be.at.most(text.bottom);
      expect(popup.bottom, 'above the line it belongs to').to.be.at.most(text.top + 16);
    });

  describe('what stands for an attachment', () => {
    const tiedDraft = () => {
      const range = { start: { line: 0, character: 4 }, end: { line: 0, character: 9 } };
      return draft('see @a.ts', { attachments: [{ ...file('a.ts'), range }, file('free.ts')] });
    };
    const marks = (composer: AhpComposer) => findAll(composer, 'mark').map((mark) => mark.textContent);

    it('is marked behind the text, letter by letter', async () => {
      const { composer } = await composerFixture({ message: tiedDraft() });
      await waitUntil(() => marks(composer).length === 1);

      expect(marks(composer)).to.deep.equal(['@a.ts']);
      expect(find(composer, '.backdrop').getAttribute('aria-hidden')).to.equal('true');
      const box = find(composer, '.backdrop').getBoundingClientRect();
      const text = field(composer).getBoundingClientRect();
      expect([box.left, box.top]).to.deep.equal([text.left, text.top]);
      expect(getComputedStyle(find(composer, '.backdrop')).font).to.equal(getComputedStyle(field(composer)).font);
    });

    it('follows a restored draft while it is edited, and what is sent says where it is', async () => {
      const { composer } = await composerFixture({ message: tiedDraft() });
      const sent = collect(composer, 'ahp-send');
      field(composer).setSelectionRange(0, 0);

      await type('I ');
      await waitUntil(() => marks(composer).length === 1);
      await press('Enter');

      expect(sent[0]!.message.text).to.equal('I see @a.ts');
      expect(sent[0]!.message.attachments![0]!.range).to.deep.equal({
        start: { line: 0, character: 6 },
        end: { line: 0, character: 11 },
      });
    });

    it('goes with its attachment when it is edited, and the rest stays', async () => {
      const { composer } = await composerFixture({ message: tiedDraft() });
      const changes = collect(composer, 'ahp-draft-change');
      await waitUntil(() => marks(composer).length === 1);
      field(composer).setSelectionRange(7, 7);

      await type('x');

      expect(changes.at(-1)!.message.attachments).to.deep.equal([file('free.ts')]);
      await waitUntil(() => marks(composer).length === 0);
      await waitUntil(() => !composer.shadowRoot!.textContent.includes('a.ts '));
    });

    it('is plain text once its chip was removed, also after undo', async () => {
      const { composer } = await composerFixture({ message: tiedDraft() });
      composer.addEventListener('ahp-attachment-remove', ({ index }) => {
        const attachments = composer.message.attachments!.filter((_, at) => at !== index);
        composer.message = { ...composer.message, attachments };
      });
      const changes = collect(composer, 'ahp-draft-change');
      await waitUntil(() => marks(composer).length === 1);
      findButton(composer, 'Remove a.ts').click();
      await waitUntil(() => marks(composer).length === 0);
      expect(field(composer).value).to.equal('see @a.ts');

      composer.focus();
      field(composer).setSelectionRange(9, 9);
      await press('Backspace');
      await undo(field(composer));
      await waitUntil(() => field(composer).value === 'see @a.ts');

      expect(changes.at(-1)!.message.attachments).to.deep.equal([file('free.ts')]);
    });
  });

  describe('a command', () => {
    it('is hinted at while the text begins with the host’s prefix', async () => {
      const { composer } = await composerFixture({ session: { ...session, terminalCommandPrefix: '!' } });
      const hint = () => textOf(find(composer, '#command-hint'));

      await type('!ls');
      expect(hint()).to.equal('The rest runs as a command.');
      expect(field(composer).getAttribute('aria-describedby')).to.contain('command-hint');
      await press('Home');
      await type(' ');
      expect(hint()).to.equal('');
    });

    it('is not known where the host has no prefix', async () => {
      const { composer } = await composerFixture();

      await type('!ls');

      expect(textOf(find(composer, '#command-hint'))).to.equal('');
    });
  });
});
