/** The gallery's composers: what waits, what is being chosen, and what the host suggests. */

import type { PendingMessage } from '../src/protocol/state.js';
import { user } from './gallery-calls.js';

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
