/** What is selected inside a shadow root, read so that every browser agrees. */

/**
 * The selection as far as `root` may know of it. The document does not see into shadow roots; older Safari takes the roots
 * as arguments and not in an object.
 */
export function findSelection(root: ShadowRoot): AbstractRange | undefined {
  const selection = document.getSelection();
  if (!selection || selection.rangeCount === 0) return undefined;
  if (!selection.getComposedRanges) return selection.getRangeAt(0);
  try {
    return selection.getComposedRanges({ shadowRoots: [root] })[0];
  } catch {
    return (selection.getComposedRanges as (...roots: ShadowRoot[]) => StaticRange[]).call(selection, root)[0];
  }
}
