/**
 * Messages that go while somebody is changing them: the host takes one that waits, another client cuts a turn off. What was
 * written goes into the draft, where text is never lost. Judged only while the host's word is fresh: what a chat that is
 * remembered does not show may be there all the same.
 */

import { isChanged, type EditKey, type Edits, type MessageEdit } from '../chat/edits.js';
import { findTurn, hasOlderTurns, waitingMessages } from '../chat/selectors.js';
import type { ChatStore } from '../chat/store.js';
import type { ChatState, Message } from '../protocol/state.js';
import { toEditedMessage } from '../views/transcript/edited-message.js';

/** `taken`: the host has taken the message as it was. `cut`: its turn is gone. `unchanged`: nothing had been written. */
export type EditFate = 'taken' | 'cut' | 'unchanged';

interface Watched {
  readonly store: ChatStore;
  readonly edits: Edits;
  giveBack(message: Message): void;
  onEditLost(fate: EditFate): void;
}

/** Returns the end of the watch. */
export function watchEdits(watched: Watched): () => void {
  const look = () => {
    if (watched.edits.size > 0) giveBackLost(watched);
  };
  const ends = [watched.store.subscribe(look), watched.edits.subscribe(look)];
  look();
  return () => {
    for (const end of ends) end();
  };
}

function giveBackLost({ store, edits, giveBack, onEditLost }: Watched): void {
  const { state, status } = store;
  if (!state || status.phase !== 'live') return;
  for (const [key, edit] of edits.list()) {
    if (!isGone(state, key, edit)) continue;
    // Before anything is told: whoever hears of it may look again.
    edits.set(key, undefined);
    const isTurn = key.startsWith('turn ');
    if (isChanged(edit)) {
      giveBack(
        isTurn ? toEditedMessage({ ...edit.message, text: edit.was }, { text: edit.message.text }) : edit.message,
      );
      onEditLost(isTurn ? 'cut' : 'taken');
    } else if (!isTurn) onEditLost('unchanged');
  }
}

function isGone(state: ChatState, key: EditKey, { startedAt }: MessageEdit): boolean {
  const id = key.slice(key.indexOf(' ') + 1);
  if (key.startsWith('pending ')) return !waitingMessages(state).some((entry) => entry.id === id);
  if (findTurn(state, id)) return false;
  // One that is older than all that are loaded may be there still.
  const first = state.turns[0]?.startedAt;
  return !hasOlderTurns(state) || (first !== undefined && startedAt !== undefined && startedAt >= first);
}
