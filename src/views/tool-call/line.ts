/** The quiet line of a call: a sign and a word for its state, what was done to what, and how it ended. */

import { html, nothing, type TemplateResult } from 'lit';
import type { Strings } from '../../i18n/strings.js';
import type { StringOrMarkdown, ToolCallState, ToolResultContent } from '../../protocol/state.js';
import { icon, type IconName } from '../icons.js';
import { toLabel } from '../label.js';
import { hasWords, renderWords } from '../parts/words.js';
import type { ToolCallView } from './ahp-tool-call.js';
import { toApproval, toRefusal } from './decision.js';
import { renderDiffCounts } from './diff-counts.js';
import { findExitCode } from './exit-code.js';

export function renderLine(call: ToolCallState, view: ToolCallView): TemplateResult {
  const { strings } = view.localization;
  const { sign, word, isLoud, tone } = toMark(call, view);
  return html`<button
    class="line ${tone}"
    part="tool-call-line"
    type="button"
    aria-expanded=${view.isOpen}
    @click=${view.onToggle}
  >
    ${icon(sign)}<span class="line-text">${renderSubject(call, strings)}</span>
    <span class=${isLoud ? 'line-word' : 'hidden-text'}>${word}</span>
    ${call.status === 'streaming' ? renderGrowing(call.partialInput) : nothing}
    ${'content' in call ? renderTail(call.content, strings) : nothing}
    ${
      view.answers === 'given'
        ? html`<span class="line-word">${strings.answerSent}</span>`
        : html`<span class="line-who quiet">${toApproval(call, view.scope.memory, view.key, strings)}</span>`
    }
    ${icon('chevron')}
  </button>`;
}

interface Mark {
  readonly sign: IconName;
  readonly word: string;
  /** Whether the word is for everybody; else the sign says it to those who see. */
  readonly isLoud: boolean;
  readonly tone: '' | 'danger' | 'running';
}

function toMark(call: ToolCallState, { localization: { strings }, scope, key }: ToolCallView): Mark {
  switch (call.status) {
    case 'streaming':
    case 'running':
      if (isElsewhere(call, scope)) {
        return { sign: 'running', word: strings.toolRunningElsewhere, isLoud: true, tone: 'running' };
      }
      return { sign: 'running', word: strings.toolRunning, isLoud: false, tone: 'running' };
    case 'completed':
      return call.success === false
        ? { sign: 'alert', word: strings.toolFailed, isLoud: true, tone: 'danger' }
        : { sign: 'check', word: strings.toolDone, isLoud: false, tone: '' };
    case 'cancelled':
      return {
        sign: 'ban',
        word: toRefusal(call, scope.memory, key, strings),
        isLoud: true,
        tone: '',
      };
    default: {
      const status = (call as { status?: unknown }).status;
      return { sign: 'alert', word: strings.toolUnknown(toLabel(String(status))), isLoud: true, tone: '' };
    }
  }
}

/** A tool of another page, or of another tab of this one. */
const isElsewhere = ({ contributor, status }: ToolCallState, { services }: ToolCallView['scope']): boolean =>
  status === 'running' && contributor?.kind === 'client' && services?.isThisClient?.(contributor.clientId) === false;

function renderSubject(call: ToolCallState, strings: Strings): TemplateResult {
  const said = toSaid(call);
  if (hasWords(said)) return renderWords(said);
  const name = call.displayName || call.toolName || '';
  return renderWords(call.status === 'streaming' ? strings.toolPreparing(toLabel(name)) : name);
}

function toSaid(call: ToolCallState): StringOrMarkdown | undefined {
  if ('pastTenseMessage' in call && hasWords(call.pastTenseMessage)) return call.pastTenseMessage;
  return 'invocationMessage' in call ? call.invocationMessage : undefined;
}

/** The end of what has been written so far: it may be cut anywhere, and is no more than a sign of life. */
const GROWING = 60;

function renderGrowing(input: unknown) {
  if (typeof input !== 'string' || input === '') return nothing;
  const end = toLabel(input.slice(-4 * GROWING));
  return html`<code class="line-growing" aria-hidden="true" dir="ltr">${[...end].slice(-GROWING).join('')}</code>`;
}

/** What is worth knowing without opening: changed lines, and an exit code that is not zero. */
function renderTail(content: readonly ToolResultContent[] | undefined, strings: Strings) {
  return (content ?? []).map((block) => {
    if (block?.type === 'fileEdit') return renderDiffCounts(block, strings);
    const exitCode = findExitCode(block);
    return exitCode ? html`<span class="danger">${strings.exitCode(String(exitCode))}</span>` : nothing;
  });
}
