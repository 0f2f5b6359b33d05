/** Opens a tool call with a terminal and a file edit on a page with a strict policy and tells its parent what went wrong. */

import type { ToolResultContent } from '../../../src/protocol/state.js';
import '../../../src/views/transcript/ahp-transcript.js';
import { completedCall, toolPart, turn } from '../../helpers/turns.js';
import { problems, tell } from '../../helpers/framed-page.js';

/** What the parent is told. */
export interface Report {
  readonly problems: readonly string[];
  readonly ran: unknown;
  readonly terminal: readonly string[];
  readonly ink: string;
  readonly paper: string;
  readonly diff: string;
}

const preview = [
  '<img src=x onerror="window.__ran=1">',
  '\u001b[31mred\u001b[0m \u001b[38;2;9;8;7mown\u001b[0m \u001b[48;2;1;2;3mpaper\u001b[0m \u4e2d',
  '\u001b]8;;javascript:window.__ran=2\u001b\\link\u001b]8;;\u001b\\',
].join('\r\n');
const content: ToolResultContent[] = [
  { type: 'terminal', resource: 'ahp-terminal:/1', title: 'sh', result: { preview } },
  {
    type: 'fileEdit',
    before: { uri: 'file:///a.js', content: { uri: 'x:1', sizeHint: 10 } },
    after: { uri: 'file:///a.js', content: { uri: 'x:2', sizeHint: 10 } },
  },
  { type: 'embeddedResource', data: btoa('<svg onload="window.__ran=3"/>'), contentType: 'image/svg+xml' },
];

const transcript = Object.assign(document.createElement('ahp-transcript'), {
  turns: [turn('t', { responseParts: [toolPart(completedCall('c', { content }))] })],
  services: {
    readResource: async ({ uri }: { readonly uri: string }) => ({
      data: uri === 'x:1' ? 'const a = 1;\nsame\n' : 'const a = 2;\nsame\n',
      encoding: 'utf-8' as const,
      contentType: 'text/javascript',
    }),
  },
});
transcript.style.blockSize = '600px';
document.body.append(transcript);

const find = (selector: string) => transcript.renderRoot.querySelector<HTMLElement>(selector);
/** Waits for it, frame by frame. */
async function until(selector: string): Promise<HTMLElement | null> {
  for (let frames = 0; frames < 1_200 && !find(selector); frames += 1) await new Promise(requestAnimationFrame);
  const found = find(selector);
  if (!found) problems.push(`there is no ${selector}`);
  return found;
}

await transcript.updateComplete;
(await until('[part=tool-call-line]'))?.click();
await until('.terminal-line .own-paper');
(await until('ahp-file-edit [aria-expanded=false]'))?.click();
const diff = await until('ahp-diff [aria-label] *');
await until('ahp-content-ref .code-box');

const report: Report = {
  problems,
  ran: (window as { __ran?: unknown }).__ran,
  terminal: [...transcript.renderRoot.querySelectorAll('.terminal-line')].map(({ textContent }) => textContent),
  ink: getComputedStyle(find('.own-ink:not(.own-paper)')!).getPropertyValue('--_ink'),
  paper: getComputedStyle(find('.own-paper')!).backgroundColor,
  diff: diff?.closest('ahp-diff')?.textContent ?? '',
};
tell(report);
