/** Cuts a long text into pieces that are laid out on their own. Pure. */

/** UTF-16 units in one piece, at most. */
const PIECE = 65_536;

/**
 * Where the pieces of `text` begin. A piece ends after a line where it can, else between two characters. What is appended
 * to the text moves none of them: only the last piece grows, until another follows it.
 */
export function findPieces(text: string): readonly number[] {
  const starts = [0];
  for (let at = 0; text.length - at > PIECE; starts.push(at)) at = findEnd(text, at);
  return starts;
}

function findEnd(text: string, from: number): number {
  const line = text.lastIndexOf('\n', from + PIECE - 1) + 1;
  if (line > from) return line;
  const last = text.charCodeAt(from + PIECE - 1);
  return from + PIECE - (last >= 0xd800 && last < 0xdc00 ? 1 : 0);
}
