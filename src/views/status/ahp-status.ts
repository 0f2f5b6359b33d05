import { LitElement, html, nothing, type PropertyValues } from 'lit';
import { property, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import type { ChatStoreStatus, UnconfirmedIntent } from '../../chat/store.js';
import { LanguageProvider } from '../../i18n/localize.js';
import type { Strings } from '../../i18n/strings.js';
import { toReason } from '../../protocol/reason.js';
import { isRecord } from '../../protocol/record.js';
import type { McpAuthRequirement } from '../../protocol/state.js';
import { offeredVersions } from '../../protocol/versions.js';
import type { Clock } from '../clock.js';
import { CopyController } from '../copy-controller.js';
import { define } from '../define.js';
import {
  AhpAuthGiveUpEvent,
  AhpAuthRequestEvent,
  AhpDiscardEvent,
  AhpReconnectEvent,
  AhpRetryEvent,
} from '../events.js';
import { icon } from '../icons.js';
import { toLabel } from '../label.js';
import { statusStyles } from './ahp-status.styles.js';
import { toUnconfirmedText } from './unconfirmed.js';

/** A connection that is back sooner is not worth a word. */
const PATIENCE_MS = 600;
const SECOND_MS = 1_000;

/**
 * What a person should know about the connection and about what they have sent: nothing while all is well. Says it to the
 * eye only; `<ahp-announcer>` speaks.
 *
 * @customElement ahp-status
 * @summary Connection, storage, and intents that the host has not confirmed.
 * @fires {AhpReconnectEvent} ahp-reconnect - The next attempt is to be made now.
 * @fires {AhpRetryEvent} ahp-retry - An unconfirmed intent is to be sent once more.
 * @fires {AhpDiscardEvent} ahp-discard - An unconfirmed intent is given up.
 * @fires {AhpAuthRequestEvent} ahp-auth-request - Somebody has to sign in before what was asked for can come.
 * @fires {AhpAuthGiveUpEvent} ahp-auth-give-up - Nobody will.
 * @csspart status - One row.
 */
export class AhpStatus extends LitElement {
  static override styles = statusStyles;

  readonly #language = new LanguageProvider(this);
  readonly #copy = new CopyController(this);

  @property({ attribute: false }) status: ChatStoreStatus | undefined;

  /** Without one there is no countdown and no patience. */
  @property({ attribute: false }) clock: Clock | undefined;

  /** Whether the connection has been away for long enough to say so. */
  @state() private isAway = false;

  #cancelPatience: (() => void) | undefined;
  #cancelTick: (() => void) | undefined;

  override disconnectedCallback(): void {
    this.#cancelPatience?.();
    this.#cancelTick?.();
    this.#cancelPatience = this.#cancelTick = undefined;
    super.disconnectedCallback();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // Timers ended with the disconnection.
    if (this.hasUpdated) this.requestUpdate();
  }

  protected override willUpdate(_changed: PropertyValues<this>): void {
    this.#wait(this.status?.phase === 'offline');
    this.#tick(this.isAway && this.status?.retryAt !== undefined);
  }

  #wait(isOffline: boolean): void {
    if (!isOffline) {
      this.#cancelPatience?.();
      this.#cancelPatience = undefined;
      this.isAway = false;
    } else if (!this.isAway && !this.#cancelPatience) {
      if (!this.clock) this.isAway = true;
      this.#cancelPatience = this.clock?.schedule(PATIENCE_MS, () => {
        this.#cancelPatience = undefined;
        this.isAway = true;
      });
    }
  }

  #tick(isCounting: boolean): void {
    if (!isCounting) {
      this.#cancelTick?.();
      this.#cancelTick = undefined;
      return;
    }
    this.#cancelTick ??= this.clock?.schedule(SECOND_MS, () => {
      this.#cancelTick = undefined;
      this.requestUpdate();
    });
  }

  override render() {
    const { status } = this;
    if (!status) return nothing;
    const { strings } = this.#language.value;
    return html`${this.#renderConnection(status, strings)}${status.signIns?.map((requirement) => renderSignIn(requirement, strings))}
    ${renderNotKept(status, strings)}
    ${
      status.unconfirmed.length > 0
        ? html`<ul class="unconfirmed" aria-label=${strings.unconfirmed}>
            ${repeat(
              status.unconfirmed,
              ({ id }) => id,
              (intent) => this.#renderUnconfirmed(intent, strings),
            )}
          </ul>`
        : nothing
    }`;
  }

  #renderConnection(status: ChatStoreStatus, strings: Strings) {
    if (status.phase === 'failed') {
      return html`<div class="row failed" part="status">
        ${icon('alert')}<bdi class="text">${toFailure(status, strings)}</bdi>
        ${renderReconnect(strings.tryAgain)}
      </div>`;
    }
    if (!this.isAway) return nothing;
    // The button stays while an attempt is under way, so that nobody who has pressed it loses the focus.
    const left = this.clock && status.retryAt !== undefined ? status.retryAt - this.clock.now() : 0;
    const { format } = this.#language.value;
    // Rounded up: the last second is a second and not nothing.
    const time = format.duration(Math.ceil(left / SECOND_MS) * SECOND_MS);
    return html`<div class="row" part="status">
      ${icon('offline')}<span class="text"
        >${status.notKept ? strings.offlineNotKept : strings.offline}${left > 0 ? html` · ${strings.reconnectingIn(time)}` : nothing}</span
      >
      ${renderReconnect(strings.reconnectNow)}
    </div>`;
  }

  #renderUnconfirmed(intent: UnconfirmedIntent, strings: Strings) {
    const { id, canRetry } = intent;
    const { title, text } = toUnconfirmedText(intent, strings);
    const outcome = this.#copy.outcome(id);
    const copy = (event: Event) => this.#copy.copy(id, text, event.currentTarget as Element, this.clock);
    return html`<li class="row" part="status">
      ${icon('warning')}<bdi class="text">${title}</bdi>
      <span class="actions">
        ${canRetry ? renderButton(strings.retry, () => this.dispatchEvent(new AhpRetryEvent(id))) : nothing}
        ${
          text
            ? renderButton(
                { copied: strings.copied, failed: strings.copyFailed, none: strings.copy }[outcome ?? 'none'],
                copy,
              )
            : nothing
        }
        ${renderButton(strings.discard, () => this.dispatchEvent(new AhpDiscardEvent(id)))}
      </span>
    </li>`;
  }
}

