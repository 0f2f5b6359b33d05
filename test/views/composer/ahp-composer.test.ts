import { expect, fixture, html } from '@open-wc/testing';
import { Edits } from '../../../src/chat/edits.js';
import { sendKeys } from '@web/test-runner-commands';
import type { SessionInfo } from '../../../src/chat/store.js';
import type { Message } from '../../../src/protocol/state.js';
import type { AhpComposer } from '../../../src/views/composer/ahp-composer.js';
import '../../../src/views/composer/ahp-composer.js';
import type { ComposerNotice } from '../../../src/views/composer/notices.js';
import { waitUntil } from '../../helpers/until.js';
import { click, collect, deepFocus, find, findAll, findButton, press, type } from '../../helpers/views.js';

const draft = (text: string, more: Partial<Message> = {}): Message => ({ text, origin: { kind: 'user' }, ...more });
const field = (composer: AhpComposer) => find<HTMLTextAreaElement>(composer, 'textarea');

async function composerFixture(props: Partial<AhpComposer> = {}): Promise<AhpComposer> {
  const composer = Object.assign(document.createElement('ahp-composer'), { canSend: true }, props);
  await fixture(html`${composer}`);
  return composer;
}

describe('ahp-composer', () => {
  describe('writing', () => {
    it('sends with Enter and is empty at once', async () => {
      const composer = await composerFixture();
      const sent = collect(composer, 'ahp-send');
      composer.focus();

      await type('hello');
      await press('Enter');

      expect(sent.map(({ message }) => message)).to.deep.equal([draft('hello')]);
      expect(field(composer).value).to.equal('');
      expect(deepFocus()).to.equal(field(composer));
    });

    it('breaks the line with Shift and Enter', async () => {
      const composer = await composerFixture();
      const sent = collect(composer, 'ahp-send');
      composer.focus();

      await type('a');
      await sendKeys({ down: 'Shift' });
      await press('Enter');
      await sendKeys({ up: 'Shift' });
      await type('b');

      expect(field(composer).value).to.equal('a\nb');
      expect(sent).to.be.empty;
    });

    it('breaks the line with Enter where the page says so, and sends with Control and Enter', async () => {
      const composer = await composerFixture({ enterKey: 'newline' });
      const sent = collect(composer, 'ahp-send');
      composer.focus();
      await type('a');
      await press('Enter');
      await type('b');
      expect(sent).to.be.empty;

      await sendKeys({ down: 'Control' });
      await press('Enter');
      await sendKeys({ up: 'Control' });

      expect(sent.map(({ message }) => message.text)).to.deep.equal(['a\nb']);
    });

    it('reports every change of the text with the rest of the draft', async () => {
      const composer = await composerFixture({ message: draft('', { model: { id: 'm' } }) });
      const changes = collect(composer, 'ahp-draft-change');
      composer.focus();

      await type('hi');

      expect(changes.map(({ message }) => message)).to.deep.equal([
        draft('h', { model: { id: 'm' } }),
        draft('hi', { model: { id: 'm' } }),
      ]);
    });

    it('does not send what is only white space', async () => {
      const composer = await composerFixture();
      const sent = collect(composer, 'ahp-send');
      composer.focus();

      await type('   ');
      await press('Enter');

      expect(sent).to.be.empty;
      expect(findButton(composer, 'Send').getAttribute('aria-disabled')).to.equal('true');
    });

    it('sends attachments without a text', async () => {
      const attachments = [{ type: 'simple' as const, label: 'notes' }];
      const composer = await composerFixture({ message: draft('', { attachments }) });
      const sent = collect(composer, 'ahp-send');

      findButton(composer, 'Send').click();

      expect(sent[0]?.message.attachments).to.deep.equal(attachments);
    });

    it('keeps the text when the page prevents the sending', async () => {
      const composer = await composerFixture();
      composer.addEventListener('ahp-send', (event) => event.preventDefault());
      composer.focus();

      await type('hello');
      await press('Enter');

      expect(field(composer).value).to.equal('hello');
    });

    it('keeps the text while there is nothing to send it to', async () => {
      const composer = await composerFixture({ canSend: false });
      const sent = collect(composer, 'ahp-send');
      composer.focus();

      await type('hello');
      await press('Enter');

      expect(sent).to.be.empty;
      expect(field(composer).value).to.equal('hello');
    });

    it('grows with the text up to a limit and shrinks again', async () => {
      const composer = await composerFixture();
      const low = field(composer).offsetHeight;

      composer.message = draft('line\n'.repeat(4));
      composer.revision += 1;
      await composer.updateComplete;
      const grown = field(composer).offsetHeight;
      composer.message = draft('line\n'.repeat(400));
      composer.revision += 1;
      await composer.updateComplete;
      const limit = field(composer).offsetHeight;
      composer.message = draft('');
      composer.revision += 1;
      await composer.updateComplete;

      expect(grown).to.be.above(low + 30);
      expect(limit).to.be.below(400);
      expect(field(composer).scrollHeight).to.be.at.most(field(composer).offsetHeight);
      expect(field(composer).offsetHeight).to.equal(low);
    });
  });

  describe('input methods', () => {
    const key = (init: KeyboardEventInit & { keyCode?: number }) =>
      new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, composed: true, cancelable: true, ...init });

    async function composing() {
      const composer = await composerFixture({ message: draft('にほん') });
      const sent = collect(composer, 'ahp-send');
      const to = field(composer);
      const send = (...events: Event[]) => events.forEach((event) => to.dispatchEvent(event));
      return { composer, sent, send };
    }
    const started = () => new CompositionEvent('compositionstart');
    const ended = () => new CompositionEvent('compositionend');
    const keyup = () => new KeyboardEvent('keyup', { key: 'Enter' });

    it('does not send with the key that confirms a composition in Safari, and sends with the next one', async () => {
      const { composer, sent, send } = await composing();

      send(started(), ended(), key({ keyCode: 229 }));
      expect(sent).to.be.empty;
      expect(field(composer).value).to.equal('にほん');

      send(keyup(), key({ keyCode: 13 }));
      expect(sent).to.have.length(1);
    });

    it('does not send with a confirming key that has its own code', async () => {
      const { sent, send } = await composing();

      send(started(), ended(), key({ keyCode: 13 }));
      expect(sent).to.be.empty;

      send(keyup(), key({ keyCode: 13 }));
      expect(sent).to.have.length(1);
    });

    it('does not send with the confirming key when it comes a moment after the end', async () => {
      const { sent, send } = await composing();
      send(started(), ended());
      await new Promise((resolve) => requestAnimationFrame(resolve));

      send(key({ keyCode: 229 }));

      expect(sent).to.be.empty;
    });

    it('does not send while composing in the order of Chromium and Firefox', async () => {
      const { sent, send } = await composing();

      send(started(), key({ keyCode: 229, isComposing: true }), ended(), keyup());
      expect(sent).to.be.empty;

      send(key({ keyCode: 13 }));
      expect(sent).to.have.length(1);
    });
  });

  describe('sending once', () => {
    it('sends one message for a key held down, and the same text again when it is typed again', async () => {
      const composer = await composerFixture();
      const sent = collect(composer, 'ahp-send');
      composer.focus();
      const down = (repeat: boolean) =>
        field(composer).dispatchEvent(
          new KeyboardEvent('keydown', { key: 'Enter', repeat, bubbles: true, cancelable: true }),
        );

      await type('again');
      down(false);
      const prevented = [1, 2, 3, 4, 5].map(() => !down(true));
      expect(sent).to.have.length(1);
      expect(prevented).to.deep.equal([true, true, true, true, true]);

      await type('again');
      down(false);
      expect(sent.map(({ message }) => message.text)).to.deep.equal(['again', 'again']);
    });

    it('sends one message for a double click, and does not stop the turn it started', async () => {
      const composer = await composerFixture();
      const sent = collect(composer, 'ahp-send');
      const stopped = collect(composer, 'ahp-stop');
      composer.addEventListener('ahp-send', () => (composer.busy = true));
      composer.focus();
      await type('hello');
      const send = findButton(composer, 'Send');
      const { x, y } = send.getBoundingClientRect();

      send.dispatchEvent(new MouseEvent('click', { detail: 1, bubbles: true }));
      await composer.updateComplete;
      const under = composer.shadowRoot!.elementFromPoint(x + 10, y + 10)!.closest('button')!;
      under.dispatchEvent(new MouseEvent('click', { detail: 2, bubbles: true }));

      expect(sent).to.have.length(1);
      expect(under.getAttribute('aria-label')).to.equal('Stop');
      expect(stopped).to.be.empty;
    });

    it('sends one message for Enter and a click in one task', async () => {
      const composer = await composerFixture({ message: draft('hello') });
      const sent = collect(composer, 'ahp-send');

      field(composer).dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
      findButton(composer, 'Send').click();

      expect(sent).to.have.length(1);
    });
  });

  describe('while a turn runs', () => {
    it('has Stop as its one filled button, and Queue beside it once something is written', async () => {
      const composer = await composerFixture({ busy: true });
      const filled = () =>
        [...composer.shadowRoot!.querySelectorAll<HTMLElement>('.filled:not([hidden])')].map((button) =>
          button.getAttribute('aria-label'),
        );
      expect(filled()).to.deep.equal(['Stop']);

      composer.focus();
      await type('next');

      expect(filled()).to.deep.equal(['Queue']);
      expect(findButton(composer, 'Stop').hidden).to.equal(false);
    });

    it('does not move Stop when Queue appears', async () => {
      const composer = await composerFixture({ busy: true });
      const before = findButton(composer, 'Stop').getBoundingClientRect().right;

      composer.focus();
      await type('next');

      expect(findButton(composer, 'Stop').getBoundingClientRect().right).to.equal(before);
    });

    it('keeps the focus in the field through sending, running and the end', async () => {
      const composer = await composerFixture();
      composer.focus();
      await type('hello');
      await press('Enter');

      const focused: (Element | null)[] = [];
      for (const busy of [true, false]) {
        composer.busy = busy;
        await composer.updateComplete;
        focused.push(deepFocus());
      }

      expect(focused).to.deep.equal([field(composer), field(composer)]);
      expect(field(composer).disabled).to.equal(false);
    });

    it('gives the focus to the field when the focused Stop goes away', async () => {
      const composer = await composerFixture({ busy: true });
      findButton(composer, 'Stop').focus();

      composer.busy = false;
      await composer.updateComplete;
      await composer.updateComplete;

      expect(deepFocus()).to.equal(field(composer));
    });

    const steering = [
      ['send', ['Control'], 'steering'],
      ['send', ['Control', 'Shift'], 'steering'],
      ['newline', ['Control'], 'auto'],
      ['newline', ['Control', 'Shift'], 'steering'],
    ] as const;
    for (const [enterKey, keys, delivery] of steering)
      it(`with ${keys.join(' and ')} and Enter, where Enter means ${enterKey}, sends ${delivery}`, async () => {
        const composer = await composerFixture({ busy: true, enterKey });
        const sent = collect(composer, 'ahp-send');
        composer.focus();
        await type('mind the tests');

        for (const key of keys) await sendKeys({ down: key });
        await press('Enter');
        for (const key of keys) await sendKeys({ up: key });

        expect(sent.map((event) => [event.message.text, event.delivery])).to.deep.equal([['mind the tests', delivery]]);
        expect(field(composer).value).to.equal('');
      });

    it('has a button that steers, only while something runs and something is written', async () => {
      const composer = await composerFixture({ busy: true });
      const sent = collect(composer, 'ahp-send');
      const steer = () => findButton(composer, 'Send into this turn');
      expect(steer().hidden).to.equal(true);

      composer.focus();
      await type('left');
      expect(steer().hidden).to.equal(false);
      await click(steer());

      expect(sent.map(({ delivery }) => delivery)).to.deep.equal(['steering']);
      expect(deepFocus()).to.equal(field(composer));
      composer.busy = false;
      await composer.updateComplete;
      expect(steer().hidden).to.equal(true);
    });

    it('sends with Control and Enter as always while nothing runs', async () => {
      const composer = await composerFixture();
      const sent = collect(composer, 'ahp-send');
      composer.focus();
      await type('go');

      await sendKeys({ down: 'Control' });
      await press('Enter');
      await sendKeys({ up: 'Control' });

      expect(sent.map(({ delivery }) => delivery)).to.deep.equal(['auto']);
    });

    it('stops once', async () => {
      const composer = await composerFixture({ busy: true });
      const stopped = collect(composer, 'ahp-stop');

      await click(findButton(composer, 'Stop'));
      composer.stopping = true;
      await composer.updateComplete;
      await click(findButton(composer, 'Stopping…'));

      expect(stopped).to.have.length(1);
    });
  });

  describe('the draft from outside', () => {
    it('is shown when the revision says so', async () => {
      const composer = await composerFixture({ message: draft('first') });
      expect(field(composer).value).to.equal('first');

      composer.message = draft('second');
      composer.revision = 1;
      await composer.updateComplete;

      expect(field(composer).value).to.equal('second');
      expect(composer.text).to.equal('second');
    });

    it('leaves the typed text and the caret alone when an older draft comes back under the same revision', async () => {
      const composer = await composerFixture();
      composer.focus();
      await type('hello');
      field(composer).setSelectionRange(2, 2);

      composer.message = draft('hel');
      await composer.updateComplete;

      expect(field(composer).value).to.equal('hello');
      expect(field(composer).selectionStart).to.equal(2);
    });

    it('is offered in a row that can be taken or dismissed', async () => {
      const composer = await composerFixture({ offer: draft('from my phone\nsecond line') });
      const answers = collect(composer, 'ahp-draft-offer');

      await click(findButton(composer, 'Use it'));
      await click(findButton(composer, 'Dismiss'));

      expect(find(composer, '.row').textContent).to.contain('from my phone second line');
      expect(answers.map(({ answer }) => answer)).to.deep.equal(['use', 'dismiss']);
    });

    const notices: readonly [ComposerNotice, string][] = [
      [{ kind: 'back', reason: 'no turn' }, 'refused it (no turn). Your text is back in the composer.'],
      [{ kind: 'back', reason: 'see http://h/?sig=s3cret' }, 'refused it (see http://h/?sig=…). Your text is back'],
      [{ kind: 'change', reason: 'no such id' }, 'Not done: the host refused it (no such id).'],
      [{ kind: 'taken', reason: '' }, 'took this message before your change arrived'],
    ];
    for (const [notice, text] of notices)
      it(`says in a line that can be dismissed what became of it: ${notice.kind}`, async () => {
        const composer = await composerFixture({ notice });
        const read = collect(composer, 'ahp-notice');

        findButton(composer, 'Dismiss').click();

        expect(find(composer, '.row').textContent).to.contain(text);
        expect(read).to.have.length(1);
      });
  });

  describe('choices', () => {
    const session = {
      models: [
        { id: 'a', name: 'Alpha', provider: 'p' },
        { id: 'b', name: 'Beta', provider: 'p' },
      ],
      agents: [],
    } as unknown as SessionInfo;

    it('offers the models of the session and reports the chosen one', async () => {
      const composer = await composerFixture({
        session,
        message: draft('hi', { model: { id: 'a', config: { x: 1 } } }),
      });
      const changes = collect(composer, 'ahp-draft-change');
      const select = find<HTMLSelectElement>(composer, 'select');
      expect(select.value).to.equal('a');

      select.value = 'b';
      select.dispatchEvent(new Event('change'));

      expect(changes.map(({ message }) => message)).to.deep.equal([draft('hi', { model: { id: 'b' } })]);
    });

    it('does not lose a choice made just before typing', async () => {
      const composer = await composerFixture({ session });
      const changes = collect(composer, 'ahp-draft-change');
      const select = find<HTMLSelectElement>(composer, 'select');
      select.value = 'b';
      select.dispatchEvent(new Event('change'));

      composer.focus();
      await type('x');

      expect(changes.at(-1)?.message).to.deep.equal(draft('x', { model: { id: 'b' } }));
    });

    it('keeps showing a model that is no longer offered', async () => {
      const composer = await composerFixture({ session, message: draft('', { model: { id: 'gone' } }) });

      expect(find<HTMLSelectElement>(composer, 'select').value).to.equal('gone');
    });

    it('says of a model and an agent that are gone that the default is used, and sends without them', async () => {
      const agents = [
        { uri: 'agent:/a', name: 'A' },
        { uri: 'agent:/b', name: 'B' },
      ];
      const composer = await composerFixture({
        session: { ...session, agents },
        message: draft('hi', { model: { id: 'gone' }, agent: { uri: 'agent:/gone' } }),
      });
      const sent = collect(composer, 'ahp-send');
      expect(find<HTMLSelectElement>(composer, 'select').selectedOptions[0]!.text).to.contain('the default is used');

      findButton(composer, 'Send').click();

      expect(sent.map(({ message }) => message)).to.deep.equal([draft('hi')]);
    });

    it('keeps a choice while it is not known what the session offers', async () => {
      const composer = await composerFixture({ message: draft('hi', { model: { id: 'm' } }) });
      const sent = collect(composer, 'ahp-send');

      findButton(composer, 'Send').click();

      expect(sent.map(({ message }) => message)).to.deep.equal([draft('hi', { model: { id: 'm' } })]);
    });

    it('offers one agent, and one model that has settings: each is something else than the default', async () => {
      const only = { ...session.models[0]!, configSchema: { properties: { x: { type: 'boolean' } } } };
      const agents = [{ uri: 'agent:/a', name: 'Reader' }];
      const composer = await composerFixture({ session: { ...session, models: [only], agents } });

      const menus = findAll<HTMLSelectElement>(composer, 'select');

      expect(
        menus.map((menu) => [menu.getAttribute('aria-label'), ...[...menu.options].map(({ text }) => text)]),
      ).to.deep.equal([
        ['Model', 'Default model', 'Alpha'],
        ['Agent', 'Default agent', 'Reader'],
      ]);
    });

    it('has no menu where there is nothing to choose', async () => {
      const composer = await composerFixture({
        session: { ...session, models: session.models.slice(1) },
      });

      expect(composer.shadowRoot!.querySelector('select')).to.equal(null);
    });
  });

  describe('in a page', () => {
    it('keeps single keys typed here from the shortcuts of the page', async () => {
      const composer = await composerFixture();
      const seen: string[] = [];
      const listen = (event: KeyboardEvent) => void seen.push(event.key);
      document.addEventListener('keydown', listen);
      composer.focus();

      await type('j');
      await press('Escape');
      document.removeEventListener('keydown', listen);

      expect(seen).to.deep.equal(['Escape']);
    });

    it('never submits the form around it', async () => {
      const form = await fixture<HTMLFormElement>(html`<form><ahp-composer can-send></ahp-composer></form>`);
      const composer = form.querySelector('ahp-composer')!;
      let submits = 0;
      form.addEventListener('submit', (event) => (event.preventDefault(), (submits += 1)));
      composer.focus();

      await press('Enter');
      await type('x');
      await press('Enter');
      form.reset();

      expect(submits).to.equal(0);
    });

    it('has fields of at least 16 px on coarse pointers, so that phones do not zoom in', async () => {
      const composer = await composerFixture();
      const rules = composer.shadowRoot!.adoptedStyleSheets.flatMap((sheet) => [...sheet.cssRules]);
      const coarse = rules.filter(
        (rule): rule is CSSMediaRule => rule instanceof CSSMediaRule && rule.conditionText.includes('coarse'),
      );
      const fields = coarse
        .flatMap((rule) => [...rule.cssRules])
        .find((rule): rule is CSSStyleRule => rule instanceof CSSStyleRule && rule.selectorText.includes('textarea'));

      expect(fields?.style.fontSize).to.contain('max(16px');
    });

    it('is accessible, idle, busy and with every row', async () => {
      const composer = await composerFixture();
      await expect(composer).to.be.accessible();

      Object.assign(composer, {
        busy: true,
        message: draft('x', { attachments: [{ type: 'simple', label: 'notes' }] }),
        revision: 1,
        offer: draft('other'),
        notice: { kind: 'change', reason: 'no' },
        queued: [{ id: 'q', message: draft('later') }],
        steering: [{ id: 's', message: draft('now') }],
      });
      await composer.updateComplete;
      await expect(composer).to.be.accessible();
    });

    it('can be walked through with the keyboard alone', async () => {
      const composer = await composerFixture({
        busy: true,
        message: draft('x', { attachments: [{ type: 'simple', label: 'notes' }] }),
        queued: [{ id: 'q', message: draft('later') }],
        edits: new Edits(),
      });
      await waitUntil(() => composer.shadowRoot!.querySelector('[data-control=edit]'));
      find<HTMLElement>(composer, '.queue button').focus();

      const names: (string | null)[] = [];
      for (let i = 0; i < 7; i += 1) {
        names.push(deepFocus()!.getAttribute('aria-label'));
        await press('Tab');
      }

      expect(names).to.deep.equal([
        'Edit later',
        'Remove later',
        'Remove notes',
        'Message',
        'Send into this turn',
        'Queue',
        'Stop',
      ]);
    });

    it('stands mirrored in a right-to-left page and isolates what is written', async () => {
      const box = await fixture<HTMLElement>(html`<div dir="rtl"><ahp-composer can-send busy></ahp-composer></div>`);
      const composer = box.querySelector('ahp-composer')!;
      composer.queued = [{ id: 'q', message: draft('افتح src/app.ts الآن!') }];
      await composer.updateComplete;
      await find<AhpComposer>(composer, 'ahp-queue').updateComplete;

      const stop = findButton(composer, 'Stop').getBoundingClientRect();
      expect(stop.left - find(composer, '.box').getBoundingClientRect().left).to.be.below(40);
      expect(field(composer).dir).to.equal('auto');
      expect(find(composer, '.queue-text').localName).to.equal('bdi');
    });
  });
});
