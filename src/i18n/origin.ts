/** Who began a turn, in words. Kinds of later versions have a word of their own. Source: AHP, messages. */

import type { Strings } from './strings.js';

export function toOrigin(kind: string, strings: Strings): string {
  switch (kind) {
    case 'user':
      return strings.turnOfYou;
    case 'agent':
      return strings.turnOfAgent;
    case 'tool':
      return strings.turnOfTool;
    case 'automation':
      return strings.turnOfAutomation;
    case 'systemNotification':
      return strings.turnOfSystem;
    default:
      return strings.turnOfOther;
  }
}