const renderButton = (label: string, onPress: (event: Event) => unknown) =>
  html`<button class="button" type="button" @click=${onPress}>${label}</button>`;

const renderReconnect = (label: string) =>
  renderButton(label, (event) => event.currentTarget?.dispatchEvent(new AhpReconnectEvent()));

function renderSignIn(requirement: McpAuthRequirement, strings: Strings) {
  const { resource, resource_name: name } = requirement.resource;
  const signIn = ({ currentTarget }: Event) => currentTarget?.dispatchEvent(new AhpAuthRequestEvent(requirement));
  const giveUp = ({ currentTarget }: Event) => currentTarget?.dispatchEvent(new AhpAuthGiveUpEvent(resource));
  return html`<div class="row" part="status">
    ${icon('lock')}<bdi class="text">${strings.authRequired(toLabel(name ?? resource))}</bdi>
    <span class="actions">${renderButton(strings.signIn, signIn)} ${renderButton(strings.stopWaiting, giveUp)}</span>
  </div>`;
}

function renderNotKept({ notKept }: ChatStoreStatus, strings: Strings) {
  if (!notKept) return nothing;
  return html`<div class="row" part="status">
    ${icon('warning')}<span class="text"
      >${strings.notKept}. <span class="quiet">${strings.notKeptWhy[notKept] ?? ''}</span></span
    >
  </div>`;
}

function toFailure({ error }: ChatStoreStatus, strings: Strings): string {
  switch (error?.code) {
    case 'version-mismatch': {
      const data = error.rpc?.data;
      const theirs = isRecord(data) && Array.isArray(data.supportedVersions) ? data.supportedVersions : [];
      return strings.failedVersions(offeredVersions.join(', '), toLabel(theirs.slice(0, 12).join(', ')) || '?');
    }
    case 'gone':
      return strings.failedGone;
    default:
      return strings.failed(toLabel(toReason(error?.message ?? '')));
  }
}

define('ahp-status', AhpStatus);

declare global {
  interface HTMLElementTagNameMap {
    'ahp-status': AhpStatus;
  }
}
