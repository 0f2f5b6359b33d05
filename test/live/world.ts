/**
 * One host, its network, one database and the documents of one person, in a real browser. The host and all that goes wrong
 * live on a clock of their own; documents, database, locks and events are the browser's.
 */

import { toHostKey } from '../../src/client/hub.js';
import { toDatabaseName } from '../../src/mirror/schema.js';
import { createRandom, ManualEnvironment } from '../helpers/manual-environment.js';
import { ScriptedHost, testAgent } from '../helpers/scripted-host.js';
import { Agent } from '../simulation/agent.js';
import { findAtHost, findDoubled, findLost } from '../simulation/check.js';
import { Ledger, toMarks } from '../simulation/ledger.js';
import { Network } from '../simulation/network.js';
import { disturb, runsRepeats, strike, type Outside } from '../simulation/outside.js';
import { LivePage, TabStorage } from './page.js';
import { pause, PacedClock } from './paced-clock.js';
import { Person } from './person.js';
import { changing, fold, Screen, tellTurns } from './screen.js';
import type { DiskStep, LiveRun, LiveStep } from './steps.js';

type Act<Does extends LiveStep['does'], Key extends PropertyKey> =
  Extract<LiveStep, { does: Does }> extends infer S ? (Key extends keyof S ? S[Key] : never) : never;

const mostPages = 3;
/** What is longer, in ms of the run's clock, tests nothing more. */
const longestMs = 90_000;
/** How long everything may take to become true, in ms of the run's clock: as in the simulation. */
const restMs = 240_000;
const lookMs = 2_000;

let made = 0;

export class LiveWorld {
  readonly clock = new PacedClock();
  readonly environment: ManualEnvironment;
  readonly host: ScriptedHost;
  readonly network: Network;
  readonly agent: Agent;
  readonly ledger = new Ledger();
  readonly hasLocks: boolean;
  /** Names storage of this run's own. */
  readonly key = `live-${performance.timeOrigin}-${(made += 1)}`;
  readonly errors: string[] = [];
  readonly faults = new Map<string, number>();
  readonly pages: LivePage[] = [];
  isDiskFull = false;
  /** From the end of all faults to a screen that shows the truth. */
  truthMs: number | undefined;
  readonly #random: () => number;
  #texts = 0;

  constructor({ seed, ringSize, hasLocks }: Omit<LiveRun, 'steps'>) {
    // Each has chances of its own: what the network does must not change what the agent says.
    const random = toChance(seed);
    const environment = new ManualEnvironment({ clock: this.clock, seed });
    const schedule = (delayMs: number, run: () => void) => environment.schedule(delayMs, run);
    const agent = new Agent({ random: toChance(seed + 1), schedule });
    this.environment = environment;
    this.agent = agent;
    this.hasLocks = hasLocks;
    this.#random = random;
    this.host = new ScriptedHost({ environment, ringSize, agents: [testAgent], agent: (turn) => agent.run(turn) });
    this.host.runsRepeats = runsRepeats(seed);
    this.network = new Network({
      random,
      schedule,
      now: () => environment.monotonic(),
      connect: (signal) => this.host.transport.connect(signal),
      onFault: (fault) => this.#noteFault(fault),
    });
  }

  get databaseName(): string {
    return toDatabaseName(toHostKey('transport:', { base: location.href, storageKey: this.key }));
  }

  get usable(): readonly LivePage[] {
    return this.pages.filter(({ isUsable }) => isUsable);
  }

  /** A tab of its own, with its first document. */
  async open(session = new TabStorage()): Promise<LivePage> {
    const frame = document.createElement('iframe');
    Object.assign(frame.style, { position: 'fixed', inset: '0', inlineSize: '480px', blockSize: '360px', border: '0' });
    const navigate = () => {
      frame.src = frameAddress;
      document.body.append(frame);
    };
    return this.#load(session, { frame, navigate });
  }

