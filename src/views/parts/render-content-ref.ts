/** Where content by itself or by reference stands: its element comes when it is first needed. */

import { html, type TemplateResult } from 'lit';
import type { Localization } from '../../i18n/localize.js';
import type { PartScope } from '../transcript/part-scope.js';
import type { AhpContentRef } from './ahp-content-ref.js';
import { loadContentRef } from './lazy.js';
import { whenLoaded } from './when-loaded.js';

/** What content needs beside itself. */
export interface ContentContext {
  readonly scope: PartScope;
  readonly localization: Localization;
  /** Names the call in the view memory. */
  readonly key: string;
}

/** Content by itself or by reference, in an element that comes when it is first needed. */
export function renderContentRef(
  content: AhpContentRef['content'],
  { scope, localization }: ContentContext,
): TemplateResult {
  const element = () => html`<ahp-content-ref .content=${content} .scope=${scope}></ahp-content-ref>`;
  return html`${whenLoaded(loadContentRef, element, localization.strings)}`;
}
