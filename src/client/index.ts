/**
 * The headless client: everything a chat needs but its look. Runs in a page, a worker and Node. Nothing inside the package
 * imports this file.
 *
 * ```ts
 * const hub = new Hub(createBrowserEnvironment());
 * const host = hub.acquire('my-host', () => ({ transport, mirror: new MemoryMirror() })).value;
 * const { chat, session } = await host.findChat({}, signal);
 * const { store, draft } = host.acquireChat(chat, { session }).value;
 * store.subscribe(() => console.log(store.state));
 * ```
 */

export type * from '../protocol/actions.js';
export type * from '../protocol/commands.js';
export type * from '../protocol/link.js';
export type * from '../protocol/state.js';
export { AhpError, isRpcError, RpcCode, type AhpErrorCode } from '../protocol/errors.js';
export { Status } from '../protocol/state.js';
export { ROOT } from '../protocol/uri.js';
export { offeredVersions } from '../protocol/versions.js';

export * from '../chat/actions.js';
export * from '../chat/selectors.js';
export type * from '../chat/store.js';
export { MemoryChatStore, type MemoryChatStoreOptions } from '../chat/memory-store.js';
export { chatReducer } from '../chat/reducer.js';

export { MemoryMirror } from '../mirror/memory-mirror.js';
export type * from '../mirror/mirror.js';

export { AhpClient, type AhpClientOptions, type ClientIdentity, type ConnectionState } from './ahp-client.js';
export { createBrowserEnvironment } from './browser-environment.js';
export type { ChannelListener, ChannelOptions, ChannelSubscription } from './channels.js';
export type { Chat } from './chat.js';
export type { Lease } from './counted.js';
export type { Diagnostic } from './dialogue.js';
export type { DraftSession } from './draft-session.js';
export type * from './environment.js';
export { HostClient, type HostClientOptions } from './host-client.js';
export { Hub, toHostKey } from './hub.js';
export type { ChatTarget, TargetOptions } from './open-target.js';
export { createPortTransport, type PortTransportOptions } from './port-transport.js';
export { toSendGroup } from './send-group.js';
export type { SyncedChatStore } from './synced-chat-store.js';
export { createWebSocketTransport, type Token, type WebSocketTransportOptions } from './websocket-transport.js';
