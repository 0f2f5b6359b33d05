import { MemoryChatStore } from '../../src/chat/memory-store.js';
import { Status, type ChatState } from '../../src/protocol/state.js';
import { runChatStoreSuite } from '../conformance/chat-store.js';
import { Browser } from '../helpers/browser.js';
import { settle } from '../helpers/manual-environment.js';
import { CHAT } from '../helpers/scripted-host.js';

runChatStoreSuite('SyncedChatStore', async ({ turns = [], older = [], isEmpty }) => {
  const browser = new Browser({ turns: [...older, ...turns] });
  if (isEmpty) browser.host.isReachable = false;
  const tab = browser.openTab();
  tab.show(CHAT, { turns: turns.length || 50 });
  await browser.advance(isEmpty ? 0 : 300);
  return {
    store: tab.store,
    host: async (...actions) => {
      for (const action of actions) browser.host.dispatch(action);
      await browser.advance(50);
    },
    settle: () => browser.advance(50),
    refuseNext: (reason) => browser.host.refuseNext('chat/turnStarted', reason),
    close: () => tab.close(),
  };
});

runChatStoreSuite('MemoryChatStore', async ({ turns = [], older = [], isEmpty }) => {
  const state: ChatState = {
    resource: CHAT,
    status: Status.Idle,
    modifiedAt: '2026-01-01T00:00:00.000Z',
    turns,
    ...(older.length > 0 && { turnsNextCursor: 'older' }),
  };
  const store = new MemoryChatStore(isEmpty ? undefined : state, {
    loadOlder: async () => ({ type: 'chat/turnsLoaded', turns: older }),
  });
  let reason: string | undefined;
  return {
    store,
    host: async (...actions) => store.apply(...actions),
    settle: async () => {
      const group = store.dispatched.at(-1);
      if (reason !== undefined && group) store.reject(group, reason);
      reason = undefined;
      await settle();
    },
    refuseNext: (text) => {
      reason = text;
    },
    close: () => settle(),
  };
});
