/** Waiting for what will come: a limit for hangs, not for slow machines. */

import { waitUntil as waitUntilSoon } from '@open-wc/testing';

export const waitUntil = (check: () => unknown, what?: string): Promise<void> =>
  waitUntilSoon(async () => Boolean(await check()), what, { timeout: 30_000 });
