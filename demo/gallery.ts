/**
 * Every view in every state, on plain properties: no client, no host. `?theme=dark`, `?dir=rtl`, `?lang=…` set the page,
 * `?only=chat` shows one section alone and fills the window with it.
 */

import { html, nothing, render, type TemplateResult } from 'lit';
import { ref } from 'lit/directives/ref.js';
import type { AnswerDrafts } from '../src/chat/answer-drafts.js';
import type { Clock } from '../src/views/clock.js';
import '../src/views/chat-list/ahp-catalogue.js';
import '../src/views/composer/ahp-composer.js';
import '../src/views/status/ahp-chat-notes.js';
import '../src/views/status/ahp-status.js';
import '../src/views/transcript/ahp-transcript.js';
import type { ActiveTurn, ContentRef, Turn } from '../src/protocol/state.js';
import * as calls from './gallery-calls.js';
import * as diffs from './gallery-diffs.js';
import * as composing from './gallery-composer.js';
import * as forms from './gallery-forms.js';
import * as data from './gallery-data.js';
import * as results from './gallery-results.js';
import * as turning from './gallery-turns.js';

/** The gallery's clock stands still, so that every picture of it is the same. */
const clock: Clock = { now: () => data.NOW, monotonic: () => 0, schedule: (_delay, run) => (run(), () => undefined) };
const still: Clock = { ...clock, schedule: () => () => undefined };

const services = {
  ...results.services,
  readResource: async (ref: ContentRef) =>
    results.readContent(ref.uri) ??
    diffs.readFile(ref) ?? {
      data: '# Summary\n\nAll is well.',
      encoding: 'utf-8' as const,
      contentType: 'text/markdown',
    },
};

interface TranscriptProps {
  readonly turns?: readonly Turn[];
  readonly active?: ActiveTurn;
  readonly height?: number;
  readonly loading?: boolean;
  readonly drafts?: AnswerDrafts;
}

const transcript = ({ turns = [], active, height, loading = false, drafts }: TranscriptProps) =>
  html`<ahp-transcript
    style=${height ? `block-size: ${height}px` : ''}
    .turns=${turns}
    .activeTurn=${active}
    .loading=${loading}
    .status=${data.liveStatus}
    .services=${services}
    .chats=${results.chats}
    .clock=${still}
    .answerDrafts=${drafts}
  >
    <p slot="empty">Ask about the web shop, or let the agent change it.</p>
  </ahp-transcript>`;

const composer = (props: Record<string, unknown> = {}) =>
  html`<ahp-composer
    can-send
    .message=${props.message ?? data.user('')}
    .busy=${Boolean(props.busy)}
    .stopping=${Boolean(props.stopping)}
    .session=${props.session ?? data.session}
    .queued=${props.queued ?? []}
    .steering=${props.steering ?? []}
    .offer=${props.offer}
    .services=${props.services}
    .notice=${props.notice}
    .question=${props.question}
  ></ahp-composer>`;

const chat = (status: TemplateResult | typeof nothing, body: TemplateResult, foot: TemplateResult) =>
  html`<div class="frame chat">
    <div>${status}</div>
    ${body}${foot}
  </div>`;

const status = (value: (typeof data.statuses)[number][1]) =>
  html`<ahp-status .status=${value} .clock=${value.phase === 'offline' ? onceOnly() : still}></ahp-status>`;

/** Lets patience end at once and the countdown stand still. */
function onceOnly(): Clock {
  let isFirst = true;
  return {
    ...still,
    schedule: (_delay, run) => {
      if (isFirst) queueMicrotask(run);
      isFirst = false;
      return () => undefined;
    },
  };
}

