import { LitElement, html, nothing, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import { userMessage } from '../../chat/actions.js';
import type { UnconfirmedIntent } from '../../chat/store.js';
import { Localized } from '../../i18n/localize.js';
import type { ConfirmationOption, ToolCallState } from '../../protocol/state.js';
import { define } from '../define.js';
import { AhpToolCancelEvent, AhpToolConfirmEvent, type ToolAnswer } from '../events.js';
import { FocusKeeper } from '../focus-keeper.js';
import { loadToolCards } from '../parts/lazy.js';
import { whenLoaded } from '../parts/when-loaded.js';
import { announceFold } from '../transcript/fold.js';
import type { PartScope } from '../transcript/part-scope.js';
import type { AhpToolInput } from './ahp-tool-input.js';
import { noteAnswer, noteChange, stageOf } from './decision.js';
import { renderLine } from './line.js';
import type { ContentContext } from '../parts/render-content-ref.js';

/** What a status' template needs of the element. */
export interface ToolCallView extends ContentContext {
  readonly turnId: string;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  /** Answers are taken now, at the next connection, or never; one was given, or was given and is not proven. */
  readonly answers: PartScope['answers'] | 'given' | 'unproven';
  /** The answer without proof. */
  readonly unproven: UnconfirmedIntent | undefined;
  /** Whether the whole input can be read here: nothing is allowed unseen. */
  readonly isInputShown: boolean;
  answer(stage: ToolAnswer['stage'], approved: boolean, option?: ConfirmationOption): void;
  /** Gives up a call that waits for a sign-in. */
  cancel(): void;
  /** Opens a field of the confirmation with a text, or closes it; the focus goes there or back. */
  setField(field: 'input' | 'suggestion', text: string | undefined): void;
  readonly opened: 'input' | 'suggestion' | undefined;
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
 * @fires {AhpRetryEvent} ahp-retry - An answer without proof is to be sent once more.
 * @fires {AhpDiscardEvent} ahp-discard - An answer without proof is given up.
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
   * The state that was answered. Any other takes the mark away, and so does a refusal: it may bring this very state back
   * before another one was shown.
   */
  #answered: ToolCallState | undefined;
  #shown: ToolCallState | undefined;
  #refusals: number | undefined;
  /** The field that was opened by hand: it takes the focus when it comes. */
  #opened: 'input' | 'suggestion' | undefined;

  constructor() {
    super();
    // The card goes when it is answered, here or elsewhere: its line takes the focus, or the next question of the call.
    new FocusKeeper(this, () => this.querySelector<HTMLElement>('[data-needs-answer], [part=tool-call-line]'));
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override willUpdate(): void {
    const { call, scope } = this;
    if (this.#answered !== call || this.#refusals !== scope?.refusals) this.#answered = undefined;
    this.#refusals = scope?.refusals;
    if (!call || !scope || this.#shown === call) return;
    const isAnswered = this.#answered !== undefined || scope.pendingIds.has(call.toolCallId);
    noteChange(scope.memory, this.#key, call, this.#shown, isAnswered);
    this.#shown = call;
  }

  readonly #onToggle = (): void => {
    const memory = this.scope?.memory;
    announceFold(this);
    memory?.setOpen(this.memoryKey, !memory.isOpen(this.memoryKey));
    this.requestUpdate();
  };

  #answer(stage: ToolAnswer['stage'], approved: boolean, option?: ConfirmationOption): void {
    const { call, scope } = this;
    // A button that is gone already may still be pressed by a program.
    if (!call || !scope || stageOf(call) !== stage || this.#answers() !== 'yes') return;
    const written = this.#takeWritten(stage, approved);
    if (!written) return;
    const answer: ToolAnswer = {
      turnId: this.turnId,
      toolCallId: call.toolCallId,
      stage,
      approved,
      ...(option && { optionId: option.id }),
      ...(!approved && stage === 'call' && { reason: 'denied' as const }),
      ...written,
    };
    this.#give(new AhpToolConfirmEvent(answer), () => noteAnswer(scope.memory, this.#key, stage, approved));
  }

  /** What was written goes with the answer it belongs to. Nothing at all while it may not go out as it is. */
  #takeWritten(stage: ToolAnswer['stage'], approved: boolean) {
    if (stage === 'result') return {};
    if (approved) {
      const taken = this.#input?.take();
      if (this.#input && !taken) return undefined;
      return taken?.edited === undefined ? {} : { editedToolInput: taken.edited };
    }
    const text = this.scope!.memory.texts.get(`${this.#key} suggestion`)?.trim();
    return text ? { suggestion: userMessage(text) } : {};
  }

  readonly #cancel = (): void => {
    const { call } = this;
    if (call?.status === 'auth-required' && this.#answers() === 'yes')
      this.#give(new AhpToolCancelEvent(this.turnId, call.toolCallId));
  };

  /** Marked before it is told, so that nothing that happens meanwhile can answer twice. */
  #give(event: Event, onGiven?: () => void): void {
    this.#answered = this.call;
    onGiven?.();
    if (!this.dispatchEvent(event)) this.#answered = undefined;
    this.requestUpdate();
  }

  #answers(): ToolCallView['answers'] {
    const { scope, call } = this;
    if (!this.active || !scope || scope.answers === 'no') return 'no';
    if (this.#answered !== undefined || scope.pendingIds.has(call?.toolCallId ?? '')) return 'given';
    return this.#unproven() ? 'unproven' : scope.answers;
  }

  #unproven(): UnconfirmedIntent | undefined {
    const { call, turnId } = this;
    return this.scope?.unconfirmed.find(({ actions }) =>
      actions.some(
        (action) => 'toolCallId' in action && action.toolCallId === call?.toolCallId && action.turnId === turnId,
      ),
    );
  }

  get #input(): AhpToolInput | null {
    return this.querySelector('ahp-tool-input');
  }

  readonly #setField = (field: 'input' | 'suggestion', text: string | undefined): void => {
    const texts = this.scope?.memory.texts;
    const key = `${this.#key} ${field}`;
    announceFold(this);
    this.#opened = text === undefined ? undefined : field;
    if (text === undefined) texts?.delete(key);
    else texts?.set(key, text);
    this.requestUpdate();
    if (text === undefined) void this.#focusOpener(field);
  };

  async #focusOpener(field: 'input' | 'suggestion'): Promise<void> {
    await this.updateComplete;
    await this.#input?.updateComplete;
    this.querySelector<HTMLElement>(`[data-opens=${field}]`)?.focus();
  }

  /** A call keeps its place in its turn; the id is there for hosts that do not keep to it. */
  get #key(): string {
    return `${this.memoryKey} ${this.call?.toolCallId}`;
  }

  override render() {
    const { call, scope } = this;
    if (!call || !scope) return nothing;
    const hasText = 'toolInput' in call && typeof call.toolInput !== 'string' && call.toolInput !== undefined;
    const view: ToolCallView = {
      turnId: this.turnId,
      key: this.#key,
      scope,
      localization: this.#language.value,
      isOpen: scope.memory.isOpen(this.memoryKey),
      onToggle: this.#onToggle,
      answers: this.#answers(),
      unproven: this.#unproven(),
      isInputShown: !hasText || (this.#input?.isShown ?? false),
      answer: (stage, approved, option) => this.#answer(stage, approved, option),
      cancel: this.#cancel,
      setField: this.#setField,
      opened: this.#opened,
    };
    return html`<div class="tool-call" part="tool-call" @ahp-input-shown=${() => this.requestUpdate()}>
      ${renderStatus(call, view)}
    </div>`;
  }
}

function renderStatus(call: ToolCallState, view: ToolCallView): TemplateResult {
  const { strings } = view.localization;
  const renderCard = () => loadToolCards.module?.renderCard(call, view);
  const card = () => whenLoaded(loadToolCards, renderCard, strings);
  if (stageOf(call) !== undefined || call.status === 'auth-required') return html`${card()}`;
  return html`${renderLine(call, view)}${view.isOpen ? card() : nothing}`;
}

define('ahp-tool-call', AhpToolCall);

declare global {
  interface HTMLElementTagNameMap {
    'ahp-tool-call': AhpToolCall;
  }
}
