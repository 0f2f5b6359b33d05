import { LitElement, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { keyed } from 'lit/directives/keyed.js';
import { exitCodeOf, findCommands, hasExited, terminalText, type WatchedTerminal } from '../../channels/terminal.js';
import type { OpenChannel } from '../../chat/store.js';
import { Localized } from '../../i18n/localize.js';
import type { Strings } from '../../i18n/strings.js';
import type { AhpError } from '../../protocol/errors.js';
import type { TerminalResult, TerminalState, URI } from '../../protocol/state.js';
import { adoptStyles } from '../adopt-styles.js';
import { define } from '../define.js';
import { framePacer } from '../frame-pacer.js';
import { icon } from '../icons.js';
import { toLabel } from '../label.js';
import { loadTerminalScreen } from '../parts/lazy.js';
import { toReadFailure } from '../parts/read-failure.js';
import type { TerminalScreen } from '../parts/terminal-screen.js';
import { announceFold } from '../transcript/fold.js';
import type { PartScope } from '../transcript/part-scope.js';
import { terminalStyles } from './ahp-terminal.styles.js';
import { renderOutput } from './output.js';
import { ShownController } from './shown-controller.js';

/** A terminal as a tool's result names it. */
export interface TerminalBlock {
  readonly resource?: URI | undefined;
  readonly title?: string | undefined;
  /** `false`: plain text without escape sequences. */
  readonly isPty?: boolean | undefined;
  /** What is left of it once the command has ended. */
  readonly result?: TerminalResult | undefined;
}

/** Columns of a preview, whose own width nobody tells: its lines wrap where the box ends. */
const PREVIEW_COLUMNS = 500;
/** How near the end, in pixels, counts as at the end. */
const NEAR_END = 4;

/**
 * The terminal a tool used. While it is seen it is watched over its own channel; afterwards, and where the host no longer
 * has it, its preview stands here. Nothing is ever written to it. Has no shadow root: it is styled by the surface around it.
 *
 * @customElement ahp-terminal
 * @summary A terminal, watched.
 * @csspart terminal - The whole terminal.
 */
export class AhpTerminal extends LitElement {
  readonly #language = new Localized(this);

  @property({ attribute: false }) block: TerminalBlock | undefined;
  @property({ attribute: false }) scope: PartScope | undefined;

  /** Whether more than the preview was asked for. */
  @state() private isWhole = false;

  readonly #shown = new ShownController(this, () => this.scope?.clock);
  #channel: OpenChannel<TerminalState> | undefined;
  #unsubscribe: (() => void) | undefined;
  /** What was seen of it last; stays while it is out of view. */
  #state: WatchedTerminal | undefined;
  #failure: AhpError | undefined;
  #screen: { readonly box: HTMLElement; readonly screen: TerminalScreen } | undefined;
  #hasScreenFailed = false;
  #isAtEnd = true;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    adoptStyles(this, terminalStyles);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#close();
    framePacer.cancel(this.#onFrame);
    this.#screen?.screen.dispose();
    this.#screen = undefined;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const before = changed.get('block');
    if (before && before.resource !== this.block?.resource) this.#forget();
    this.#follow();
  }

  /** Watches the terminal as long as somebody looks at it. */
  #follow(): void {
    const { block, scope } = this;
    const open = scope?.services?.openTerminal;
    const hasPreview = !!block?.result?.preview;
    const isWanted = this.#state !== undefined || this.isWhole || !hasPreview;
    if (!open || block?.resource === undefined || !isWanted || !this.#shown.isShown) return this.#close();
    if (this.#channel || this.#failure) return;
    const channel = open(block.resource);
    this.#channel = channel;
    this.#unsubscribe = channel.subscribe(() => framePacer.request(this.#onFrame));
    this.#take();
  }

  readonly #onFrame = (): void => {
    this.#take();
    this.requestUpdate();
  };

  #take(): void {
    if (!this.#channel) return;
    this.#state = this.#channel.state ?? this.#state;
    this.#failure = this.#channel.error;
    if (this.#failure) this.#close();
  }

  #close(): void {
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
    this.#channel?.close();
    this.#channel = undefined;
  }

  #forget(): void {
    this.#close();
    this.#state = undefined;
    this.#failure = undefined;
    this.isWhole = false;
  }

  /* ------------------------------------------------------------ render */

  override render() {
    const { block } = this;
    if (!block) return nothing;
    const { strings } = this.#language.value;
    const title = toLabel(this.#state?.title ?? block.title ?? '') || strings.liveTerminal;
    return html`<div class="terminal" part="terminal" role="group" aria-label=${title} tabindex="-1">
      <div class="terminal-head">${icon('terminal')}<bdi>${title}</bdi> ${this.#renderStatus(block, strings)}</div>
      ${this.#renderCommand(strings)}${this.#renderBody(block, strings)}
    </div>`;
  }

  #renderStatus({ result }: TerminalBlock, strings: Strings) {
    const terminal = this.#state;
    const exitCode = result?.exitCode ?? (terminal && exitCodeOf(terminal));
    if (exitCode !== undefined) {
      return html`<span class=${exitCode === 0 ? 'quiet' : 'danger'}>${strings.exitCode(String(exitCode))}</span>`;
    }
    if (result || (terminal && hasExited(terminal))) return html`<span class="quiet">${strings.terminalEnded}</span>`;
    if (!terminal || !this.#channel) return nothing;
    return html`<span class="quiet terminal-live">${icon('running')}${strings.terminalLive}</span>`;
  }

  /** The command that runs or ran last, where the host can tell commands apart. */
  #renderCommand(strings: Strings) {
    const command = this.#state && findCommands(this.#state).at(-1);
    if (!command?.line) return nothing;
    const { isComplete, exitCode, durationMs } = command;
    const { format } = this.#language.value;
    return html`<div class="terminal-command quiet">
      <code><bdi>${toLabel(command.line)}</bdi></code>
      ${
        isComplete
          ? html`${exitCode ? html`<span class="danger">${strings.exitCode(String(exitCode))}</span>` : nothing}
            ${durationMs === undefined ? nothing : html`<span>${format.duration(durationMs)}</span>`}`
          : nothing
      }
    </div>`;
  }

  #renderBody(block: TerminalBlock, strings: Strings): unknown {
    const { preview, truncated } = block.result ?? {};
    if (this.#state) {
      const isPlain = (this.#state.isPty ?? block.isPty) === false;
      return isPlain ? renderOutput(terminalText(this.#state), strings) : this.#renderScreen('live', strings);
    }
    if (preview) {
      const isPlain = block.isPty === false;
      return html`${isPlain ? renderOutput(preview, strings) : this.#renderScreen('preview', strings)}${
        truncated || this.isWhole ? this.#renderMore(strings) : nothing
      }`;
    }
    if (this.#failure) return this.#renderFailure(this.#failure, strings);
    if (this.#channel) return html`<p class="plain quiet late">${strings.loading}</p>`;
    return block.result ? html`<p class="plain quiet">${strings.noOutput}</p>` : nothing;
  }

  #renderMore(strings: Strings): TemplateResult {
    if (this.#failure) return this.#renderFailure(this.#failure, strings);
    const canOpen = !!this.scope?.services?.openTerminal && this.block?.resource !== undefined;
    return html`<p class="plain quiet">
      ${strings.truncated} ${canOpen && !this.isWhole ? renderLink(strings.showWholeOutput, this.#onWhole) : nothing}
    </p>`;
  }

  /** One that is gone does not come back; anything else may pass. */
  #renderFailure(failure: AhpError, strings: Strings): TemplateResult {
    if (toReadFailure(failure).kind === 'gone') return html`<p class="plain quiet">${strings.terminalGone}</p>`;
    return html`<p class="plain">
      <span class="danger">${strings.loadFailed}</span> ${renderLink(strings.tryAgain, this.#onRetry)}
    </p>`;
  }

  readonly #onWhole = (): void => {
    announceFold(this);
    this.isWhole = true;
    this.#keepFocus();
  };

  readonly #onRetry = (): void => {
    this.#failure = undefined;
    this.requestUpdate();
    this.#keepFocus();
  };

  /** The pressed button goes. */
  #keepFocus(): void {
    this.querySelector<HTMLElement>('.terminal')?.focus({ preventScroll: true });
  }

  /** What is inside the lines is painted by hand. Not live: whoever listens asks for it. */
  #renderScreen(kind: 'live' | 'preview', strings: Strings): unknown {
    if (this.#hasScreenFailed) return renderOutput(stripEscapes(this.#findText()), strings);
    return keyed(
      kind,
      html`<div
        class="terminal-box ${kind}"
        role="log"
        aria-live="off"
        aria-label=${strings.output}
        tabindex="0"
        dir="ltr"
        @scroll=${this.#onScroll}
      >
        <div class="terminal-lines"></div>
      </div>`,
    );
  }

  #findText(): string {
    return this.#state ? terminalText(this.#state) : (this.block?.result?.preview ?? '');
  }

  protected override updated(): void {
    const box = this.querySelector<HTMLElement>('.terminal-lines');
    if (!box) return;
    if (this.#screen?.box === box) return this.#show(this.#screen.screen);
    this.#screen?.screen.dispose();
    this.#screen = undefined;
    const { module } = loadTerminalScreen;
    if (module) {
      const isPty = this.#state ? (this.#state.isPty ?? this.block?.isPty) : undefined;
      const screen = new module.TerminalScreen(box, {
        // Only who says that it is a terminal means a line feed to go straight down.
        hasBareLineFeeds: isPty !== true,
        onPaint: this.#onPaint,
      });
      this.#isAtEnd = this.#state !== undefined;
      this.#screen = { box, screen };
      this.#show(screen);
    } else {
      void loadTerminalScreen().then((loaded) => {
        this.#hasScreenFailed = !loaded;
        this.requestUpdate();
      });
    }
  }

  #show(screen: TerminalScreen): void {
    const terminal = this.#state;
    screen.show({
      text: this.#findText(),
      dropped: terminal?.droppedText ?? 0,
      columns: terminal ? terminal.cols : PREVIEW_COLUMNS,
      rows: terminal?.rows,
      commands: terminal ? findCommands(terminal) : [],
      isRunning: terminal !== undefined && !this.block?.result && !hasExited(terminal),
    });
  }

  readonly #onScroll = ({ currentTarget }: Event): void => {
    const { scrollHeight, scrollTop, clientHeight } = currentTarget as HTMLElement;
    this.#isAtEnd = scrollHeight - scrollTop - clientHeight <= NEAR_END;
  };

  /** Stays at the end, or with what is read. */
  readonly #onPaint = (removedAbove: number): void => {
    const box = this.#screen?.box.parentElement;
    if (!box) return;
    if (this.#isAtEnd) box.scrollTop = box.scrollHeight;
    else if (removedAbove > 0) box.scrollTop -= removedAbove;
  };
}

const renderLink = (word: string, onPress: () => void): TemplateResult =>
  html`<button class="link-button" type="button" @click=${onPress}>${word}</button>`;

/** What would move a cursor or colour a letter is left out. */
// eslint-disable-next-line no-control-regex -- escape sequences are made of these
const escapes = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-_])/g;
const stripEscapes = (text: string): string => text.replace(escapes, '').replace(/\r(?!\n)/g, '\n');

define('ahp-terminal', AhpTerminal);

declare global {
  interface HTMLElementTagNameMap {
    'ahp-terminal': AhpTerminal;
  }
}
