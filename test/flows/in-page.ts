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
  /** What has the focus; the body where nothing has. */
  focused(): Element;
  /** Its role, or the name of its tag where it has none of its own. */
  roleOf(element: Element): string;
  /** What it is called: by a label of its own, by the labels around it, or by its text. */
  wordsOf(element: Element): string;
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
  const focused = (): Element => {
    let element = document.activeElement ?? document.body;
    while (element.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    return element;
  };
  const roleOf = (element: Element): string => element.getAttribute('role') ?? element.localName;
  const textOf = (element: Element | null) => element?.textContent.trim().replace(/\s+/g, ' ') ?? '';
  const wordsOf = (element: Element): string => {
    const root = element.getRootNode() as Document | ShadowRoot;
    const ids = element.getAttribute('aria-labelledby')?.split(' ') ?? [];
    const labels = [...ids.map((id) => root.getElementById(id)), ...((element as HTMLInputElement).labels ?? [])];
    return element.getAttribute('aria-label') ?? (labels.map(textOf).join(' ') || textOf(element));
  };
  const nameOf = (element: Element): string =>
    `${element.localName} "${(wordsOf(element) || element.className).slice(0, 60)}"`;
  globalThis.inPage = { all, controls, isShown, around, focused, roleOf, wordsOf, nameOf };
}
