/** The core of an agent host, without I/O: for tests, for hosts of one's own, for a host in a worker. */

export { createHost } from './create-host.js';
export type { Host } from './create-host.js';
export type { NewSession } from './directory.js';
export type { HostConnection } from './connection.js';
export type { HostEnvironment } from './environment.js';
export { toTimestamp } from './environment.js';
export { rpcError } from './hooks.js';
export type { Asker, ChatSeed, DecideContext, Decision, HostHooks, JournalEntry, SessionSeed } from './hooks.js';
export { createLinkPair, createLocalTransport } from './link-pair.js';
export type { LinkAcceptor } from './link-pair.js';
export { defaultSupportedVersions } from './options.js';
export type { HostOptions } from './options.js';
export type { HostExport, RestoreOptions } from './persistence.js';
export { TurnAborted } from './turn-handle.js';
export type { ConfirmedToolCall, SettledToolCall, TurnAction, TurnHandle } from './turn-handle.js';
export { acceptPorts, createWorkerTransport } from './worker-host.js';
export { createPortLink } from '../protocol/port-link.js';
export type { PortLike } from '../protocol/port-link.js';
