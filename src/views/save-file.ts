/** Gives bytes to the person as a file. */

import { toFileName } from '../bytes/file-name.js';

/** How long the browser has to begin with the download, ms. */
const LIFETIME_MS = 60_000;

/**
 * Saves `bytes` under a name that is made safe. They go out as bytes of no type, so that a browser that opens the file
 * runs nothing of it in this page's name.
 */
export function saveFile(bytes: BlobPart, name: string, contentType: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
  link.download = toFileName(name, contentType);
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), LIFETIME_MS);
}
