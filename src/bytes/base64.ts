/**
 * Base64 with the standard alphabet. Native where the engine has it, else by way of `btoa` and `atob`; both take and
 * refuse the same: white space is skipped, missing padding is forgiven, anything else that does not belong there throws.
 */

/** Text that is no base64. Its `name` says so too, since the class is lost on the way out of a worker. */
export class Base64Error extends Error {
  override readonly name = 'Base64Error';
}

/** What ES2026 adds to `Uint8Array`; the library types of ES2023 do not know it. */
interface NativeBase64 {
  readonly fromBase64?: (text: string) => Uint8Array<ArrayBuffer>;
  readonly prototype: { readonly toBase64?: (this: Uint8Array) => string };
}

const native = (): NativeBase64 => Uint8Array as unknown as NativeBase64;

/** A multiple of three, so that the pieces can be joined, and small enough to be spread into arguments. */
const PIECE = 24 * 1024;

export function encodeBase64(bytes: Uint8Array): string {
  const { toBase64 } = native().prototype;
  if (toBase64) return toBase64.call(bytes);
  const pieces: string[] = [];
  for (let start = 0; start < bytes.length; start += PIECE) {
    pieces.push(btoa(String.fromCharCode(...bytes.subarray(start, start + PIECE))));
  }
  return pieces.join('');
}

/** Throws {@link Base64Error}; never gives part of the bytes. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  const { fromBase64 } = native();
  try {
    return fromBase64 ? fromBase64.call(Uint8Array, text) : fromBinary(atob(text));
  } catch (cause) {
    throw new Base64Error(`Text of ${text.length} characters is no base64; nothing of it was decoded.`, { cause });
  }
}

/** How long the encoded form of `byteSize` bytes is. */
export const encodedSize = (byteSize: number): number => Math.ceil(byteSize / 3) * 4;

function fromBinary(binary: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < bytes.length; index += 1) bytes[index] = binary.charCodeAt(index);
  return bytes;
}
