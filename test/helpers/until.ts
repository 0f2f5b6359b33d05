/** Waiting for what will come: a limit for hangs, not for slow machines. */

import { waitUntil as waitUntilSoon } from '@open-wc/testing';

type Options = Parameters<typeof waitUntilSoon>[2];

export const waitUntil = (check: () => unknown, what?: string, options: Options = {}): Promise<void> =>
  waitUntilSoon(() => Boolean(check()), what, { timeout: 15_000, ...options });
