/** A browser as the scenes use it: tabs with real navigations and real keys, and what can be done to them from outside. */

import type { Hands } from '../page/hands.js';

/** What not every engine can be made to do. */
export type Ability =
  'crash' | 'freeze' | 'network switch' | 'quota' | 'plain http' | 'restart' | 'sleep' | 'clearing of site data';

export type Answer<Name extends keyof Hands> = Awaited<ReturnType<Hands[Name]>>;

export interface Tab {
  goto(address: string): Promise<void>;
  reload(): Promise<void>;
  back(): Promise<void>;
  forward(): Promise<void>;
  close(): Promise<void>;
  /** Types with the keyboard into what has the focus. */
  type(text: string): Promise<void>;
  press(key: 'Enter' | 'Backspace'): Promise<void>;
  /** Calls one of the page's hands. Rejects while there is no page of ours. */
  call<Name extends keyof Hands>(name: Name, ...args: Parameters<Hands[Name]>): Promise<Answer<Name>>;
  /** Opens the same address in another tab, to which the browser copies this one's session storage. */
  duplicate(): Promise<Tab>;
  /** Ends the page's process without a warning. The tab is of no use until it is loaded again. */
  crash(): Promise<void>;
  freeze(): Promise<void>;
  wake(): Promise<void>;
  setOnline(isOnline: boolean): Promise<void>;
  /** Bytes that the origin of the page may keep; `undefined` as the engine has it. */
  setQuota(bytes: number | undefined): Promise<void>;
  /** What a person does in the browser's own settings: databases go with their connections. */
  clearSiteData(): Promise<void>;
}

export interface Engine {
  readonly name: string;
  /** Scenes that may be played at once. */
  readonly lanes: number;
  /** Why it cannot, where it cannot. */
  readonly lacks: Readonly<Partial<Record<Ability, string>>>;
  /** A host name that leads to this machine, and is no secure context. */
  readonly plainName?: string;
  open(): Promise<Tab>;
  openProfile(kind: ProfileKind): Promise<Profile>;
  close(): Promise<void>;
}

/** `kept`: what it has on disk outlives a kill of the whole browser; `private`: nothing outlives its window. */
export type ProfileKind = 'kept' | 'private';

/** A browser of its own. */
export interface Profile {
  open(): Promise<Tab>;
  /** Ends everything of it without a warning, and starts it again. */
  restart(): Promise<void>;
  /** Stops all its processes while `night` lasts, as a machine that sleeps does. */
  sleep(night: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

export const cannot = (): Promise<never> => Promise.reject(new Error('This engine cannot do that; see its lacks.'));

/** Looks again and again until `find` finds something. A limit for hangs, not for slow machines. */
export async function poll<T>(find: () => Promise<T | undefined>, what: () => string, limitMs = 60_000): Promise<T> {
  const end = performance.now() + limitMs;
  let last: unknown;
  while (performance.now() < end) {
    try {
      const found = await find();
      if (found !== undefined) return found;
    } catch (error) {
      // In the middle of a navigation there is nobody to ask.
      last = error;
    }
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
  throw new Error(`Waited in vain until ${what()}.`, { cause: last });
}
