/**
 * Base64 with the standard alphabet. Native where the engine has it, else by a table and `atob`; both take and refuse the
 * same: white space is skipped, missing padding is forgiven, anything else that does not belong there throws.
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

export function encodeBase64(bytes: Uint8Array): string {
  const { toBase64 } = native().prototype;
  return toBase64 ? toBase64.call(bytes) : encodeByTable(bytes);
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

const ALPHABET = new TextEncoder().encode('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/');
const PADDING = '='.charCodeAt(0);
/** The two characters for each twelve bits, made when first needed. */
let pairs: Uint16Array | undefined;

function toPairs(): Uint16Array {
  const characters = new Uint8Array(2 * 4096);
  for (let bits = 0; bits < 4096; bits += 1) {
    characters[2 * bits] = ALPHABET[bits >> 6]!;
    characters[2 * bits + 1] = ALPHABET[bits & 63]!;
  }
  return new Uint16Array(characters.buffer);
}

/** Three bytes are two pairs of characters. */
function encodeByTable(bytes: Uint8Array): string {
  pairs ??= toPairs();
  const encoded = new Uint16Array(encodedSize(bytes.length) / 2);
  for (let from = 0, to = 0; from < bytes.length; from += 3, to += 2) {
    // Beyond the end stand zeros; the padding says so.
    const bits = (bytes[from]! << 16) | ((bytes[from + 1] ?? 0) << 8) | (bytes[from + 2] ?? 0);
    encoded[to] = pairs[bits >> 12]!;
    encoded[to + 1] = pairs[bits & 4095]!;
  }
  const characters = new Uint8Array(encoded.buffer);
  const missing = (3 - (bytes.length % 3)) % 3;
  characters.fill(PADDING, characters.length - missing);
  return new TextDecoder('latin1').decode(characters);
}

function fromBinary(binary: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < bytes.length; index += 1) bytes[index] = binary.charCodeAt(index);
  return bytes;
}
