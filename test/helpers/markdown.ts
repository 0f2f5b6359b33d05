/** An `<ahp-markdown>` as it stands in the transcript: in a shadow root that has the sheets. */

import { fixture, html } from '@open-wc/testing';
import { LitElement } from 'lit';
import { LanguageProvider } from '../../src/i18n/localize.js';
import { hostStyles } from '../../src/views/host.styles.js';
import { markdownStyles } from '../../src/views/parts/ahp-markdown.styles.js';
import '../../src/views/parts/ahp-markdown.js';
import type { AhpMarkdown } from '../../src/views/parts/ahp-markdown.js';
import { waitUntil } from './until.js';

class TestMarkdownSurface extends LitElement {
  static override styles = [...hostStyles, ...markdownStyles];
  readonly language = new LanguageProvider(this);
  override render() {
    return html`<ahp-markdown></ahp-markdown>`;
  }
}
customElements.define('test-markdown-surface', TestMarkdownSurface);

export interface MarkdownOptions {
  readonly text?: string;
  readonly streaming?: boolean;
  readonly imageOrigins?: readonly string[];
}

export async function markdownFixture(options: MarkdownOptions = {}): Promise<AhpMarkdown> {
  const surface = await fixture<TestMarkdownSurface>(html`<test-markdown-surface></test-markdown-surface>`);
  const element = surface.renderRoot.querySelector('ahp-markdown') as AhpMarkdown;
  Object.assign(element, options);
  await element.updateComplete;
  return element;
}

/** Shows more of the text, and waits until it stands there. */
export async function show(element: AhpMarkdown, text: string): Promise<void> {
  element.text = text;
  await element.updateComplete;
}

/** Waits for something that happens in idle time, on a machine that may have none for a while. */
export const until = (condition: () => boolean): Promise<void> => waitUntil(condition, 'it never happened');
