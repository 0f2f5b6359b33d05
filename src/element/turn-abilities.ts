/** What may be done with the turns on screen: by the chat, its session's agent and the page. Source: AHP, capabilities. */

import { canWrite } from '../chat/selectors.js';
import type { ChatStore } from '../chat/store.js';
import type { ChatState } from '../protocol/state.js';
import type { TurnAbilities } from '../views/transcript/part-scope.js';

/** The same object as `before` as long as it says the same, so that no turn is looked at again. */
export function toTurnAbilities(
  store: ChatStore | undefined,
  { readOnly, enterKey }: { readonly readOnly: boolean; readonly enterKey: TurnAbilities['enterKey'] },
  before: TurnAbilities | undefined,
): TurnAbilities {
  const { state, session, services, status } = store ?? {};
  // A chat is made by a request, which has to reach the host now; what is sent waits in the outbox.
  const chats = services?.createChat && status?.phase === 'live' ? session?.capabilities.multipleChats : undefined;
  const next: TurnAbilities = {
    send: canSend(state, { readOnly }),
    fork: chats?.fork === true && !readOnly,
    sideChat: chats?.sideChat === true && !readOnly,
    enterKey,
    models: keep(before?.models, session?.models ?? []),
  };
  const isSame = before && (Object.keys(next) as (keyof TurnAbilities)[]).every((key) => next[key] === before[key]);
  return isSame ? before : next;
}

/** Whether a message can be taken, even while offline. */
export function canSend(state: ChatState | undefined, { readOnly }: { readonly readOnly: boolean }): boolean {
  return !!state && !readOnly && canWrite(state);
}

/** A session that changes makes its list of models anew, mostly with the same ones in it. */
function keep(before: TurnAbilities['models'] | undefined, next: TurnAbilities['models']): TurnAbilities['models'] {
  if (before?.length !== next.length) return next;
  return next.every(({ id, name }, at) => before[at]?.id === id && before[at].name === name) ? before : next;
}
