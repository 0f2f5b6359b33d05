/** The few URIs with a fixed form. All others are opaque and come from the host. Source: AHP, channels. */

import type { ChannelKind } from './parse.js';
import type { URI } from './state.js';

/** The one root channel; also the channel of every connection-level message. */
export const ROOT: URI = 'ahp-root://';

/** A session URI for a session this client creates. `id` is 128 random bits. */
export const toSessionUri = (id: string): URI => `ahp-session:/${id}`;

/** A chat URI for a chat this client creates. The host's catalogue may answer with another one. */
export const toChatUri = (id: string): URI => `ahp-chat:/${id}`;

/** Content, and channels of kinds that are not read here. */
const foreign = /^(?:https?|wss?|file|data|blob|about|javascript|mailto|virtual|mcp|ahp-.*)$/;

/**
 * Whether `uri` may name a channel of `kind`. AHP's own schemes say their kind; every other one is the host's, whose state
 * says what it stands for, unless it is known to name something else.
 */
export function canName(uri: URI, kind: ChannelKind): boolean {
  const [, scheme] = /^([a-z][a-z0-9+.-]*):/i.exec(uri) ?? [];
  const name = scheme?.toLowerCase();
  return name !== undefined && (name === `ahp-${kind}` || !foreign.test(name));
}
