/** Reads a tool's input, which a model may have written: each field is checked where it is used, with a plain message. */

import { WorkspaceError } from '../workspace/workspace.js';

export type JsonObject = Readonly<Record<string, unknown>>;

/** The part of JSON Schema the tools use. */
export interface ObjectSchema extends JsonObject {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, { readonly type: string; readonly description: string }>>;
  readonly required: readonly string[];
  readonly additionalProperties: false;
}

export const objectSchema = (
  properties: ObjectSchema['properties'],
  required: readonly string[] = [],
): ObjectSchema => ({ type: 'object', properties, required, additionalProperties: false });

export interface Fields {
  /** Throws `bad-input` when the field is missing, unless a default is given, or no text. */
  text(name: string, otherwise?: string): string;
  number(name: string, otherwise: number): number;
  flag(name: string): boolean | undefined;
}

export function fields(input: JsonObject): Fields {
  const wrong = (name: string, expected: string): WorkspaceError =>
    new WorkspaceError('bad-input', `The tool's field "${name}" must be ${expected}.`);
  // Models like to send null for what they leave out.
  const get = (name: string): unknown => (Object.hasOwn(input, name) ? (input[name] ?? undefined) : undefined);
  return {
    text(name, otherwise) {
      const value = get(name) ?? otherwise;
      if (typeof value !== 'string') throw wrong(name, 'text');
      return value;
    },
    number(name, otherwise) {
      const value = get(name) ?? otherwise;
      if (typeof value !== 'number' || Number.isNaN(value)) throw wrong(name, 'a number');
      return value;
    },
    flag(name) {
      const value = get(name);
      if (value !== undefined && typeof value !== 'boolean') throw wrong(name, 'true or false');
      return value;
    },
  };
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
