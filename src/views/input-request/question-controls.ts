/**
 * The native controls of a question, by kind: how they look, and how a value goes into them and comes out. They keep their
 * own values, so that caret, undo and input methods stay the browser's; `faults.ts` says what is wrong with one.
 */

import { html, nothing, type TemplateResult } from 'lit';
import type { Strings } from '../../i18n/strings.js';
import type { ChatInputQuestion, InputAnswerValue, InputOption } from '../../protocol/state.js';
import { toLabel } from '../label.js';

export type Control = HTMLInputElement | HTMLTextAreaElement;
type TextQuestion = Extract<ChatInputQuestion, { kind: 'text' }>;

export interface ControlContext {
  /** Of the control, or of the group; unique in its root. */
  readonly id: string;
  readonly labelledBy: string;
  readonly describedBy: string;
  readonly isInvalid: boolean;
  readonly strings: Strings;
}

const OTHER = 'other';
/** Texts that may be longer than this get a field of several lines. */
const SHORT = 120;

const inputTypes: Readonly<Record<string, string>> = {
  email: 'email',
  uri: 'url',
  date: 'date',
  'date-time': 'datetime-local',
  time: 'time',
};

/** The `type` of the field, or `undefined` for one of several lines. */
export function toInputType({ format, max = Infinity, defaultValue = '' }: TextQuestion): string | undefined {
  if (format !== undefined) return Object.hasOwn(inputTypes, format) ? inputTypes[format] : 'text';
  return max <= SHORT && !defaultValue.includes('\n') ? 'text' : undefined;
}

/** Whether a question can be answered here at all; kinds of later versions cannot. */
export const isKnown = ({ kind }: ChatInputQuestion): boolean =>
  ['text', 'number', 'integer', 'boolean', 'single-select', 'multi-select'].includes(kind);

/** Whether its answer is one field, which a label can point at. */
export const isSingle = ({ kind }: ChatInputQuestion): boolean => ['text', 'number', 'integer'].includes(kind);

/** What stands there before anybody has answered: it becomes an answer only when the person accepts. */
export function toDefault(question: ChatInputQuestion): InputAnswerValue | undefined {
  switch (question.kind) {
    case 'text':
      return question.defaultValue === undefined ? undefined : { kind: 'text', value: question.defaultValue };
    case 'number':
    case 'integer':
      return question.defaultValue === undefined ? undefined : { kind: 'number', value: question.defaultValue };
    case 'boolean':
      return question.defaultValue === undefined ? undefined : { kind: 'boolean', value: question.defaultValue };
    case 'single-select': {
      const option = question.options.find(({ recommended }) => recommended);
      return option && { kind: 'selected', value: option.id };
    }
    case 'multi-select': {
      const value = question.options.filter(({ recommended }) => recommended).map(({ id }) => id);
      return value.length > 0 ? { kind: 'selected-many', value } : undefined;
    }
    default:
      return undefined;
  }
}

/* ---------------------------------------------------------------- how they look */

export function renderControl(question: ChatInputQuestion, context: ControlContext): TemplateResult {
  const { strings } = context;
  switch (question.kind) {
    case 'text':
      return renderTextField(question, context);
    case 'number':
    case 'integer':
      return renderNumberField(question, context);
    case 'boolean':
      return renderGroup(
        context,
        question.required,
        html`${renderChoice('radio', 'true', strings.yes, context)}${renderChoice('radio', 'false', strings.no, context)}`,
      );
    case 'single-select':
      return renderGroup(
        context,
        question.required,
        html`${question.options.map((option, index) => renderOption('radio', index, option, context))}
        ${
          question.allowFreeformInput
            ? html`${renderChoice('radio', OTHER, strings.otherAnswer, context)}
                <input
                  class="control other"
                  type="text"
                  dir="auto"
                  autocomplete="off"
                  aria-label=${strings.otherAnswer}
                />`
            : nothing
        }`,
      );
    case 'multi-select':
      return renderGroup(
        context,
        undefined,
        html`${question.options.map((option, index) => renderOption('checkbox', index, option, context))}
        ${
          question.allowFreeformInput
            ? html`<label class="other-label quiet" for="${context.id}-other">${strings.otherAnswers}</label>
                <textarea class="control other" id="${context.id}-other" rows="1" dir="auto"></textarea>`
            : nothing
        }`,
      );
    default:
      return html`<p class="plain quiet">${strings.notSupportedQuestion}</p>`;
  }
}

