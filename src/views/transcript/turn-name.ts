/** What a turn is called when it gets the focus: who began it, and how. Pure. */

import { toOrigin } from '../../i18n/origin.js';
import type { Strings } from '../../i18n/strings.js';
import type { Message } from '../../protocol/state.js';
import { shortenEnd } from '../label.js';

export const toTurnName = (message: Message | undefined, strings: Strings): string =>
  `${toOrigin(message?.origin?.kind ?? 'user', strings)}: ${shortenEnd(message?.text ?? '', 80)}`;
