import { LitElement, css, html } from 'lit';
import { property } from 'lit/decorators.js';
import type { Announcement } from '../../chat/announcements.js';
import { LanguageProvider } from '../../i18n/localize.js';
import type { Strings } from '../../i18n/strings.js';
import type { Clock } from '../clock.js';
import { define } from '../define.js';
import { shortenEnd } from '../label.js';
import { toWords } from '../parts/words.js';

type Politeness = Announcement['politeness'];

/** Between two polite messages: what comes meanwhile waits, and only the last of it is said. */
const PAUSE_MS = 1_500;
/** A message that stands any longer is met again by those who read the page. */
const SHOWN_MS = 10_000;
const LONGEST = 300;

/** Facts of the connection and the composer that no two chat states tell. */
export type AnnouncedFact = 'offline' | 'offlineNotKept' | 'online' | 'sent' | 'queued' | 'steering';

/**
 * The one place that speaks to screen readers: a polite and an assertive live region, there from the start. It says what
 * changes what a person can do, never what streams, and keeps a budget: of polite messages that come close together the
 * last one is said.
 *
 * @customElement ahp-announcer
 * @summary Live regions for screen readers.
 */
export class AhpAnnouncer extends LitElement {
  static override styles = css`
    :host {
      position: absolute;
      inline-size: 1px;
      block-size: 1px;
      overflow: hidden;
      clip-path: inset(50%);
      white-space: nowrap;
    }
    @media print {
      :host {
        display: none;
      }
    }
  `;

  readonly #language = new LanguageProvider(this);

  /** Without one everything is said at once and stands until the next. */
  @property({ attribute: false }) clock: Clock | undefined;

  readonly #text: Record<Politeness, string> = { polite: '', assertive: '' };
  readonly #cancelClear: Partial<Record<Politeness, (() => void) | undefined>> = {};
  #waiting: string | undefined;
  #cancelPause: (() => void) | undefined;

  /** Says what has happened to the chat. */
  announce(announcement: Announcement): void {
    this.say(toText(announcement, this.#language.value.strings), announcement.politeness);
  }

  /** Says what has happened around it. */
  announceFact(fact: AnnouncedFact): void {
    const { strings } = this.#language.value;
    const texts: Record<AnnouncedFact, string> = {
      offline: strings.announceOffline,
      offlineNotKept: strings.announceOfflineNotKept,
      online: strings.announceOnline,
      sent: strings.announceSent,
      queued: strings.announceQueued,
      steering: strings.announceSteering,
    };
    this.say(texts[fact], 'polite');
  }

  /** Says a text, cut to what can be listened to. */
  say(text: string, politeness: Politeness): void {
    if (politeness === 'polite' && this.#cancelPause) this.#waiting = text;
    else this.#speak(text, politeness);
  }

  override disconnectedCallback(): void {
    this.#cancelPause?.();
    this.#cancelPause = this.#waiting = undefined;
    for (const cancel of Object.values(this.#cancelClear)) cancel?.();
    super.disconnectedCallback();
  }

  #speak(text: string, politeness: Politeness): void {
    const short = shortenEnd(text, LONGEST);
    // The same words again are no change, unless something in them changes.
    this.#text[politeness] = short === this.#text[politeness] ? `${short}\u00a0` : short;
    this.requestUpdate();
    this.#cancelClear[politeness]?.();
    this.#cancelClear[politeness] = this.clock?.schedule(SHOWN_MS, () => {
      this.#text[politeness] = '';
      this.requestUpdate();
    });
    if (politeness === 'polite') this.#cancelPause = this.clock?.schedule(PAUSE_MS, this.#onPauseEnd);
  }

  readonly #onPauseEnd = (): void => {
    const text = this.#waiting;
    this.#waiting = this.#cancelPause = undefined;
    if (text !== undefined) this.#speak(text, 'polite');
  };

  override render() {
    return html`<div aria-live="polite" aria-atomic="true">${this.#text.polite}</div>
      <div aria-live="assertive" aria-atomic="true">${this.#text.assertive}</div>`;
  }
}

function toText(announcement: Announcement, strings: Strings): string {
  switch (announcement.key) {
    case 'turnStarted':
      return strings.announceStarted;
    case 'turnFinished':
      return strings.announceFinished(toWords({ markdown: announcement.text }));
    case 'turnCancelled':
      return strings.announceCancelled;
    case 'turnFailed':
      return strings.announceFailed(toWords(announcement.message));
    case 'confirmationNeeded':
      return strings.announceConfirmation(toWords(announcement.tool));
    case 'resultConfirmationNeeded':
      return strings.announceResult(toWords(announcement.tool));
    case 'authenticationNeeded':
      return strings.announceSignIn(toWords(announcement.tool));
    case 'questionClosed':
      return {
        accept: strings.announceAnswered,
        decline: strings.announceDeclined,
        cancel: strings.announceQuestionCancelled,
      }[announcement.response];
    case 'questionAsked':
      return strings.announceQuestion(toWords({ markdown: announcement.message }));
  }
}

define('ahp-announcer', AhpAnnouncer);

declare global {
  interface HTMLElementTagNameMap {
    'ahp-announcer': AhpAnnouncer;
  }
}
