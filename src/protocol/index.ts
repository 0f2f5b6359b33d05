/** AHP's words for other programs: types, errors, URIs, versions, and reading frames. Nothing inside imports this. */

export type * from './actions.js';
export type * from './commands.js';
export * from './errors.js';
export * from './link.js';
export type * from './messages.js';
export * from './meta.js';
export * from './parse.js';
export { createPortLink } from './port-link.js';
export * from './state.js';
export * from './status.js';
export * from './uri.js';
export * from './versions.js';
