/** Registers `<ahp-chat>` and everything it shows; importing it twice is harmless. The types are for those who write code around it. */

import './element/ahp-chat.js';

export { AhpChat } from './element/ahp-chat.js';
export * from './views/events.js';
export type * from './chat/store.js';
export type * from './protocol/actions.js';
export type * from './protocol/state.js';
export type { AhpTransport, Link } from './protocol/link.js';
export { AhpError } from './protocol/errors.js';
