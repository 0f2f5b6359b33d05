import { ReactiveElement, type PropertyValues } from 'lit';
import { property } from 'lit/decorators.js';
import { Localized } from '../../i18n/localize.js';
import type { Strings } from '../../i18n/strings.js';
import type { MarkdownStream } from '../../markdown/stream.js';
import type { LinkTarget } from '../../markdown/tokens.js';
import { define } from '../define.js';
import { AhpOpenResourceEvent } from '../events.js';
import { framePacer } from '../frame-pacer.js';
import { GrowingText } from '../growing-text.js';
import { whenIdle } from '../idle.js';
import { requestHighlight } from './code-highlighter.js';
import { BlocksView } from './markdown-blocks.js';
import type { MarkdownContext } from './markdown-context.js';
import { createStream, loadEngine } from './markdown-engine.js';
import { findResource, loadPicture, mayLoad } from './markdown-inlines.js';
import { watchScrollBox } from './scroll-boxes.js';

/**
 * Markdown of a host, as it arrives. Finished blocks are never touched again and the open one is changed in place, so a
 * selection, the focus and a press on a button survive. Nothing in it runs, navigates by itself or is fetched without
 * leave: raw HTML is text, a link leads to the web or is reported, a picture waits for a press.
 *
 * Has no shadow root: it is styled by the surface around it, with `markdownStyles`. Owns all of its children.
 *
 * @customElement ahp-markdown
 * @summary Streaming Markdown of an untrusted source.
 * @fires {AhpOpenResourceEvent} ahp-open-resource - A link was followed whose address is the page's to open.
 * @cssstate streaming - More text may come: a caret stands at the end.
 */
export class AhpMarkdown extends ReactiveElement {
  readonly #language = new Localized(this);

  /** The Markdown, as far as it has come. */
  @property({ attribute: false }) text = '';

  /** Whether more of the text may come. What is half-arrived is then shown as what it is going to be. */
  @property({ type: Boolean }) streaming = false;

  /** Origins, like `https://example.com`, whose pictures are loaded without being asked for. */
  @property({ attribute: false }) imageOrigins: readonly string[] = [];

  readonly #internals = this.attachInternals();
  /** None while the lexer is not here. */
  #stream: MarkdownStream | undefined;
  /** Stands in for it. */
  #plain: GrowingText | undefined;
  readonly #askedPictures = new Set<string>();
  readonly #caret = new Caret();
  #strings: Strings = this.#language.value.strings;
  #cancelIdle: (() => void) | undefined;
  /** Settles when what was asked for last has been written. */
  #written: Promise<void> | undefined;
  #onWritten: (() => void) | undefined;

  readonly #view = new BlocksView(this, this.#createContext());

  constructor() {
    super();
    this.addEventListener('click', this.#onPress);
    this.addEventListener('keydown', this.#onKey);
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#cancelIdle?.();
    this.#settle();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (!this.hasUpdated) return;
    // A write that was under way when the element was taken out, and the colours that went with it.
    this.requestUpdate();
    for (const view of this.#view.findCodes()) requestHighlight(view);
  }

  protected override update(changed: PropertyValues<this>): void {
    super.update(changed);
    const { strings } = this.#language.value;
    if (strings !== this.#strings || changed.has('imageOrigins')) {
      this.#strings = strings;
      if (!this.#plain) this.#view.rebuild();
    }
    // Written when it is back.
    if (!this.isConnected) return;
    if (this.streaming) {
      this.#internals.states.add('streaming');
      this.#written ??= new Promise((resolve) => (this.#onWritten = resolve));
      framePacer.request(this.#write);
    } else {
      // At once: whoever measures the page after this update finds the whole text.
      this.#internals.states.delete('streaming');
      this.#write();
    }
  }

  /** Resolves when what the text says is shown. */
  protected override async getUpdateComplete(): Promise<boolean> {
    let isComplete = await super.getUpdateComplete();
    if (!this.#stream) {
      await loadEngine();
      isComplete = await super.getUpdateComplete();
    }
    await this.#written;
    return isComplete;
  }

  readonly #write = (): void => {
    this.#cancelIdle?.();
    const stream = (this.#stream ??= createStream());
    if (stream) this.#writeBlocks(stream);
    else this.#writePlain();
    this.#settle();
  };

  #writeBlocks(stream: MarkdownStream): void {
    if (this.#plain) {
      this.#plain.clear();
      this.#plain = undefined;
      this.classList.remove('md-plain');
    }
    if (this.streaming) {
      this.#view.update(stream.update(this.text));
      this.#caret.moveTo(this.#view.findEnd());
    } else {
      this.#caret.moveTo(undefined);
      this.#view.update(stream.finish(this.text));
      if (stream.needsReconcile) this.#cancelIdle = whenIdle(() => this.#view.update(stream.reconcile()));
    }
  }

  /** Text as it came, until the lexer is here. */
  #writePlain(): void {
    if (!this.#plain) {
      this.#plain = new GrowingText((node) => this.append(node));
      this.classList.add('md-plain');
    }
    this.#plain.set(this.text);
    void loadEngine().then((isHere) => {
      if (isHere) this.requestUpdate();
    });
  }

  #settle(): void {
    framePacer.cancel(this.#write);
    this.#onWritten?.();
    this.#written = this.#onWritten = undefined;
  }

  readonly #onPress = (event: Event): void => {
    const target = event.composedPath()[0];
    const pressed = target instanceof Element ? target.closest('a, button') : null;
    if (!pressed || !this.contains(pressed)) return;
    const uri = findResource(pressed);
    if (uri !== undefined) this.dispatchEvent(new AhpOpenResourceEvent(uri));
    const url = loadPicture(pressed);
    if (url !== undefined) this.#askedPictures.add(url);
  };

  /** A link without an address gets no click from the Enter key. */
  readonly #onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && !event.isComposing && findResource(event.target as Element) !== undefined) {
      event.preventDefault();
      this.#onPress(event);
    }
  };

  #createContext(): MarkdownContext {
    const readStrings = () => this.#strings;
    return {
      get strings() {
        return readStrings();
      },
      mayLoad: (target: LinkTarget) => mayLoad(target, this.imageOrigins, this.#askedPictures),
      onCode: requestHighlight,
      onScrollBox: watchScrollBox,
    };
  }
}

/** Marks the element at whose end the text goes on. */
class Caret {
  #at: Element | undefined;

  moveTo(element: Element | undefined): void {
    if (element === this.#at) return;
    this.#at?.classList.remove('md-caret');
    element?.classList.add('md-caret');
    this.#at = element;
  }
}

define('ahp-markdown', AhpMarkdown);
// From the start: there is no text to show before a chat has been found.
void loadEngine();

declare global {
  interface HTMLElementTagNameMap {
    'ahp-markdown': AhpMarkdown;
  }
}
