/**
 * SHA-256 for where `crypto.subtle` is missing, as on plain http, and for content that comes in slices, which `subtle`
 * cannot take. Source: FIPS 180-4.
 */

const BLOCK = 64;

/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
const K = fractions(64, Math.cbrt);

/** The primes below 312 are enough. */
function fractions(count: number, root: (prime: number) => number): Int32Array {
  const words = new Int32Array(count);
  let found = 0;
  for (let candidate = 2; found < count; candidate += 1) {
    if (!isPrime(candidate)) continue;
    words[found] = (root(candidate) % 1) * 2 ** 32;
    found += 1;
  }
  return words;
}

function isPrime(value: number): boolean {
  for (let divisor = 2; divisor * divisor <= value; divisor += 1) if (value % divisor === 0) return false;
  return true;
}

/** One digest in the making: `update` with each slice in order, then `digest` once. */
export class Sha256 {
  /** The first 32 bits of the fractional parts of the square roots of the first eight primes. */
  readonly #state = fractions(8, Math.sqrt);
  readonly #words = new Int32Array(BLOCK);
  readonly #rest = new Uint8Array(BLOCK);
  #restSize = 0;
  #byteSize = 0;

  update(bytes: Uint8Array): this {
    this.#byteSize += bytes.length;
    let start = 0;
    if (this.#restSize > 0) {
      start = Math.min(BLOCK - this.#restSize, bytes.length);
      this.#rest.set(bytes.subarray(0, start), this.#restSize);
      this.#restSize += start;
      if (this.#restSize < BLOCK) return this;
      this.#addBlock(this.#rest, 0);
      this.#restSize = 0;
    }
    for (; start + BLOCK <= bytes.length; start += BLOCK) this.#addBlock(bytes, start);
    this.#rest.set(bytes.subarray(start));
    this.#restSize = bytes.length - start;
    return this;
  }

  /** 32 bytes. Nothing may be added afterwards. */
  digest(): Uint8Array<ArrayBuffer> {
    const bitSize = this.#byteSize * 8;
    const end = new Uint8Array(this.#restSize < 56 ? BLOCK - this.#restSize : 2 * BLOCK - this.#restSize);
    end[0] = 0x80;
    const view = new DataView(end.buffer);
    view.setUint32(end.length - 8, Math.floor(bitSize / 2 ** 32));
    view.setUint32(end.length - 4, bitSize);
    this.update(end);
    const result = new DataView(new ArrayBuffer(32));
    this.#state.forEach((word, index) => result.setInt32(index * 4, word));
    return new Uint8Array(result.buffer);
  }

  #addBlock(bytes: Uint8Array, start: number): void {
    const words = this.#words;
    for (let index = 0, at = start; index < 16; index += 1, at += 4) {
      words[index] = (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;
    }
    for (let index = 16; index < BLOCK; index += 1) {
      const a = words[index - 15]!;
      const b = words[index - 2]!;
      const s0 = rotate(a, 7) ^ rotate(a, 18) ^ (a >>> 3);
      const s1 = rotate(b, 17) ^ rotate(b, 19) ^ (b >>> 10);
      words[index] = words[index - 16]! + s0 + words[index - 7]! + s1;
    }
    this.#mix(words);
  }

  #mix(words: Int32Array): void {
    const state = this.#state;
    let a = state[0]!;
    let b = state[1]!;
    let c = state[2]!;
    let d = state[3]!;
    let e = state[4]!;
    let f = state[5]!;
    let g = state[6]!;
    let h = state[7]!;
    for (let index = 0; index < BLOCK; index += 1) {
      const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
      const choice = (e & f) ^ (~e & g);
      const t1 = (h + s1 + choice + K[index]! + words[index]!) | 0;
      const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
      const majority = (a & b) ^ (a & c) ^ (b & c);
      h = g;
      g = f;
      f = e;
      e = (d + t1) | 0;
      d = c;
      c = b;
      b = a;
      a = (t1 + s0 + majority) | 0;
    }
    state[0]! += a;
    state[1]! += b;
    state[2]! += c;
    state[3]! += d;
    state[4]! += e;
    state[5]! += f;
    state[6]! += g;
    state[7]! += h;
  }
}

const rotate = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

/** Lower-case hexadecimal, as hashes are written everywhere in AHP and in uploads. */
export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
