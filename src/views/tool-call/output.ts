/** Plain text that a tool printed. */

import type { TemplateResult } from 'lit';
import type { Strings } from '../../i18n/strings.js';
import { renderLongText } from '../parts/ahp-long-text.js';

/** A host may send anything as text; what is none is empty. */
export const renderOutput = (text: unknown, strings: Strings): TemplateResult =>
  renderLongText(strings.output, typeof text === 'string' ? text : '');
