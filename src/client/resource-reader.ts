/**
 * Reads content on demand: bounded, tried twice at most, and remembered where its version is known. Source: AHP, resource
 * family.
 */

import type { ContentEncoding, ResourceReadResult } from '../protocol/commands.js';
import { AhpError, isRpcError, RpcCode } from '../protocol/errors.js';
import type { ContentRef, URI } from '../protocol/state.js';

export type ReadRequest = (
  uri: URI,
  encoding: ContentEncoding | undefined,
  signal: AbortSignal | undefined,
) => Promise<ResourceReadResult>;

const maxReadBytes = 8 * 1024 * 1024;
const maxCacheBytes = 32 * 1024 * 1024;

export class ResourceReader {
  readonly #request: ReadRequest;
  /** In the order of use, the oldest first. */
  readonly #cache = new Map<string, ResourceReadResult>();
  #cachedBytes = 0;

  constructor(request: ReadRequest) {
    this.#request = request;
  }

  /** See `ChatServices.readResource`. What has no `nonce` may change under its URI and is never taken from the cache. */
  async read(ref: ContentRef, signal?: AbortSignal): Promise<ResourceReadResult> {
    const { uri, nonce, sizeHint } = ref;
    if (sizeHint !== undefined && sizeHint > maxReadBytes) throw toTooLarge(sizeHint);
    const key = nonce === undefined ? undefined : JSON.stringify([uri, nonce]);
    const cached = key === undefined ? undefined : this.#cache.get(key);
    if (key !== undefined && cached) {
      this.#forget(key);
      this.#remember(key, cached);
      return cached;
    }
    const result = await this.#requestTwice(uri, toEncoding(ref.contentType), signal);
    const byteSize = toByteSize(result);
    if (byteSize > maxReadBytes) throw toTooLarge(byteSize);
    if (key !== undefined) this.#remember(key, result);
    return result;
  }

  async #requestTwice(
    uri: URI,
    encoding: ContentEncoding | undefined,
    signal: AbortSignal | undefined,
  ): Promise<ResourceReadResult> {
    try {
      return await this.#request(uri, encoding, signal);
    } catch (error) {
      const mayPass =
        isRpcError(error, RpcCode.InternalError) || (error instanceof AhpError && error.code === 'timeout');
      if (!mayPass) throw error;
      return this.#request(uri, encoding, signal);
    }
  }

  #remember(key: string, result: ResourceReadResult): void {
    this.#cache.set(key, result);
    this.#cachedBytes += toByteSize(result);
    for (const oldest of this.#cache.keys()) {
      if (this.#cachedBytes <= maxCacheBytes) return;
      this.#forget(oldest);
    }
  }

  #forget(key: string): void {
    const result = this.#cache.get(key);
    if (!result) return;
    this.#cache.delete(key);
    this.#cachedBytes -= toByteSize(result);
  }
}

/** Text as text, bytes as base64; where nobody knows, the host decides. */
function toEncoding(contentType: string | undefined): ContentEncoding | undefined {
  if (contentType === undefined) return undefined;
  const [type = ''] = contentType.toLowerCase().split(';');
  const isText = /^text\/|^application\/(json|xml|javascript|x-ndjson|yaml|toml|sql)$|\+(json|xml)$/.test(type.trim());
  return isText ? 'utf-8' : 'base64';
}

/** What base64 stands for, or the characters of a text. */
const toByteSize = ({ data, encoding }: ResourceReadResult) =>
  encoding === 'base64' ? Math.floor((data.length * 3) / 4) : data.length;

const toTooLarge = (byteSize: number) =>
  new AhpError(
    'frame-too-large',
    `The content has ${byteSize} bytes; at most ${maxReadBytes} are read. It is not shown.`,
  );
