import { expect } from '@open-wc/testing';
import { chooseChat, orderSessions } from '../../src/client/choose-chat.js';
import { Status, type ChatSummary, type SessionSummary } from '../../src/protocol/state.js';

const chat = (resource: string, modifiedAt: string, more: Partial<ChatSummary> = {}): ChatSummary => ({
  resource,
  status: Status.Idle,
  modifiedAt,
  ...more,
});
const session = (resource: string, modifiedAt: string, status: number = Status.Idle): SessionSummary => ({
  resource,
  provider: 'p',
  title: '',
  status,
  createdAt: '',
  modifiedAt,
});

describe('the chat of a session', () => {
  it('is the default one', () => {
    expect(chooseChat({ defaultChat: 'd', chats: [chat('a', '2026')] })).to.equal('d');
  });

  it('is the only visible one', () => {
    const chats = [chat('hidden', '2027', { interactivity: 'hidden' }), chat('a', '2026')];

    expect(chooseChat({ chats })).to.equal('a');
  });

  it('is the visible one used last', () => {
    const chats = [chat('a', '2026-01'), chat('b', '2026-03', { interactivity: 'read-only' }), chat('c', '2026-02')];

    expect(chooseChat({ chats })).to.equal('b');
  });

  it('is none where there is none', () => {
    expect(chooseChat({ chats: [] })).to.equal(undefined);
    expect(chooseChat({ chats: [chat('h', '2026', { interactivity: 'hidden' })] })).to.equal(undefined);
  });
});

describe('the sessions of a host', () => {
  it('are tried from the newest on, without the archived, whatever else the status says', () => {
    const sessions = [
      session('old', '2026-01'),
      session('archived', '2026-04', Status.Idle | Status.IsArchived),
      session('new', '2026-03', (Status.Error | (1 << 31)) >>> 0),
      session('no date', undefined as unknown as string),
    ];

    expect(orderSessions(sessions).map(({ resource }) => resource)).to.deep.equal(['new', 'old', 'no date']);
  });
});
