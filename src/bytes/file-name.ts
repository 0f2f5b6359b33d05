/** Names under which somebody else's bytes may be saved: one segment, readable, and nothing a file system takes amiss. Pure. */

/** Separators, what Windows refuses, controls, and marks that make a name read other than it is. */
// eslint-disable-next-line no-control-regex -- these are what it looks for
const refused = /[\u0000-\u001f\u007f-\u009f"*/:<>?\\|\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;
/** Devices of Windows, with or without an ending. */
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;
/** UTF-16 units; file systems take 255 bytes. */
const LONGEST = 80;

const endings: Readonly<Record<string, string>> = {
  'application/json': '.json',
  'application/pdf': '.pdf',
  'image/avif': '.avif',
  'image/gif': '.gif',
  'image/jpeg': '.jpg',
  'image/png': '.png',
  'image/svg+xml': '.svg',
  'image/webp': '.webp',
  'text/html': '.html',
  'text/markdown': '.md',
  'text/plain': '.txt',
};

/** `name` made safe; one without an ending gets that of its type. */
export function toFileName(name: string, contentType = ''): string {
  const ending = endings[contentType.split(';', 1)[0]!.trim().toLowerCase()] ?? '';
  // Dots and spaces at the ends hide a file or are dropped by a file system.
  const clean = name.replace(refused, '_').replace(/^[\s.]+|[\s.]+$/g, '');
  const safe = reserved.test(clean) ? `_${clean}` : clean;
  if (safe === '') return `download${ending}`;
  const dot = safe.lastIndexOf('.');
  const own = dot > 0 && safe.length - dot <= 12 ? safe.slice(dot) : '';
  const stem = own ? safe.slice(0, dot) : safe;
  return cut(stem, LONGEST - own.length) + (own || ending);
}

/** Never through a surrogate pair. */
const cut = (text: string, max: number) => text.slice(0, max).replace(/[\ud800-\udbff]$/, '');
