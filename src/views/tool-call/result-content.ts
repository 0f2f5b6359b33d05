/** What a tool said or made, block by block. A type of a later version keeps a plain line with its name. */

import { html, type TemplateResult } from 'lit';
import type { Localization } from '../../i18n/localize.js';
import type { FileEdit, ToolResultContent } from '../../protocol/state.js';
import { toLabel } from '../label.js';
import type { AhpContentRef } from '../parts/ahp-content-ref.js';
import { loadContentRef, loadTerminal, loadWorkerChat } from '../parts/lazy.js';
import { whenLoaded } from '../parts/when-loaded.js';
import type { PartScope } from '../transcript/part-scope.js';
import './ahp-file-edit.js';
import type { TerminalBlock } from './ahp-terminal.js';
import type { WorkerBlock } from './ahp-worker-chat.js';
import { renderOutput } from './output.js';

/** What content needs beside itself. */
export interface ContentContext {
  readonly scope: PartScope;
  readonly localization: Localization;
  /** Names the call in the view memory. */
  readonly key: string;
}

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

/** Content by itself or by reference, in an element that comes when it is first needed. */
export function renderContentRef(
  content: AhpContentRef['content'],
  { scope, localization }: ContentContext,
): TemplateResult {
  const element = () => html`<ahp-content-ref .content=${content} .scope=${scope}></ahp-content-ref>`;
  return html`${whenLoaded(loadContentRef, element, localization.strings)}`;
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

/** A handler that raises an event from the pressed button. */
export const dispatch = (create: () => Event) => (event: Event) => event.currentTarget?.dispatchEvent(create());
