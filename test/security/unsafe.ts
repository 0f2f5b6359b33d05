/** Finds what can run or load by itself in a tree, through its shadow roots. */

/** Elements that nothing here ever makes. */
const forbidden = new Set(
  'script,iframe,frame,frameset,object,embed,applet,base,link,meta,style,template,portal,fencedframe,video,audio,source,track,image,animate,animatetransform,animatemotion,set,use,foreignobject,feimage,math,maction,marquee,body,head,html,area,map,dialog,plaintext,xmp,noscript,title'.split(
    ',',
  ),
);
const safePicture = /^data:image\/(png|jpeg|gif|webp|avif)[;,]/i;
const safeLink = /^(https?|mailto):/;

/** Everything below `root`, shadow trees included. */
export function parts(root: Element): Element[] {
  const found: Element[] = [];
  const open: (Element | ShadowRoot)[] = [root];
  for (let next = open.pop(); next; next = open.pop()) {
    for (const child of next.children) {
      found.push(child);
      open.push(child);
    }
    if (next instanceof Element && next.shadowRoot) open.push(next.shadowRoot);
  }
  return found;
}

/** What is wrong with the tree, each kind in a few words. */
export function findUnsafe(root: Element): string[] {
  return parts(root).flatMap((element) => {
    const { localName } = element;
    const wrong: string[] = [];
    if (forbidden.has(localName.toLowerCase())) wrong.push(`<${localName}>`);
    if (element.namespaceURI?.endsWith('/MathML')) wrong.push(`MathML <${localName}>`);
    for (const { name, value } of element.attributes) {
      if (
        /^on/i.test(name) ||
        ['srcdoc', 'formaction', 'action', 'srcset', 'background', 'ping', 'nonce'].includes(name)
      )
        wrong.push(`${localName}[${name}]`);
      if (name === 'href' && !safeLink.test(value)) wrong.push(`${localName}[href=${value.slice(0, 40)}]`);
      if (name === 'src' && !safePicture.test(value)) wrong.push(`${localName}[src=${value.slice(0, 40)}]`);
      if (name === 'style' && /url\(|expression|position/i.test(value)) wrong.push(`${localName}[style=${value}]`);
      // Markdown and hosts name nothing that a document could be asked for.
      if (name === 'id' && /[<>"'\s]|^(__|constructor$|toString$|body$|frames$)/.test(value))
        wrong.push(`${localName}[id=${value.slice(0, 40)}]`);
    }
    const { href } = element as { href?: unknown };
    if (typeof href === 'string' && href !== '' && !safeLink.test(href))
      wrong.push(`${localName}.href=${href.slice(0, 40)}`);
    if (localName === 'a' && element.hasAttribute('href') && !/noopener/.test(element.getAttribute('rel') ?? ''))
      wrong.push('a link without noopener');
    return wrong;
  });
}
