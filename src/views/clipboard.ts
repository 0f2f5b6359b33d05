/** Copies text, also where the page has no clipboard API because it is not served securely. */

/** Whether `text` is on the clipboard now. Call it in the handler of a press; `near` says in which tree that was. */
export async function copyText(text: string, near: Element): Promise<boolean> {
  // Absent on plain http.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  if (!clipboard) return copyBySelection(text, near);
  try {
    await clipboard.writeText(text);
    return true;
  } catch {
    // Refused, for instance in a frame without the permission: the older way may still be allowed.
    return copyBySelection(text, near);
  }
}

/** The one command of its kind that has no successor on plain http. */
function copyBySelection(text: string, near: Element): boolean {
  const source = document.createElement('textarea');
  source.value = text;
  source.className = 'hidden-text';
  source.setAttribute('aria-hidden', 'true');
  near.after(source);
  source.select();
  try {
    return document.execCommand('copy');
  } finally {
    source.remove();
    if (near instanceof HTMLElement) near.focus({ preventScroll: true });
  }
}
