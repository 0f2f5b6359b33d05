/**
 * One host, its network, one disk and the tabs of one person, on one clock. Everything that happens follows from the seed
 * and the steps: the same of both give the same run.
 */

import { provideTools } from '../../src/client/client-tools.js';
import type { Cancel } from '../../src/client/environment.js';
import type { HostClientOptions } from '../../src/client/host-client.js';
import type { AgentInfo } from '../../src/protocol/state.js';
import { Browser, Tab } from '../helpers/browser.js';
import { createRandom, ManualStore } from '../helpers/manual-environment.js';
import { CHAT, SESSION, testAgent } from '../helpers/scripted-host.js';
import { Agent, allWork } from './agent.js';
import { findAtHost, findUntrue } from './check.js';
import { Disk, type DocumentMirror } from './disk.js';
import { SimDocument } from './document.js';
import { Hazards } from './hazards.js';
import { Ledger } from './ledger.js';
import { Network } from './network.js';
import { disturb, runsRepeats, strike, type Outside } from './outside.js';
import { createPageTool } from './page-tool.js';
import { Person, type Act } from './person.js';
import { rewrite } from './rewriting.js';
import type { Step } from './steps.js';

export interface WorldOptions {
  readonly seed: number;
  /** Envelopes the host keeps for clients that come back. */
  readonly ringSize: number;
  /** As on plain http. */
  readonly hasLocks: boolean;
}

/** A tab of the simulation, and what its person sees of it. */
export interface SimTab {
  readonly tab: Tab;
  readonly document: SimDocument;
  readonly mirror: DocumentMirror;
  /** Takes back what the page offers the agent. */
  readonly endTools: Cancel;
  /** Left, and possibly to come back. */
  isAway: boolean;
}

const agentInfo: AgentInfo = {
  ...testAgent,
  models: [...testAgent.models, { id: 'model-b', provider: 'test', name: 'Model B' }],
  customizations: [{ type: 'agent', uri: 'agent:/careful', name: 'Careful' }],
};

/** How long until everything is as true as it gets: two missed answers, the longest backoff, a minute of silence. */
const restMs = 150_000;
/** How long pages that were left for good have been gone before those that come back are here again. */
const absenceMs = 60_000;
/** How often somebody looks whether it is. */
const lookMs = 2_000;
/** Longer than a tool of a page takes. */
const toolMs = 10_000;
const mostTabs = 5;

export class World extends Browser {
  readonly network: Network;
  readonly sim: Disk;
  readonly agent: Agent;
  readonly ledger = new Ledger();
  readonly hazards = new Hazards();
  /** Faults by kind. */
  readonly faults = new Map<string, number>();
  readonly tabs: SimTab[] = [];
  readonly #random: () => number;
  readonly #person: Person;
  /** Calls that a page could have run, and has not. */
  neglected: readonly string[] = [];
  #seed: number;

