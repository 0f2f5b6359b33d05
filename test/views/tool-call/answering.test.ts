/** What a person writes into a confirmation, and what becomes of it and of the focus. */

import { expect } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import type { ConfirmationOption, ToolCallPendingConfirmation, ToolCallState } from '../../../src/protocol/state.js';
import type { ChatServices, ChatStoreStatus } from '../../../src/chat/store.js';
import { loadSuggestion, loadToolInput } from '../../../src/views/parts/lazy.js';
import type { AhpTranscript } from '../../../src/views/transcript/ahp-transcript.js';
import { activeFixture, settled } from '../../helpers/transcript.js';
import { active, markdown, toolPart } from '../../helpers/turns.js';
import { waitUntil } from '../../helpers/until.js';
import { collect, deepFocus, find, findAll, findButton, nameOf, press, textOf, type } from '../../helpers/views.js';

await Promise.all([loadToolInput(), loadSuggestion()]);

const base = { toolCallId: 'c', toolName: 'run_command', displayName: 'Run command' };
const pending = (more: Partial<ToolCallPendingConfirmation> = {}): ToolCallPendingConfirmation => ({
  ...base,
  status: 'pending-confirmation',
  invocationMessage: 'Run it',
  toolInput: 'npm test',
  ...more,
});
const running = (more: object = {}): ToolCallState => ({
  ...base,
  status: 'running',
  invocationMessage: 'Running it',
  confirmed: 'user-action',
  ...more,
});
const denied: ToolCallState = { ...base, status: 'cancelled', invocationMessage: 'Run it', reason: 'denied' };
const deny: ConfirmationOption = { id: 'no', label: 'Not now', kind: 'deny' };
const never: ConfirmationOption = { id: 'never', label: 'Never', kind: 'deny' };

const callIn = (transcript: AhpTranscript) => find(transcript, 'ahp-tool-call');
const line = (transcript: AhpTranscript) => find<HTMLButtonElement>(transcript, '[part=tool-call-line]');
const fieldIn = (transcript: AhpTranscript) => find<HTMLTextAreaElement>(callIn(transcript), 'textarea');
const show = async (transcript: AhpTranscript, call: ToolCallState, more: Partial<AhpTranscript> = {}) => {
  Object.assign(transcript, { activeTurn: active('now', toolPart(call)), ...more });
  await settled();
};
const status = (more: Partial<ChatStoreStatus> = {}): ChatStoreStatus => ({
  phase: 'live',
  pending: 0,
  unconfirmed: [],
  ...more,
});

/** Presses the button that opens a field, and waits until its chunk is here and has the focus. */
async function openField(transcript: AhpTranscript, button: string): Promise<HTMLTextAreaElement> {
  findButton(callIn(transcript), button).focus();
  await press('Enter');
  await waitUntil(() => deepFocus()?.localName === 'textarea', 'the field has the focus');
  return fieldIn(transcript);
}
const edit = (transcript: AhpTranscript) => openField(transcript, 'Edit');
const suggest = (transcript: AhpTranscript) => openField(transcript, 'Tell it what to do instead');

/** Replaces what stands in the field that has the focus. */
async function retype(text: string): Promise<void> {
  (deepFocus() as HTMLTextAreaElement).select();
  await type(text);
}

