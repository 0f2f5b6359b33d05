/** The lines above the text: what became of a message or a change, and a draft from elsewhere. */

import { html, nothing } from 'lit';
import type { SessionInfo } from '../../chat/store.js';
import type { Strings } from '../../i18n/strings.js';
import { toReason } from '../../protocol/reason.js';
import type { Message } from '../../protocol/state.js';
import { AhpDraftOfferEvent, AhpNoticeEvent } from '../events.js';
import { icon } from '../icons.js';
import { shortenEnd, toLabel } from '../label.js';

export interface ComposerNotice {
  /**
   * `back`: a message was refused, and its text stands in the composer again. `taken`: so does the change of a message
   * that the host had taken before. `cut`: so does the change of a message whose turn is gone. `change`: the host refused something that has no text. `failure`: something else that
   * was asked for did not happen.
   */
  readonly kind: 'back' | 'taken' | 'cut' | 'change' | 'failure';
  /** The host's words: untrusted. */
  readonly reason: string;
}

export function toNoticeText({ kind, reason }: ComposerNotice, strings: Strings): string {
  if (kind === 'taken') return strings.takenBack;
  if (kind === 'cut') return strings.cutBack;
  if (kind === 'failure') return strings.didNotWork(toLabel(toReason(reason)));
  return (kind === 'back' ? strings.refusedBack : strings.refusedChange)(toLabel(toReason(reason)));
}

export function renderNotice(notice: ComposerNotice | undefined, target: EventTarget, strings: Strings) {
  if (!notice) return nothing;
  return html`<div class="row">
    ${icon('warning')}<bdi class="row-text">${toNoticeText(notice, strings)}</bdi>
    ${renderDismiss(() => target.dispatchEvent(new AhpNoticeEvent()), strings)}
  </div>`;
}

export function renderOffer(offer: Message | undefined, target: EventTarget, strings: Strings) {
  if (!offer) return nothing;
  const preview = shortenEnd(offer.text, 60);
  const answer = (choice: 'use' | 'dismiss') => () => target.dispatchEvent(new AhpDraftOfferEvent(choice));
  return html`<div class="row">
    <bdi class="row-text">${preview ? strings.offerDraftText(preview) : strings.offerDraft}</bdi>
    <button class="button" type="button" @click=${answer('use')}>${strings.useDraft}</button>
    ${renderDismiss(answer('dismiss'), strings)}
  </div>`;
}

const renderDismiss = (dismiss: () => void, strings: Strings) =>
  html`<button class="icon-button" type="button" aria-label=${strings.dismiss} @click=${dismiss}>${icon('x')}</button>`;

/** A host may run what stands behind its prefix; always there, so that it is spoken when it changes. */
export function renderCommandHint(text: string, session: SessionInfo | undefined, strings: Strings) {
  const prefix = session?.terminalCommandPrefix;
  const isCommand = !!prefix && text.startsWith(prefix);
  return html`<div class=${isCommand ? 'command-hint' : 'hidden-text'} id="command-hint" aria-live="polite">
    ${isCommand ? html`${icon('terminal')} ${strings.commandHint}` : nothing}
  </div>`;
}