function renderTextField(question: TextQuestion, context: ControlContext): TemplateResult {
  const type = toInputType(question);
  const { id, labelledBy, describedBy, isInvalid } = context;
  if (type === undefined)
    return html`<textarea
      class="control"
      id=${id}
      rows="2"
      dir="auto"
      ?required=${question.required}
      aria-labelledby=${labelledBy}
      aria-describedby=${describedBy}
      aria-invalid=${isInvalid}
    ></textarea>`;
  return html`<input
    class="control"
    id=${id}
    type=${type}
    dir=${type === 'text' ? 'auto' : 'ltr'}
    step=${type === 'datetime-local' || type === 'time' ? 'any' : nothing}
    autocomplete="off"
    ?required=${question.required}
    aria-labelledby=${labelledBy}
    aria-describedby=${describedBy}
    aria-invalid=${isInvalid}
  />`;
}

function renderNumberField(
  { kind, min, max, required }: Extract<ChatInputQuestion, { kind: 'number' | 'integer' }>,
  { id, labelledBy, describedBy, isInvalid }: ControlContext,
): TemplateResult {
  const isInteger = kind === 'integer';
  // A step is counted from the minimum, so that of whole numbers must be one.
  const least = min !== undefined && isInteger ? Math.ceil(min) : min;
  return html`<input
    class="control"
    id=${id}
    type="number"
    dir="ltr"
    inputmode=${isInteger ? (least !== undefined && least >= 0 ? 'numeric' : 'text') : 'decimal'}
    step=${isInteger ? '1' : 'any'}
    min=${least ?? nothing}
    max=${max ?? nothing}
    autocomplete="off"
    ?required=${required}
    aria-labelledby=${labelledBy}
    aria-describedby=${describedBy}
    aria-invalid=${isInvalid}
    @wheel=${holdStill}
  />`;
}

/** A wheel turned over a field with the focus scrolls the page and leaves the number alone. */
const holdStill = {
  passive: true,
  handleEvent: ({ currentTarget }: Event): void => {
    const field = currentTarget as HTMLInputElement;
    if (field.readOnly) return;
    field.readOnly = true;
    requestAnimationFrame(() => (field.readOnly = false));
  },
};

/** `required` is given for a group of which one can be chosen. */
function renderGroup(context: ControlContext, required: boolean | undefined, choices: TemplateResult): TemplateResult {
  const { id, labelledBy, describedBy, isInvalid } = context;
  if (required === undefined)
    return html`<div
      class="choices"
      id=${id}
      role="group"
      aria-labelledby=${labelledBy}
      aria-describedby=${describedBy}
    >
      ${choices}
    </div>`;
  return html`<div
    class="choices"
    id=${id}
    role="radiogroup"
    aria-labelledby=${labelledBy}
    aria-describedby=${describedBy}
    aria-required=${required}
    aria-invalid=${isInvalid}
  >
    ${choices}
  </div>`;
}

/** A choice without a label is called by its id. */
function renderOption(type: 'radio' | 'checkbox', index: number, option: InputOption, context: ControlContext) {
  const { label, id, description, recommended } = option;
  return renderChoice(
    type,
    String(index),
    toLabel(label) || toLabel(id) || String(index + 1),
    context,
    html`${recommended ? html`<span class="badge">${context.strings.recommended}</span>` : nothing}
    ${description ? html`<span class="quiet choice-about" dir="auto">${toLabel(description)}</span>` : nothing}`,
  );
}

const renderChoice = (
  type: 'radio' | 'checkbox',
  value: string,
  label: string,
  { id }: ControlContext,
  about: TemplateResult | typeof nothing = nothing,
): TemplateResult =>
  html`<label class="choice">
    <input type=${type} name=${id} value=${value} />
    <span class="choice-text"><bdi>${label}</bdi>${about}</span>
  </label>`;

/* ---------------------------------------------------------------- values */

export const controlsIn = (box: Element): Control[] => [...box.querySelectorAll<Control>('input, textarea')];

