/** Settings of the root and of sessions. Pure. Source: AHP, `configChanged`. */

import type { Config } from '../protocol/state.js';

/** Merges values into a configuration, or replaces them all; where there is no schema there is nothing to change. */
export function changeConfig(
  config: Config | undefined,
  action: { readonly config: Readonly<Record<string, unknown>>; readonly replace?: boolean },
): Config | undefined {
  return config && { ...config, values: action.replace ? action.config : { ...config.values, ...action.config } };
}
