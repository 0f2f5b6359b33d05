import assert from 'node:assert/strict';
import test, { after, before, describe, it } from 'node:test';
import type { CompletionItem, Snapshot } from '../../src/protocol/commands.js';
import type { ChatState, RootState } from '../../src/protocol/state.js';
import { callsOf, textOf, type RawClient } from './raw-client.js';
import { runHost, type RunningHost } from './running-host.js';

describe('completions', () => {
  let running: RunningHost;
  let client: RawClient;
  let chat: string;

  before(async () => {
    running = await runHost();
    client = await running.connect();
    chat = await client.openChat();
  });
  after(() => running.end());

  const complete = async (text: string, offset = text.length): Promise<readonly CompletionItem[]> => {
    const params = { channel: chat, kind: 'userMessage', text, offset };
    return (await client.request<{ items: CompletionItem[] }>('completions', params)).items;
  };

  it('offer files for an at sign, at the cursor and not at the end of the text', async () => {
    const [item] = await complete('explain @uni please', 12);

    assert.deepEqual([item?.insertText, item?.rangeStart, item?.rangeEnd], ['@src/units.js ', 8, 12]);
    assert.deepEqual(item?.attachment._meta, { 'ahp-chat-demo/path': 'src/units.js' });
  });

  it('offer what files declare for a hash sign, with the lines it stands on', async () => {
    const [item] = await complete('what is #findU');

    assert.equal(item?.insertText, '#findUnit ');
    assert.ok(item.attachment.type === 'resource', item.attachment.type);
    assert.deepEqual([item.attachment.uri, item.attachment.displayKind], ['workspace:/src/units.js', 'symbol']);
    const line = item.attachment.selection?.range.start.line ?? -1;
    assert.match((await running.read('src/units.js')).split('\n')[line] ?? '', /findUnit/);
  });

  it('offer files for a hash sign where nothing is declared under that name', async () => {
    const items = await complete('#stock.c');

    assert.deepEqual(
      items.map(({ insertText }) => insertText),
      ['#data/stock.csv '],
    );
  });

  it('offer commands for a slash at the beginning, and nowhere else', async () => {
    const items = await complete('/re');

    assert.deepEqual(
      items.map(({ insertText, rangeStart, rangeEnd }) => [insertText, rangeStart, rangeEnd]),
      [
        ['/recipe ', 0, 3],
        ['/report ', 0, 3],
      ],
    );
    assert.deepEqual(await complete('src/re'), []);
  });

  it('are understood when they are sent, with the attachment and the text they left', async () => {
    const [item] = await complete('#findU');
    const attachment = item?.attachment;
    assert.ok(attachment, 'there is an attachment');
    const turnId = client.ask(chat, '#findUnit ', { attachments: [attachment] });
    const symbol = await client.turnEnd(chat, turnId);
    const command = await client.askAndWait(chat, '/search tablespoon');

    assert.match(textOf(symbol.responseParts), /src\/units\.js/);
    assert.equal(callsOf(command.responseParts)[0]?.toolName, 'search_text');
  });
});

test('a chat is forked from a turn, and a side chat begins with what was selected', async () => {
  const running = await runHost();
  const client = await running.connect();
  const chat = await client.openChat();
  const first = await client.askAndWait(chat, 'read README.md');
  await client.askAndWait(chat, 'list files');
  const { snapshot } = await client.request<{ snapshot: Snapshot<RootState> }>('subscribe', { channel: 'ahp-root://' });
  assert.deepEqual(snapshot.state.agents[0]?.capabilities?.multipleChats, { fork: true, sideChat: true });

  const make = (name: string, source: Readonly<Record<string, unknown>>) =>
    client.request('createChat', {
      channel: client.lastSession,
      chat: `ahp-chat:/${name}`,
      source: { chat, turnId: first.id, ...source },
    });
  await make('fork', { kind: 'fork' });
  await make('side', { kind: 'sideChat', selection: { text: 'Larder reads recipes' } });
  const fork: ChatState = await client.subscribe('ahp-chat:/fork');
  await client.subscribe('ahp-chat:/side');
  const aside = await client.askAndWait('ahp-chat:/side', 'what is this?');
  await client.request('disposeChat', { channel: 'ahp-chat:/fork' });
  await client.when(() => !client.session().chats.some(({ resource }) => resource === 'ahp-chat:/fork') || undefined);
  await running.end();

  assert.deepEqual(fork.turns, [first]);
  assert.equal(fork.title, 'Fork: read README.md');
  assert.equal(
    client.session().chats.find(({ resource }) => resource.endsWith('side'))?.title,
    'About “Larder reads recipes”',
  );
  assert.match(textOf(aside.responseParts), /You ask about “Larder reads recipes”/);
});
