/** What a template function of a turn gets beside its own value. */

import type { Localization } from '../../i18n/localize.js';
import type { PartScope } from '../transcript/part-scope.js';

export interface PartContext {
  readonly turnId: string;
  /** Names the part in the view memory: turn and place. */
  readonly key: string;
  readonly scope: PartScope;
  readonly localization: Localization;
  /** Whether the turn runs. */
  readonly isActive: boolean;
  /** Whether it stands below the line of the run it belongs to. */
  readonly isInRun: boolean;
  /** Whether this is the last part of a running turn: the one that grows. */
  readonly isGrowing: boolean;
  /** Whether a failed turn may go on from here. */
  readonly isResumable: boolean;
  /** Whether the person has opened it. */
  readonly isOpen: boolean;
  /** Opens or closes it; the pressed button stays where it is. */
  readonly onToggle: (event: Event) => void;
}
