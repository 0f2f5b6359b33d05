/** What a tool said or made, block by block. A type of a later version keeps a plain line with its name. */

import { html, nothing, type TemplateResult } from 'lit';
import type { Localization } from '../../i18n/localize.js';
import type { Strings } from '../../i18n/strings.js';
import type { FileEdit, TerminalResult, ToolResultContent } from '../../protocol/state.js';
import { AhpOpenChatEvent } from '../events.js';
import { icon } from '../icons.js';
import { toLabel } from '../label.js';
import type { AhpContentRef } from '../parts/ahp-content-ref.js';
import { renderCodeBox } from '../parts/code-box.js';
import { loadContentRef } from '../parts/lazy.js';
import { whenLoaded } from '../parts/when-loaded.js';
import type { PartScope } from '../transcript/part-scope.js';
import './ahp-file-edit.js';

/** What content needs beside itself. */
export interface ContentContext {
  readonly scope: PartScope;
  readonly localization: Localization;
  /** Names the call in the view memory. */
  readonly key: string;
}

/** UTF-16 units of one text; of a longer one the end is shown, where the news is. */
const MAX_TEXT = 200_000;
/** A longer text is cut in steps, so that between two steps it only grows and is appended to. */
const STEP = 65_536;

export function renderResultContent(block: ToolResultContent, context: ContentContext, place: number): TemplateResult {
  const { strings } = context.localization;
  switch (block?.type) {
    case 'text':
      return renderOutput(block.text, strings);
    case 'embeddedResource':
    case 'resource':
      return renderContentRef(block, context);
    case 'fileEdit':
      return renderFileEdit(block, context, place);
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

/** A file edit that can be opened; `place` tells it from others of the same call. */
export const renderFileEdit = (edit: FileEdit, { scope, key }: ContentContext, place: number, unfolded = false) =>
  html`<ahp-file-edit
    .edit=${edit}
    .scope=${scope}
    .memoryKey=${`${key} edit ${place}`}
    .unfolded=${unfolded}
  ></ahp-file-edit>`;

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
