/** The few URIs with a fixed form. All others are opaque and come from the host. Source: AHP, channels. */

import type { URI } from './state.js';

/** The one root channel; also the channel of every connection-level message. */
export const ROOT: URI = 'ahp-root://';

/** A session URI for a session this client creates. `id` is 128 random bits. */
export const toSessionUri = (id: string): URI => `ahp-session:/${id}`;

/** A chat URI for a chat this client creates. The host's catalogue may answer with another one. */
export const toChatUri = (id: string): URI => `ahp-chat:/${id}`;
