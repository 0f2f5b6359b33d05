import { Task, TaskStatus, initialState } from '@lit/task';
import { LitElement, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { Localized } from '../../i18n/localize.js';
import type { Strings } from '../../i18n/strings.js';
import { isAllowedOrigin, toLinkTarget } from '../../markdown/safe-url.js';
import type { ContentRef } from '../../protocol/state.js';
import { define } from '../define.js';
import { AhpOpenResourceEvent } from '../events.js';
import { icon } from '../icons.js';
import { shortenMiddle, toLabel, toResourceName } from '../label.js';
import { saveFile } from '../save-file.js';
import { announceFold } from '../transcript/fold.js';
import type { PartScope } from '../transcript/part-scope.js';
import { isPicture, renderPreview, toBytes, type Loaded } from './content-preview.js';
import { toReadFailure, type AccessRequest } from './read-failure.js';

type Content = ContentRef | { readonly data: string; readonly contentType: string };

/** Bytes up to which a reference is read without being asked. */
const SMALL = 32_768;

/**
 * Content that is somewhere else, or too raw to stand in the text: a name, its size, and what can be shown of it. A small
 * reference is read by itself, a larger one when it is asked for; the wait ends when the element goes. What cannot be shown
 * can be saved; nothing of it ever runs. Has no shadow root: it is styled by the surface around it.
 *
 * @customElement ahp-content-ref
 * @summary Content that is read on demand.
 * @fires {AhpOpenResourceEvent} ahp-open-resource - Its name was pressed.
 * @csspart content-ref - The box.
 */
export class AhpContentRef extends LitElement {
  readonly #language = new Localized(this);

  @property({ attribute: false }) content: Content | undefined;
  @property({ attribute: false }) scope: PartScope | undefined;

  /** A picture that the browser could not make out. */
  @state() private isBroken = false;

  readonly #task = new Task(this, {
    autoRun: false,
    args: () => [this.content, undefined as AccessRequest | undefined] as const,
    task: async ([content, request], { signal }) => {
      if (!content) return initialState;
      try {
        return await this.#read(content, request, signal);
      } catch (error) {
        if (signal.aborted) return initialState;
        throw error;
      }
    },
  });

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // Moved, or shown again: what was given up is wanted after all.
    if (this.hasUpdated && this.#task.status !== TaskStatus.COMPLETE) this.#readIfSmall();
  }

  override disconnectedCallback(): void {
    this.#task.abort();
    super.disconnectedCallback();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('content') || !this.content || isSame(this.content, changed.get('content'))) return;
    this.isBroken = false;
    this.#readIfSmall();
  }

  #readIfSmall(): void {
    const { content } = this;
    if (!content || !this.#canRead || this.#findPicture(content)) return;
    if ('data' in content || (content.sizeHint ?? Infinity) <= SMALL) void this.#task.run();
    else if (this.#task.status !== TaskStatus.INITIAL) void this.#task.run([undefined, undefined]);
  }

  get #canRead(): boolean {
    return !!this.content && ('data' in this.content || !!this.scope?.services?.readResource);
  }

  async #read(content: Content, request: AccessRequest | undefined, signal: AbortSignal): Promise<Loaded> {
    if ('data' in content) return { data: content.data, isBase64: true, contentType: content.contentType };
    const { services } = this.scope!;
    if (request) await services!.requestResource!(request);
    const result = await services!.readResource!(content, signal);
    return {
      data: result.data,
      isBase64: result.encoding === 'base64',
      contentType: result.contentType ?? content.contentType ?? '',
    };
  }

  /** A picture on the web whose origin the page has named is the browser's to load. */
  #findPicture(content: Content): string | undefined {
    if (!('uri' in content) || !isPicture(content.contentType)) return undefined;
    const target = toLinkTarget(content.uri);
    const isAllowed = target && isAllowedOrigin(target, this.scope?.imageOrigins ?? []);
    return isAllowed && target.kind === 'web' ? target.url : undefined;
  }

  #load(request?: AccessRequest): void {
    announceFold(this);
    // The pressed button goes; whoever stood on it stands on the box.
    const hadFocus = this.contains((this.getRootNode() as ShadowRoot).activeElement);
    void this.#task.run([this.content, request]);
    if (hadFocus) void this.updateComplete.then(() => this.querySelector<HTMLElement>('.content-ref')?.focus());
  }

  override render() {
    const { content } = this;
    if (!content) return nothing;
    const { strings, format } = this.#language.value;
    const name = 'uri' in content ? toLabel(toResourceName(content.uri)) : strings.content;
    const size = 'uri' in content && content.sizeHint !== undefined ? format.bytes(content.sizeHint) : '';
    const url = this.#findPicture(content);
    return html`<div class="content-ref" part="content-ref" role="group" aria-label=${name} tabindex="-1">
      <div class="content-head">
        ${icon(isPicture(content.contentType) ? 'image' : 'file')} ${this.#renderName(content, name, strings)}
        <span class="quiet">${size}</span>
        ${url === undefined ? this.#renderAction(name, strings) : nothing}
      </div>
      ${url === undefined ? this.#renderLoaded(name, strings) : this.#renderWebPicture(url, name, strings)}
    </div>`;
  }

  #renderName(content: Content, name: string, strings: Strings): TemplateResult {
    const short = html`<bdi class="code">${shortenMiddle(name, 48)}</bdi>`;
    if (!('uri' in content)) return short;
    return html`<button
      class="link-button"
      type="button"
      title=${toLabel(content.uri)}
      aria-label=${strings.openNamed(name)}
      @click=${() => this.dispatchEvent(new AhpOpenResourceEvent(content.uri, content.contentType))}
    >
      ${short}
    </button>`;
  }

  #renderAction(name: string, strings: Strings): unknown {
    switch (this.#task.status) {
      case TaskStatus.PENDING:
        return html`<span class="quiet late">${strings.loading}</span>`;
      case TaskStatus.COMPLETE:
        return renderButton(strings.save, strings.saveNamed(name), () => this.#save(name));
      case TaskStatus.ERROR:
        return this.#renderFailure(name, strings);
      default:
        return this.#canRead ? renderButton(strings.load, `${strings.load}: ${name}`, () => this.#load()) : nothing;
    }
  }

  #renderFailure(name: string, strings: Strings): unknown {
    const { kind, request } = toReadFailure(this.#task.error);
    const again = () => renderButton(strings.tryAgain, `${strings.tryAgain}: ${name}`, () => this.#load());
    switch (kind) {
      case 'gone':
        return html`<span class="quiet">${strings.contentGone}</span>`;
      case 'too-large':
        return html`<span class="quiet">${strings.contentTooLarge}</span>`;
      case 'denied':
        return html`<span class="danger">${strings.contentDenied}</span> ${
            request && this.scope?.services?.requestResource
              ? renderButton(strings.askAccess, `${strings.askAccess}: ${name}`, () => this.#load(request))
              : again()
          }`;
      default:
        return html`<span class="danger">${strings.loadFailed}</span> ${again()}`;
    }
  }

  #renderLoaded(name: string, strings: Strings) {
    const loaded = this.#task.status === TaskStatus.COMPLETE ? this.#task.value : undefined;
    if (!loaded) return nothing;
    if (this.isBroken) return html`<p class="plain quiet">${strings.noPreview}</p>`;
    return renderPreview(loaded, {
      name,
      localization: this.#language.value,
      imageOrigins: this.scope?.imageOrigins ?? [],
      onBroken: this.#onBroken,
    });
  }

  #renderWebPicture(url: string, name: string, strings: Strings): TemplateResult {
    if (this.isBroken) return html`<p class="plain quiet">${strings.loadFailed}</p>`;
    return html`<img
      class="picture"
      alt=${name}
      decoding="async"
      loading="lazy"
      referrerpolicy="no-referrer"
      src=${url}
      @error=${this.#onBroken}
    />`;
  }

  readonly #onBroken = (): void => {
    this.isBroken = true;
  };

  #save(name: string): void {
    const loaded = this.#task.value;
    if (!loaded) return;
    try {
      saveFile(toBytes(loaded), name, loaded.contentType);
    } catch {
      // No base64 at all, a host's mistake: there is nothing that could be saved, and the preview says so.
      this.isBroken = true;
    }
  }
}

const renderButton = (word: string, name: string, onPress: () => void): TemplateResult =>
  html`<button class="link-button" type="button" aria-label=${name} @click=${onPress}>${word}</button>`;

/** A state that was copied holds the same reference in another object; it is not read again for that. */
const isSame = (a: Content, b: Content | undefined): boolean =>
  b !== undefined &&
  ('data' in a
    ? 'data' in b && a.data === b.data
    : 'uri' in b && a.uri === b.uri && a.nonce === b.nonce && a.sizeHint === b.sizeHint);

define('ahp-content-ref', AhpContentRef);

declare global {
  interface HTMLElementTagNameMap {
    'ahp-content-ref': AhpContentRef;
  }
}
