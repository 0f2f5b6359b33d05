/** What every place that does byte jobs does. One suite, run against the worker and against the calling thread. */

import { expect } from '@open-wc/testing';
import type { WorkerApi } from '../../src/worker/worker-api.js';

const MIB = 1024 * 1024;

/** Bytes that repeat late and hit every value. */
export function someBytes(size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  for (let index = 0; index < size; index += 1) bytes[index] = (index * 31 + (index >> 8)) & 255;
  return bytes;
}

const toText = (buffer: ArrayBuffer): string => new TextDecoder().decode(buffer);

/** As the platform encodes, by another way than ours. */
async function encodeByUrl(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const reader = new FileReader();
  const done = new Promise((resolve) => reader.addEventListener('load', resolve));
  reader.readAsDataURL(new Blob([bytes]));
  await done;
  return (reader.result as string).replace(/^[^,]*,/, '');
}

export async function nameOfRejection(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    return (error as Error).name;
  }
  return 'not rejected';
}

export function describeWorker(name: string, create: () => WorkerApi & { close?(): void }): void {
  describe(`${name} doing byte jobs`, () => {
    let worker: ReturnType<typeof create>;

    beforeEach(() => {
      worker = create();
    });

    afterEach(() => worker.close?.());

    for (const size of [0, 1, 2, 3, 1000, 3 * MIB + 1]) {
      it(`encodes and decodes ${size} bytes`, async () => {
        const bytes = someBytes(size);

        const encoded = toText(await worker.encodeBase64(bytes.buffer));
        const decoded = new Uint8Array(await worker.decodeBase64(encoded));

        expect(encoded === (await encodeByUrl(bytes))).to.equal(true);
        expect(decoded.length).to.equal(size);
        expect(decoded.every((byte, index) => byte === bytes[index])).to.equal(true);
      });
    }

    it('reads a file in slices', async () => {
      const bytes = someBytes(2 * MIB);

      const encoded = toText(await worker.encodeBase64(new Blob([bytes])));

      expect(encoded === (await encodeByUrl(bytes))).to.equal(true);
    });

    it('leaves the bytes it was given to their owner', async () => {
      const bytes = someBytes(10);

      await worker.encodeBase64(bytes.buffer);

      expect(bytes.buffer.byteLength).to.equal(10);
    });

    it('decodes long text with line breaks, as mail has it', async () => {
      const bytes = someBytes(2 * MIB);
      const text = (await encodeByUrl(bytes)).replace(/.{76}/g, '$&\r\n');

      const decoded = new Uint8Array(await worker.decodeBase64(text));

      expect(decoded.length).to.equal(bytes.length);
      expect(decoded.every((byte, index) => byte === bytes[index])).to.equal(true);
    });

    for (const [what, text] of [
      ['a character that is not in the alphabet', 'QUJ*'],
      ['the alphabet of URLs', 'QU-_'],
      ['padding in the middle', 'QQ==QUJD'],
      ['one character too many', 'QUJDR'],
      ['long text with padding in the middle', `${'QUJD'.repeat(400_000)}QQ==${'QUJD'.repeat(400_000)}`],
      ['long text with a broken end', `${'QUJD'.repeat(400_000)}Q*==`],
    ] as const) {
      it(`refuses ${what} instead of giving garbage`, async () => {
        expect(await nameOfRejection(worker.decodeBase64(text))).to.equal('Base64Error');
      });
    }

    it('digests like everybody else', async () => {
      const abc = new TextEncoder().encode('abc');

      expect(await worker.digest(abc.buffer)).to.equal(
        'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
      );
      expect(await worker.digest(new Blob([]))).to.equal(
        'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      );
      const large = someBytes(2 * MIB + 5);
      expect(await worker.digest(new Blob([large]))).to.equal(await worker.digest(large.buffer));
    });

    it('does many jobs at a time', async () => {
      const results = await Promise.all(
        [1, 2, 3, 4, 5].map(async (size) => toText(await worker.encodeBase64(someBytes(size).buffer))),
      );

      expect(results.map((text) => text.length)).to.deep.equal([4, 4, 4, 8, 8]);
    });

    it('ends a job that is cancelled', async () => {
      const job = nameOfRejection(worker.encodeBase64(new Blob([someBytes(16 * MIB)]), { id: 'big' }));

      await worker.cancel('big');

      expect(await job).to.equal('AbortError');
    });

    it('does not mind a cancel that comes too late, or for a job it does not know', async () => {
      await worker.digest(new Blob([]), { id: 'done' });

      await worker.cancel('done');
      await worker.cancel('never heard of');

      expect(await worker.digest(new Blob([]), { id: 'done' })).to.have.length(64);
    });
  });
}
