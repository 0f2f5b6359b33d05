/** What every part of a turn may need beside itself. One object, the same one as long as nothing in it changes. */

import type { AnswerDrafts } from '../../chat/answer-drafts.js';
import type { Edits } from '../../chat/edits.js';
import type { ChatServices, ChatStoreStatus, UnconfirmedIntent } from '../../chat/store.js';
import type { Strings } from '../../i18n/strings.js';
import type { Clock } from '../clock.js';
import type { ActiveTurn, ModelInfo, Turn, URI } from '../../protocol/state.js';
import type { ViewMemory } from './view-memory.js';
import { toWorkers, type Worker } from './workers.js';

export type TurnToMarkdown = (turn: Turn | ActiveTurn, strings: Strings) => string;

/** What may be done with the turns of this chat. */
export interface TurnAbilities {
  /** Messages may be sent: edited, sent again, and failed turns resumed. */
  readonly send: boolean;
  /** The host can begin another chat from a finished turn. */
  readonly fork: boolean;
  /** The host can begin a chat beside this one. */
  readonly sideChat: boolean;
  /** What Enter does where a message is edited. */
  readonly enterKey: 'send' | 'newline';
  /** Names for the ids of models. */
  readonly models: readonly Pick<ModelInfo, 'id' | 'name'>[];
}

/** Nothing can be done. */
export const noAbilities: TurnAbilities = { send: false, fork: false, sideChat: false, enterKey: 'send', models: [] };

export interface PartScope {
  readonly services: ChatServices | undefined;
  /** Without one there are no relative times and no measured durations. */
  readonly clock: Clock | undefined;
  readonly memory: ViewMemory;
  /** What was entered into forms; without one a form begins with what the host says. */
  readonly answerDrafts: AnswerDrafts | undefined;
  /**
   * Whether questions and confirmations may be answered here. `waiting`: what is shown may be out of date, so the buttons
   * are there and do nothing. `no`: the chat is read-only.
   */
  readonly answers: 'yes' | 'waiting' | 'no';
  /** Ids of turns, calls and requests about which an intent of this client is under way. */
  readonly pendingIds: ReadonlySet<string>;
  /** How many intents the host has refused: what was answered may be asked still, without a change that shows it. */
  readonly refusals: number;
  /** Intents of this client without proof: they wait for the person, and what they answer is not asked again. */
  readonly unconfirmed: readonly UnconfirmedIntent[];
  readonly withoutReasoning: boolean;
  /** Origins whose pictures are loaded by themselves. */
  readonly imageOrigins: readonly string[];
  /** The chat itself, and those it is shown in, the outermost first: none of them is opened within again. */
  readonly chat: URI | undefined;
  readonly ancestors: readonly URI[];
  /** What the session says of the chats that workers have. */
  readonly workers: readonly Worker[];
  readonly abilities: TurnAbilities;
  /** A turn as text to take along; absent until what does it is loaded. */
  readonly toMarkdown: TurnToMarkdown | undefined;
  /** What is half written in place of turns' messages; without it nothing can be edited. */
  readonly edits: Edits | undefined;
  /** Opens the editor of a turn's message, with what was half written in it before. */
  readonly edit: (turn: Turn) => void;
}

/** What a transcript was given, as far as its parts need it. */
type Given = Pick<
  PartScope,
  | 'services'
  | 'clock'
  | 'answerDrafts'
  | 'refusals'
  | 'withoutReasoning'
  | 'imageOrigins'
  | 'chat'
  | 'ancestors'
  | 'abilities'
  | 'toMarkdown'
  | 'edits'
> & {
  readonly status: ChatStoreStatus | undefined;
  readonly readOnly: boolean;
  readonly chats: Parameters<typeof toWorkers>[0];
};

const noIds: ReadonlySet<string> = new Set();
const noIntents: readonly UnconfirmedIntent[] = [];
const noWorkers: readonly Worker[] = [];

/** The same object as `before` as long as nothing in it has changed. */
export function toPartScope(
  given: Given,
  own: Pick<PartScope, 'memory' | 'edit'>,
  before: PartScope | undefined,
): PartScope {
  const { status, readOnly, chats } = given;
  const isLive = (status?.phase ?? 'live') === 'live';
  const next: PartScope = {
    ...own,
    services: given.services,
    clock: given.clock,
    answerDrafts: given.answerDrafts,
    answers: readOnly ? 'no' : isLive ? 'yes' : 'waiting',
    pendingIds: status?.pendingIds ?? noIds,
    refusals: given.refusals,
    unconfirmed: status?.unconfirmed.length ? status.unconfirmed : noIntents,
    withoutReasoning: given.withoutReasoning,
    imageOrigins: given.imageOrigins,
    chat: given.chat,
    ancestors: given.ancestors,
    workers: toWorkers(chats, before?.workers ?? noWorkers),
    abilities: given.abilities,
    toMarkdown: given.toMarkdown,
    edits: given.edits,
  };
  return before && isSameScope(before, next) ? before : next;
}

function isSameScope({ pendingIds, ...rest }: PartScope, other: PartScope): boolean {
  const keys = Object.keys(rest) as (keyof typeof rest)[];
  if (keys.some((key) => rest[key] !== other[key]) || pendingIds.size !== other.pendingIds.size) return false;
  return [...pendingIds].every((id) => other.pendingIds.has(id));
}
