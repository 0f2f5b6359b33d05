/** What every mirror does. One suite, run against the one on disk and the one in memory. */

import { expect } from '@open-wc/testing';
import type { EditKey } from '../../src/chat/edits.js';
import type { AhpError } from '../../src/protocol/errors.js';
import type { Mirror, MirroredChat } from '../../src/mirror/mirror.js';
import type { ToolCallState, Turn } from '../../src/protocol/state.js';
import {
  CHAT,
  OTHER_CHAT,
  draft,
  entry,
  ids,
  message,
  record,
  state,
  streaming,
  turn,
  turns,
} from '../mirror/samples.js';

export function describeMirror(name: string, create: () => Mirror): void {
  describe(`${name} as a mirror`, () => {
    let mirror: Mirror;

    beforeEach(() => {
      mirror = create();
    });

    afterEach(() => mirror.close());

    const load = (parts: { clientId?: string; turns?: number; now?: number; channel?: string } = {}) => {
      const { channel = CHAT, clientId = 'me', turns: count = 50, now = 1 } = parts;
      return mirror.loadChat(channel, { clientId, turns: count, now });
    };
    const loadedIds = async (): Promise<string[]> => ids((await load()).record?.state.turns);

    describe('a chat', () => {
      it('has nothing of a chat it never saw', async () => {
        const chat = await load();

        expect(chat).to.deep.equal({ record: undefined, older: 'unknown', outbox: [], draft: undefined });
      });

      it('gives back what was saved', async () => {
        const saved = record({ turns: turns(1, 3), isComplete: true, session: 'ahp-session:/s' });

        await mirror.saveChat(CHAT, saved);

        expect((await load()).record).to.deep.equal(saved);
      });

      it('gives only the last turns, and says that older ones are kept', async () => {
        await mirror.saveChat(CHAT, record({ turns: turns(1, 10), isComplete: true }));

        const chat = await load({ turns: 3 });

        expect(ids(chat.record?.state.turns)).to.deep.equal(['t8', 't9', 't10']);
        expect(chat.older).to.equal('mirror');
        expect(chat.record?.isComplete).to.equal(false);
      });

      it('gives no turn when none is asked for', async () => {
        await mirror.saveChat(CHAT, record({ turns: turns(1, 2) }));

        const chat = await load({ turns: 0 });

        expect(chat.record?.state.turns).to.deep.equal([]);
        expect(chat.older).to.equal('mirror');
      });

      it('says that nothing is older when the run starts with the first turn', async () => {
        await mirror.saveChat(CHAT, record({ turns: turns(1, 2), isComplete: true }));

        const chat = await load();

        expect([chat.older, chat.record?.isComplete]).to.deep.equal(['none', true]);
      });

      it('says that only the host knows what is older than an incomplete run', async () => {
        await mirror.saveChat(CHAT, record({ turns: turns(5, 6) }));

        expect((await load()).older).to.equal('unknown');
      });

      it('keeps chats apart', async () => {
        await mirror.saveChat(CHAT, record({ turns: turns(1, 2) }));
        await mirror.saveChat(OTHER_CHAT, record({ turns: [turn('t1', 'another answer')] }));

        const other = await load({ channel: OTHER_CHAT });

        expect(await loadedIds()).to.deep.equal(['t1', 't2']);
        expect(other.record?.state.turns).to.deep.equal([turn('t1', 'another answer')]);
      });

      it('keeps the running turn and the number it belongs to', async () => {
        const finished = turns(1, 2);
        await mirror.saveChat(CHAT, streaming(finished, 'half', 8));

        await mirror.saveChat(CHAT, streaming(finished, 'half an answer', 9));

        expect((await load()).record).to.deep.equal(streaming(finished, 'half an answer', 9));
      });

      it('keeps keys, kinds and statuses it does not know', async () => {
        const later = {
          ...turn('t1'),
          responseParts: [{ kind: 'hologram', id: 'h', depth: 3, nested: { a: [1, null] } }],
          mood: 'good',
        } as unknown as Turn;
        const saved = record({ state: { ...state({ turns: [later] }), novelty: { x: 1 } } as never });

        await mirror.saveChat(CHAT, saved);

        expect((await load()).record).to.deep.equal(saved);
      });
    });

    describe('the run of turns', () => {
      it('keeps what is older when the window starts inside the run', async () => {
        const all = turns(1, 6);
        await mirror.saveChat(CHAT, record({ turns: all.slice(0, 4), isComplete: true }));

        await mirror.saveChat(CHAT, record({ turns: all.slice(2) }));

        expect(await loadedIds()).to.deep.equal(['t1', 't2', 't3', 't4', 't5', 't6']);
        expect((await load()).older).to.equal('none');
      });

      it('is replaced when the window starts outside of it', async () => {
        await mirror.saveChat(CHAT, record({ turns: turns(1, 4), isComplete: true }));

        await mirror.saveChat(CHAT, record({ turns: turns(7, 9) }));

        expect(await loadedIds()).to.deep.equal(['t7', 't8', 't9']);
        expect((await load()).older).to.equal('unknown');
      });

      it('is replaced when the window says that nothing is older', async () => {
        const all = turns(1, 5);
        await mirror.saveChat(CHAT, record({ turns: all }));

        await mirror.saveChat(CHAT, record({ turns: all.slice(2), isComplete: true }));

        expect(await loadedIds()).to.deep.equal(['t3', 't4', 't5']);
        expect((await load()).older).to.equal('none');
      });

      it('grows at its end by the turn that has just finished', async () => {
        const first = turns(1, 2);
        await mirror.saveChat(CHAT, streaming(first, 'done'));

        await mirror.saveChat(CHAT, record({ turns: [...first, turn('running', 'done')] }));

        expect(await loadedIds()).to.deep.equal(['t1', 't2', 'running']);
        expect((await load()).record?.state.activeTurn).to.equal(undefined);
      });

      it('grows at its start by an older page of the host', async () => {
        const all = turns(1, 6);
        await mirror.saveChat(CHAT, record({ turns: all.slice(3) }));

        await mirror.saveChat(CHAT, record({ turns: all, isComplete: true }));

        expect(await loadedIds()).to.deep.equal(['t1', 't2', 't3', 't4', 't5', 't6']);
        expect((await load()).older).to.equal('none');
      });

      it('grows at its start again and again', async () => {
        const all = turns(1, 9);
        for (const start of [6, 3, 0]) await mirror.saveChat(CHAT, record({ turns: all.slice(start) }));

        expect(await loadedIds()).to.deep.equal(ids(all));
      });

      it('loses what a truncated chat lost', async () => {
        const all = turns(1, 5);
        await mirror.saveChat(CHAT, record({ turns: all, isComplete: true }));

        await mirror.saveChat(CHAT, record({ turns: all.slice(0, 2), isComplete: true }));

        expect(await loadedIds()).to.deep.equal(['t1', 't2']);
      });

      it('is empty when the chat is', async () => {
        await mirror.saveChat(CHAT, record({ turns: turns(1, 3), isComplete: true }));

        await mirror.saveChat(CHAT, record({ turns: [], isComplete: true }));

        const chat = await load();
        expect(chat.record?.state.turns).to.deep.equal([]);
        expect(chat.older).to.equal('none');
      });

      it('takes the new text of a turn it has', async () => {
        const all = turns(1, 3);
        await mirror.saveChat(CHAT, record({ turns: all }));
        const edited = all.with(1, turn('t2', 'another text'));

        await mirror.saveChat(CHAT, record({ turns: edited }));

        expect((await load()).record?.state.turns).to.deep.equal(edited);
      });

      it('takes turns that changed places', async () => {
        const [a, b, c, d] = turns(1, 4) as [Turn, Turn, Turn, Turn];
        await mirror.saveChat(CHAT, record({ turns: [a, b, c, d] }));

        await mirror.saveChat(CHAT, record({ turns: [a, d, c, b] }));

        expect(await loadedIds()).to.deep.equal(['t1', 't4', 't3', 't2']);
      });

      it('holds an id once, as the host last said it', async () => {
        await mirror.saveChat(CHAT, record({ turns: [turn('t1', 'old'), turn('t2'), turn('t1', 'new')] }));

        expect((await load()).record?.state.turns).to.deep.equal([turn('t2'), turn('t1', 'new')]);
      });

      it('is replaced when a turn that stood before the window now stands in it', async () => {
        const all = turns(1, 3);
        await mirror.saveChat(CHAT, record({ turns: all, isComplete: true }));

        await mirror.saveChat(CHAT, record({ turns: [...all.slice(1), turn('t1')] }));

        expect(await loadedIds()).to.deep.equal(['t2', 't3', 't1']);
        expect((await load()).older).to.equal('unknown');
      });

      it('takes only the newest of the saves that wait for one another', async () => {
        const all = turns(1, 4);

        await Promise.all([1, 2, 3, 4].map((end) => mirror.saveChat(CHAT, record({ turns: all.slice(0, end) }))));

        expect(await loadedIds()).to.deep.equal(['t1', 't2', 't3', 't4']);
      });

      it('is written as it is by a document that takes the chat over', async () => {
        await mirror.saveChat(CHAT, record({ turns: turns(1, 4) }));

        mirror.claimChat(CHAT);
        await mirror.saveChat(CHAT, record({ turns: [turn('t3', 'as it really was'), turn('t4'), turn('t5')] }));

        expect(await loadedIds()).to.deep.equal(['t1', 't2', 't3', 't4', 't5']);
        expect((await load()).record?.state.turns[2]).to.deep.equal(turn('t3', 'as it really was'));
      });
    });

    describe('older turns', () => {
      const before = (id: string, count: number) => mirror.loadTurnsBefore(CHAT, id, count);

      it('come in pages, oldest first', async () => {
        await mirror.saveChat(CHAT, record({ turns: turns(1, 9), isComplete: true }));

        const page = await before('t7', 3);

        expect(page).to.deep.equal({ turns: turns(4, 6), older: 'mirror' });
      });

      it('end with the first turn of the chat', async () => {
        await mirror.saveChat(CHAT, record({ turns: turns(1, 5), isComplete: true }));

        expect(await before('t4', 10)).to.deep.equal({ turns: turns(1, 3), older: 'none' });
        expect(await before('t1', 10)).to.deep.equal({ turns: [], older: 'none' });
      });

      it('end where only the host knows more', async () => {
        await mirror.saveChat(CHAT, record({ turns: turns(4, 6) }));

        expect(await before('t5', 10)).to.deep.equal({ turns: turns(4, 4), older: 'unknown' });
      });

      it('are unknown before a turn that is not kept', async () => {
        await mirror.saveChat(CHAT, record({ turns: turns(1, 3), isComplete: true }));

        expect(await before('gone', 10)).to.deep.equal({ turns: [], older: 'unknown' });
        expect(await mirror.loadTurnsBefore(OTHER_CHAT, 't1', 10)).to.deep.equal({ turns: [], older: 'unknown' });
      });

      it('stay in place when the grown window is saved', async () => {
        const all = turns(1, 8);
        await mirror.saveChat(CHAT, record({ turns: all, isComplete: true }));
        await mirror.saveChat(CHAT, record({ turns: all.slice(5) }));
        const page = await before('t6', 3);

        await mirror.saveChat(CHAT, record({ turns: [...page.turns, ...all.slice(5), turn('t9')] }));

        expect(await loadedIds()).to.deep.equal(['t1', 't2', 't3', 't4', 't5', 't6', 't7', 't8', 't9']);
        expect((await load()).older).to.equal('none');
      });
    });

    describe('what is never stored', () => {
      const waiting = (auth: object): ToolCallState =>
        ({
          toolCallId: 'c',
          toolName: 'mail',
          displayName: 'Mail',
          status: 'auth-required',
          invocationMessage: 'Sends mail',
          confirmed: 'not-needed',
          auth,
        }) as unknown as ToolCallState;
      const auth = {
        reason: 'required',
        resource: { resource: 'https://mail.example' },
        oauthClient: { clientId: 'c', clientSecret: 'S3CRET' },
      };

      it('is a cursor', async () => {
        await mirror.saveChat(CHAT, record({ state: state({ turns: turns(1, 2), turnsNextCursor: 'C0RSOR' }) }));

        expect(JSON.stringify(await load())).not.to.contain('C0RSOR');
      });

      it('is the client secret of a sign-in that a running turn waits for', async () => {
        const activeTurn = {
          id: 'a',
          message: message('send it'),
          responseParts: [{ kind: 'toolCall' as const, toolCall: waiting(auth) }],
        };

        await mirror.saveChat(CHAT, record({ state: state({ activeTurn }) }));

        const part = (await load()).record?.state.activeTurn?.responseParts[0];
        expect(part).to.deep.equal({
          kind: 'toolCall',
          toolCall: waiting({ ...auth, oauthClient: { clientId: 'c' } }),
        });
      });

      it('is a client secret in a finished turn, or in a part of a later version', async () => {
        const finished = {
          ...turn('t1'),
          responseParts: [
            { kind: 'toolCall', toolCall: waiting(auth) },
            { kind: 'signIn', id: 'x', deep: [{ oauthClient: { clientSecret: 'S3CRET', clientId: 'kept' } }] },
          ],
        } as unknown as Turn;

        await mirror.saveChat(CHAT, record({ turns: [finished] }));

        const found = JSON.stringify(await load());
        expect(found).not.to.contain('S3CRET');
        expect(found).to.contain('"clientId":"kept"');
      });
    });

    describe('the chat used last', () => {
      it('is none at first', async () => {
        expect(await mirror.findLastChat()).to.equal(undefined);
      });

      it('is the one that was loaded last', async () => {
        await mirror.saveChat(CHAT, record({ session: 'ahp-session:/s' }));
        await mirror.saveChat(OTHER_CHAT, record());
        await load({ channel: OTHER_CHAT, now: 10 });
        await load({ channel: CHAT, now: 20 });

        expect(await mirror.findLastChat()).to.deep.equal({ chat: CHAT, session: 'ahp-session:/s' });
      });

      it('counts a chat that was loaded before anything of it was there', async () => {
        await load({ channel: CHAT, now: 10 });
        await mirror.saveChat(CHAT, record());
        await load({ channel: OTHER_CHAT, now: 30 });
        await mirror.saveChat(OTHER_CHAT, record());

        expect(await mirror.findLastChat()).to.deep.equal({ chat: OTHER_CHAT });
      });
    });

    describe('clients', () => {
      it('start counting at 1 and go on where they were', async () => {
        const first = await mirror.openClient('me', 100);
        await mirror.putOutbox([entry(1), entry(2)], { nextClientSeq: 3, clearDraft: false });

        const again = await mirror.openClient('me', 200);

        expect(first).to.deep.equal({ clientId: 'me', nextClientSeq: 1, seenAt: 100 });
        expect(again).to.deep.equal({ clientId: 'me', nextClientSeq: 3, seenAt: 200 });
      });

      it('are listed with when they were seen last', async () => {
        await mirror.openClient('b', 5);
        await mirror.openClient('a', 7);
        await mirror.putOutbox([entry(1, { clientId: 'b' })], { nextClientSeq: 2, clearDraft: false });

        expect(await mirror.listClients()).to.deep.equal([
          { clientId: 'a', nextClientSeq: 1, seenAt: 7 },
          { clientId: 'b', nextClientSeq: 2, seenAt: 5 },
        ]);
      });
    });

    describe('the outbox', () => {
      const put = (...entries: readonly ReturnType<typeof entry>[]) =>
        mirror.putOutbox(entries, { nextClientSeq: 100, clearDraft: false });

      it('gives the entries of the asking client in the order of their numbers', async () => {
        await put(entry(10), entry(2), entry(1, { clientId: 'other' }), entry(3, { channel: OTHER_CHAT }));

        expect((await load()).outbox).to.deep.equal([entry(2), entry(10)]);
        expect((await load({ clientId: 'other' })).outbox).to.deep.equal([entry(1, { clientId: 'other' })]);
      });

      it('ends the draft in the same step when the intent is a message', async () => {
        await mirror.putDraft(CHAT, 'me', draft('text 1'));
        await mirror.putDraft(CHAT, 'other', draft('theirs'));

        await mirror.putOutbox([entry(1)], { nextClientSeq: 2, clearDraft: true });

        expect((await load()).draft).to.equal(undefined);
        expect((await load({ clientId: 'other' })).draft).to.deep.equal(draft('theirs'));
      });

      it('lets a new draft follow the one that was sent', async () => {
        await mirror.putDraft(CHAT, 'me', draft('text 1', 4));
        await mirror.putOutbox([entry(1)], { nextClientSeq: 2, clearDraft: true });
        await mirror.deleteDraft(CHAT, 'me', 4);

        await mirror.putDraft(CHAT, 'me', draft('the next', 5));

        expect((await load()).draft).to.deep.equal(draft('the next', 5));
      });

      it('leaves the draft alone when the intent is something else', async () => {
        await mirror.putDraft(CHAT, 'me', draft('unsent'));

        await put(entry(1));

        expect((await load()).draft).to.deep.equal(draft('unsent'));
      });

      it('rewrites entries that are there, and only those', async () => {
        await put(entry(1), entry(2));
        await mirror.removeOutbox([entry(2)]);

        await mirror.updateOutbox([entry(1, { sends: 1, sentAt: 5 }), entry(2, { sends: 1, sentAt: 5 })]);

        expect((await load()).outbox).to.deep.equal([entry(1, { sends: 1, sentAt: 5 })]);
      });

      it('forgets what is proven, and does not mind being told twice', async () => {
        await put(entry(1), entry(2), entry(3));

        await mirror.removeOutbox([entry(1), entry(3)]);
        await mirror.removeOutbox([entry(1)]);

        expect((await load()).outbox).to.deep.equal([entry(2)]);
      });

      it('does nothing for no entries', async () => {
        await mirror.putDraft(CHAT, 'me', draft('unsent'));

        await mirror.putOutbox([], { nextClientSeq: 9, clearDraft: true });
        await mirror.updateOutbox([]);
        await mirror.removeOutbox([]);

        expect((await load()).draft).to.deep.equal(draft('unsent'));
        expect(await mirror.listClients()).to.deep.equal([]);
      });
    });

    describe('a draft', () => {
      it('is kept for its chat and client, with what it grew from', async () => {
        const kept = { ...draft('mine'), base: message('the host had this') };

        await mirror.putDraft(CHAT, 'me', kept);

        expect((await load()).draft).to.deep.equal(kept);
        expect((await load({ clientId: 'other' })).draft).to.equal(undefined);
        expect((await load({ channel: OTHER_CHAT })).draft).to.equal(undefined);
      });

      it('is what was written last', async () => {
        await Promise.all([1, 2, 3].map((revision) => mirror.putDraft(CHAT, 'me', draft(`v${revision}`, revision))));

        expect((await load()).draft).to.deep.equal(draft('v3', 3));
      });

      it('is deleted up to the revision that is said, and not beyond', async () => {
        await mirror.putDraft(CHAT, 'me', draft('newer', 5));

        await mirror.deleteDraft(CHAT, 'me', 4);
        const kept = (await load()).draft;
        await mirror.deleteDraft(CHAT, 'me', 5);

        expect(kept).to.deep.equal(draft('newer', 5));
        expect((await load()).draft).to.equal(undefined);
      });
    });

    describe('adopting what a client left behind', () => {
      it('moves its entries behind the own ones, in their order', async () => {
        await mirror.openClient('gone', 1);
        await mirror.putOutbox([entry(4, { clientId: 'gone' }), entry(9, { clientId: 'gone', sends: 2 })], {
          nextClientSeq: 10,
          clearDraft: false,
        });
        await mirror.openClient('me', 50);
        await mirror.putOutbox([entry(1)], { nextClientSeq: 2, clearDraft: false });

        const adopted = await mirror.adopt('gone', 'me', 1);

        const moved = [
          { ...entry(4), clientSeq: 2 },
          { ...entry(9), clientSeq: 3, sends: 2 },
        ];
        expect(adopted).to.deep.equal({ entries: moved, nextClientSeq: 4 });
        expect((await load()).outbox).to.deep.equal([entry(1), ...moved]);
        expect((await load({ clientId: 'gone' })).outbox).to.deep.equal([]);
        expect(await mirror.listClients()).to.deep.equal([{ clientId: 'me', nextClientSeq: 4, seenAt: 50 }]);
      });

      it('starts above numbers that were used and never stored', async () => {
        await mirror.putOutbox([entry(1, { clientId: 'gone' })], { nextClientSeq: 2, clearDraft: false });
        await mirror.openClient('me', 50);

        const adopted = await mirror.adopt('gone', 'me', 20);

        expect(adopted.entries.map(({ clientSeq }) => clientSeq)).to.deep.equal([20]);
        expect(adopted.nextClientSeq).to.equal(21);
      });

      it('moves drafts of all chats', async () => {
        await mirror.putDraft(CHAT, 'gone', draft('left behind', 3));
        await mirror.putDraft(OTHER_CHAT, 'gone', draft('also', 1));
        await mirror.putDraft(CHAT, 'third', draft('not ours'));

        await mirror.adopt('gone', 'me', 1);

        expect((await load()).draft).to.deep.equal(draft('left behind', 3));
        expect((await load({ channel: OTHER_CHAT })).draft).to.deep.equal(draft('also', 1));
        expect((await load({ clientId: 'gone' })).draft).to.equal(undefined);
        expect((await load({ clientId: 'third' })).draft).to.deep.equal(draft('not ours'));
      });

      it('keeps what stands in the adopter’s composer, and the words of the other beside it', async () => {
        await mirror.putDraft(CHAT, 'gone', { ...draft('theirs', 9, 300), left: [message('left to them')] });
        await mirror.putDraft(CHAT, 'me', { ...draft('mine', 2, 200), left: [message('left to me')] });
        await mirror.putDraft(OTHER_CHAT, 'gone', draft('theirs', 1, 100));
        await mirror.putDraft(OTHER_CHAT, 'me', { ...draft('', 4, 200), left: [message('left to me')] });

        await mirror.adopt('gone', 'me', 1);

        const left = ['left to me', 'theirs', 'left to them'].map((text) => message(text));
        expect((await load()).draft).to.deep.equal({ ...draft('mine', 9, 200), left });
        const other = (await load({ channel: OTHER_CHAT })).draft;
        expect(other).to.deep.equal({ ...draft('theirs', 5, 100), left: [message('left to me')] });
      });

      it('keeps the later of two forms', async () => {
        const form = (answer: string, revision: number, updatedAt: number) => ({
          ...draft('', revision, updatedAt),
          answers: [{ requestId: 'r', questionId: answer }],
        });
        await mirror.putDraft(CHAT, 'gone', form('older', 9, 100));
        await mirror.putDraft(CHAT, 'me', form('newer', 2, 200));
        await mirror.putDraft(OTHER_CHAT, 'gone', form('newer', 1, 200));
        await mirror.putDraft(OTHER_CHAT, 'me', form('older', 4, 100));

        await mirror.adopt('gone', 'me', 1);

        expect((await load()).draft).to.deep.equal(form('newer', 2, 200));
        expect((await load({ channel: OTHER_CHAT })).draft).to.deep.equal(form('newer', 5, 200));
      });

      it('joins what is half edited on both sides, and of two texts for one message keeps the later', async () => {
        const edit = (key: EditKey, text: string) => ({ key, was: '', message: { ...draft(text).message } });
        const put = (channel: string, clientId: string, updatedAt: number, ...edits: ReturnType<typeof edit>[]) =>
          mirror.putDraft(channel, clientId, { ...draft('', 1, updatedAt), edits });
        await put(CHAT, 'gone', 100, edit('turn a', 'older'), edit('turn b', 'theirs'));
        await put(CHAT, 'me', 200, edit('turn a', 'newer'), edit('pending c', 'mine'));
        await put(OTHER_CHAT, 'gone', 200, edit('turn a', 'newer'));
        await put(OTHER_CHAT, 'me', 100, edit('turn a', 'older'), edit('turn b', 'mine'));

        await mirror.adopt('gone', 'me', 1);

        const textsOf = async (channel: string) =>
          (await load({ channel })).draft?.edits?.map(({ key, message }) => `${key}: ${message.text}`);
        expect(await textsOf(CHAT)).to.deep.equal(['turn a: newer', 'pending c: mine', 'turn b: theirs']);
        expect(await textsOf(OTHER_CHAT)).to.deep.equal(['turn a: newer', 'turn b: mine']);
      });

      it('leaves drafts that were sent where they are over', async () => {
        await mirror.putDraft(CHAT, 'gone', draft('sent', 1, 300));
        await mirror.putOutbox([entry(1, { clientId: 'gone' })], { nextClientSeq: 2, clearDraft: true });
        await mirror.putDraft(CHAT, 'me', draft('mine', 1, 200));
        await mirror.putOutbox([entry(1, { channel: OTHER_CHAT })], { nextClientSeq: 2, clearDraft: true });
        await mirror.putDraft(OTHER_CHAT, 'gone', draft('unsent', 3, 100));

        await mirror.adopt('gone', 'me', 1);

        expect((await load()).draft).to.deep.equal(draft('mine', 1, 200));
        expect((await load({ channel: OTHER_CHAT })).draft).to.deep.equal(draft('unsent', 3, 100));
      });

      it('finds nothing of a client that wrote nothing', async () => {
        await mirror.openClient('me', 1);

        expect(await mirror.adopt('nobody', 'me', 1)).to.deep.equal({ entries: [], nextClientSeq: 1 });
      });

      it('refuses to let a client adopt itself', async () => {
        await mirror.putOutbox([entry(1)], { nextClientSeq: 2, clearDraft: false });

        const error = await mirror.adopt('me', 'me', 1).catch((reason: unknown) => reason);

        expect((error as AhpError).code).to.equal('misuse');
        expect((await load()).outbox).to.deep.equal([entry(1)]);
      });
    });

    describe('the runs of a page’s tools', () => {
      it('are begun once each, whoever asks', async () => {
        expect(await mirror.claimToolRun('one', 1)).to.equal(true);
        expect(await mirror.claimToolRun('one', 2)).to.equal(false);
        expect(await mirror.claimToolRun('two', 2)).to.equal(true);
        expect(await mirror.claimToolRun('one', 3)).to.equal(false);
      });

      it('are begun by one of several who ask at once', async () => {
        const claims = await Promise.all([1, 1, 1, 1].map((now) => mirror.claimToolRun('one', now)));

        expect(claims.filter(Boolean)).to.have.length(1);
      });

      it('are told apart whatever their names hold', async () => {
        const names = ['', 'a', 'A', '["c","t","1"]', '["c","t",1]', '\u0000', 'ß'.normalize('NFD'), 'é', 'e\u0301'];

        for (const name of names) expect(await mirror.claimToolRun(name, 1), JSON.stringify(name)).to.equal(true);
      });

      it('may be begun again after everything was cleared', async () => {
        await mirror.claimToolRun('one', 1);
        await mirror.clear();

        expect(await mirror.claimToolRun('one', 2)).to.equal(true);
      });
    });

    it('has nothing after it was cleared, and goes on', async () => {
      await mirror.saveChat(CHAT, record({ turns: turns(1, 3) }));
      await mirror.putOutbox([entry(1)], { nextClientSeq: 2, clearDraft: false });
      await mirror.putDraft(CHAT, 'me', draft('text'));

      await mirror.clear();

      const nothing: MirroredChat = { record: undefined, older: 'unknown', outbox: [], draft: undefined };
      expect(await load()).to.deep.equal(nothing);
      expect(await mirror.listClients()).to.deep.equal([]);
      await mirror.saveChat(CHAT, record({ turns: turns(8, 9) }));
      expect(await loadedIds()).to.deep.equal(['t8', 't9']);
    });
  });
}
