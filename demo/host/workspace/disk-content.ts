/** Texts as they were before and after an edit, in a folder of the data folder, by the hash of what they say. */

import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { contentTypeOf, toVersionUri, type ContentStore } from './content.js';

export async function openDiskContent(dir: string): Promise<ContentStore> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  return {
    async put(name, text) {
      const id = createHash('sha256').update(text).digest('hex');
      // The name says what is inside, so whoever is first has written the same.
      await writeFile(path.join(dir, id), text, { flag: 'wx', mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
      });
      const contentType = contentTypeOf(name) ?? 'text/plain';
      return { uri: toVersionUri(id, name), sizeHint: Buffer.byteLength(text), contentType, nonce: id };
    },
    async get(id) {
      return readFile(path.join(dir, id), 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined;
        throw error;
      });
    },
  };
}
