/** What is raised while a call waits for a person, or opens below its line. Loaded with the first of them. */

import type { TemplateResult } from 'lit';
import type { ToolCallState } from '../../protocol/state.js';
import type { ToolCallView } from './ahp-tool-call.js';
import { renderAuthRequired } from './auth-required.js';
import { renderConfirmation, renderResultConfirmation } from './confirmation.js';
import { renderDetails } from './details.js';

export function renderCard(call: ToolCallState, view: ToolCallView): TemplateResult {
  switch (call.status) {
    case 'pending-confirmation':
      return renderConfirmation(call, view);
    case 'pending-result-confirmation':
      return renderResultConfirmation(call, view);
    case 'auth-required':
      return renderAuthRequired(call, view);
    default:
      return renderDetails(call, view);
  }
}
