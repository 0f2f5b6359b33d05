/** Shows hostile Markdown on a page with a strict policy and tells its parent what went wrong. */

import { LitElement, html } from 'lit';
import { LanguageProvider } from '../../../src/i18n/localize.js';
import { hostStyles } from '../../../src/views/host.styles.js';
import { markdownStyles } from '../../../src/views/parts/ahp-markdown.styles.js';
import '../../../src/views/parts/ahp-markdown.js';
import { problems, tell } from '../../helpers/framed-page.js';

/** What the parent is told. */
export interface Report {
  readonly problems: readonly string[];
  readonly text: string;
  readonly ran: unknown;
  readonly paintedCode: boolean;
  readonly digits: string;
}

class StrictSurface extends LitElement {
  static override styles = [...hostStyles, ...markdownStyles];
  readonly language = new LanguageProvider(this);
  override render() {
    return html`<ahp-markdown></ahp-markdown>`;
  }
}
customElements.define('strict-surface', StrictSurface);

const hostile = [
  'Hi <img src=x onerror="window.__ran=1"> <script>window.__ran=2</script> <svg onload="window.__ran=3"></svg>',
  '[a](javascript:window.__ran=4) [b](data:text/html,x) <a href="javascript:1" onclick="window.__ran=5">c</a>',
  '<iframe srcdoc="<script>parent.__ran=6</script>"></iframe>',
  '<style>*{display:none}</style>\n\n<base href="https://evil.example">',
  '![p](https://evil.example/p.png) ![q](file:///q.png)',
  '| a |\n|:-:|\n| b |\n\n101. c\n102. d\n\n- [x] e',
  '```js\nconst f = "<b>";\n```',
  'END',
].join('\n\n');

const surface = document.body.appendChild(new StrictSurface());
await surface.updateComplete;
const element = surface.renderRoot.querySelector('ahp-markdown')!;
element.streaming = true;
for (let end = 0; end < hostile.length; end += 5) {
  element.text = hostile.slice(0, end);
  await element.updateComplete;
}
element.text = hostile;
element.streaming = false;
await element.updateComplete;

const isPainted = () => (CSS.highlights.get('ahp-code-keyword')?.size ?? 0) > 0;
for (let frames = 0; frames < 600 && !isPainted(); frames += 1) await new Promise(requestAnimationFrame);
const report: Report = {
  problems,
  text: element.textContent,
  ran: (window as { __ran?: unknown }).__ran,
  paintedCode: isPainted(),
  digits: getComputedStyle(element.querySelector('ol')!).getPropertyValue('--_digits'),
};
tell(report);
