/** `<ahp-chat>` in a box of its own, and the ways a person looks into it. */

import { fixture, html } from '@open-wc/testing';
import type { AhpChat } from '../../src/element/ahp-chat.js';
import type { ChatStore } from '../../src/chat/store.js';
import type { AhpComposer } from '../../src/views/composer/ahp-composer.js';
import type { AhpTranscript } from '../../src/views/transcript/ahp-transcript.js';
import { find, findAll, rendered } from './views.js';
import { CHAT, SESSION, type PageHost } from './page-host.js';
import '../../src/index.js';
import { waitUntil } from './until.js';

export async function fixtureWith(store: ChatStore): Promise<AhpChat> {
  const chat = await fixture<AhpChat>(html`<ahp-chat style="block-size: 500px" .store=${store}></ahp-chat>`);
  await comeToRest(chat);
  return chat;
}

/** Joined to a host in the page; resolves when the chat is live, unless the host is out of reach. */
export async function fixtureOf(host: PageHost, settings: Partial<AhpChat> = {}): Promise<AhpChat> {
  const chat = document.createElement('ahp-chat');
  chat.style.blockSize = '500px';
  Object.assign(chat, { transport: host.transport, storageKey: host.key, chat: CHAT, session: SESSION, ...settings });
  await fixture(html`${chat}`);
  if (host.isReachable) await untilLive(chat);
  return chat;
}

export const untilLive = (chat: AhpChat) => waitUntil(() => chat.status?.phase === 'live', 'the chat is live');

/** Live, nothing under way, no turn running. */
export const untilQuiet = (chat: AhpChat) =>
  waitUntil(
    () => chat.status?.phase === 'live' && chat.status.pending === 0 && !chat.state?.activeTurn,
    'the chat is quiet',
  );

export async function comeToRest(chat: AhpChat): Promise<void> {
  await rendered(chat);
  for (const inner of [composerOf(chat), transcriptOf(chat)]) if (inner) await rendered(inner);
}

export const composerOf = (chat: AhpChat) => chat.renderRoot.querySelector<AhpComposer>('ahp-composer');
export const transcriptOf = (chat: AhpChat) => find<AhpTranscript>(chat, 'ahp-transcript');
export const fieldOf = (chat: AhpChat) => find<HTMLTextAreaElement>(composerOf(chat)!, '[part=textarea]');
export const turnsOf = (chat: AhpChat) => findAll(transcriptOf(chat), 'ahp-turn');

/** The text the composer shows. */
export const writtenIn = (chat: AhpChat): string => fieldOf(chat).value;
