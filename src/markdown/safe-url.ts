/**
 * Which addresses may be followed. The platform's own URL parser decides what the scheme is, because it is the one that
 * will navigate: it ignores tabs, line breaks and leading controls just as the browser does. Nothing is guessed, nothing
 * is relative: a host's text has no base. Pure.
 */

import type { LinkTarget } from './tokens.js';

const navigable = new Set(['http:', 'https:', 'mailto:']);

/** Schemes the page is told of. Never one that runs or embeds text: what a page does with it is its own affair. */
const resource = /^(?:file|ahp(?:-[a-z0-9]+)*):$/;

/** Longer ones are no address anybody wrote. */
const MAX_LENGTH = 8192;

/** What `address` (entities and escapes already resolved) leads to, or `undefined` if it is to stay text. */
export function toLinkTarget(address: string): LinkTarget | undefined {
  if (address.length > MAX_LENGTH) return undefined;
  // Everything that is not absolute stays text.
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  if (navigable.has(url.protocol)) return { kind: 'web', url: url.href };
  // The URI goes out as written: the host compares its own names, it does not normalize them.
  if (resource.test(url.protocol) && !hasHidden(address)) return { kind: 'resource', uri: address };
  return undefined;
}

/** Whether controls or spaces, which the URL parser drops, would make what is read differ from what is opened. */
// eslint-disable-next-line no-control-regex -- these are what it looks for
const hasHidden = (address: string) => /[\u0000-\u0020\u007f-\u009f]/.test(address);

/** Whether a picture may be loaded without being asked for: its origin is one the page has named. */
export function isAllowedOrigin(target: LinkTarget, origins: readonly string[]): boolean {
  if (target.kind !== 'web' || origins.length === 0) return false;
  const { origin, protocol } = new URL(target.url);
  return protocol !== 'mailto:' && origins.includes(origin);
}
