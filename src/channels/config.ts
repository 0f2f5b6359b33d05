/** Settings of sessions and of the root: a schema with values. Source: AHP, configChanged. */

import { isRecord } from '../protocol/record.js';
import type { Config } from '../protocol/state.js';

/** Values merged into the old ones, or in their place. Without a schema there is nothing to set. */
export function mergeConfig(
  config: Config | undefined,
  change: { readonly config: Readonly<Record<string, unknown>>; readonly replace?: boolean },
): Config | undefined {
  if (!config || !isRecord(change.config)) return config;
  return { ...config, values: change.replace === true ? change.config : { ...config.values, ...change.config } };
}
