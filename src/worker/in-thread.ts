/**
 * The jobs themselves. Inside the worker this is what runs; on a page that may not start one, and in Node, it runs on the
 * calling thread, slice by slice, so that a frame is never missed for long.
 */

import { decodeBase64, encodeBase64, encodedSize } from '../bytes/base64.js';
import { Sha256, toHex } from '../bytes/sha-256.js';
import type { JobBytes, JobOptions, WorkerApi } from './worker-api.js';

/** How many bytes are done between two looks at the clock of others: what fits into a frame without native help. */
export const FRAME_SLICE = 768 * 1024;
/** What a thread of its own takes at a time: few enough slices that only the work counts. */
export const WORKER_SLICE = 6 * 1024 * 1024;

/** Throws if the job was cancelled. Called between slices. */
type Checkpoint = () => Promise<void>;

export class InThreadWorker implements WorkerApi {
  readonly #sliceSize: number;
  readonly #jobs = new Map<string, { isCancelled: boolean }>();

  /** `sliceSize` is in bytes and a multiple of three, so that each slice but the last encodes without padding. */
  constructor(sliceSize: number = FRAME_SLICE) {
    this.#sliceSize = sliceSize;
  }

  decodeBase64(text: string, options?: JobOptions): Promise<ArrayBuffer> {
    return this.#run(options, (checkpoint) => decodeInSlices(text, this.#sliceSize, checkpoint));
  }

  encodeBase64(bytes: JobBytes, options?: JobOptions): Promise<ArrayBuffer> {
    return this.#run(options, async (checkpoint) => {
      const encoded = new Uint8Array(encodedSize(toSize(bytes)));
      const encoder = new TextEncoder();
      let end = 0;
      for await (const slice of toSlices(bytes, this.#sliceSize, checkpoint)) {
        end += encoder.encodeInto(encodeBase64(slice), encoded.subarray(end)).written;
      }
      return encoded.buffer;
    });
  }

  digest(bytes: JobBytes, options?: JobOptions): Promise<string> {
    return this.#run(options, async (checkpoint) => {
      // The platform's is several times faster, but wants everything at once, and is missing on plain http.
      if (globalThis.crypto?.subtle) {
        const whole = bytes instanceof Blob ? await bytes.arrayBuffer() : bytes;
        return toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', whole)));
      }
      const hash = new Sha256();
      for await (const slice of toSlices(bytes, this.#sliceSize, checkpoint)) hash.update(slice);
      return toHex(hash.digest());
    });
  }

  async cancel(id: string): Promise<void> {
    const job = this.#jobs.get(id);
    if (job) job.isCancelled = true;
  }

  async #run<T>(options: JobOptions | undefined, run: (checkpoint: Checkpoint) => Promise<T>): Promise<T> {
    const job = { isCancelled: false };
    const check = (): void => {
      if (job.isCancelled) throw new DOMException('The job was cancelled.', 'AbortError');
    };
    if (options?.id !== undefined) this.#jobs.set(options.id, job);
    try {
      const result = await run(async () => {
        await nextTask();
        check();
      });
      check();
      return result;
    } finally {
      if (options?.id !== undefined) this.#jobs.delete(options.id);
    }
  }
}

async function decodeInSlices(text: string, sliceSize: number, checkpoint: Checkpoint): Promise<ArrayBuffer> {
  const sliceLength = encodedSize(sliceSize);
  if (text.length <= sliceLength) return decodeBase64(text).buffer;
  const padding = /={0,2}$/.exec(text.slice(-2))?.[0].length ?? 0;
  const bytes = new Uint8Array(Math.floor((text.length / 4) * 3) - padding);
  for (let start = 0, end = 0; start < text.length; start += sliceLength) {
    await checkpoint();
    const slice = findBytes(text.slice(start, start + sliceLength));
    const size = Math.min(sliceSize, bytes.length - end);
    // White space or padding in the middle: only the whole can tell what it means.
    if (slice?.length !== size) return decodeBase64(text).buffer;
    bytes.set(slice, end);
    end += size;
  }
  return bytes.buffer;
}

/** `undefined` if `text` is no base64 by itself. */
function findBytes(text: string): Uint8Array | undefined {
  try {
    return decodeBase64(text);
  } catch {
    // The whole may still be, and says so if it is not.
    return undefined;
  }
}

async function* toSlices(
  bytes: JobBytes,
  sliceSize: number,
  checkpoint: Checkpoint,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let start = 0; start < toSize(bytes); start += sliceSize) {
    await checkpoint();
    yield bytes instanceof Blob
      ? new Uint8Array(await bytes.slice(start, start + sliceSize).arrayBuffer())
      : new Uint8Array(bytes, start, Math.min(sliceSize, bytes.byteLength - start));
  }
}

const toSize = (bytes: JobBytes): number => (bytes instanceof Blob ? bytes.size : bytes.byteLength);

/** Lets messages and frames through. Timers would do the same, but at most every four milliseconds. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}
