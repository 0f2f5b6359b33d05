/** "Reader": the same agent with its hands tied. It looks and explains, and changes nothing. */

import type { Customization, Message } from '../../../src/protocol/state.js';

export const reader = {
  type: 'agent',
  id: 'reader',
  uri: 'workspace-agent:/reader',
  name: 'Reader',
  description: 'Looks and explains, and changes nothing.',
  enabled: true,
} as const satisfies Customization;

export const isForReader = ({ agent }: Message): boolean => agent?.uri === reader.uri;
