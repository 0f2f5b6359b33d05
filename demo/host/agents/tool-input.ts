/**
 * What a tool takes, said once: the fields are its JSON Schema for a model, its types for the program, and the check of
 * what a model wrote, with a plain message for each field.
 */

import { WorkspaceError } from '../workspace/workspace.js';

export type JsonObject = Readonly<Record<string, unknown>>;

export interface Field<Value> {
  readonly type: 'string' | 'integer' | 'boolean' | 'array';
  /** JSON Schema of an array's entries; what they are is for the tool to check. */
  readonly items?: JsonObject;
  readonly description: string;
  /** What a missing field counts as; `undefined` makes the field required. */
  readonly otherwise?: Value;
}

export type Fields = Readonly<Record<string, Field<unknown>>>;
export type ValuesOf<F extends Fields> = {
  readonly [Name in keyof F]: F[Name] extends Field<infer Value> ? Value : never;
};

const field =
  <Value>(type: Field<Value>['type']) =>
  (description: string, otherwise?: Value): Field<Value> =>
    otherwise === undefined ? { type, description } : { type, description, otherwise };

export const text = field<string>('string');
export const integer = field<number>('integer');
export const flag = field<boolean>('boolean');
export const list = (description: string, items: JsonObject): Field<readonly unknown[]> => ({
  type: 'array',
  description,
  items,
});

export function toSchema(fields: Fields): JsonObject {
  const entries = Object.entries(fields);
  return {
    type: 'object',
    properties: Object.fromEntries(
      entries.map(([name, { type, description, items }]) => [name, { type, description, ...(items && { items }) }]),
    ),
    required: entries.flatMap(([name, { otherwise }]) => (otherwise === undefined ? [name] : [])),
    additionalProperties: false,
  };
}

const kinds = {
  string: ['string', 'text'],
  integer: ['number', 'a number'],
  boolean: ['boolean', 'true or false'],
  array: ['object', 'a list'],
} as const;

/** Throws `bad-input`. Unknown fields are passed over; models like to send null for what they leave out. */
export function readValues<F extends Fields>(fields: F, input: JsonObject): ValuesOf<F> {
  const values = Object.entries(fields).map(([name, { type, otherwise }]) => {
    const value = (Object.hasOwn(input, name) ? input[name] : undefined) ?? otherwise;
    const [expected, words] = kinds[type];
    if (typeof value !== expected || (type === 'array' && !Array.isArray(value)))
      throw new WorkspaceError('bad-input', `The tool's field "${name}" must be ${words}.`);
    return [name, value];
  });
  // Each was checked against its own field.
  return Object.fromEntries(values) as ValuesOf<F>;
}

/** Reads the text of a call's input. Throws `bad-input` when it is no JSON object. */
export function parseToolInput(text: string): JsonObject {
  let value: unknown;
  try {
    value = text.trim() === '' ? {} : JSON.parse(text);
  } catch {
    throw new WorkspaceError('bad-input', 'The tool was called with something that is not JSON.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new WorkspaceError('bad-input', 'The tool was called with something that is not a JSON object.');
  }
  return value as JsonObject;
}
