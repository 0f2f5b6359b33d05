/** What a tool said or made, block by block. A type of a later version keeps a plain line with its name. */

import { html, type TemplateResult } from 'lit';
import type { FileEdit, ToolResultContent } from '../../protocol/state.js';
import { toLabel } from '../label.js';
import { loadTerminal, loadWorkerChat } from '../parts/lazy.js';
import { renderContentRef, type ContentContext } from '../parts/render-content-ref.js';
import { whenLoaded } from '../parts/when-loaded.js';
import './ahp-file-edit.js';
import type { TerminalBlock } from './ahp-terminal.js';
import type { WorkerBlock } from './ahp-worker-chat.js';
import { renderOutput } from './output.js';

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
      return renderTerminal(block, context);
    case 'terminalComplete':
      return renderTerminal({ resource: block.resource, result: block }, context);
    case 'subagent':
      return renderWorker(block, context, place);
    default:
      return html`<p class="plain quiet">
        ${strings.unknownPart(toLabel(String((block as { type?: unknown } | undefined)?.type)))}
      </p>`;
  }
}

/** A file edit that can be opened; `place` tells it from others of the same call. */
export const renderFileEdit = (edit: FileEdit, { scope, key }: ContentContext, place: number, unfolded = false) =>
  html`<ahp-file-edit
    .edit=${edit}
    .scope=${scope}
    .memoryKey=${`${key} edit ${place}`}
    .unfolded=${unfolded}
  ></ahp-file-edit>`;

function renderWorker(block: WorkerBlock, { scope, key, localization }: ContentContext, place: number): TemplateResult {
  const element = () =>
    html`<ahp-worker-chat .block=${block} .scope=${scope} .memoryKey=${`${key} worker ${place}`}></ahp-worker-chat>`;
  return html`${whenLoaded(loadWorkerChat, element, localization.strings)}`;
}

function renderTerminal(block: TerminalBlock, { scope, localization }: ContentContext): TemplateResult {
  const element = () => html`<ahp-terminal .block=${block} .scope=${scope}></ahp-terminal>`;
  return html`${whenLoaded(loadTerminal, element, localization.strings)}`;
}
