/**
 * Inline tokens as nodes, one node for each token, and changed in place when a token has changed: text that continues is
 * appended, the same element is kept. A link's address is set through the property of an element; no markup is parsed.
 */

import { isAllowedOrigin } from '../../markdown/safe-url.js';
import type { ImageToken, Inline, LinkTarget, LinkToken } from '../../markdown/tokens.js';
import { createElement, type MarkdownContext } from './markdown-context.js';

/** Addresses the page is asked to open, by their link. */
const resources = new WeakMap<EventTarget, string>();
/** Pictures that wait for a press, by their button. */
const pictures = new WeakMap<EventTarget, ImageToken>();

/** The resource that a press on `target` is about. */
export const findResource = (target: EventTarget): string | undefined => resources.get(target);

/** Makes `parent`, which shows `before`, show `after`. */
export function patchInlines(
  parent: Element,
  before: readonly Inline[],
  after: readonly Inline[],
  context: MarkdownContext,
): void {
  if (before === after) return;
  // Somebody else, a translator for one, has been at these nodes.
  if (parent.childNodes.length !== before.length) {
    parent.replaceChildren(...createInlines(after, context));
    return;
  }
  let i = 0;
  while (i < before.length && before[i] === after[i]) i += 1;
  let node = parent.childNodes[i] ?? null;
  for (; i < before.length || i < after.length; i += 1) {
    const old = before[i];
    const token = after[i];
    const next = node?.nextSibling ?? null;
    if (!token) node?.remove();
    else if (!old || !node) parent.append(createInline(token, context));
    else if (!patchInline(node, old, token, context)) node.replaceWith(createInline(token, context));
    node = next;
  }
}

export const createInlines = (tokens: readonly Inline[], context: MarkdownContext): Node[] =>
  tokens.map((token) => createInline(token, context));

/** Changes `node` from `before` to `after`; false if it has to be another node. */
function patchInline(node: Node, before: Inline, after: Inline, context: MarkdownContext): boolean {
  if (before === after) return true;
  switch (after.type) {
    case 'text':
      return before.type === 'text' && node instanceof Text && patchText(node, before.text, after.text);
    case 'code-span':
      return before.type === 'code-span' && patchOnly(node, before.text, after.text);
    case 'math':
      return before.type === 'math' && before.display === after.display && patchOnly(node, before.source, after.source);
    case 'break':
      return before.type === 'break';
    case 'strong':
    case 'emphasis':
    case 'strike':
      if (before.type !== after.type) return false;
      patchInlines(node as Element, before.content, after.content, context);
      return true;
    case 'link':
      if (before.type !== 'link' || !isSameTarget(before, after)) return false;
      patchInlines(node as Element, before.content, after.content, context);
      return true;
    case 'image':
      return before.type === 'image' && JSON.stringify(before) === JSON.stringify(after);
  }
}

const isSameTarget = (a: LinkToken, b: LinkToken) =>
  a.title === b.title && JSON.stringify(a.target) === JSON.stringify(b.target);

/** Changes an element that holds one text. */
function patchOnly(node: Node, before: string, after: string): boolean {
  const text = node.firstChild;
  return text instanceof Text && node.childNodes.length === 1 && patchText(text, before, after);
}

/** Touches no more of `node` than has changed, so that a selection in the rest stays. */
export function patchText(node: Text, before: string, after: string): boolean {
  if (before === after) return true;
  if (node.length !== before.length) node.data = after;
  else if (after.startsWith(before)) node.appendData(after.slice(before.length));
  else {
    let same = 0;
    while (same < before.length && before.charCodeAt(same) === after.charCodeAt(same)) same += 1;
    node.replaceData(same, before.length - same, after.slice(same));
  }
  return true;
}

function createInline(token: Inline, context: MarkdownContext): Node {
  switch (token.type) {
    case 'text':
      return document.createTextNode(token.text);
    case 'strong':
      return createElement('strong', '', ...createInlines(token.content, context));
    case 'emphasis':
      return createElement('em', '', ...createInlines(token.content, context));
    case 'strike':
      return createElement('del', '', ...createInlines(token.content, context));
    case 'code-span':
      return createLtr('code', '', token.text);
    case 'math':
      return createLtr('span', token.display ? 'md-math md-display' : 'md-math', token.source);
    case 'break':
      return createElement('br');
    case 'link':
      return createLink(token.target, token.title, createInlines(token.content, context), context);
    case 'image':
      return createImage(token, context);
  }
}

/** Code and formulas read from left to right, and do not count for the direction of the text around them. */
function createLtr<K extends 'code' | 'span'>(tag: K, className: string, text: string): HTMLElementTagNameMap[K] {
  const element = createElement(tag, className, text);
  element.dir = 'ltr';
  return element;
}

function createLink(
  target: LinkTarget,
  title: string | undefined,
  children: readonly Node[],
  { strings }: MarkdownContext,
): HTMLAnchorElement {
  const link = createElement('a', '', ...children);
  if (title !== undefined) link.title = title;
  if (target.kind === 'web') {
    link.href = target.url;
    link.target = '_blank';
    link.rel = 'noopener noreferrer';
    link.setAttribute('aria-description', strings.opensInNewTab);
  } else {
    // No address, so nothing navigates, not even a middle click; the element reports the press.
    resources.set(link, target.uri);
    link.className = 'md-resource';
    link.setAttribute('role', 'link');
    link.tabIndex = 0;
  }
  return link;
}

/** A picture, the button that loads it, a link to the page's resource, or the words alone. */
function createImage(token: ImageToken, context: MarkdownContext): Node {
  const { target, alt, title } = token;
  if (!target || (target.kind === 'web' && !/^https?:/.test(target.url))) return createElement('span', 'md-alt', alt);
  if (target.kind === 'resource')
    return createLink(target, title, [document.createTextNode(alt || target.uri)], context);
  if (context.mayLoad(target)) return createPicture(token, target.url);
  const { host } = new URL(target.url);
  const button = createElement('button', 'md-load', context.strings.loadPicture(alt, host));
  button.type = 'button';
  pictures.set(button, token);
  return button;
}

function createPicture({ alt, title }: ImageToken, url: string): HTMLImageElement {
  const image = createElement('img', 'md-picture');
  image.alt = alt;
  if (title !== undefined) image.title = title;
  image.loading = 'lazy';
  image.decoding = 'async';
  // Which chat asked is nobody's business.
  image.referrerPolicy = 'no-referrer';
  image.src = url;
  return image;
}

/** The address of the picture whose button `target` is, once it has been put in the button's place. */
export function loadPicture(target: EventTarget): string | undefined {
  const token = pictures.get(target);
  if (token?.target?.kind !== 'web' || !(target instanceof Element)) return undefined;
  const picture = createPicture(token, token.target.url);
  // The focus was on the button; on the picture a reader hears what has come.
  picture.tabIndex = -1;
  const hadFocus = target.matches(':focus');
  target.replaceWith(picture);
  if (hadFocus) picture.focus();
  return token.target.url;
}

/** A rule for `mayLoad`: the page's origins, and what was asked for already. */
export const mayLoad = (target: LinkTarget, origins: readonly string[], asked: ReadonlySet<string>): boolean =>
  target.kind === 'web' && (asked.has(target.url) || isAllowedOrigin(target, origins));
