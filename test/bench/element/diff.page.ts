/** The page of the bench of comparisons: a transcript in which a call asks whether it may change a file. */

import '../../../src/views/transcript/ahp-transcript.js';
import type { ChatServices } from '../../../src/chat/store.js';
import type { ActiveTurn, ContentRef } from '../../../src/protocol/state.js';

const nextFrame = () => new Promise<unknown>((resolve) => requestAnimationFrame(resolve));

/** In the new one a word of each line is another. */
const createText = (lines: number, word: string) =>
  Array.from({ length: lines }, (_, index) => `  const value${index} = compute(${word}, ${index % 7});\n`).join('');

const createTurn = (key: string): ActiveTurn => ({
  id: `turn-${key}`,
  startedAt: '2026-01-01T00:00:00.000Z',
  message: { text: 'Rename it', origin: { kind: 'user' } },
  responseParts: [
    {
      kind: 'toolCall',
      toolCall: {
        status: 'pending-confirmation',
        toolCallId: `call-${key}`,
        toolName: 'edit',
        displayName: 'Edit file',
        invocationMessage: 'Edit a file',
        edits: {
          items: [
            {
              before: { uri: 'file:///app.ts', content: { uri: `old:${key}` } },
              after: { uri: 'file:///app.ts', content: { uri: `new:${key}` } },
            },
          ],
        },
      },
    },
  ],
});

async function show(lines: number): Promise<void> {
  const texts: Readonly<Record<string, string>> = {
    [`old:${lines}`]: createText(lines, 'before'),
    [`new:${lines}`]: createText(lines, 'after'),
  };
  const services: ChatServices = {
    readResource: ({ uri }: ContentRef) => Promise.resolve({ data: texts[uri] ?? '', encoding: 'utf-8' }),
  };
  const transcript = document.createElement('ahp-transcript');
  transcript.style.blockSize = '760px';
  Object.assign(transcript, { services, activeTurn: createTurn(String(lines)) });
  const root = document.querySelector('#root');
  root?.replaceChildren(transcript);
  while (!transcript.renderRoot.querySelector('.diff-row ins, .diff-row del')) await nextFrame();
  await nextFrame();
}

/** To the end of what is drawn, and again, until there is no more. */
async function readOn(): Promise<number> {
  const box = document.querySelector('ahp-transcript')?.renderRoot.querySelector('.diff');
  if (!box) throw new Error('There is no diff to be read.');
  while (box.querySelector('.diff-more')) {
    box.scrollTop = box.scrollHeight;
    await nextFrame();
  }
  return box.querySelectorAll('.diff-row').length;
}

const diffBench = { show, readOn };
declare global {
  interface Window {
    diffBench: typeof diffBench;
  }
}
window.diffBench = diffBench;
