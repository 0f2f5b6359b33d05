/** The public entry of the mirror. Nothing inside the package imports it. */

export { MemoryMirror } from './memory-mirror.js';
export type {
  ChatRecord,
  ClientRecord,
  Mirror,
  MirroredChat,
  NotKeptReason,
  OutboxEntry,
  StoredDraft,
} from './mirror.js';
export { openMirror, type MirrorOptions } from './open-mirror.js';
