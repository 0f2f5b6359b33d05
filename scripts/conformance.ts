/**
 * `npm run conformance -- DIR…` runs folders of AHP fixtures, reducer cases and round trips, whichever a file is, and prints
 * what failed and `N passed, M failed`. Ends with 1 if anything failed or a folder holds no fixture.
 *
 * Reducer cases run with frozen states, and a case without effect must give back the very same object. Where an old fixture
 * expects the wall clock, `modified-at-overrides.json`, in the folder or its parent, says what follows from the data.
 */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { rootReducer } from '../src/channels/root.js';
import { sessionReducer } from '../src/channels/session.js';
import { terminalReducer } from '../src/channels/terminal.js';
import { chatReducer } from '../src/chat/reducer.js';
import {
  parseAction,
  parseChatState,
  parseEnvelope,
  parseFrame,
  parseInitializeResult,
  parseNotification,
  parseResult,
} from '../src/protocol/parse.js';
import { isEqual, isRecord } from '../src/protocol/record.js';

type Json = Readonly<Record<string, unknown>>;
type Reducer = (state: never, action: never) => unknown;

const reducers = new Map<string, Reducer>([
  ['chat', chatReducer],
  ['session', sessionReducer],
  ['root', rootReducer],
  ['terminal', terminalReducer],
]);

/** Reads a value of each type where a client would meet it. Types that are only ever sent pass as JSON. */
const readers = new Map<string, (input: unknown) => unknown>([
  ['ActionEnvelope', parseEnvelope],
  ['StateAction', parseAction],
  ['InitializeResult', (input) => parseInitializeResult(input)],
  ['SessionAddedParams', (input) => parseNotification('root/sessionAdded', input)],
  ['SessionSummary', (input) => parseResult('listSessions', { items: [input] })?.items[0]],
  ['Implementation', (input) => parseInitializeResult({ protocolVersion: '1.0.0', serverInfo: input })?.serverInfo],
  ['SessionStatus', (input) => parseChatState({ status: input })?.status],
  ['StringOrMarkdown', (input) => at(readPart({ kind: 'systemNotification', content: input }), 'content')],
  [
    'ChatInputQuestion',
    (input) => at(readPart({ kind: 'inputRequest', request: question(input) }), 'request', 'questions', 0),
  ],
]);

const question = (input: unknown): Json => ({ id: 'request', questions: [input] });

const readPart = (part: Json): unknown => at(parseAction({ type: 'chat/responsePart', turnId: 'turn', part }), 'part');

function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<string | number, unknown>)[key], value);
}

/** Why a case failed; `undefined` if it passed. */
function runFixture(fixture: Json, modifiedAt: string | undefined): string | undefined {
  if ('initial' in fixture && Array.isArray(fixture.actions)) return runReducer(fixture, modifiedAt);
  if ('input' in fixture && Array.isArray(fixture.acceptableOutputs)) return runRoundTrip(fixture);
  return 'is neither a reducer case nor a round trip';
}

function runReducer(fixture: Json, modifiedAt: string | undefined): string | undefined {
  const reducer = reducers.get(String(fixture.reducer));
  if (!reducer) return `names the reducer ${JSON.stringify(fixture.reducer)}, which does not exist`;
  const { initial, actions, expected } = freeze(withoutNulls(fixture)) as Record<string, unknown>;
  const wanted = modifiedAt === undefined ? expected : { ...(expected as Json), modifiedAt };
  const result = (actions as readonly unknown[]).reduce(
    (state, action) => freeze(reducer(state as never, action as never)),
    initial,
  );
  const difference = findDifference(wanted, result, '');
  if (difference) return difference;
  return isEqual(initial, wanted) && result !== initial ? 'nothing has changed, yet the object is another' : undefined;
}

function runRoundTrip(fixture: Json): string | undefined {
  const type = String(fixture.type);
  const output = toJson(
    type === 'JsonRpcMessage' ? parseFrame(JSON.stringify(fixture.input)) : read(type, fixture.input),
  );
  // What other languages drop, JavaScript keeps.
  const outputs = 'preservedOutput' in fixture ? [fixture.preservedOutput] : (fixture.acceptableOutputs as unknown[]);
  const differences = outputs.map((wanted) => findDifference(wanted, output, ''));
  return differences.includes(undefined) ? undefined : differences[0];
}

/** Everything a client reads came in a frame. */
function read(type: string, input: unknown): unknown {
  const frame = parseFrame(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { input } }));
  if (!('result' in frame)) return frame;
  const { input: value } = frame.result as { input: unknown };
  const reader = readers.get(type);
  return reader ? reader(value) : value;
}

const toJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value) ?? 'null') as unknown;

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isRecord(value)) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([key, member]) => [key, withoutNulls(member)]));
}

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(freeze);
  }
  return value;
}

/** Where two values first differ, and how. */
function findDifference(wanted: unknown, got: unknown, path: string): string | undefined {
  if (isEqual(wanted, got)) return undefined;
  const isNested = (isRecord(wanted) && isRecord(got)) || (Array.isArray(wanted) && Array.isArray(got));
  if (isNested) {
    const keys = new Set([...Object.keys(wanted), ...Object.keys(got)]);
    for (const key of keys) {
      const inner = findDifference((wanted as Json)[key], (got as Json)[key], path ? `${path}.${key}` : key);
      if (inner) return inner;
    }
  }
  return `${path || 'value'}: expected ${JSON.stringify(wanted) ?? 'nothing'}, got ${JSON.stringify(got) ?? 'nothing'}`;
}

const OVERRIDES = 'modified-at-overrides.json';

function findOverrides(folder: string): Json {
  const path = [folder, dirname(folder)].map((place) => join(place, OVERRIDES)).find(existsSync);
  const all = path ? (JSON.parse(readFileSync(path, 'utf8')) as Json) : {};
  return (all[basename(folder)] ?? {}) as Json;
}

function runFolder(folder: string): { passed: number; failed: number } {
  const names = existsSync(folder)
    ? readdirSync(folder).filter((name) => name.endsWith('.json') && name !== OVERRIDES)
    : [];
  if (names.length === 0) {
    console.log(`${folder}: holds no fixtures`);
    return { passed: 0, failed: 1 };
  }
  const overrides = findOverrides(folder);
  let failed = 0;
  for (const name of names.sort()) {
    const override = overrides[name] as { readonly derived: string } | undefined;
    const reason = tryFixture(join(folder, name), override?.derived);
    if (!reason) continue;
    failed++;
    console.log(`${basename(folder)}/${name}\n  ${reason}`);
  }
  return { passed: names.length - failed, failed };
}

/** A reducer or a reader that throws has failed, and so has a file that is not JSON. */
function tryFixture(path: string, modifiedAt: string | undefined): string | undefined {
  try {
    return runFixture(JSON.parse(readFileSync(path, 'utf8')) as Json, modifiedAt);
  } catch (error) {
    return `threw ${String(error)}`;
  }
}

const folders = process.argv.slice(2);
if (folders.length === 0) console.log('Usage: npm run conformance -- DIR…');
const results = folders.map((folder) => runFolder(resolve(folder)));
const passed = results.reduce((sum, result) => sum + result.passed, 0);
const failed = results.reduce((sum, result) => sum + result.failed, 0);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
