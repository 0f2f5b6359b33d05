/** Runs in the page: looks at everything that is shown, through all shadow roots. Needs nothing from outside. */

export interface InPage {
  /** Every element, in the order of the tree. */
  all(): HTMLElement[];
  /** What can be pressed, typed into or chosen, and is not hidden. */
  controls(): HTMLElement[];
  /** Whether it takes room and can be seen. */
  isShown(element: Element): boolean;
  /** The boxes around it, the nearest first, through slots and shadow roots. */
  around(element: Element): Element[];
  /** How a report calls it. */
  nameOf(element: Element): string;
}

declare global {
  var inPage: InPage;
}

/** To be evaluated on every new document. */
export function putInPage(): void {
  const all = (root: ParentNode = document.body): HTMLElement[] =>
    [...root.querySelectorAll<HTMLElement>('*')].flatMap((element) => [
      element,
      ...(element.shadowRoot ? all(element.shadowRoot) : []),
    ]);
  const parentOf = (element: Element): Element | null => {
    const parent = element.assignedSlot ?? element.parentNode;
    return parent instanceof ShadowRoot ? parent.host : parent instanceof Element ? parent : null;
  };
  const around = (element: Element): Element[] => {
    const parent = parentOf(element);
    return parent ? [parent, ...around(parent)] : [];
  };
  const isShown = (element: Element): boolean => {
    const { width, height } = element.getBoundingClientRect();
    const isClipped = [element, ...around(element)].some((one) => getComputedStyle(one).clipPath === 'inset(50%)');
    return width > 0 && height > 0 && !isClipped && element.checkVisibility({ visibilityProperty: true });
  };
  const controls = () =>
    all().filter(
      (element) =>
        element.matches('button, input, select, textarea, a[href], summary, [role=link], [role=option]') &&
        isShown(element),
    );
  const nameOf = (element: Element): string => {
    const words = element.getAttribute('aria-label') ?? (element.textContent.trim() || element.className);
    return `${element.localName} "${words.replace(/\s+/g, ' ').slice(0, 60)}"`;
  };
  globalThis.inPage = { all, controls, isShown, around, nameOf };
}
