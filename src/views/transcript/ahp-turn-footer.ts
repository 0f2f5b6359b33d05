import { LitElement, html, nothing } from 'lit';
import { property } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import { assistantText } from '../../chat/selectors.js';
import { Localized } from '../../i18n/localize.js';
import type { Turn, UsageInfo } from '../../protocol/state.js';
import { CopyController } from '../copy-controller.js';
import { define } from '../define.js';
import { AhpForkEvent, AhpResumeEvent, AhpSendEvent, type ForkKind } from '../events.js';
import { icons } from '../icons-turn.js';
import { icon, type IconName, type IconNode } from '../icons.js';
import { toLabel } from '../label.js';
import { RovingController } from '../roving-controller.js';
import { ago } from './ago.js';
import { toEditedMessage } from './edited-message.js';
import type { PartScope } from './part-scope.js';

interface Action {
  readonly key: string;
  readonly name: string;
  readonly drawing: IconName | IconNode;
  readonly onPress: (event: Event) => void;
}

/**
 * The footer of a finished turn: what can be done with it, when it was, how long it took and what it cost. The actions are
 * a toolbar with one tab stop; they are there for the keyboard also while the eye does not see them. Has no shadow root: it
 * is styled by the transcript.
 *
 * @customElement ahp-turn-footer
 * @summary Actions, time, length and tokens of a turn.
 * @fires {AhpSendEvent} ahp-send - The turn's message is to be sent again in its place.
 * @fires {AhpResumeEvent} ahp-resume - The failed turn is to go on.
 * @fires {AhpForkEvent} ahp-fork - Another chat is to begin here.
 */
export class AhpTurnFooter extends LitElement {
  readonly #language = new Localized(this);
  readonly #copy = new CopyController(this);
  readonly #roving = new RovingController(this, () => [...this.querySelectorAll<HTMLElement>('.actions button')]);

  @property({ attribute: false }) turn: Turn | undefined;

  /** Whether it failed and may go on. */
  @property({ attribute: false }) resumable = false;

  /** Whether its message may be sent once more as it is. */
  @property({ attribute: false }) retryable = false;

  @property({ attribute: false }) scope: PartScope | undefined;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override render() {
    const { turn, scope } = this;
    if (!turn || !scope) return nothing;
    const { strings } = this.#language.value;
    const actions = [
      ...this.#listCopies(turn, scope),
      ...this.#listSending(turn, scope),
      ...this.#listForks(turn, scope),
    ].filter((action) => action !== undefined);
    return html`${
      actions.length > 0
        ? html`<div
            class="actions"
            role="toolbar"
            aria-label=${strings.turnActions}
            @keydown=${this.#roving.handleEvent}
            @focusin=${this.#roving.handleEvent}
          >
            ${repeat(
              actions,
              ({ key }) => key,
              ({ name, drawing, onPress }) =>
                html`<button class="icon-button" type="button" aria-label=${name} title=${name} @click=${onPress}>
                  ${icon(drawing)}
                </button>`,
            )}
          </div>`
        : nothing
    }
    ${this.#renderTime(turn, scope)} ${this.#renderDuration(turn)} ${this.#renderUsage(turn.usage)}
    ${this.#renderModel(turn, scope)}`;
  }

  #listCopies(turn: Turn, scope: PartScope): readonly (Action | undefined)[] {
    const { strings } = this.#language.value;
    const answer = assistantText({ responseParts: turn.responseParts ?? [] });
    const { toMarkdown } = scope;
    return [
      answer ? this.#toCopy('answer', strings.copyMarkdown, 'copy', () => answer) : undefined,
      toMarkdown && this.#toCopy('turn', strings.copyTurn, icons.copyTurn, () => toMarkdown(turn, strings)),
    ];
  }

  #toCopy(key: string, label: string, drawing: IconName | IconNode, toText: () => string): Action {
    const { strings } = this.#language.value;
    const outcome = this.#copy.outcome(key);
    return {
      key,
      name: { copied: strings.copied, failed: strings.copyFailed, none: label }[outcome ?? 'none'],
      drawing: outcome === 'copied' ? 'check' : outcome === 'failed' ? 'alert' : drawing,
      onPress: (event) => void this.#copy.copy(key, toText(), event.currentTarget as Element, this.scope?.clock),
    };
  }

  /** What sends something; only for what a person has said, and where that may be done. */
  #listSending(turn: Turn, scope: PartScope): readonly (Action | undefined)[] {
    const { strings } = this.#language.value;
    const { message } = turn;
    const isOwn = (message?.origin?.kind ?? 'user') === 'user';
    if (!scope.abilities.send || !message || scope.pendingIds.has(turn.id)) return [];
    const resume = () => this.dispatchEvent(new AhpResumeEvent(turn.id));
    const retry = () => this.dispatchEvent(new AhpSendEvent(toEditedMessage(message, {}), 'auto', turn.id));
    const edit = () => scope.edit(turn);
    return [
      this.resumable ? { key: 'resume', name: strings.resume, drawing: icons.resume, onPress: resume } : undefined,
      this.retryable && isOwn
        ? { key: 'retry', name: strings.tryAgain, drawing: icons.retry, onPress: retry }
        : undefined,
      isOwn && scope.edits ? { key: 'edit', name: strings.editMessage, drawing: icons.edit, onPress: edit } : undefined,
    ];
  }

  #listForks(turn: Turn, scope: PartScope): readonly (Action | undefined)[] {
    const { strings } = this.#language.value;
    const { fork, sideChat } = scope.abilities;
    const begin = (kind: ForkKind) => () => this.dispatchEvent(new AhpForkEvent(turn.id, kind));
    return [
      fork ? { key: 'fork', name: strings.fork, drawing: icons.fork, onPress: begin('fork') } : undefined,
      sideChat
        ? { key: 'side', name: strings.sideChat, drawing: icons.sideChat, onPress: begin('sideChat') }
        : undefined,
    ];
  }

  #renderTime(turn: Turn, { clock }: PartScope) {
    const startedAt = Date.parse(turn.startedAt ?? '');
    if (Number.isNaN(startedAt) || !clock) return nothing;
    const localization = this.#language.value;
    return html`<time datetime=${turn.startedAt!} title=${localization.format.exact(startedAt)}
      >${ago(startedAt, localization, clock)}</time
    >`;
  }

  /** As the host has measured it; none is what an older host says when it did not. */
  #renderDuration({ duration }: Turn) {
    return duration ? html`<span>${this.#language.value.format.duration(duration)}</span>` : nothing;
  }

  #renderUsage(usage: UsageInfo | undefined) {
    const { strings, format } = this.#language.value;
    const { inputTokens, outputTokens, cacheReadTokens } = usage ?? {};
    if (!inputTokens && !outputTokens) return nothing;
    const tokens = strings.tokens(format.number(inputTokens ?? 0), format.number(outputTokens ?? 0));
    const cached = cacheReadTokens ? strings.tokensCached(format.number(cacheReadTokens)) : '';
    return html`<span>${cached ? `${tokens}, ${cached}` : tokens}</span>`;
  }

  /** The model that was really used; where the host does not say, the one that was asked for. */
  #renderModel(turn: Turn, { abilities }: PartScope) {
    const id = turn.usage?.model ?? turn.message?.model?.id;
    if (!id) return nothing;
    return html`<bdi>${toLabel(abilities.models.find((model) => model.id === id)?.name ?? id)}</bdi>`;
  }
}

define('ahp-turn-footer', AhpTurnFooter);

declare global {
  interface HTMLElementTagNameMap {
    'ahp-turn-footer': AhpTurnFooter;
  }
}
