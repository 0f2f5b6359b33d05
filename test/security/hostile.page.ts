/**
 * Shows every text of the corpus in every place of a chat, with all that can be opened opened, and tells what came of it.
 * Nothing may run, load, or be of a kind that can. On pages with and without a policy, in a frame or alone.
 */

import { MemoryChatStore } from '../../src/chat/memory-store.js';
import type { CatalogueStore } from '../../src/chat/catalogue.js';
import '../../src/index.js';
import '../../src/element/ahp-chat-list.js';
import { AhpDraftChangeEvent } from '../../src/views/events.js';
import { problems, tell } from '../helpers/framed-page.js';
import { corpus, TRAP_HOST } from './corpus.js';
import { createHostile, type Hostile } from './fields.js';
import * as lazy from '../../src/views/parts/lazy.js';
import { findUnsafe, parts } from './unsafe.js';

/** What the page tells. */
export interface HostileReport {
  /** Texts times places. */
  readonly tried: number;
  readonly texts: number;
  readonly places: number;
  readonly scriptRuns: number;
  readonly requests: readonly string[];
  /** Violations of the page's policy, errors and rejections. */
  readonly problems: readonly string[];
  /** Elements, attributes and addresses that must not be there, each kind once. */
  readonly unsafe: readonly string[];
  /** Elements and classes that were drawn: a test that shows nothing finds nothing. */
  readonly drawn: readonly string[];
  readonly polluted: readonly string[];
  /** What is loaded when it is first needed, and was not. */
  readonly notLoaded: readonly string[];
}

let scriptRuns = 0;
Object.assign(window, { __ran: () => (scriptRuns += 1) });
const loaded = new Set<string>();
new PerformanceObserver((list) => {
  for (const { name } of list.getEntries()) loaded.add(name);
}).observe({ type: 'resource', buffered: true });

const texts = [...corpus.values()];
const unsafe = new Set<string>();
const drawn = new Set<string>();
let tried = 0;
let places = 0;

const chat = document.createElement('ahp-chat');
chat.style.cssText = 'block-size: 900px; inline-size: 700px';
const list = document.createElement('ahp-chat-list');
document.body.append(chat, list);
// Nothing navigates, nothing asks the page's person.
addEventListener('beforeunload', (event) => event.preventDefault());

const frame = () => new Promise(requestAnimationFrame);

/** Opens all that is folded, as often as something new is. */
async function openAll(): Promise<void> {
  const opened = new WeakSet<Element>();
  for (let pass = 0; pass < 8; pass += 1) {
    const folds = parts(document.body).filter(
      (one): one is HTMLElement =>
        one.matches('button[aria-expanded=false], summary, [part=content-ref] .content-head button') &&
        !opened.has(one),
    );
    // A deed is no fold: nothing is sent, signed, opened elsewhere or saved, and no picture asked for.
    for (const fold of folds.filter((one) => !/save|open|remove|delete/i.test(one.textContent))) {
      opened.add(fold);
      fold.click();
    }
    await frame();
    await frame();
    if (folds.length === 0 && pass > 2) return;
  }
}

/** Notes what is there now. */
function look(): void {
  for (const each of [chat, list]) {
    for (const found of findUnsafe(each)) unsafe.add(found);
    for (const one of parts(each)) for (const name of [one.localName, ...one.classList]) drawn.add(name);
  }
}

/** Writes the draft as another client left it, with a model that has settings, and asks for suggestions behind it. */
async function write({ state, session }: Hostile): Promise<void> {
  const composer = chat.shadowRoot!.querySelector('ahp-composer')!;
  const [model] = session.models;
  if (state.draft && model)
    composer.dispatchEvent(new AhpDraftChangeEvent({ ...state.draft, model: { id: model.id } }));
  await frame();
  await frame();
  const field = composer.shadowRoot!.querySelector('textarea')!;
  field.focus();
  field.value += '@';
  field.setSelectionRange(field.value.length, field.value.length);
  field.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true, data: '@', inputType: 'insertText' }));
  await new Promise((resolve) => setTimeout(resolve, 250));
  look();
  composer.shadowRoot!.querySelector<HTMLElement>('.settings-button')?.click();
}

/** Opens what a person writes into a confirmation. */
async function openFields(): Promise<void> {
  for (const button of parts(chat)) {
    if (button instanceof HTMLElement && button.dataset['opens'] !== undefined) button.click();
  }
  await frame();
  await frame();
}

async function round(first: number): Promise<void> {
  let at = first;
  const hostile = createHostile(() => texts[(at += 1) % texts.length]!);
  const { state, session, services, status } = hostile;
  const store = new MemoryChatStore(state, { session, services, status });
  chat.store = store;
  const catalogue: CatalogueStore = {
    catalogue: hostile.catalogue,
    subscribe: () => () => undefined,
    create: () => Promise.reject(hostile.error),
    rename: () => Promise.reject(hostile.error),
    setArchived: () => Promise.reject(hostile.error),
    remove: () => Promise.reject(hostile.error),
  };
  list.store = catalogue;
  chat.placeholder = state.title ?? '';
  await frame();
  await openAll();
  await write(hostile);
  await openFields();
  look();
  store.reject(
    [{ type: 'chat/turnStarted', turnId: 'x', startedAt: '', message: state.turns[0]!.message }],
    hostile.reason,
  );
  await frame();
  store.fail(hostile.error);
  // The turn ends, which is spoken.
  store.apply({
    type: 'chat/error',
    turnId: state.activeTurn!.id,
    duration: 1,
    error: { errorType: hostile.reason, message: hostile.reason },
  });
  await frame();
  look();
  places = hostile.places;
  tried += places;
}

// All that is loaded when it is first needed, also where no text here needs it.
await Promise.all(Object.values(lazy).map((load) => load()));

const params = new URLSearchParams(location.search);
const step = Number(params.get('step') ?? 1);
for (let first = 0; first < texts.length; first += step) await round(first);
await new Promise((resolve) => setTimeout(resolve, 300));

const polluted = Object.keys(Object.prototype).concat('polluted' in {} ? 'polluted' : []);
const isOwn = (name: string) => new URL(name).origin === location.origin && !name.includes(TRAP_HOST);
const report: HostileReport = {
  tried,
  texts: texts.length,
  places,
  scriptRuns,
  requests: [...loaded].filter((name) => !/^(data|blob):/.test(name) && !isOwn(name)),
  problems,
  unsafe: [...unsafe],
  drawn: [...drawn],
  polluted,
  notLoaded: Object.entries(lazy).flatMap(([name, load]) => (load.module ? [] : [name])),
};
tell(report);
