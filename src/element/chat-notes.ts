/** The lines above a conversation, where there is anything to say; what draws them is loaded with the first. */

import { html, nothing } from 'lit';
import { isArchived } from '../chat/selectors.js';
import type { ChatStore } from '../chat/store.js';
import { loadChatNotes } from '../views/parts/lazy.js';
import { environment } from './page-environment.js';

export function renderChatNotes(store: ChatStore | undefined) {
  const { state, session } = store ?? {};
  if (!state) return nothing;
  const hasOrigin = state.origin !== undefined && 'chat' in state.origin;
  if (!hasOrigin && !isArchived(state) && !state.backgroundWork?.length) return nothing;
  void loadChatNotes();
  return html`<ahp-chat-notes
    exportparts="note"
    .origin=${state.origin}
    .chats=${session?.chats ?? []}
    .session=${session?.resource}
    .archived=${isArchived(state)}
    .work=${state.backgroundWork ?? []}
    .clock=${environment}
  ></ahp-chat-notes>`;
}