describe('answering a confirmation', () => {
  describe('the input', () => {
    it('can be changed only where the host says so', async () => {
      const fixed = await activeFixture([toolPart(pending())]);
      const open = await activeFixture([toolPart(pending({ editable: true }))]);

      expect(findAll(callIn(fixed), '[data-opens=input]')).to.be.empty;
      expect(findAll(callIn(open), '[data-opens=input]')).to.have.length(1);
    });

    it('travels as it was changed', async () => {
      const transcript = await activeFixture([toolPart(pending({ editable: true }))]);
      const confirmed = collect(transcript, 'ahp-tool-confirm');
      await edit(transcript);

      await retype('npm run lint');
      findButton(callIn(transcript), 'Allow').click();

      expect(confirmed.map(({ answer }) => answer.editedToolInput)).to.deep.equal(['npm run lint']);
    });

    it('does not travel when nothing was changed, nor with a denial', async () => {
      const transcript = await activeFixture([toolPart(pending({ editable: true, toolInput: '{"a":1}' }))]);
      const confirmed = collect(transcript, 'ahp-tool-confirm');
      transcript.addEventListener('ahp-tool-confirm', (event) => event.preventDefault());
      const field = await edit(transcript);
      expect(field.value).to.equal('{\n  "a": 1\n}');

      findButton(callIn(transcript), 'Allow').click();
      await retype('{"a":2}');
      findButton(callIn(transcript), 'Deny').click();

      expect(confirmed.map(({ answer }) => answer.editedToolInput)).to.deep.equal([undefined, undefined]);
    });

    it('stays JSON where it was JSON: the field says so and nothing goes out', async () => {
      const transcript = await activeFixture([toolPart(pending({ editable: true, toolInput: '{"path":"a.ts"}' }))]);
      const confirmed = collect(transcript, 'ahp-tool-confirm');
      const field = await edit(transcript);

      await retype('{{}"path": ');
      findButton(callIn(transcript), 'Allow').click();
      await settled();
      expect(confirmed).to.be.empty;
      expect(field.matches(':invalid')).to.equal(true);
      expect(textOf(callIn(transcript))).to.contain('This tool takes JSON, and this is none yet.');
      await expect(transcript).to.be.accessible();

      field.value = '{"path":"b.ts"}';
      field.dispatchEvent(new Event('input'));
      findButton(callIn(transcript), 'Allow').click();
      expect(confirmed.map(({ answer }) => answer.editedToolInput)).to.deep.equal(['{"path":"b.ts"}']);
    });

    it('comes back with Escape, and the focus goes back to the button', async () => {
      const transcript = await activeFixture([toolPart(pending({ editable: true }))]);
      await edit(transcript);
      await retype('rm -rf /');

      await press('Escape');
      await settled();

      expect(find(callIn(transcript), '.code-box').textContent).to.equal('npm test');
      expect(nameOf(deepFocus()!)).to.equal('Edit');
    });

    it('is not given up by the Escape that ends a composition', async () => {
      const transcript = await activeFixture([toolPart(pending({ editable: true }))]);
      const field = await edit(transcript);

      field.dispatchEvent(new CompositionEvent('compositionstart'));
      field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', isComposing: true, bubbles: true }));
      await settled();

      expect(fieldIn(transcript)).to.equal(field);
    });

    it('is kept half edited when its turn leaves the document', async () => {
      const transcript = await activeFixture([toolPart(pending({ editable: true }))]);
      await edit(transcript);
      await retype('npm run');
      const turn = transcript.activeTurn;

      transcript.activeTurn = undefined;
      await settled();
      transcript.activeTurn = turn;
      await settled();
      await waitUntil(() => findAll(callIn(transcript), 'textarea').length > 0);

      expect(fieldIn(transcript).value).to.equal('npm run');
    });

    it('shows what hides in it', async () => {
      const transcript = await activeFixture([toolPart(pending({ editable: true, toolInput: 'a\u202Eb' }))]);
      expect(find(callIn(transcript), '.code-box').textContent).to.equal('a[U+202E]b');

      await edit(transcript);

      expect(find(callIn(transcript), '.code-box').textContent).to.equal('a[U+202E]b');
      expect(textOf(callIn(transcript))).to.contain('There are characters in it that do not show.');
    });

    describe('by reference', () => {
      const ref = { uri: 'file:///input.json', sizeHint: 900_000, nonce: 'n1' };
      /** Reads are answered by hand. */
      function library() {
        const reads: { uri: string; nonce: string | undefined; answer: (data: string) => void; fail: () => void }[] =
          [];
        const services: ChatServices = {
          readResource: ({ uri, nonce }) =>
            new Promise((resolve, reject) => {
              const answer = (data: string) => resolve({ data, encoding: 'utf-8' });
              reads.push({ uri, nonce, answer, fail: () => reject(new Error('gone')) });
            }),
        };
        return { services, reads };
      }

      it('is read without a press, however large, and cannot be allowed before it is shown', async () => {
        const { services, reads } = library();
        const transcript = await activeFixture([toolPart(pending({ toolInput: ref }))], { services });
        const confirmed = collect(transcript, 'ahp-tool-confirm');
        await waitUntil(() => reads.length === 1, 'it is read');
        findButton(callIn(transcript), 'Allow').click();
        expect(confirmed).to.be.empty;
        expect(textOf(callIn(transcript))).to.contain('It can be allowed once its input is shown.');

        reads[0]!.answer('rm -rf dist');
        await settled();

        expect(find(callIn(transcript), '.code-box').textContent).to.equal('rm -rf dist');
        findButton(callIn(transcript), 'Allow').click();
        expect(confirmed).to.have.length(1);
      });

      it('can be denied unseen, and read again when that failed', async () => {
        const { services, reads } = library();
        const transcript = await activeFixture([toolPart(pending({ toolInput: ref }))], { services });
        await waitUntil(() => reads.length === 1);
        reads[0]!.fail();
        await settled();

        findButton(callIn(transcript), 'Try again').click();
        await settled();
        expect(reads).to.have.length(2);
        const confirmed = collect(transcript, 'ahp-tool-confirm');
        findButton(callIn(transcript), 'Deny').click();
        expect(confirmed.map(({ answer }) => answer.approved)).to.deep.equal([false]);
      });

      it('is read again after the confirmation, never from a cache', async () => {
        const { services, reads } = library();
        const transcript = await activeFixture([toolPart(pending({ toolInput: ref }))], { services });
        await waitUntil(() => reads.length === 1);
        reads[0]!.answer('before');
        await settled();

        await show(transcript, running({ toolInput: { ...ref, sizeHint: 10 } }));
        line(transcript).click();
        await waitUntil(() => reads.length === 2, 'it is read again');

        expect(reads.map(({ nonce }) => nonce)).to.deep.equal([undefined, undefined]);
      });

      it('can be edited', async () => {
        const { services, reads } = library();
        const transcript = await activeFixture([toolPart(pending({ toolInput: ref, editable: true }))], { services });
        await waitUntil(() => reads.length === 1);
        reads[0]!.answer('npm test');
        await settled();
        const confirmed = collect(transcript, 'ahp-tool-confirm');
        await edit(transcript);

        await retype('npm run lint');
        findButton(callIn(transcript), 'Allow').click();

        expect(confirmed.map(({ answer }) => answer.editedToolInput)).to.deep.equal(['npm run lint']);
      });

      it('cannot be allowed where nothing can be read', async () => {
        const transcript = await activeFixture([toolPart(pending({ toolInput: ref }))]);
        await waitUntil(() => textOf(callIn(transcript)).includes('cannot be read here'));

        expect(findButton(callIn(transcript), 'Allow').getAttribute('aria-disabled')).to.equal('true');
        expect(findButton(callIn(transcript), 'Deny').getAttribute('aria-disabled')).to.equal('false');
      });
    });
  });

  describe('a suggestion', () => {
    it('goes along with the denial that Enter gives', async () => {
      const transcript = await activeFixture([toolPart(pending({ options: [deny] }))]);
      const confirmed = collect(transcript, 'ahp-tool-confirm');
      await suggest(transcript);

      await type('Use yarn');
      await press('Enter');

      expect(confirmed.map(({ answer }) => answer)).to.deep.equal([
        {
          turnId: 'now',
          toolCallId: 'c',
          stage: 'call',
          approved: false,
          optionId: 'no',
          reason: 'denied',
          suggestion: { text: 'Use yarn', origin: { kind: 'user' } },
        },
      ]);
    });

    it('goes along with the denial that is pressed where there are several, and Enter chooses none', async () => {
      const transcript = await activeFixture([toolPart(pending({ options: [deny, never] }))]);
      const confirmed = collect(transcript, 'ahp-tool-confirm');
      await suggest(transcript);
      await type('Ask first');
      await press('Enter');
      expect(confirmed).to.be.empty;

      findButton(callIn(transcript), 'Never').click();

      expect(confirmed.map(({ answer }) => [answer.optionId, answer.suggestion?.text])).to.deep.equal([
        ['never', 'Ask first'],
      ]);
    });

    it('is not sent empty, by a key held down, or by the Enter that ends a composition', async () => {
      const transcript = await activeFixture([toolPart(pending())]);
      const confirmed = collect(transcript, 'ahp-tool-confirm');
      const field = await suggest(transcript);
      await press('Enter');
      await type('にほん');
      const enter = (more: KeyboardEventInit) =>
        field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, ...more }));

      enter({ repeat: true });
      enter({ keyCode: 229 });
      field.dispatchEvent(new CompositionEvent('compositionend'));
      enter({});

      expect(confirmed).to.be.empty;
    });

    it('takes a new line with Shift and Enter', async () => {
      const transcript = await activeFixture([toolPart(pending())]);
      const confirmed = collect(transcript, 'ahp-tool-confirm');
      const field = await suggest(transcript);

      await type('one');
      await sendKeys({ down: 'Shift' });
      await press('Enter');
      await sendKeys({ up: 'Shift' });
      await type('two');

      expect(field.value).to.equal('one\ntwo');
      expect(confirmed).to.be.empty;
    });

    it('never goes along with an approval', async () => {
      const transcript = await activeFixture([toolPart(pending())]);
      const confirmed = collect(transcript, 'ahp-tool-confirm');
      await suggest(transcript);
      await type('Better not');

      findButton(callIn(transcript), 'Allow').click();

      expect(confirmed.map(({ answer }) => [answer.approved, answer.suggestion])).to.deep.equal([[true, undefined]]);
    });

    it('is kept half written, and comes back when the answer was refused', async () => {
      const call = pending();
      const transcript = await activeFixture([toolPart(call)], { status: status() });
      await suggest(transcript);
      await type('Use yarn');
      await press('Enter');
      await show(transcript, denied, { status: status({ pending: 1, pendingIds: new Set(['c']) }) });

      await show(transcript, call, { status: status() });

      expect(fieldIn(transcript).value).to.equal('Use yarn');
    });

    it('is given up with Escape, and the focus goes back', async () => {
      const transcript = await activeFixture([toolPart(pending())]);
      await suggest(transcript);

      await press('Escape');
      await settled();

      expect(nameOf(deepFocus()!)).to.equal('Tell it what to do instead');
    });
  });

  describe('who decided', () => {
    const said = (transcript: AhpTranscript) => textOf(line(transcript));

    it('is said while the answer is on its way and after', async () => {
      const transcript = await activeFixture([toolPart(pending())], { status: status() });
      findButton(callIn(transcript), 'Allow').click();
      await show(transcript, running(), { status: status({ pending: 1, pendingIds: new Set(['c']) }) });
      expect(said(transcript)).to.equal('Running it Running Answer sent');

      await show(transcript, running({ selectedOption: { id: 'o', label: 'Once', kind: 'approve' } }), {
        status: status(),
      });
      expect(said(transcript)).to.equal('Running it Running Allowed by you: Once');
    });

    it('tells a decision of somebody else from one nobody here has seen', async () => {
      const watched = await activeFixture([toolPart(pending())]);
      await show(watched, running());
      expect(said(watched)).to.equal('Running it Running Allowed elsewhere');

      const later = await activeFixture([toolPart(running())]);
      expect(said(later)).to.equal('Running it Running Allowed by a person');

      const refused = await activeFixture([toolPart(pending())]);
      await show(refused, { ...denied, selectedOption: never });
      expect(said(refused)).to.equal('Run it Denied elsewhere, not by you: Never');
    });

    it('is not this person when the opposite came of it', async () => {
      const transcript = await activeFixture([toolPart(pending())], { status: status() });
      findButton(callIn(transcript), 'Allow').click();
      await show(transcript, running(), { status: status({ pending: 1, pendingIds: new Set(['c']) }) });

      await show(transcript, denied, { status: status() });

      expect(said(transcript)).to.equal('Run it Denied');
    });

    it('is a setting where one let it run, and nobody where nobody was asked', async () => {
      const transcript = await activeFixture([toolPart(running({ confirmed: 'setting' }))]);
      expect(said(transcript)).to.equal('Running it Running Allowed by a setting');

      await show(transcript, running({ confirmed: 'not-needed' }));
      expect(said(transcript)).to.equal('Running it Running');
    });

    it('is told apart for results, too', async () => {
      const result: ToolCallState = {
        ...base,
        status: 'pending-result-confirmation',
        invocationMessage: 'Run it',
        confirmed: 'not-needed',
        success: true,
        pastTenseMessage: 'Ran it',
      };
      const discarded: ToolCallState = { ...denied, reason: 'result-denied' };
      const here = await activeFixture([toolPart(result)]);
      findButton(callIn(here), 'Discard result').click();
      await show(here, discarded);
      expect(said(here)).to.equal('Run it Result discarded by you');

      const elsewhere = await activeFixture([toolPart(result)]);
      await show(elsewhere, discarded);
      expect(said(elsewhere)).to.equal('Run it Result discarded elsewhere');
    });
  });

  describe('an answer without proof', () => {
    const unproven = status({
      unconfirmed: [
        {
          id: 'g1',
          canRetry: true,
          actions: [
            {
              type: 'chat/toolCallConfirmed',
              turnId: 'now',
              toolCallId: 'c',
              approved: true,
              confirmed: 'user-action',
            },
          ],
        },
      ],
    });

    it('is not given a second time: it is sent again or given up', async () => {
      const transcript = await activeFixture([toolPart(pending())], { status: unproven });
      const retried = collect(transcript, 'ahp-retry');
      const discarded = collect(transcript, 'ahp-discard');

      expect(findAll(callIn(transcript), '.answers button').map(nameOf)).to.deep.equal(['Retry', 'Discard']);
      findButton(callIn(transcript), 'Retry').click();
      findButton(callIn(transcript), 'Discard').click();

      expect(retried.map(({ id }) => id)).to.deep.equal(['g1']);
      expect(discarded.map(({ id }) => id)).to.deep.equal(['g1']);
    });

    it('leaves calls of other turns alone', async () => {
      const transcript = await activeFixture([toolPart(pending())], { status: unproven });
      transcript.activeTurn = active('other', toolPart(pending()));
      await settled();

      expect(findButton(callIn(transcript), 'Allow').getAttribute('aria-disabled')).to.equal('false');
    });
  });

  describe('the focus', () => {
    it('goes to the line of the call when the card that has it goes', async () => {
      const transcript = await activeFixture([toolPart(pending())]);
      findButton(callIn(transcript), 'Allow').focus();
      await press('Enter');

      await show(transcript, running());

      expect(deepFocus()).to.equal(line(transcript));
    });

    it('goes to the next question of the call', async () => {
      const transcript = await activeFixture([toolPart(pending({ editable: true }))]);
      await edit(transcript);

      await show(transcript, {
        ...base,
        status: 'auth-required',
        invocationMessage: 'x',
        confirmed: 'not-needed',
        auth: { reason: 'required', resource: { resource: 'https://a.example' } },
      });

      expect(deepFocus()).to.equal(find(transcript, '[part=confirmation]'));
    });

    it('stays where it is when it was elsewhere', async () => {
      const transcript = await activeFixture([toolPart(pending()), markdown('text')]);
      const outside = document.createElement('input');
      transcript.parentElement!.append(outside);
      outside.focus();

      await show(transcript, running());

      expect(deepFocus()).to.equal(outside);
    });
  });

  describe('a right-to-left page', () => {
    it('has code from left to right and words from where they begin', async () => {
      document.documentElement.dir = 'rtl';
      try {
        const transcript = await activeFixture([toolPart(pending({ editable: true }))]);
        await edit(transcript);

        expect(getComputedStyle(fieldIn(transcript)).direction).to.equal('ltr');
        expect(getComputedStyle(find(transcript, '.card')).direction).to.equal('rtl');
      } finally {
        document.documentElement.dir = '';
      }
    });
  });

  for (const [name, open] of [
    ['edited', edit],
    ['answered with a suggestion', suggest],
  ] as const)
    it(`is accessible while it is ${name}`, async () => {
      const transcript = await activeFixture([toolPart(pending({ editable: true }))]);

      await open(transcript);

      await expect(transcript).to.be.accessible();
    });
});
