import { expect } from '@open-wc/testing';
import type { ChatStoreStatus } from '../../../src/chat/store.js';
import type { MessageOriginKind, Turn } from '../../../src/protocol/state.js';
import { ManualClock } from '../../helpers/manual-environment.js';
import { settled, topOf, transcriptFixture, turnOf, turnsOf } from '../../helpers/transcript.js';
import {
  active,
  completedCall,
  markdown,
  paragraphs,
  reasoning,
  toolPart,
  turn,
  turns,
  userMessage,
} from '../../helpers/turns.js';
import { waitUntil } from '../../helpers/until.js';
import { collect, deepFocus, find, findAll, findButton, nameOf, press, textOf } from '../../helpers/views.js';

const live: ChatStoreStatus = { phase: 'live', pending: 0, unconfirmed: [] };

describe('ahp-transcript', () => {
  describe('turns', () => {
    const origins: readonly [MessageOriginKind, string][] = [
      ['user', 'Hello'],
      ['agent', 'From another agent Hello'],
      ['tool', 'From a tool Hello'],
      ['automation', 'From an automation Hello'],
      ['systemNotification', 'Hello'],
      ['oracle', 'From somewhere else Hello'],
    ];
    for (const [kind, text] of origins)
      it(`that were started by ${kind} say so`, async () => {
        const transcript = await transcriptFixture({
          turns: [turn('a', { message: { text: 'Hello', origin: { kind } }, responseParts: [] })],
        });

        expect(textOf(turnOf(transcript, 'a')).startsWith(text)).to.equal(true);
        expect(findAll(transcript, '.message.user')).to.have.length(kind === 'user' ? 1 : 0);
      });

    it('show what was written as it was written, never as markup', async () => {
      const text = '<b>bold</b>\n  [x](javascript:alert(1)) **y**';
      const transcript = await transcriptFixture({ turns: [turn('a', { message: userMessage(text) })] });

      expect(find(transcript, '.bubble-text').textContent).to.equal(text);
      expect(findAll(transcript, '.bubble a, .bubble b, .bubble strong')).to.be.empty;
    });

    it('fold a long message, whole characters only, and lay out nothing of what is folded', async () => {
      const text = `${'x'.repeat(1_999)}😊${'y'.repeat(500_000)}`;
      const transcript = await transcriptFixture({ turns: [turn('a', { message: userMessage(text) })] });
      const bubble = find(transcript, '.bubble-text');
      expect(bubble.textContent).to.equal(`${'x'.repeat(1_999)}…`);

      findButton(transcript, 'Show all').click();
      await settled();

      expect(bubble.textContent).to.have.length(text.length);
      expect(findButton(transcript, 'Show less').getAttribute('aria-expanded')).to.equal('true');
    });

    it('keep the message when one of its attachments has a name that cannot be decoded', async () => {
      const attachments = [{ type: 'resource', label: '', uri: 'file:///vra 50%.pdf' } as const];
      const transcript = await transcriptFixture({
        turns: [turn('a', { message: userMessage('see', { attachments }) })],
      });

      expect(textOf(find(transcript, '.message'))).to.equal('Attachment: vra 50%.pdf see');
    });

    it('show one bubble from the sending to the end of the turn', async () => {
      const transcript = await transcriptFixture({
        activeTurn: active('now'),
        status: { ...live, pending: 1, pendingIds: new Set(['now']) },
      });
      const element = turnOf(transcript, 'now');
      expect(textOf(element)).to.equal('Question now Sending…');

      transcript.status = live;
      transcript.activeTurn = active('now', markdown('answer'));
      await settled();
      transcript.activeTurn = undefined;
      transcript.turns = [turn('now')];
      await settled();

      expect(findAll(transcript, '.bubble')).to.have.length(1);
      expect(turnOf(transcript, 'now')).to.equal(element);
    });

    it('are not touched again once they are finished', async () => {
      const transcript = await transcriptFixture({ turns: turns(10), activeTurn: active('now') });
      const updates = new Map<string, number>();
      for (const element of turnsOf(transcript)) {
        const { id } = element.turn!;
        const render = element.render.bind(element);
        element.render = () => {
          updates.set(id, (updates.get(id) ?? 0) + 1);
          return render();
        };
      }

      for (let i = 0; i < 5; i += 1) {
        transcript.activeTurn = active('now', markdown('word '.repeat(i)));
        await settled();
      }

      expect([...updates.keys()]).to.deep.equal(['now']);
    });

    it('keep their elements, and so whatever plays in them, while another turn streams', async () => {
      const transcript = await transcriptFixture({ turns: turns(3) });
      const media = turnOf(transcript, 't0').appendChild(document.createElement('video'));

      for (let i = 0; i < 5; i += 1) {
        transcript.activeTurn = active('now', markdown('word '.repeat(i)));
        await settled();
      }

      expect(media.isConnected).to.equal(true);
      expect(turnOf(transcript, 't0').contains(media)).to.equal(true);
    });

    it('hold few nodes however many steps they have', async () => {
      const parts = Array.from({ length: 3_000 }, (_, index) => toolPart(completedCall(`${index}`)));
      const transcript = await transcriptFixture({ activeTurn: active('now', ...parts) });

      expect(findAll(transcript, '*').length).to.be.below(120);
      expect(textOf(find(transcript, '[part=tool-run]'))).to.equal('3,000 steps done Read file 3,000 times');
    });

    it('say how they ended', async () => {
      const transcript = await transcriptFixture({
        turns: [
          turn('a', { state: 'cancelled', responseParts: [] }),
          turn('b', { state: 'error', responseParts: [] }),
          turn('c', { state: 'complete', responseParts: [] }),
        ],
      });

      expect(turnsOf(transcript).map((element) => textOf(find(element, '.answer')))).to.deep.equal([
        'Stopped',
        'Failed',
        '',
      ]);
    });

    const progresses: readonly [string, Partial<ChatStoreStatus>, string | undefined, string][] = [
      ['works', {}, undefined, 'Working…'],
      ['works on something', {}, 'Reading\u202E files', 'Reading[U+202E] files'],
      ['is asked to stop', { stoppingTurnId: 'now' }, 'Reading', 'Stopping…'],
      [
        'is silent',
        { stalled: true },
        'Reading',
        'Nothing heard from the host for a while. The turn may have died; Stop ends it.',
      ],
    ];
    for (const [name, status, activity, text] of progresses)
      it(`say that a running one ${name}`, async () => {
        const transcript = await transcriptFixture({
          activeTurn: active('now'),
          status: { ...live, ...status },
          activity,
        });

        expect(textOf(find(transcript, '.progress'))).to.equal(text);
      });

    it('have a footer with time, length, tokens and model, as given', async () => {
      const clock = new ManualClock(Date.UTC(2026, 0, 1, 0, 5));
      const transcript = await transcriptFixture({
        clock,
        turns: [turn('a', { duration: 84_000, usage: { inputTokens: 12_400, outputTokens: 96, model: 'large' } })],
      });
      const footer = find(transcript, '.footer');
      expect(textOf(footer)).to.equal('5m ago 1m 24s 12,400 in, 96 out large');

      clock.advance(120_000);
      expect(textOf(find(footer, 'time'))).to.equal('7m ago');
    });

    it('stop their clocks when the transcript goes', async () => {
      const clock = new ManualClock(Date.UTC(2026, 0, 1, 0, 5));
      const transcript = await transcriptFixture({ clock, turns: turns(5) });
      expect(clock.pendingTimers).to.equal(5);

      transcript.remove();

      expect(clock.pendingTimers).to.equal(0);
    });

    it('can be copied as Markdown, and say so for a moment', async () => {
      const clock = new ManualClock();
      const copied: string[] = [];
      const { clipboard } = navigator;
      Object.defineProperty(navigator, 'clipboard', {
        configurable: true,
        value: { writeText: async (text: string) => void copied.push(text) },
      });
      try {
        const transcript = await transcriptFixture({
          clock,
          turns: [turn('a', { responseParts: [markdown('# One\n'), reasoning('no'), markdown('two', 'n')] })],
        });
        findButton(transcript, 'Copy as Markdown').click();
        await settled();

        expect(copied).to.deep.equal(['# One\ntwo']);
        expect(findAll(transcript, '[part=footer] button').map(nameOf)).to.deep.equal(['Copied']);
        clock.advance(2_000);
        await settled();
        expect(findAll(transcript, '[part=footer] button').map(nameOf)).to.deep.equal(['Copy as Markdown']);
      } finally {
        Object.defineProperty(navigator, 'clipboard', { configurable: true, value: clipboard });
      }
    });

    it('survive a host that leaves out what it must send', async () => {
      const odd = [
        { id: 'a', state: 'complete' },
        { id: 'b', message: {}, responseParts: [] },
      ] as unknown as Turn[];
      const transcript = await transcriptFixture({ turns: odd });

      expect(turnsOf(transcript)).to.have.length(2);
    });
  });

  describe('the window', () => {
    it('opens ten thousand turns with as many nodes as a hundred', async () => {
      const few = findAll(await transcriptFixture({ turns: turns(100) }), '*').length;
      const many = findAll(await transcriptFixture({ turns: turns(10_000) }), '*').length;

      expect(many).to.be.at.most(few * 1.2);
    });

    it('remembers what was opened in turns that left the document', async () => {
      const list = turns(400);
      list[390] = turn('t390', { responseParts: [reasoning('thought of it')] });
      const transcript = await transcriptFixture({ turns: list });
      await transcript.scrollToTurn('t390');
      findButton(turnOf(transcript, 't390'), /Thought/).click();
      await settled();

      await transcript.scrollToTurn('t10');
      await settled();
      expect(turnOf(transcript, 't390')).to.equal(undefined);
      await transcript.scrollToTurn('t390');

      expect(textOf(turnOf(transcript, 't390'))).to.contain('thought of it');
    });

    const holds: readonly [string, (element: HTMLElement) => void][] = [
      ['has the focus', (element) => element.focus()],
      [
        'holds an end of the selection',
        (element) => getSelection()!.selectAllChildren(element.querySelector('.bubble-text')!),
      ],
      [
        'holds half-written text',
        (element) => element.append(Object.assign(document.createElement('textarea'), { value: 'half' })),
      ],
    ];
    for (const [name, hold] of holds)
      it(`never drops a turn that ${name}`, async () => {
        const transcript = await transcriptFixture({ turns: turns(600) });
        await transcript.scrollToTurn('t590');
        const held = turnOf(transcript, 't590');
        hold(held);
        await settled();

        for (let i = 0; i < 12; i += 1) {
          find(transcript, '.scroller').scrollTop = 0;
          await settled();
        }

        expect(turnsOf(transcript).length).to.be.above(200);
        expect(held.isConnected).to.equal(true);
        getSelection()!.removeAllRanges();
      });

    it('takes in every turn in memory for print, and says what is missing', async () => {
      const transcript = await transcriptFixture({ turns: turns(300), hasOlder: true });

      window.dispatchEvent(new Event('beforeprint'));

      expect(turnsOf(transcript)).to.have.length(300);
      expect(find(transcript, '.print-note').textContent).to.equal('Older turns are not loaded and not printed.');
    });

    it('goes to a turn that is not in the document, and says if there is none', async () => {
      const transcript = await transcriptFixture({ turns: turns(500) });

      expect(await transcript.scrollToTurn('t100')).to.equal(true);
      await settled();
      expect(topOf(transcript, turnOf(transcript, 't100'))).to.be.closeTo(0, 1);
      expect(await transcript.scrollToTurn('nowhere')).to.equal(false);
    });

    it('shows another chat from its end when all turns are others', async () => {
      const transcript = await transcriptFixture({ turns: turns(50) });
      await transcript.scrollToTurn('t25');

      transcript.turns = turns(50, 'other');
      await settled();

      expect(turnsOf(transcript).at(-1)?.turn?.id).to.equal('other49');
    });
  });

  describe('states of the whole', () => {
    it('shows the page’s own words while there is nothing', async () => {
      const transcript = await transcriptFixture();
      expect(find(transcript, '.empty').hidden).to.equal(false);

      transcript.activeTurn = active('now');
      await settled();
      expect(find(transcript, '.empty').hidden).to.equal(true);
    });

    it('shows a skeleton and not the empty words while it loads', async () => {
      const transcript = await transcriptFixture({ loading: true });

      expect(find(transcript, '.empty').hidden).to.equal(true);
      expect(find(transcript, '.skeleton').hidden).to.equal(false);
      expect(find(transcript, '.skeleton').getAttribute('aria-hidden')).to.equal('true');
      expect(find(transcript, '[role=feed]').getAttribute('aria-busy')).to.equal('true');
    });

    it('lets go of its timers, observers and listeners when it goes, and works when it comes back', async () => {
      const transcript = await transcriptFixture({ turns: turns(30), activeTurn: active('now') });
      const parent = transcript.parentElement!;
      transcript.remove();
      window.dispatchEvent(new Event('beforeprint'));
      parent.append(transcript);
      await settled();

      transcript.activeTurn = active('now', markdown(paragraphs(20)));
      await waitUntil(() => {
        const { scrollTop, scrollHeight, clientHeight } = find(transcript, '.scroller');
        return scrollHeight - clientHeight - scrollTop <= 1;
      });
    });
  });

  describe('for everybody', () => {
    it('is a feed of articles that say their place and name', async () => {
      const transcript = await transcriptFixture({ turns: turns(40), activeTurn: active('now'), hasOlder: true });
      const last = turnOf(transcript, 'now');
      expect(last.getAttribute('aria-posinset')).to.equal('41');
      expect(last.getAttribute('aria-setsize')).to.equal('-1');
      expect(last.getAttribute('aria-label')).to.equal('You: Question now');

      transcript.hasOlder = false;
      await settled();
      expect(last.getAttribute('aria-setsize')).to.equal('41');
      expect(last.getAttribute('role')).to.equal('article');
    });

    it('is accessible with turns of every kind', async () => {
      const transcript = await transcriptFixture({
        hasOlder: true,
        turns: [
          turn('a', { message: userMessage('x', { attachments: [{ type: 'simple', label: 'n' }] }) }),
          turn('b', { message: { text: 'x', origin: { kind: 'agent' } }, state: 'cancelled' }),
          turn('c', {
            responseParts: [reasoning('x'), toolPart(completedCall('1')), markdown('`code` and [link](https://x.y)')],
          }),
        ],
        activeTurn: active('now', markdown('| a | b |\n|---|---|\n| 1 | 2 |\n\n```ts\nlet x;\n```')),
      });

      await expect(transcript).to.be.accessible();
    });

    it('has one turn in the order of Tab, and moves from turn to turn with the arrows', async () => {
      const transcript = await transcriptFixture({
        turns: Array.from({ length: 5 }, (_, i) => turn(`s${i}`, { responseParts: [] })),
      });
      transcript.focus();
      expect(deepFocus()).to.equal(turnOf(transcript, 's4'));

      await press('ArrowUp');
      await waitUntil(() => deepFocus() === turnOf(transcript, 's3'));
      await press('Home');
      await waitUntil(() => deepFocus() === turnOf(transcript, 's0'));
      await press('ArrowDown');
      await waitUntil(() => deepFocus() === turnOf(transcript, 's1'));
      await press('End');
      await waitUntil(() => deepFocus() === turnOf(transcript, 's4'));

      await settled();
      expect(turnsOf(transcript).filter(({ tabIndex }) => tabIndex === 0)).to.deep.equal([turnOf(transcript, 's4')]);
    });

    it('moves on to turns that are not in the document', async () => {
      const transcript = await transcriptFixture({ turns: turns(300) });
      transcript.focus();

      await press('Home');

      await waitUntil(() => deepFocus() === turnOf(transcript, 't0'));
    });

    it('scrolls within a turn that is taller than the view before it leaves it', async () => {
      const transcript = await transcriptFixture({
        turns: [turn('a'), turn('tall', { responseParts: [markdown(paragraphs(60))] })],
      });
      const before = topOf(transcript, turnOf(transcript, 'tall'));

      transcript.focus();
      expect(topOf(transcript, turnOf(transcript, 'tall'))).to.equal(before);
      await press('ArrowUp');
      await settled();

      expect(deepFocus()).to.equal(turnOf(transcript, 'tall'));
    });

    it('leaves the keys of fields inside alone', async () => {
      const transcript = await transcriptFixture({ turns: turns(5) });
      const field = turnOf(transcript, 't3').appendChild(document.createElement('input'));
      field.focus();

      await press('ArrowUp');
      await press('Home');

      expect(deepFocus()).to.equal(field);
    });

    it('asks for older turns and shows them with the keyboard', async () => {
      const transcript = await transcriptFixture({ turns: turns(2), hasOlder: true });
      const asked = collect(transcript, 'ahp-load-older');
      findButton(transcript, 'Show older turns').focus();

      await press('Enter');

      await waitUntil(() => asked.length === 1);
    });

    it('stands mirrored in a right-to-left page, each text in its own direction', async () => {
      const transcript = await transcriptFixture({
        turns: [
          turn('a', { message: userMessage('افتح src/app.ts الآن!'), responseParts: [markdown('English answer')] }),
        ],
      });
      transcript.dir = 'rtl';
      await settled();

      const box = find(transcript, '.turns').getBoundingClientRect();
      const bubble = find(transcript, '.bubble').getBoundingClientRect();
      expect(bubble.left - box.left).to.be.below(40);
      expect(find(transcript, '.bubble-text').dir).to.equal('auto');
      expect(getComputedStyle(find(transcript, 'ahp-markdown p')).direction).to.equal('ltr');
    });
  });
});