  async #load(session: TabStorage, way: Parameters<typeof LivePage.load>[2]): Promise<LivePage> {
    const page = await LivePage.load(this, session, way);
    this.pages.push(page);
    return page;
  }

  /* -------------------------------------------------------------- steps */

  async take(step: LiveStep): Promise<void> {
    switch (step.does) {
      case 'pass time':
        return this.clock.pass(Math.min(step.ms, longestMs));
      case 'person':
        return this.#act(step.tab, step.act);
      case 'page':
        return this.#turn(step.tab, step.act, Math.min(step.ms, longestMs));
      case 'network': {
        const page = this.#pick(step.tab);
        return disturb(this.#outside, page ? this.network.linksOf(page) : [], step);
      }
      case 'host':
        return strike(this.#outside, step.blow);
      case 'disk':
        return this.#harm(step);
    }
  }

  #pick(index: number): LivePage | undefined {
    const { usable } = this;
    return usable[index % usable.length];
  }

  async #act(index: number, act: Act<'person', 'act'>): Promise<void> {
    const page = this.#pick(index);
    if (!page) return;
    const person = new Person(page);
    await person.look();
    if (!page.isUsable) return;
    const { screen } = person;
    const lastTurn = screen.turns.at(-1);
    switch (act) {
      case 'type':
        return this.#type(person);
      case 'send':
      case 'steer':
        return this.#send(person, act);
      case 'type and send':
        this.#type(person);
        // Whoever writes sees what he has written before he sends it.
        await person.look();
        return this.#send(person, 'send');
      case 'stop':
        person.pressThe(screen.composer, '[part=stop]');
        return;
      case 'resume':
        person.press(lastTurn, 'Resume');
        return;
      case 'allow':
        person.press(screen.surface('ahp-transcript')?.querySelector('[part=confirmation]'), 'Allow');
        return;
      case 'deny':
        person.press(screen.surface('ahp-transcript')?.querySelector('[part=confirmation]'), 'Deny');
        return;
      case 'answer':
        return this.#answer(person);
      case 'remove':
        return this.#remove(person);
      case 'change':
        return this.#change(person);
      case 'reorder':
        return this.#reorder(person);
      case 'edit and resend':
        return this.#editAndResend(person);
      case 'cut off':
        // Nobody can only cut: what cuts is sending the last message once more.
        return this.#sendAgain(person);
      case 'retry': {
        const text = unconfirmedText(page);
        if (person.press(screen.unconfirmedRows[0], 'Retry')) this.#noteRetry(text);
        return;
      }
      case 'discard': {
        const text = unconfirmedText(page);
        if (person.press(screen.unconfirmedRows[0], 'Discard')) this.ledger.giveUp(text);
        return;
      }
      case 'take offer': {
        const { offerRow } = screen;
        // What stood here before is what the person gives up for it.
        if (offerRow) this.ledger.giveUp(screen.field?.value ?? '');
        person.press(offerRow, 'Use it');
        return;
      }
      case 'dismiss offer':
        return this.#dismiss(person);
      case 'older':
        person.pressThe(screen.surface('ahp-transcript'), '[part=older]');
        return;
      case 'use result':
      case 'discard result':
      case 'attach':
      case 'attach and send':
      case 'attach to queued':
      case 'choose':
        // The agent here asks about no results, and what goes along with the words is the simulation's to lose.
        return;
    }
  }

  #note(text: string, way: 'start' | 'change' | 'again'): void {
    this.ledger.noteSent('', text, way);
  }

  /** As in the simulation: the person may be heard twice where nothing tells that the first was heard. */
  #noteRetry(text: string): void {
    const marks = toMarks(text);
    const wasRead = this.agent.steered.some(({ message }) =>
      toMarks(message.text).some((mark) => marks.includes(mark)),
    );
    if (wasRead || this.host.runsRepeats) this.#note(text, 'again');
  }

  #write(person: Person, field: HTMLTextAreaElement | HTMLInputElement, options?: { replacing: boolean }): void {
    const mark = `w${this.#texts++}.`;
    this.ledger.noteTyped(mark, person.page);
    const isFirst = field.value === '' || options?.replacing === true;
    person.enter(field, isFirst ? mark : ` ${mark}`, options);
  }

  #type(person: Person): void {
    const { field } = person.screen;
    if (field) this.#write(person, field);
  }

  async #send(person: Person, button: 'send' | 'steer'): Promise<void> {
    const { composer, field } = person.screen;
    const text = field?.value ?? '';
    if (person.pressThe(composer, `[part=${button}]`) && field?.value === '') this.#note(text, 'start');
  }

  async #answer(person: Person): Promise<void> {
    const form = person.screen.surface('ahp-transcript')?.querySelector('ahp-input-form');
    const control = form?.querySelector<HTMLInputElement>('input, textarea');
    if (!control) return;
    person.enter(control, 'x', { replacing: true });
    await person.look();
    person.press(form, 'Submit');
  }

  #lastRow(person: Person): { readonly row: HTMLElement; readonly text: string } | undefined {
    const row = person.screen.queueRows.findLast((each) => !each.querySelector('.queue-kind, textarea'));
    const message = person.page.chat.state?.queuedMessages?.find(({ id }) => id === row?.dataset.id)?.message;
    return row && message && { row, text: message.text };
  }

  #remove(person: Person): void {
    const last = this.#lastRow(person);
    if (last && person.pressThe(last.row, '[data-control=remove]')) this.ledger.giveUp(last.text);
  }

  async #change(person: Person): Promise<void> {
    const last = this.#lastRow(person);
    if (!last || !person.pressThe(last.row, '[data-control=edit]')) return;
    await person.look();
    const field = last.row.querySelector('textarea');
    if (!field) return;
    this.#write(person, field);
    await person.look();
    const { value } = field;
    if (person.press(last.row, 'Save')) this.#note(value, 'change');
  }

  async #reorder(person: Person): Promise<void> {
    const last = this.#lastRow(person);
    if (!last || !person.pressThe(last.row, '[data-control=move]')) return;
    await person.look();
    person.pressThe(last.row, '[data-control=up]');
    await person.look();
    // Otherwise the next one would find its two buttons open and close them.
    person.pressThe(last.row, '[data-control=move][aria-expanded=true]');
  }

  async #editAndResend(person: Person): Promise<void> {
    const { screen } = person;
    const turn = screen.turns.at(-1);
    if (!turn || screen.isBusy || !person.press(turn, 'Edit message')) return;
    await person.look();
    const field = turn.querySelector<HTMLTextAreaElement>('ahp-message-editor textarea');
    if (!field) return;
    this.ledger.giveUp(field.value);
    this.#write(person, field, { replacing: true });
    await person.look();
    const { value } = field;
    if (person.press(turn, 'Send again')) this.#note(value, 'start');
  }

  #sendAgain(person: Person): void {
    const turn = person.screen.turns.at(-1);
    const message = turn?.querySelector('.bubble-text')?.textContent ?? '';
    if (person.press(turn?.querySelector('ahp-turn-footer'), 'Try again')) this.#note(message, 'start');
  }

  #dismiss(person: Person): void {
    const text = person.screen.offer;
    if (person.press(person.screen.offerRow, 'Dismiss')) this.ledger.giveUp(text);
  }

  async #turn(index: number, act: Act<'page', 'act'>, ms: number): Promise<void> {
    const page = this.#pick(index);
    if (act === 'open' || !page) {
      if (this.usable.length < mostPages) await this.open();
      return;
    }
    this.#noteFault(act);
    switch (act) {
      case 'reload': {
        this.#noteNotKept(page);
        const { frame, session } = page;
        await this.#load(session, { frame, navigate: () => page.window.location.reload() });
        return;
      }
      case 'kill':
        this.#kill(page);
        return;
      case 'crash and reload':
        this.#kill(page);
        await this.open(page.session);
        return;
      case 'close':
        this.#noteNotKept(page);
        page.close();
        return;
      case 'duplicate':
        if (this.usable.length < mostPages) await this.open(page.session.copy());
        return;
      case 'back and forward':
        page.leave();
        for (const link of this.network.linksOf(page)) link.isHalfOpen = true;
        this.environment.schedule(ms, () => page.comeBack());
        return;
      case 'sleep':
        page.freeze();
        for (const link of this.network.linksOf(page)) link.isHalfOpen = true;
        this.environment.schedule(ms, () => page.wake());
        return;
      case 'hide':
        page.setHidden(true);
        this.environment.schedule(ms, () => page.setHidden(false));
        return;
      case 'offline':
        page.setOnline(false);
        for (const link of this.network.linksOf(page)) link.isHalfOpen = true;
        this.environment.schedule(ms, () => page.setOnline(true));
        return;
    }
  }

  /** Typed a moment ago, on no disk and in no other hands: gone with the process. */
  #kill(page: LivePage): void {
    const unkept = this.#readUnkept(page);
    page.close({ isKilled: true });
    this.ledger.noteKilled(page, findAtHost(this), unkept);
  }

  /** Whoever was told that nothing is kept here, and leaves all the same, has been told; or will not have read it so soon. */
  #noteNotKept(page: LivePage): void {
    const unkept = this.#readUnkept(page);
    if (unkept !== undefined) this.ledger.noteKilled(page, findAtHost(this), unkept);
  }

  /** All that stands on a page that says it keeps nothing, what was written elsewhere and is on offer there included. */
  #readUnkept(page: LivePage): string | undefined {
    const keepsNothing = page.isDiskGone || page.chat.status?.notKept !== undefined;
    return keepsNothing ? new Screen(page).readAll() : undefined;
  }

  async #harm({ fault, tab, ms }: DiskStep): Promise<void> {
    this.#noteFault(`disk: ${fault}`);
    switch (fault) {
      case 'full':
        this.isDiskFull = true;
        this.environment.schedule(ms, () => (this.isDiskFull = false));
        return;
      case 'connection lost':
        return this.#pick(tab)?.loseConnections();
      case 'deleted':
        // What a document writes until it hears of it is deleted as well.
        await isDeleted(this.databaseName, { waits: true });
        return this.#noteWiped();
    }
  }

  #noteWiped(): void {
    for (const page of this.pages) page.isDiskGone = true;
    const isOpen = (origin: object) => this.pages.some((page) => page === origin && !page.isDead);
    this.ledger.noteWiped(isOpen, findAtHost(this));
  }

  get #outside(): Outside {
    return {
      host: this.host,
      network: this.network,
      ledger: this.ledger,
      random: this.#random,
      schedule: (delayMs, run) => this.environment.schedule(delayMs, run),
      noteFault: (kind) => this.#noteFault(kind),
    };
  }

  #noteFault(kind: string): void {
    this.faults.set(kind, (this.faults.get(kind) ?? 0) + 1);
  }

  /* -------------------------------------------------------------- the end */

  /** Ends all faults and waits until every screen is true, or has had its time. Gives what is still wrong then. */
  async rest(): Promise<{ lost: readonly string[]; doubled: readonly string[]; untrue: readonly string[] }> {
    this.network.heal();
    this.host.onReconnect = 'host';
    this.host.forgetVerdicts();
    this.isDiskFull = false;
    for (const page of this.pages) {
      page.comeBack();
      page.wake();
      page.setOnline(true);
      page.setHidden(false);
    }
    if (this.usable.length === 0) await this.open();
    const start = this.clock.monotonic();
    let findings = await this.#examine();
    for (let isTrue = 0; isTrue < 3 && this.clock.monotonic() - start < restMs;) {
      await this.clock.pass(lookMs);
      findings = await this.#examine();
      const isGood = findings.untrue.length + findings.lost.length === 0;
      if (isGood && isTrue === 0) this.truthMs = this.clock.monotonic() - start;
      isTrue = isGood ? isTrue + 1 : 0;
    }
    if (findings.lost.length === 0) return findings;
    const offered = await this.#takeOffers();
    return { ...findings, lost: findLost(this, [...this.#read(), ...offered]) };
  }

  /** Drafts are offered one after the other. */
  async #takeOffers(): Promise<readonly string[]> {
    const texts: string[] = [];
    for (const page of this.usable) {
      const person = new Person(page);
      for (let { offer } = person.screen; offer !== ''; { offer } = person.screen) {
        texts.push(offer);
        if (!person.press(person.screen.offerRow, 'Dismiss')) break;
        await this.clock.pass(100);
        await person.look();
      }
    }
    return texts;
  }

  #read(): readonly string[] {
    return this.usable.map((page) => new Screen(page).readAll());
  }

  async #examine() {
    await Promise.all(this.usable.map((page) => page.painted()));
    for (const page of this.usable) await unfold(page);
    return {
      lost: findLost(this, this.#read()),
      doubled: findDoubled(this),
      untrue: this.usable.flatMap((page, index) => this.#compare(page).map((what) => `page ${index}: ${what}`)),
    };
  }

  /** Where a screen says something else than the host. */
  #compare(page: LivePage): readonly string[] {
    const screen = new Screen(page);
    const { chat } = this.host;
    const said = screen.complaints.filter((text) => !text.startsWith('Not kept'));
    const shown = screen.readTurns();
    const waiting = [...(chat.steeringMessage ? [chat.steeringMessage] : []), ...(chat.queuedMessages ?? [])];
    const compared: readonly (readonly [string, readonly string[], readonly string[]])[] = [
      ['conversation', shown, tellTurns(chat, screen.turns.length)],
      ['queue', screen.readQueue(), waiting.map(({ message }) => fold(message.text))],
      ['state', [screen.isBusy ? 'busy' : 'idle'], [chat.activeTurn ? 'busy' : 'idle']],
      ['connection', said, []],
      ['turns', screen.turns.length === 0 ? ['none'] : [], chat.turns.length === 0 && !chat.activeTurn ? ['none'] : []],
    ];
    return compared
      .filter(
        ([, ours, theirs]) => ours.length !== theirs.length || ours.some((line, at) => !isSame(line, theirs[at]!)),
      )
      .map(([what, ours, theirs]) => `${what} is [${ours.join(' | ')}] and not [${theirs.join(' | ')}]`);
  }

  /** Takes everything away, and gives what is left open. */
  async close(): Promise<readonly string[]> {
    for (const page of this.pages) if (!page.isDead) page.chat.remove();
    const find = () => this.pages.flatMap((page) => (page.isDead ? [] : page.findOpen()));
    // What is closed in one document is heard of in another one a moment later.
    for (let tries = 0; tries < 10 && (tries === 0 || find().length > 0); tries++) {
      await this.clock.pass(1_000);
      await pause(50);
    }
    const open = [...find()];
    for (const page of this.pages) if (!page.isDead) page.close();
    this.host.close();
    if (!(await isDeleted(this.databaseName))) open.push('1 database that cannot be deleted');
    for (const key of Object.keys(localStorage)) if (key.includes(this.key)) localStorage.removeItem(key);
    return open;
  }
}

const unconfirmedText = (page: LivePage): string => JSON.stringify(page.chat.status?.unconfirmed[0]?.actions ?? '');

function toChance(seed: number): () => number {
  const next = createRandom(seed);
  return () => next() / 2 ** 32;
}

const isSame = (shown: string, real: string): boolean =>
  shown === real || (shown === `message ${changing}` && real.startsWith('message ')) || shown === changing;

const frameAddress = '/test/live/frame.html';

/** Opens what is folded, as somebody does who wants to know. */
async function unfold(page: LivePage): Promise<void> {
  const transcript = new Screen(page).surface('ahp-transcript');
  const folded = [...(transcript?.querySelectorAll<HTMLElement>('[part=tool-run] > [aria-expanded=false]') ?? [])];
  for (const line of folded) line.click();
  if (folded.length > 0) await page.painted();
}

/** `waits`: for documents that hold on to it. */
function isDeleted(name: string, { waits = false } = {}): Promise<boolean> {
  return new Promise((resolve) => {
    const request = indexedDB.deleteDatabase(name);
    request.onsuccess = () => resolve(true);
    request.onerror = () => resolve(false);
    if (!waits) request.onblocked = () => resolve(false);
  });
}
