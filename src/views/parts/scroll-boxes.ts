/**
 * Boxes that scroll sideways when their content is too wide. Only then are they a stop for the keyboard, with a name of
 * their own; a box that fits is not. One observer serves all of them.
 */

let observer: ResizeObserver | undefined;

/** Watches `box`, whose one child may outgrow it. Its name has been set already. Ends when the box is no longer used. */
export function watchScrollBox(box: HTMLElement): void {
  observer ??= new ResizeObserver((entries) => {
    for (const { target } of entries) update(target.classList.contains('md-scroll') ? target : target.parentElement);
  });
  observer.observe(box);
  const content = box.firstElementChild;
  if (content) observer.observe(content);
}

export function unwatchScrollBox(box: HTMLElement): void {
  observer?.unobserve(box);
  const content = box.firstElementChild;
  if (content) observer?.unobserve(content);
}

function update(box: Element | null): void {
  if (!(box instanceof HTMLElement)) return;
  const isWide = box.scrollWidth > box.clientWidth;
  if (isWide === box.hasAttribute('tabindex')) return;
  // Taking the stop away while the person stands on it would send the focus to the top of the page.
  if (!isWide && box.matches(':focus')) return;
  if (isWide) box.tabIndex = 0;
  else box.removeAttribute('tabindex');
}
