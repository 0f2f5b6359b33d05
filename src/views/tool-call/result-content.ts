/** What a tool said or made, block by block. A type of a later version keeps a plain line with its name. */

import { html, nothing, type TemplateResult } from 'lit';
import type { Localization } from '../../i18n/localize.js';
import type { Strings } from '../../i18n/strings.js';
import type { FileEdit, TerminalResult, ToolResultContent } from '../../protocol/state.js';
import { AhpOpenChatEvent, AhpOpenResourceEvent } from '../events.js';
import { icon } from '../icons.js';
import { toLabel, toResourceName } from '../label.js';
import type { AhpContentRef } from '../parts/ahp-content-ref.js';
import { renderCodeBox } from '../parts/code-box.js';
import { loadContentRef } from '../parts/lazy.js';
import { whenLoaded } from '../parts/when-loaded.js';
import type { PartScope } from '../transcript/part-scope.js';

/** What content needs beside itself. */
export interface ContentContext {
  readonly scope: PartScope;
  readonly localization: Localization;
}

/** UTF-16 units of one text; of a longer one the end is shown, where the news is. */
const MAX_TEXT = 200_000;
/** A longer text is cut in steps, so that between two steps it only grows and is appended to. */
const STEP = 65_536;

export function renderResultContent(block: ToolResultContent, context: ContentContext): TemplateResult {
  const { strings } = context.localization;
  switch (block?.type) {
    case 'text':
      return renderOutput(block.text, strings);
    case 'embeddedResource':
    case 'resource':
      return renderContentRef(block, context);
    case 'fileEdit':
      return renderFileEdit(block, strings);
    case 'terminal':
      return renderTerminal(block.title, block.result ?? {}, strings);
    case 'terminalComplete':
      return renderTerminal(strings.liveTerminal, block, strings);
    case 'subagent':
      return html`<div class="agent-card">
        ${icon('bot')}
        <div class="agent-text">
          <bdi class="strong">${toLabel(block.title)}</bdi>
          ${block.agentName ? html`<bdi class="quiet">${toLabel(block.agentName)}</bdi>` : nothing}
          ${block.description ? html`<p class="literal quiet" dir="auto">${block.description}</p>` : nothing}
        </div>
        <button class="button" type="button" @click=${dispatch(() => new AhpOpenChatEvent(block.resource))}>
          ${strings.open}
        </button>
      </div>`;
    default:
      return html`<p class="plain quiet">
        ${strings.unknownPart(toLabel(String((block as { type?: unknown } | undefined)?.type)))}
      </p>`;
  }
}

/** Content by itself or by reference, in an element that comes when it is first needed. */
export function renderContentRef(
  content: AhpContentRef['content'],
  { scope, localization }: ContentContext,
): TemplateResult {
  const element = () => html`<ahp-content-ref .content=${content} .scope=${scope}></ahp-content-ref>`;
  return html`${whenLoaded(loadContentRef, element, localization.strings)}`;
}

function renderOutput(text: unknown, strings: Strings): TemplateResult {
  const whole = typeof text === 'string' ? text : '';
  const from = whole.length > MAX_TEXT ? Math.ceil((whole.length - MAX_TEXT) / STEP) * STEP : 0;
  return html`${from > 0 ? html`<p class="plain quiet">${strings.truncated}</p>` : nothing}${renderCodeBox(
    strings.output,
    from > 0 ? whole.slice(from) : whole,
  )}`;
}

/** Made, deleted, moved or edited, with the lines that came and went. */
export function renderFileEdit(edit: FileEdit, strings: Strings): TemplateResult {
  const uri = edit.after?.uri ?? edit.before?.uri ?? '';
  return html`<div class="file-edit">
    ${icon('file')}
    <span>${toEditWord(edit, strings)}</span>
    <button
      class="link-button"
      type="button"
      title=${toLabel(uri)}
      @click=${dispatch(() => new AhpOpenResourceEvent(uri))}
    >
      <bdi class="code">${toLabel(toResourceName(uri))}</bdi>
    </button>
    ${renderDiffCounts(edit, strings)}
  </div>`;
}

function toEditWord({ before, after }: FileEdit, strings: Strings): string {
  if (!before) return strings.fileCreated;
  if (!after) return strings.fileDeleted;
  return before.uri === after.uri ? strings.fileEdited : strings.fileMoved;
}

export function renderDiffCounts({ diff }: FileEdit, strings: Strings): TemplateResult | typeof nothing {
  const { added, removed } = diff ?? {};
  if (!added && !removed) return nothing;
  return html`<span class="counts">
    ${added ? html`<span class="added" title=${strings.linesAdded(added)}>+${added}</span>` : nothing}
    ${removed ? html`<span class="removed" title=${strings.linesRemoved(removed)}>−${removed}</span>` : nothing}
  </span>`;
}

function renderTerminal(title: string, result: TerminalResult, strings: Strings): TemplateResult {
  const { exitCode, preview, truncated } = result;
  return html`<div class="terminal">
    <div class="terminal-head">
      ${icon('terminal')}<bdi>${toLabel(title ?? '') || strings.liveTerminal}</bdi>
      ${
        exitCode === undefined
          ? nothing
          : html`<span class=${exitCode === 0 ? 'quiet' : 'danger'}>${strings.exitCode(String(exitCode))}</span>`
      }
      ${truncated ? html`<span class="quiet">${strings.truncated}</span>` : nothing}
    </div>
    ${preview ? renderCodeBox(strings.output, stripEscapes(preview)) : nothing}
  </div>`;
}

/** A preview is plain text here: what would move a cursor or colour a letter is left out. */
// eslint-disable-next-line no-control-regex -- escape sequences are made of these
const escapes = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-_])/g;
const stripEscapes = (text: string): string => text.replace(escapes, '').replace(/\r(?!\n)/g, '\n');

/** A handler that raises an event from the pressed button. */
export const dispatch = (create: () => Event) => (event: Event) => event.currentTarget?.dispatchEvent(create());