const sections: Record<string, () => TemplateResult> = {
  chat: () =>
    chat(nothing, transcript({ turns: data.longTurns, active: data.streamingTurn }), composer({ busy: true })),
  finished: () => chat(nothing, transcript({ turns: data.longTurns }), composer()),
  confirmation: () =>
    chat(
      status(data.statuses[6]![1]),
      transcript({ turns: data.longTurns, active: data.confirmingTurn }),
      composer({ busy: true, queued: data.queue, message: data.user('One more thing') }),
    ),
  offline: () => chat(status(data.statuses[1]![1]), transcript({ turns: data.longTurns.slice(0, 1) }), composer()),
  empty: () => chat(nothing, transcript({}), composer()),
  loading: () => chat(nothing, transcript({ loading: true }), composer()),
  'calls that ended': () => html`<div class="frame">${transcript({ turns: [calls.settledTurn], height: 480 })}</div>`,
  'calls that go on': () => html`<div class="frame">${transcript({ active: calls.runningTurn, height: 1_300 })}</div>`,
  diffs: () => html`<div class="frame">${transcript({ active: diffs.editsTurn, height: 2_600 })}</div>`,
  terminals: () =>
    html`<div class="frame" ${ref(results.openAll)}>
      ${transcript({ turns: [results.terminalsTurn], height: 1_050 })}
    </div>`,
  workers: () =>
    html`<div class="frame" ${ref(results.openAll)}>${transcript({ turns: [results.workersTurn], height: 900 })}</div>`,
  content: () =>
    html`<div class="frame" ${ref(results.openAll)}>
      ${transcript({ turns: [results.contentTurn], height: 1_000 })}
    </div>`,
  'an answer being written': () =>
    html`<div class="frame">
      ${transcript({ active: { id: 'put', message: calls.user('Write it down'), responseParts: [calls.tool(calls.editable)] }, height: 620 })}
    </div>`,
  thinking: () => html`<div class="frame">${transcript({ active: data.thinkingTurn, height: 220 })}</div>`,
  question: () => html`<div class="frame">${transcript({ active: data.askingTurn, height: 760 })}</div>`,
  answers: () => html`<div class="frame">${transcript({ turns: [data.answeredTurn], height: 760 })}</div>`,
  'every question': () => html`<div class="frame">${transcript({ active: forms.everyTurn, height: 1_500 })}</div>`,
  'answers to mend': () =>
    html`<div class="frame" ${ref((frame) => frame && void forms.pressSubmit(frame))}>
      ${transcript({ active: forms.faultyTurn, height: 1_400, drafts: forms.answerDrafts })}
    </div>`,
  'addresses to open': () =>
    html`<div class="frame">${transcript({ active: forms.addressesTurn, height: 1_300 })}</div>`,
  'closed questions': () =>
    html`<div class="frame">
      ${transcript({ turns: [forms.closedTurn], height: 1_000, drafts: forms.answerDrafts })}
    </div>`,
  'answer mode': () =>
    html`<div class="frame">
      <div ${ref((box) => box && forms.write(box, 'main'))}>
        ${composer({ busy: true, question: forms.branch, message: data.user('', { attachments: data.attachments }) })}
      </div>
      ${composer({ busy: true, question: forms.branch, message: data.user('main') })}
    </div>`,
  messages: () => html`<div class="frame">${transcript({ turns: data.messageTurns, height: 1_100 })}</div>`,
  errors: () => html`<div class="frame">${transcript({ turns: data.errorTurns, height: 900 })}</div>`,
  turns: () =>
    html`<div class="frame">
      <ahp-transcript
        style="block-size: 760px"
        .turns=${turning.turns}
        .status=${data.liveStatus}
        .abilities=${turning.abilities}
        .toMarkdown=${() => ''}
        .clock=${still}
      ></ahp-transcript>
    </div>`,
  'where chats come from': () =>
    html`<div class="frame">
      <ahp-chat-notes
        .origin=${{ kind: 'fork', chat: 'c1', turnId: 't' }}
        .chats=${turning.chats}
        .work=${turning.work}
        .clock=${still}
      ></ahp-chat-notes>
      <ahp-chat-notes
        archived
        .origin=${{ kind: 'sideChat', chat: 'gone', turnId: 't', selection: { text: 'Two orders read the same count.' } }}
      ></ahp-chat-notes>
    </div>`,
  'list of chats': () =>
    html`<div class="frame">
      <ahp-catalogue .catalogue=${turning.catalogue} .current=${'c1'} .clock=${still}></ahp-catalogue>
      <ahp-catalogue
        .catalogue=${{ phase: 'offline', sessions: turning.catalogue.sessions.slice(1, 2) }}
        .clock=${still}
      ></ahp-catalogue>
      <ahp-catalogue .catalogue=${{ phase: 'live', sessions: [] }}></ahp-catalogue>
      <ahp-catalogue .catalogue=${{ phase: 'loading', sessions: [] }}></ahp-catalogue>
    </div>`,
  composer: () =>
    html`<div class="frame">
      ${composer()}${composer({ message: data.user('Some text') })}${composer({ busy: true })}
      ${composer({ busy: true, message: data.user('Next') })}${composer({ busy: true, stopping: true })}
      ${composer({ message: data.user('With files', { attachments: data.attachments }) })}
      ${composer({ busy: true, queued: data.queue, steering: [{ id: 's', message: data.user('Mind the tests') }] })}
      ${composer({ offer: data.user('A thought from the train'), notice: { kind: 'back', reason: 'no active turn' } })}
      ${composer({ message: data.user('Other text'), notice: { kind: 'taken', reason: '' } })}
    </div>`,
  queue: () =>
    html`<div class="frame">
      ${composer({ busy: true, queued: composing.fullQueue, steering: composing.steering, message: data.user('Next') })}
      <div ${ref(composing.whenThere('[data-id=q1] [data-control=edit]', (button) => button.click()))}>
        ${composer({ busy: true, queued: composing.fullQueue.slice(0, 3) })}
      </div>
      <div ${ref(composing.whenThere('[data-id=q1] [data-control=move]', (button) => button.click()))}>
        ${composer({ busy: true, queued: composing.fullQueue.slice(0, 3) })}
      </div>
    </div>`,
  suggestions: () =>
    html`<div class="frame tall" ${ref(composing.whenThere('[part=textarea]', composing.writeTrigger))}>
      ${composer({ services: composing.services, session: composing.session })}
    </div>`,
  mentions: () =>
    html`<div class="frame">
      ${composer({ message: composing.mentions })}
      ${composer({ message: data.user('!npm test'), session: composing.session })}
      ${composer({ message: data.user('x', { model: { id: 'gone' } }), session: composing.session })}
    </div>`,
  'model settings': () =>
    html`<div class="frame tall" ${ref(composing.whenThere('.settings-button', (button) => button.click()))}>
      ${composer({ message: data.user('Go', { model: { id: 'deep' } }), session: composing.session })}
    </div>`,
  status: () => html`<div class="frame">${data.statuses.map(([, value]) => status(value))}</div>`,
};

const query = new URLSearchParams(location.search);
const root = document.documentElement;
if (query.has('theme')) root.dataset.theme = query.get('theme')!;
root.dir = query.get('dir') ?? 'ltr';
root.lang = query.get('lang') ?? 'en';
const only = query.get('only');
document.body.classList.toggle('bare', only !== null);

const choose = (key: string, value: string) => {
  query.set(key, value);
  location.search = query.toString();
};

render(
  html`<header>
      <h1>ahp-chat: every view in every state</h1>
      ${['light', 'dark'].map((theme) => html`<button @click=${() => choose('theme', theme)}>${theme}</button>`)}
      ${['ltr', 'rtl'].map((dir) => html`<button @click=${() => choose('dir', dir)}>${dir}</button>`)}
    </header>
    <main>
      ${Object.entries(sections)
        .filter(([name]) => only === null || name === only)
        .map(
          ([name, section]) =>
            html`<section class=${name === 'chat' ? 'wide' : ''}>
              <h2>${name}</h2>
              ${section()}
            </section>`,
        )}
    </main>`,
  document.body,
);
