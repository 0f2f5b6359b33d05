/**
 * The settings of the chosen model, as far as its schema says what they are. Nothing is sent until something was set; then
 * all of them go along, as they stand here. Loaded when a model has any. Source: AHP, models; configuration schemas.
 */

import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { Strings } from '../../i18n/strings.js';
import type { ConfigProperty, ConfigSchema, Message, ModelSelection } from '../../protocol/state.js';
import { sliders } from '../icons-composer.js';
import { icon } from '../icons.js';
import { toLabel } from '../label.js';
import { modelSettingsStyles } from './model-settings.styles.js';
import { placePopup } from './place-popup.js';

type Value = string | number | boolean | null;
type Values = Readonly<Record<string, Value>>;

export interface ModelSettingsProps {
  readonly root: ShadowRoot;
  readonly model: ModelSelection;
  readonly name: string;
  readonly schema: ConfigSchema;
  readonly message: Message;
  readonly report: (message: Message) => void;
  readonly strings: Strings;
}

const highest = 420;

/** A button and what it opens. */
export function renderModelSettings(props: ModelSettingsProps) {
  const { root, model, name, schema, message, report, strings } = props;
  const sheet = modelSettingsStyles.styleSheet!;
  if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  const title = strings.modelSettings(toLabel(name));
  const set = (key: string, value: Value | undefined) =>
    report({ ...message, model: { id: model.id, config: resolve(schema, { ...model.config }, key, value) } });
  return html`<button
      class="icon-button settings-button"
      type="button"
      popovertarget="model-settings"
      title=${title}
      aria-label=${title}
    >
      ${icon(sliders)}
    </button>
    <div
      class="settings"
      id="model-settings"
      popover
      role="dialog"
      aria-label=${title}
      @beforetoggle=${(event: ToggleEvent) => onBeforeToggle(event, root)}
      @toggle=${(event: ToggleEvent) => onToggle(event, root)}
    >
      ${Object.entries(schema.properties).map(([key, property]) =>
        renderSetting(key, property, model.config?.[key], (value) => set(key, value), strings),
      )}
      <button
        class="button quiet"
        type="button"
        aria-disabled=${!model.config}
        @click=${() => model.config && report({ ...message, model: { id: model.id } })}
      >
        ${strings.useDefaults}
      </button>
    </div>`;
}

/** Who closes it with a key goes on where it was opened; Chromium leaves the focus nowhere. */
function onBeforeToggle({ newState, currentTarget }: ToggleEvent, root: ShadowRoot): void {
  const isLeft = newState === 'closed' && (currentTarget as HTMLElement).matches(':focus-within');
  if (isLeft) root.querySelector<HTMLElement>('.settings-button')!.focus();
}

function onToggle({ newState, currentTarget }: ToggleEvent, root: ShadowRoot): void {
  const popup = currentTarget as HTMLElement;
  if (newState !== 'open') return;
  placePopup(popup, root.querySelector('.settings-button')!.getBoundingClientRect(), highest);
  popup.querySelector<HTMLElement>('select, input')?.focus();
}

/** What was chosen over what the schema presets; a value that is taken back leaves its default, or nothing. */
export function resolve(schema: ConfigSchema, chosen: Values, key: string, value: Value | undefined): Values {
  const all: Record<string, Value> = {};
  for (const [name, property] of Object.entries(schema.properties)) {
    if (isValue(property.default)) define(all, name, property.default);
  }
  for (const [name, own] of Object.entries(chosen)) if (name !== key) define(all, name, own);
  if (value !== undefined) define(all, key, value);
  return all;
}

/** The names are the host's: one may be `__proto__`. */
const define = (values: object, name: string, value: Value) =>
  Object.defineProperty(values, name, { value, enumerable: true, configurable: true, writable: true });

const isValue = (value: unknown): value is Value =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value);

function renderSetting(
  key: string,
  property: ConfigProperty,
  chosen: Value | undefined,
  set: (value: Value | undefined) => void,
  strings: Strings,
) {
  const preset = isValue(property.default) ? property.default : undefined;
  const value = chosen ?? preset;
  const label = toLabel(property.title ?? key);
  const hint = toLabel(hintOf(property, value));
  const control = renderControl(property, value, set, strings);
  if (!control) return html`<p class="quiet"><bdi>${label}</bdi>: ${strings.settingUnknown}</p>`;
  return html`<label class="setting">
    <span class="setting-name"><bdi>${label}</bdi>${hint ? html`<bdi class="quiet">${hint}</bdi>` : nothing}</span>
    ${control}
  </label>`;
}

function hintOf({ description, enum: options, enumDescriptions }: ConfigProperty, value: Value | undefined): string {
  const at = options?.findIndex((option) => option === value) ?? -1;
  return enumDescriptions?.[at] ?? description ?? '';
}

function renderControl(
  property: ConfigProperty,
  value: Value | undefined,
  set: (value: Value | undefined) => void,
  strings: Strings,
): TemplateResult | undefined {
  const { type, readOnly = false } = property;
  if (property.enum?.length) return renderEnum(property, value, set, strings);
  const read = (read: (input: HTMLInputElement) => Value | undefined) => (event: Event) => {
    const input = event.target as HTMLInputElement;
    if (input.validity.valid) set(read(input));
  };
  switch (type) {
    case 'boolean':
      return html`<input
        type="checkbox"
        .checked=${live(value === true)}
        ?disabled=${readOnly}
        @change=${read((input) => input.checked)}
      />`;
    case 'number':
      return html`<input
        type="number"
        step="any"
        .value=${live(typeof value === 'number' ? String(value) : '')}
        ?disabled=${readOnly}
        @change=${read((input) => (input.value === '' ? undefined : input.valueAsNumber))}
      />`;
    case 'string':
      return html`<input
        type="text"
        dir="auto"
        .value=${live(typeof value === 'string' ? value : '')}
        ?disabled=${readOnly}
        @change=${read((input) => input.value || undefined)}
      />`;
    default:
      return undefined;
  }
}

function renderEnum(
  { enum: options = [], enumLabels, readOnly = false, default: preset }: ConfigProperty,
  value: Value | undefined,
  set: (value: Value | undefined) => void,
  strings: Strings,
) {
  const at = options.findIndex((option) => option === value);
  const onChange = (event: Event) => set(options[Number((event.target as HTMLSelectElement).value)]);
  return html`<select ?disabled=${readOnly} @change=${onChange}>
    ${
      isValue(preset) && at >= 0
        ? nothing
        : html`<option value="-1" .selected=${at < 0}>${strings.settingDefault}</option>`
    }
    ${options.map(
      (option, index) =>
        html`<option value=${index} .selected=${index === at}>
          ${toLabel(enumLabels?.[index] ?? String(option))}
        </option>`,
    )}
  </select>`;
}
