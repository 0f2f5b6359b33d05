import { LitElement, html, nothing, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import { Localized } from '../../i18n/localize.js';
import type { ConfirmationOption, ToolCallState } from '../../protocol/state.js';
import { define } from '../define.js';
import { AhpToolConfirmEvent, type ToolAnswer } from '../events.js';
import { announceFold } from '../transcript/fold.js';
import type { PartScope } from '../transcript/part-scope.js';
import { renderAuthRequired } from './auth-required.js';
import { renderConfirmation, renderResultConfirmation } from './confirmation.js';
import { renderDetails } from './details.js';
import { renderLine } from './line.js';
import type { ContentContext } from './result-content.js';

/** What a status' template needs of the element. */
export interface ToolCallView extends ContentContext {
  readonly turnId: string;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  /** Answers are taken now, at the next connection, or never. */
  readonly answers: PartScope['answers'] | 'given';
  answer(stage: ToolAnswer['stage'], approved: boolean, option?: ConfirmationOption): void;
}

/**
 * One tool call: a quiet line that opens into what went in and what came out, and a raised card while it waits for a
 * person. The host's options are shown as they are, in its order; one answer is given to one question. Has no shadow
 * root: it is styled by the transcript.
 *
 * @customElement ahp-tool-call
 * @summary A tool call in any of its states.
 * @fires {AhpToolConfirmEvent} ahp-tool-confirm - The call or its result is allowed or denied.
 * @fires {AhpToolCancelEvent} ahp-tool-cancel - A call that waits for a sign-in is given up.
 * @fires {AhpAuthRequestEvent} ahp-auth-request - Somebody has to sign in.
 * @fires {AhpOpenResourceEvent} ahp-open-resource - A file of the result was pressed.
 * @fires {AhpOpenChatEvent} ahp-open-chat - A worker's chat is to be shown.
 * @csspart tool-call - The whole call.
 * @csspart tool-call-line - Its quiet line.
 * @csspart tool-call-body - What opens below the line.
 * @csspart confirmation - The raised card.
 */
export class AhpToolCall extends LitElement {
  readonly #language = new Localized(this);

  @property({ attribute: false }) call: ToolCallState | undefined;
  @property({ attribute: false }) turnId = '';

  /** Names it in the view memory. */
  @property({ attribute: false }) memoryKey = '';

  /** Whether its turn runs: a call of a finished turn asks nothing. */
  @property({ type: Boolean }) active = false;

  @property({ attribute: false }) scope: PartScope | undefined;

  /**
   * The state that was answered. A refused answer brings this very state back only after another one was shown, so the
   * mark is taken away by any other.
   */
  #answered: ToolCallState | undefined;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override willUpdate(): void {
    if (this.#answered !== this.call) this.#answered = undefined;
  }

  readonly #onToggle = (): void => {
    const memory = this.scope?.memory;
    announceFold(this);
    memory?.setOpen(this.memoryKey, !memory.isOpen(this.memoryKey));
    this.requestUpdate();
  };

  #answer(stage: ToolAnswer['stage'], approved: boolean, option?: ConfirmationOption): void {
    const { call } = this;
    if (!call || this.#answers() !== 'yes') return;
    // Marked before it is told, so that nothing that happens meanwhile can answer twice.
    this.#answered = call;
    const answer: ToolAnswer = {
      turnId: this.turnId,
      toolCallId: call.toolCallId,
      stage,
      approved,
      ...(option && { optionId: option.id }),
      ...(!approved && stage === 'call' && { reason: 'denied' as const }),
    };
    if (this.dispatchEvent(new AhpToolConfirmEvent(answer))) this.scope?.memory.answeredHere.add(call.toolCallId);
    else this.#answered = undefined;
    this.requestUpdate();
  }

  #answers(): ToolCallView['answers'] {
    const { scope, call } = this;
    if (!this.active || !scope || scope.answers === 'no') return 'no';
    if (this.#answered !== undefined || scope.pendingIds.has(call?.toolCallId ?? '')) return 'given';
    return scope.answers;
  }

  override render() {
    const { call, scope } = this;
    if (!call || !scope) return nothing;
    const view: ToolCallView = {
      turnId: this.turnId,
      key: this.memoryKey,
      scope,
      localization: this.#language.value,
      isOpen: scope.memory.isOpen(this.memoryKey),
      onToggle: this.#onToggle,
      answers: this.#answers(),
      answer: (stage, approved, option) => this.#answer(stage, approved, option),
    };
    return html`<div class="tool-call" part="tool-call">${renderStatus(call, view)}</div>`;
  }
}

function renderStatus(call: ToolCallState, view: ToolCallView): TemplateResult {
  switch (call.status) {
    case 'pending-confirmation':
      return renderConfirmation(call, view);
    case 'pending-result-confirmation':
      return renderResultConfirmation(call, view);
    case 'auth-required':
      return renderAuthRequired(call, view);
    default:
      return html`${renderLine(call, view)}${view.isOpen ? renderDetails(call, view) : nothing}`;
  }
}

define('ahp-tool-call', AhpToolCall);

declare global {
  interface HTMLElementTagNameMap {
    'ahp-tool-call': AhpToolCall;
  }
}
