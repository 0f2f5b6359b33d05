/** The page of `stream-core`: one renderer, fed one delta after the other, each in a task of its own. */

import * as smd from 'streaming-markdown';
import { LitElement, html } from 'lit';
import { LanguageProvider } from '../../../src/i18n/localize.js';
import { hostStyles } from '../../../src/views/host.styles.js';
import { markdownStyles } from '../../../src/views/parts/ahp-markdown.styles.js';
import '../../../src/views/parts/ahp-markdown.js';
import type { AhpMarkdown } from '../../../src/views/parts/ahp-markdown.js';
import { END, createAnswer, createGiant, toDeltas, type Giant } from './workload.js';

class BenchSurface extends LitElement {
  static override styles = [...hostStyles, ...markdownStyles];
  readonly language = new LanguageProvider(this);
  override render() {
    return html`<ahp-markdown></ahp-markdown>`;
  }
}
customElements.define('bench-surface', BenchSurface);

interface Renderer {
  push(delta: string): void;
  finish(): void;
  /** Where the nodes are. */
  readonly root: Element;
}

async function createOurs(root: HTMLElement): Promise<Renderer> {
  const surface = root.appendChild(document.createElement('bench-surface')) as BenchSurface;
  await surface.updateComplete;
  const element = surface.renderRoot.querySelector('ahp-markdown') as AhpMarkdown;
  element.streaming = true;
  return {
    root: element,
    push: (delta) => void (element.text += delta),
    finish: () => void (element.streaming = false),
  };
}

function createSmd(root: HTMLElement): Renderer {
  const style = document.head.appendChild(document.createElement('style'));
  style.textContent = 'body { font: 15px/1.5 sans-serif } pre { overflow: auto } td, th { border: 1px solid #ccc }';
  const parser = smd.parser(smd.default_renderer(root));
  return { root, push: (delta) => smd.parser_write(parser, delta), finish: () => smd.parser_end(parser) };
}

/** Text in one node: what the platform itself takes. */
function createFloor(root: HTMLElement): Renderer {
  const text = root.appendChild(document.createElement('pre')).appendChild(document.createTextNode(''));
  return { root, push: (delta) => text.appendData(delta), finish: () => undefined };
}

let renderer: Renderer | undefined;
let deltas: readonly string[] = [];
let added = 0;

/** What the bench calls. */
const bench = {
  /** Makes the text and the renderer, and lets the page come to rest. */
  async prepare(kind: 'answer' | Giant, size: number, count: number): Promise<void> {
    deltas = toDeltas(kind === 'answer' ? createAnswer(size) : createGiant(kind, size), count);
    const root = document.querySelector<HTMLElement>('#root') as HTMLElement;
    const name = new URLSearchParams(location.search).get('renderer');
    renderer = name === 'ours' ? await createOurs(root) : name === 'smd' ? createSmd(root) : createFloor(root);
    await nextFrame();
    await nextFrame();
  },

  /** Feeds the part of the deltas between two shares of all, from 0 to 1, one a task, and waits for the frame after. */
  async feed(from: number, to: number): Promise<void> {
    for (const delta of deltas.slice(Math.round(deltas.length * from), Math.round(deltas.length * to))) {
      renderer?.push(delta);
      await nextTask();
    }
    await nextFrame();
  },

  /** Counts nodes that are added from now on. Costs time itself, so it is a run of its own. */
  count(): void {
    const observer = new MutationObserver((records) => {
      for (const { addedNodes } of records) for (const node of addedNodes) added += countNodes(node);
    });
    observer.observe(renderer?.root as Element, { childList: true, subtree: true });
  },

  async finish(): Promise<{ readonly added: number; readonly left: number }> {
    renderer?.finish();
    await nextFrame();
    // The text is compared with the whole in idle time.
    await new Promise((resolve) => setTimeout(resolve, 100));
    await nextFrame();
    const root = renderer?.root as Element;
    if (!root.textContent.includes(END)) throw new Error('The end of the text is not shown.');
    return { added, left: countNodes(root) - 1 };
  },
};

function countNodes(node: Node): number {
  let count = 1;
  for (const child of node.childNodes) count += countNodes(child);
  return count;
}

const channel = new MessageChannel();
let onTask: (() => void) | undefined;
channel.port1.onmessage = () => onTask?.();

function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    onTask = resolve;
    channel.port2.postMessage(undefined);
  });
}

const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));

declare global {
  interface Window {
    streamBench: typeof bench;
  }
}
window.streamBench = bench;
