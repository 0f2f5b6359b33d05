/** The icons of the elements: lucide's nodes, built once as SVG elements and cloned. No markup string is involved. */

import { noChange } from 'lit';
import { Directive, directive } from 'lit/directive.js';
import arrowDown from 'lucide/dist/esm/icons/arrow-down.mjs';
import arrowUp from 'lucide/dist/esm/icons/arrow-up.mjs';
import ban from 'lucide/dist/esm/icons/ban.mjs';
import bot from 'lucide/dist/esm/icons/bot.mjs';
import braces from 'lucide/dist/esm/icons/braces.mjs';
import check from 'lucide/dist/esm/icons/check.mjs';
import chevronRight from 'lucide/dist/esm/icons/chevron-right.mjs';
import circleAlert from 'lucide/dist/esm/icons/circle-alert.mjs';
import cloudOff from 'lucide/dist/esm/icons/cloud-off.mjs';
import copy from 'lucide/dist/esm/icons/copy.mjs';
import steer from 'lucide/dist/esm/icons/corner-down-right.mjs';
import file from 'lucide/dist/esm/icons/file.mjs';
import folder from 'lucide/dist/esm/icons/folder.mjs';
import image from 'lucide/dist/esm/icons/image.mjs';
import layers from 'lucide/dist/esm/icons/layers.mjs';
import loader from 'lucide/dist/esm/icons/loader-circle.mjs';
import lock from 'lucide/dist/esm/icons/lock-keyhole.mjs';
import messageSquare from 'lucide/dist/esm/icons/message-square.mjs';
import pointer from 'lucide/dist/esm/icons/square-mouse-pointer.mjs';
import shield from 'lucide/dist/esm/icons/shield-question-mark.mjs';
import square from 'lucide/dist/esm/icons/square.mjs';
import textQuote from 'lucide/dist/esm/icons/text-quote.mjs';
import terminal from 'lucide/dist/esm/icons/terminal.mjs';
import warning from 'lucide/dist/esm/icons/triangle-alert.mjs';
import x from 'lucide/dist/esm/icons/x.mjs';

const nodes = {
  alert: circleAlert,
  ban,
  bot,
  chat: messageSquare,
  check,
  chevron: chevronRight,
  copy,
  down: arrowDown,
  file,
  folder,
  image,
  layers,
  lock,
  offline: cloudOff,
  pointer,
  quote: textQuote,
  running: loader,
  send: arrowUp,
  shield,
  steer,
  stop: square,
  symbol: braces,
  terminal,
  warning,
  x,
};

export type IconName = keyof typeof nodes;

/** A node of lucide's, for an icon that only a part loaded later needs: it comes with that part. */
export type IconNode = (typeof nodes)[IconName];

const built = new Map<IconName | IconNode, SVGElement>();

class IconDirective extends Directive {
  #name: IconName | IconNode | undefined;

  override render(name: IconName | IconNode): unknown {
    if (name === this.#name) return noChange;
    this.#name = name;
    let svg = built.get(name);
    if (!svg) built.set(name, (svg = build(name)));
    return svg.cloneNode(true);
  }
}

/** A 16 px icon, hidden from assistive technology: the words beside it, or the button's name, say what it means. */
export const icon = directive(IconDirective);

function build(name: IconName | IconNode): SVGElement {
  const svg = createSvg('svg', {
    class: typeof name === 'string' ? `icon icon-${name}` : 'icon',
    viewBox: '0 0 24 24',
    fill: 'none',
    stroke: 'currentColor',
    'stroke-width': 2,
    'stroke-linecap': 'round',
    'stroke-linejoin': 'round',
    'aria-hidden': 'true',
  });
  for (const [tag, attributes] of typeof name === 'string' ? nodes[name] : name) svg.append(createSvg(tag, attributes));
  return svg;
}

function createSvg(tag: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return element;
}
