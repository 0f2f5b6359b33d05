/**
 * Tells what became of what a person wanted, where the chat itself does not show it: by a line above the text, a word to
 * screen readers, an event for the page.
 */

import type { ReactiveElement } from 'lit';
import type { Rejection } from '../chat/store.js';
import type { LanguageProvider } from '../i18n/localize.js';
import type { Strings } from '../i18n/strings.js';
import type { AhpError } from '../protocol/errors.js';
import { toReason } from '../protocol/reason.js';
import type { McpAuthRequirement } from '../protocol/state.js';
import { toNoticeText, type ComposerNotice } from '../views/composer/notices.js';
import { AhpAuthRequestEvent, AhpDiagnosticEvent, AhpErrorEvent, AhpRejectedEvent } from '../views/events.js';
import type { AhpAnnouncer } from '../views/status/ahp-announcer.js';
import type { HostListener } from './host-controller.js';
import type { EditFate } from './lost-edits.js';

export class Outcomes implements HostListener {
  readonly #element: ReactiveElement;
  readonly #language: LanguageProvider;
  #notice: ComposerNotice | undefined;
  #refusals = 0;

  /** Events are dispatched from `element`, which is updated when there is something else to show. */
  constructor(element: ReactiveElement, language: LanguageProvider) {
    this.#element = element;
    this.#language = language;
  }

  /** The line above the text. */
  get notice(): ComposerNotice | undefined {
    return this.#notice;
  }

  /** How many intents the host has refused. */
  get refusals(): number {
    return this.#refusals;
  }

  /** What speaks to screen readers, once there is something on screen. */
  get announcer(): AhpAnnouncer | null | undefined {
    return this.#element.shadowRoot?.querySelector('ahp-announcer');
  }

  get strings(): Strings {
    return this.#language.value.strings;
  }

  say(text: string, politeness: 'polite' | 'assertive' = 'polite'): void {
    this.announcer?.say(text, politeness);
  }

  /** Says that a message is on its way, where that has happened; what was told before is over with it. */
  tellSent(fact: 'sent' | 'queued' | 'steering'): void {
    this.#notice = undefined;
    this.#element.requestUpdate();
    this.announcer?.announceFact(fact);
  }

  /** Shows a line above the text, and says it. */
  setNotice(notice: ComposerNotice | undefined): void {
    this.#notice = notice;
    this.#element.requestUpdate();
    if (notice) this.say(toNoticeText(notice, this.strings));
  }

  /** Something the person asked for did not happen. */
  showFailure(error: AhpError): void {
    this.setNotice({ kind: 'failure', reason: error.message });
    this.#element.dispatchEvent(new AhpErrorEvent(error));
  }

  readonly onRejected = (rejection: Rejection, isGivenBack: boolean): void => {
    const { actions, code, reason } = rejection;
    this.#refusals += 1;
    this.#element.requestUpdate();
    // A form says by itself that its answer was refused.
    if (actions.every(({ type }) => type === 'chat/inputCompleted'))
      this.say(this.strings.answerRefused(toReason(reason)), 'assertive');
    else this.setNotice({ kind: code ?? (isGivenBack ? 'back' : 'change'), reason });
    this.#element.dispatchEvent(new AhpRejectedEvent(rejection));
  };

  readonly onEditLost = (fate: EditFate): void => {
    if (fate === 'unchanged') this.say(this.strings.sentAsItWas);
    else this.setNotice({ kind: fate, reason: '' });
  };

  readonly onAuthRequired = (requirement: McpAuthRequirement, toolCallId?: string): void => {
    this.#element.dispatchEvent(new AhpAuthRequestEvent(requirement, toolCallId));
  };

  readonly onDiagnostic = (code: string, text: string): void => {
    this.#element.dispatchEvent(new AhpDiagnosticEvent(code, text));
  };
}
