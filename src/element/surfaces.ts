/** The two surfaces of a chat, transcript and composer, with all that goes down into them. Pure. */

import { html } from 'lit';
import { findAnswerable, hasOlderTurns, isBusy, waitingMessages } from '../chat/selectors.js';
import { emptyMessage } from '../client/draft-message.js';
import type { ChatSummary, Turn } from '../protocol/state.js';
import type { TurnAbilities, TurnToMarkdown } from '../views/transcript/part-scope.js';
import type { AhpChat } from './ahp-chat.js';
import type { HostController } from './host-controller.js';
import type { IntentController } from './intent-controller.js';
import type { Outcomes } from './outcomes.js';
import { environment } from './page-environment.js';

/** What a chat shows: what the page has set, and what each part of the element holds. */
export interface ChatView {
  readonly page: Pick<
    AhpChat,
    'follow' | 'enterKey' | 'placeholder' | 'readOnly' | 'withoutReasoning' | 'imageOrigins'
  >;
  readonly host: Pick<HostController, 'store' | 'draft' | 'answers' | 'edits'>;
  readonly intents: Pick<IntentController, 'draftRevision' | 'isLoadingOlder'>;
  readonly outcomes: Pick<Outcomes, 'notice' | 'refusals'>;
  readonly abilities: TurnAbilities;
  readonly toMarkdown: TurnToMarkdown | undefined;
}

const noTurns: readonly Turn[] = [];
const noChats: readonly ChatSummary[] = [];
const noIds: ReadonlySet<string> = new Set();

/** Parts of the surfaces inside, handed on under their own names. */
const transcriptParts =
  'scroller, jump, selection-bar, request-bar, older, turn, message, attachment, markdown, reasoning, tool-call, tool-call-line, tool-call-body, tool-run, confirmation, input-request, content-ref, error, footer';
const composerParts = 'composer, textarea, attachment, queue, queue-row, send, steer, stop';

export function renderTranscript({ page, host, intents, outcomes, abilities, toMarkdown }: ChatView) {
  const { state, status, session, services } = host.store ?? {};
  return html`<ahp-transcript
    part="transcript"
    exportparts=${transcriptParts}
    .turns=${state?.turns ?? noTurns}
    .activeTurn=${state?.activeTurn}
    .hasOlder=${!!state && hasOlderTurns(state)}
    .loadingOlder=${intents.isLoadingOlder}
    .loading=${status?.phase === 'loading'}
    .activity=${state?.activity}
    .status=${status}
    .follow=${page.follow}
    .refusals=${outcomes.refusals}
    .readOnly=${page.readOnly}
    .withoutReasoning=${page.withoutReasoning}
    .services=${services}
    .chat=${state?.resource}
    .chats=${session?.chats ?? noChats}
    .answerDrafts=${host.answers}
    .edits=${host.edits}
    .clock=${environment}
    .abilities=${abilities}
    .toMarkdown=${toMarkdown}
    .imageOrigins=${page.imageOrigins}
  >
    <slot name="empty" slot="empty"></slot>
  </ahp-transcript>`;
}

export function renderComposer({ page, host, intents, outcomes, abilities }: ChatView) {
  const { state, status, session, services } = host.store ?? {};
  const waiting = state ? waitingMessages(state) : [];
  const isLive = status?.phase === 'live';
  return html`<ahp-composer
    exportparts=${composerParts}
    .message=${host.draft?.message ?? emptyMessage}
    .revision=${intents.draftRevision}
    .busy=${!!state && isBusy(state)}
    .stopping=${status?.stoppingTurnId !== undefined}
    .canSend=${abilities.send}
    .enterKey=${page.enterKey}
    .placeholder=${page.placeholder}
    .chat=${state?.resource}
    .session=${session}
    .services=${isLive ? services : undefined}
    .clock=${environment}
    .steering=${waiting.filter(({ kind }) => kind === 'steering')}
    .queued=${waiting.filter(({ kind }) => kind === 'queued')}
    .pendingIds=${status?.pendingIds ?? noIds}
    .edits=${host.edits}
    .offer=${host.answers && host.draft?.offer}
    .notice=${outcomes.notice}
    .question=${isLive && state && abilities.send ? findAnswerable(state) : undefined}
  >
    <slot name="composer-start" slot="composer-start"></slot>
    <slot name="composer-end" slot="composer-end"></slot>
  </ahp-composer>`;
}