  constructor({ seed, ringSize, hasLocks }: WorldOptions) {
    const next = createRandom(seed);
    const random = () => next() / 2 ** 32;
    let agent: Agent | undefined;
    super({
      isLocal: false,
      hasLocks,
      ringSize,
      agents: [agentInfo],
      agent: (turn) => agent?.run(turn),
      hooks: { decide: (action) => rewrite(action, random) },
    });
    const schedule = (delayMs: number, run: () => void) => this.environment.schedule(delayMs, run);
    this.agent = agent = new Agent({ random, schedule, work: allWork, findToolOwner: () => this.#findToolOwner() });
    this.host.runsRepeats = runsRepeats(seed);
    this.#person = new Person({ ledger: this.ledger, agent, random, host: this.host });
    this.#random = random;
    this.#seed = seed;
    this.network = new Network({
      random,
      schedule,
      now: () => this.environment.monotonic(),
      connect: (signal) => this.host.transport.connect(signal),
      onFault: (fault) => this.#noteFault(fault),
    });
    this.sim = new Disk({ random, schedule, onKept: (words) => this.ledger.noteKept(JSON.stringify(words)) });
  }

  override openTab(session = new ManualStore(), options: Partial<HostClientOptions> = {}): Tab {
    const document = new SimDocument({
      clock: this.environment.clock,
      locks: this.locks,
      local: this.local,
      session,
      seed: (this.#seed = (this.#seed * 31 + 7) >>> 0),
    });
    const mirror = this.sim.open(document);
    const tab = new Tab(this, document, session, { mirror, transport: this.network.transport(document), ...options });
    const chat = tab.show(CHAT, { session: SESSION, turns: 3 });
    const onRun = (toolCallId: string) => this.agent.noteRun(toolCallId);
    const tool = createPageTool({ environment: document, random: this.#random, onRun });
    this.tabs.push({ tab, document, mirror, endTools: provideTools(tab.client, chat, [tool]), isAway: false });
    tab.store.onRejected((rejection) => this.hazards.noteRejection(rejection));
    tab.store.subscribe(() => this.hazards.look(tab, (id) => this.ledger.isStart(id)));
    return tab;
  }

  /** Tabs in which a person can do something now. */
  get alive(): readonly SimTab[] {
    return this.tabs.filter(({ isAway, document }) => !isAway && !document.isDead && !document.isFrozen);
  }

  #findToolOwner(): string | undefined {
    const { activeClients } = this.host.session;
    return activeClients[Math.floor(this.#random() * activeClients.length)]?.clientId;
  }

  /* -------------------------------------------------------------- steps */

  async take(step: Step): Promise<void> {
    switch (step.does) {
      case 'pass time':
        return this.advance(step.ms);
      case 'person':
        return this.#act(step.tab, step.act);
      case 'page':
        return this.#turn(step.tab, step.act, step.ms);
      case 'network': {
        const picked = this.#pick(step.tab);
        return disturb(this.#outside, picked ? this.network.linksOf(picked.document) : [], step);
      }
      case 'host':
        return strike(this.#outside, step.blow);
    }
  }

  #pick(index: number): SimTab | undefined {
    const { alive } = this;
    return alive[index % alive.length];
  }

  #act(index: number, act: Act): void {
    const picked = this.#pick(index);
    if (!picked) return;
    for (const other of this.alive) other.tab.draft.setFocused(other, other === picked);
    this.#person.act(picked.tab, act);
  }

  async #turn(index: number, act: Extract<Step, { does: 'page' }>['act'], ms: number): Promise<void> {
    const picked = this.#pick(index);
    if (act === 'open' || !picked) {
      if (this.alive.length < mostTabs) this.openTab();
      return;
    }
    const { tab, document } = picked;
    this.#noteFault(act);
    switch (act) {
      case 'reload':
        tab.leave();
        this.#bury(picked);
        this.openTab(tab.session);
        return;
      case 'kill':
        this.#kill(picked);
        return;
      case 'crash and reload':
        this.#kill(picked);
        this.openTab(tab.session);
        return;
      case 'close':
        tab.leave();
        this.#bury(picked);
        return;
      case 'duplicate':
        if (this.alive.length < mostTabs) this.openTab(tab.session.copy());
        return;
      case 'back and forward': {
        tab.leave();
        document.freeze();
        if (this.#random() < 0.5) document.loseLocks();
        picked.isAway = true;
        this.environment.schedule(ms, () => this.#bringBack(picked));
        return;
      }
      case 'sleep':
        document.freeze();
        for (const link of this.network.linksOf(document)) link.isHalfOpen = true;
        this.environment.schedule(ms, () => document.wake());
        return;
      case 'hide':
        document.emit('hidden');
        this.environment.schedule(ms, () => document.emit('visible'));
        return;
      case 'offline':
        document.emit('offline');
        for (const link of this.network.linksOf(document)) link.isHalfOpen = true;
        this.environment.schedule(ms, () => document.emit('online'));
        return;
    }
  }

  #bringBack(sim: SimTab): void {
    if (!sim.isAway || sim.document.isDead) return;
    sim.isAway = false;
    sim.document.wake();
    sim.document.emit('pageshow');
  }

  /** The document is gone, as `pagehide` or a crash has left it. */
  #bury({ document, mirror }: SimTab): void {
    mirror.crash();
    document.kill();
    for (const link of this.network.linksOf(document)) link.cut();
  }

  #kill(picked: SimTab): void {
    this.#bury(picked);
    // Typed a moment ago, on no disk and in no other hands: gone with the process.
    this.ledger.noteKilled(picked.document, findAtHost(this));
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

  /**
   * Ends all faults and waits until the screen can be true. A tab is left to take over what others have left behind. Gives
   * the longest time that it took the screens to become true, if they all did.
   */
  async rest(): Promise<number | undefined> {
    this.network.heal();
    this.host.onReconnect = 'host';
    this.host.forgetVerdicts();
    for (const { document, isAway } of this.tabs) {
      if (document.isDead || isAway) continue;
      document.wake();
      document.emit('online');
      document.emit('visible');
    }
    const first = await this.#watch(absenceMs);
    for (const sim of this.tabs) {
      if (sim.document.isDead) continue;
      this.#bringBack(sim);
      sim.document.emit('online');
    }
    if (this.alive.length === 0) this.openTab();
    const second = await this.#watch(restMs - toolMs);
    const open = this.#listPageCalls();
    await this.advance(toolMs);
    this.neglected = this.#listPageCalls().filter((id) => open.includes(id));
    return first === undefined || second === undefined ? undefined : Math.max(first, second);
  }

  /** Lets so many milliseconds pass, and gives how many of them it took until every screen was true. */
  async #watch(ms: number): Promise<number | undefined> {
    let passed = 0;
    while (passed < ms && findUntrue(this).length > 0) {
      await this.advance(lookMs);
      passed += lookMs;
    }
    if (passed < ms) await this.advance(ms - passed);
    return passed < ms ? passed : undefined;
  }

  /** Calls that run, of clients that are here. */
  #listPageCalls(): readonly string[] {
    const here = new Set(this.alive.map(({ tab }) => tab.clientId));
    return (this.host.chat.activeTurn?.responseParts ?? []).flatMap((part) => {
      if (part.kind !== 'toolCall' || part.toolCall.status !== 'running') return [];
      const { contributor, toolCallId } = part.toolCall;
      return contributor?.kind === 'client' && here.has(contributor.clientId) ? [toolCallId] : [];
    });
  }

  /** Closes everything, and lets what the steps have put off for an hour come to nothing. */
  async close(): Promise<void> {
    for (const { tab, document, endTools } of this.tabs) {
      if (document.isDead) continue;
      endTools();
      await tab.close();
    }
    this.host.close();
    await this.advance(4_000_000);
  }
}