const choicesIn = (box: Element): HTMLInputElement[] => [
  ...box.querySelectorAll<HTMLInputElement>('input[type=radio], input[type=checkbox]'),
];
const chosenIn = (box: Element): string[] =>
  choicesIn(box)
    .filter(({ checked }) => checked)
    .map(({ value }) => value);
const otherIn = (box: Element): Control | null => box.querySelector<Control>('.other');

/** What stands in the controls, if it is an answer. */
export function readValue(question: ChatInputQuestion, box: Element): InputAnswerValue | undefined {
  switch (question.kind) {
    case 'text': {
      const value = controlsIn(box)[0]?.value ?? '';
      if (value.trim() === '') return undefined;
      return { kind: 'text', value: toInputType(question) === 'datetime-local' ? fromLocal(value) : value };
    }
    case 'number':
    case 'integer': {
      const value = Number.parseFloat(controlsIn(box)[0]?.value ?? '');
      return Number.isFinite(value) ? { kind: 'number', value } : undefined;
    }
    case 'boolean': {
      const [chosen] = chosenIn(box);
      return chosen === undefined ? undefined : { kind: 'boolean', value: chosen === 'true' };
    }
    case 'single-select': {
      const [chosen] = chosenIn(box);
      const text = otherIn(box)?.value.trim() ?? '';
      if (chosen === undefined || (chosen === OTHER && text === '')) return undefined;
      // Free text stands in the place of a choice.
      if (chosen === OTHER) return { kind: 'selected', value: '', freeformValues: [text] };
      return { kind: 'selected', value: question.options[Number(chosen)]?.id ?? '' };
    }
    case 'multi-select': {
      const value = chosenIn(box).flatMap((index) => question.options[Number(index)]?.id ?? []);
      const freeformValues = (otherIn(box)?.value ?? '').split('\n').flatMap((line) => line.trim() || []);
      if (value.length + freeformValues.length === 0) return undefined;
      return { kind: 'selected-many', value, ...(freeformValues.length > 0 && { freeformValues }) };
    }
    default:
      return undefined;
  }
}

/** Puts a value into the controls; one of another kind, or none, empties them. */
export function writeValue(question: ChatInputQuestion, box: Element, value: InputAnswerValue | undefined): void {
  const [field] = controlsIn(box);
  const choose = (isChosen: (value: string) => boolean) => {
    for (const choice of choicesIn(box)) choice.checked = isChosen(choice.value);
  };
  const writeOther = (texts: readonly string[] | undefined) => {
    const other = otherIn(box);
    if (other) other.value = (texts ?? []).join('\n');
  };
  switch (question.kind) {
    case 'text': {
      const text = value?.kind === 'text' ? value.value : '';
      if (field) field.value = toInputType(question) === 'datetime-local' ? toLocal(text) : text;
      return;
    }
    case 'number':
    case 'integer':
      if (field) field.value = value?.kind === 'number' ? String(value.value) : '';
      return;
    case 'boolean':
      return choose((choice) => value?.kind === 'boolean' && choice === String(value.value));
    case 'single-select': {
      const selected = value?.kind === 'selected' ? value : undefined;
      const isOther = !!selected?.freeformValues?.length;
      const at = String(question.options.findIndex(({ id }) => id === selected?.value));
      choose((choice) => (isOther ? choice === OTHER : choice === at));
      return writeOther(selected?.freeformValues);
    }
    case 'multi-select': {
      const selected = value?.kind === 'selected-many' ? value : undefined;
      choose((choice) => selected?.value.includes(question.options[Number(choice)]?.id ?? '') ?? false);
      return writeOther(selected?.freeformValues);
    }
    default:
      return;
  }
}

/** Who writes an answer of their own has chosen it. */
export function chooseOther(target: EventTarget | null): void {
  if (!(target instanceof HTMLInputElement) || !target.matches('.other') || target.value === '') return;
  const radio = target.parentElement?.querySelector<HTMLInputElement>(`input[type=radio][value=${OTHER}]`);
  if (radio) radio.checked = true;
}

/** A moment on the wire is in UTC; the field shows the person's own time. */
function fromLocal(local: string): string {
  const time = new Date(local);
  return Number.isNaN(time.getTime()) ? local : time.toISOString();
}

function toLocal(moment: string): string {
  const time = new Date(moment);
  if (Number.isNaN(time.getTime())) return '';
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
  return local.endsWith(':00') ? local.slice(0, 16) : local;
}
