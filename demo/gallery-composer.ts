/** The gallery's composers: what waits, what is being chosen, and what the host suggests. */

import type { ChatServices } from '../src/chat/store.js';
import type { PendingMessage } from '../src/protocol/state.js';
import { user } from './gallery-calls.js';
import { session as plainSession } from './gallery-data.js';

const resource = (label: string) => ({ type: 'resource' as const, label, uri: `file:///shop/${label}` });

/** More than fit. */
export const fullQueue: readonly PendingMessage[] = [
  user('Then run the whole test suite and tell me which tests are slow, with their times'),
  user('Write the changelog entry', { attachments: [resource('CHANGELOG.md'), resource('package.json')] }),
  user('Open a pull request'),
  user('افتح src/app.ts الآن!'),
  user('Look at the flaky login test\nand at the retry logic around it'),
  user('Tidy the imports'),
  user('And update the screenshots in the documentation'),
].map((message, index) => ({ id: `q${index}`, message }));

export const steering: readonly PendingMessage[] = [{ id: 's', message: user('Leave the public API as it is') }];

/** Presses what a person would press, once the elements are there. */
export function whenThere(selector: string, act: (element: HTMLElement) => void): (root: Element | undefined) => void {
  return (root) => {
    if (!root) return;
    const look = () => {
      const composer = root.querySelector('ahp-composer');
      const found = composer?.shadowRoot?.querySelector<HTMLElement>(selector);
      if (found) act(found);
      else if (root.isConnected) requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  };
}

export const session = {
  ...plainSession,
  completionTriggerCharacters: ['@', '/', '#'],
  terminalCommandPrefix: '!',
  models: [
    ...plainSession.models,
    {
      id: 'deep',
      name: 'Deep thought',
      provider: 'demo',
      configSchema: {
        properties: {
          effort: {
            type: 'string' as const,
            title: 'Effort',
            enum: ['low', 'medium', 'high'],
            enumLabels: ['Low', 'Medium', 'High'],
            enumDescriptions: ['Answers at once', 'Thinks first', 'Thinks, then checks itself'],
            default: 'medium',
          },
          context: {
            type: 'number' as const,
            title: 'Context',
            description: 'Tokens it reads at most',
            default: 32000,
          },
          web: { type: 'boolean' as const, title: 'May search the web', default: true },
          style: { type: 'string' as const, title: 'Style' },
          tree: { type: 'object' as const, title: 'Routing' },
        },
      },
    },
  ],
};

export const services: ChatServices = {
  complete: async (text, offset) =>
    ['src/app.ts', 'src/checkout/payment-provider.ts', 'test/app.test.ts', 'docs/'].map((path) => ({
      insertText: `@${path}`,
      rangeStart: text.lastIndexOf('@', offset),
      rangeEnd: offset,
      attachment: {
        ...resource(path.split('/').findLast(Boolean)!),
        displayKind: path.endsWith('/') ? ('directory' as const) : ('document' as const),
      },
    })),
};

export function writeTrigger(field: HTMLElement): void {
  const area = field as HTMLTextAreaElement;
  area.focus();
  area.setRangeText('Compare the two files and say what differs: @', 0, area.value.length, 'end');
  area.dispatchEvent(new InputEvent('input', { inputType: 'insertText', bubbles: true, composed: true }));
}

const at = (character: number) => ({ line: 0, character });
export const mentions = user('Compare @src/app.ts with @test/app.test.ts and say which cases are missing.', {
  attachments: [
    { ...resource('app.ts'), range: { start: at(8), end: at(19) } },
    { ...resource('app.test.ts'), range: { start: at(25), end: at(42) } },
  ],
});
