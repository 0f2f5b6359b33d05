/**
 * A tree of nodes as one line, to compare what was built with what was meant. Neighbouring text nodes are one text, runs
 * of white space one space; of the attributes only those named are shown. A bracket in
 * text is escaped, so that it is never taken for an element.
 */

const shown = ['href', 'start', 'class'];

export function outline(root: Node, attributes: readonly string[] = shown): string {
  let out = '';
  for (const node of root.childNodes) {
    if (node instanceof Text) out += node.data.replaceAll('<', '&lt;');
    else if (node instanceof Element) out += outlineElement(node, attributes);
  }
  return out.replace(/\s+/g, ' ');
}

function outlineElement(element: Element, attributes: readonly string[]): string {
  const tag = element.localName;
  const values = attributes.flatMap((name) => {
    const written = element.getAttribute(name);
    // In what order classes were added is nobody's business.
    const value = name === 'class' ? written?.split(' ').sort().join(' ') : written;
    return value ? [` ${name}=${value}`] : [];
  });
  return `<${tag}${values.join('')}>${outline(element, attributes)}</${tag}>`;
}
