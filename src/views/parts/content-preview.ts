/**
 * What can be shown of bytes from somewhere else: pictures of formats that hold no script, text as text, Markdown as
 * Markdown. Everything else can only be saved. Nothing here makes an address that the page could navigate to.
 */

import { html, type TemplateResult } from 'lit';
import { decodeBase64 } from '../../bytes/base64.js';
import type { Localization } from '../../i18n/localize.js';
import { renderLongText } from './ahp-long-text.js';
import './ahp-markdown.js';
import { indentJson } from './code-box.js';

/** What was read: base64 or text. */
export interface Loaded {
  readonly data: string;
  readonly isBase64: boolean;
  readonly contentType: string;
}

/** UTF-16 units of base64 up to which a picture is decoded. */
const MAX_PICTURE = 12_000_000;
/** Lexing Markdown costs more than laying out text. */
const MAX_MARKDOWN = 100_000;

const picture = /^image\/(png|jpeg|gif|webp|avif)\s*(;|$)/i;
const json = /^application\/json\b|^[^;]*\+json\b/i;
const markdown = /^text\/(x-)?markdown\b/i;
const textual =
  /^(text\/|application\/(json|xml|javascript|typescript|x-sh|x-ndjson|yaml|toml|sql)\b|[^;]*\+(json|xml)\b)/i;

export const isPicture = (contentType: string | undefined): boolean => picture.test(contentType ?? '');

/** Throws `Base64Error` where a host calls something base64 that is not. */
export const toBytes = ({ data, isBase64 }: Loaded): BlobPart => (isBase64 ? decodeBase64(data) : data);

export interface PreviewOptions {
  /** What the content is called, for whoever does not see it. */
  readonly name: string;
  readonly localization: Localization;
  readonly imageOrigins: readonly string[];
  /** The picture is none, whatever its type says. */
  readonly onBroken: () => void;
}

export function renderPreview(loaded: Loaded, options: PreviewOptions): TemplateResult {
  const { contentType, data, isBase64 } = loaded;
  const { strings } = options.localization;
  if (isPicture(contentType) && isBase64 && data.length <= MAX_PICTURE) {
    const [type = ''] = contentType.split(';');
    return html`<img
      class="picture"
      alt=${options.name}
      decoding="async"
      src="data:${type.trim()};base64,${data}"
      @error=${options.onBroken}
    />`;
  }
  if (isBase64 && !textual.test(contentType)) return html`<p class="plain quiet">${strings.noPreview}</p>`;
  const text = findText(loaded);
  if (text === undefined) return html`<p class="plain danger">${strings.contentBroken}</p>`;
  return renderTextOf(text, contentType, options);
}

function renderTextOf(text: string, contentType: string, { name, imageOrigins }: PreviewOptions): TemplateResult {
  if (markdown.test(contentType) && text.length <= MAX_MARKDOWN) {
    return html`<div class="content-text" tabindex="0" role="group" aria-label=${name}>
      <ahp-markdown .text=${text} .imageOrigins=${imageOrigins}></ahp-markdown>
    </div>`;
  }
  return renderLongText(name, json.test(contentType) ? indentJson(text) : text);
}

function findText({ data, isBase64 }: Loaded): string | undefined {
  if (!isBase64) return data;
  try {
    return new TextDecoder().decode(decodeBase64(data));
  } catch {
    // A host's mistake; the caller says so.
    return undefined;
  }
}
