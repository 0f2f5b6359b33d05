/**
 * Byte jobs that are worth a thread of their own. Arguments and results are structured-cloneable; buffers that come back
 * are transferred. `in-thread.ts` does the same on the calling thread, `spawn.ts` decides between the two.
 *
 * A job that fails rejects with an `Error` whose `name` says why: `Base64Error` for text that is no base64, `AbortError`
 * for a cancelled job, `NotReadableError` for a file that is gone or was changed. Classes do not survive the way.
 */

/** A `Blob` crosses as a handle and is read in slices; a buffer is copied. */
export type JobBytes = Blob | ArrayBuffer;

export interface JobOptions {
  /** Names the job for `cancel`. Unique among the jobs under way. */
  readonly id?: string;
}

export interface WorkerApi {
  /** The bytes behind base64 text. */
  decodeBase64(text: string, options?: JobOptions): Promise<ArrayBuffer>;
  /** Base64 as ASCII bytes: handing those over costs the main thread nothing, a string does. */
  encodeBase64(bytes: JobBytes, options?: JobOptions): Promise<ArrayBuffer>;
  /** SHA-256 in lower-case hexadecimal. */
  digest(bytes: JobBytes, options?: JobOptions): Promise<string>;
  /** Ends a job before its next slice; it rejects. An id that is not known is ignored: the job may be done. */
  cancel(id: string): Promise<void>;
}

/** What the worker answers to, the handshake included. */
export interface WorkerEndpoint extends WorkerApi {
  ping(): Promise<true>;
}
