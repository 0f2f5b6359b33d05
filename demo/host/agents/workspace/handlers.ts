/** What the `workspace` agent does for each kind of request: think a line, call tools, say what came out of it. */

import { fromFileUri } from '../../workspace/content.js';
import { deleteFile, editFile, listFiles, moveFile, readFile, runCommand, searchText, writeFile } from '../tools.js';
import {
  describeCommand,
  describeCounts,
  describeEdit,
  describeLines,
  describeListing,
  describeOutline,
  describeSearch,
  describeTests,
  describeWorkspace,
  type FileText,
} from './answers.js';
import { failOnce } from './fail.js';
import { findSuspects, type Suspect } from './fix.js';
import type { Intent } from './intents.js';
import { codeSpan, count, fence, list } from './markdown.js';
import { outlineOf } from './outline.js';
import { writeReport } from './report.js';
import { together } from './together.js';
import { parseTestRun, type TestFailure, type TestRun } from './test-run.js';
import { takeTour } from './tour.js';
import { Setback, type Work } from './work.js';

export type Handlers = {
  readonly [Kind in Intent['kind']]: (work: Work, intent: Intent & { kind: Kind }) => Promise<void>;
};

export const handlers: Handlers = {
  ...together,

  async help({ voice, caller }) {
    await voice.think('This is a greeting or asks what I can do. No tool is needed.');
    await voice.say(
      `I work on the files of ${codeSpan(caller.workspace.title)} by simple rules, without a model and without the network.`,
    );
    await voice.say(
      `Ask for example:\n\n${list(examples())}\n\nSeveral steps work too: ${codeSpan('list src, then read README.md')}. I ask before I change a file or run a command.`,
    );
  },

  async list(work, { path }) {
    const found = await work.findPath(path);
    await work.voice.think(found === '.' ? 'I list the whole workspace.' : `I list the folder ${found}.`);
    await work.voice.say(describeListing(await work.call(listFiles, { path: found })));
  },

  async read(work, { path, from, to }) {
    const found = await work.findPath(path);
    await work.voice.think(
      found === path ? `I read ${found}.` : `There is one file that "${path}" can mean: ${found}. I read it.`,
    );
    const lines = await work.call(readFile, { path: found, ...(from !== undefined && { from, to }) });
    await work.voice.say(describeLines(lines));
  },

  async search(work, { text, path, isPattern }) {
    const found = await work.findPath(path);
    await work.voice.think(
      `I look for ${isPattern ? 'the pattern ' : ''}"${text}" in every text file${found === '.' ? '' : ` of ${found}`}.`,
    );
    await work.voice.say(
      describeSearch(await work.call(searchText, { text, path: found, ...(isPattern && { isPattern }) })),
    );
  },

  async explain(work, { path }) {
    const found = await work.findPath(path);
    await work.voice.think(`I read ${found}, take its declarations and comments, and look where it is named.`);
    const { lines } = await work.call(readFile, { path: found });
    const name = found.split('/').at(-1) ?? found;
    const { matches } = await work.call(searchText, { text: name });
    const others = [...new Set(matches.map((match) => match.path))].filter((other) => other !== found);
    await work.voice.say(describeOutline(found, lines.join('\n'), others));
  },

  async count(work, { path, word }) {
    const found = await work.findPath(path);
    await work.voice.think(
      word === undefined ? 'I count lines, words and characters.' : `I count how often "${word}" occurs.`,
    );
    const isFile = (await work.files()).some((file) => file.path === found);
    const paths = isFile
      ? [(await work.call(readFile, { path: found })).path]
      : (await work.call(listFiles, { path: found })).entries
          .filter(({ type }) => type === 'file')
          .map((entry) => entry.path);
    await work.voice.say(describeCounts(await work.texts(paths), word));
  },

  async replace(work, { path, find, with: replaceWith, all }) {
    const found = await work.findPath(path);
    await work.voice.think(`I replace ${all ? 'every' : 'the one'} "${find}" in ${found}, if you allow it.`);
    const edit = await work.call(editFile, { path: found, find, replaceWith, ...(all && { everywhere: true }) });
    await work.voice.say(describeEdit(edit));
  },

  async create(work, { path, text }) {
    await work.voice.think(`I write ${path}, if you allow it.`);
    await work.voice.say(describeEdit(await work.call(writeFile, { path, text: withLineEnd(text) })));
  },

  async append(work, { path, text }) {
    const found = await work.findPath(path);
    await work.voice.think(`I read ${found}, and add to its end if you allow it.`);
    const { lines } = await work.call(readFile, { path: found });
    const before = lines.map((line) => `${line}\n`).join('');
    await work.voice.say(describeEdit(await work.call(writeFile, { path: found, text: before + withLineEnd(text) })));
  },

  async delete(work, { path }) {
    const found = await work.findPath(path);
    await work.voice.think(`I delete ${found}, if you allow it.`);
    await work.voice.say(describeEdit(await work.call(deleteFile, { path: found })));
  },

  async move(work, { from, to }) {
    const found = await work.findPath(from);
    await work.voice.think(`I move ${found}, if you allow it.`);
    await work.voice.say(describeEdit(await work.call(moveFile, { from: found, to })));
  },

  async run(work, { command }) {
    await work.voice.think('This is a command for the shell. It runs only if you allow it.');
    await work.voice.say(await runAndDescribe(work, command));
  },

  async test(work) {
    await work.voice.think('I look up how this project runs its tests, and run them if you allow it.');
    const { run, text } = await runTests(work);
    await work.voice.say(run ? `${describeTests(run)}${hint(run)}` : text);
  },

  async fix(work) {
    await work.voice.think('First the tests have to say what is wrong.');
    const { run, text } = await runTests(work);
    if (!run) return work.voice.say(`I cannot tell what fails from this output.\n\n${text}`);
    await work.voice.say(describeTests(run));
    const failure = run.failures[0];
    if (!failure) return;
    const suspects = findSuspects(failure, run.passing, await sourcesOf(work, failure.location));
    if (suspects.length === 0) {
      const phrase = codeSpan('replace "…" with "…" in src/units.js');
      return work.voice.say(`No single number explains this. Tell me what to change, and I will do it: ${phrase}`);
    }
    for (const suspect of suspects.slice(0, maxGuesses)) {
      if (await tryRepair(work, failure, suspect)) return;
    }
    await work.voice.say('None of my guesses was right, and everything is as it was before.');
  },

  async summarise(work, { path }) {
    const attached = attachedPath(work);
    const found = path === '.' && attached !== undefined ? attached : await work.findPath(path);
    const isFile = (await work.files()).some((file) => file.path === found);
    if (isFile) return handlers.explain(work, { kind: 'explain', path: found });
    await work.voice.think('I list the files, then read each of them.');
    const { entries } = await work.call(listFiles, { path: found });
    const texts = await work.texts(entries.filter(({ type }) => type === 'file').map((entry) => entry.path));
    await work.voice.say(describeWorkspace(found === '.' ? work.caller.workspace.title : found, texts));
  },

  async report(work) {
    await work.voice.think(
      'A long report: I list the files, read all of them, and write down everything there is to say.',
    );
    const { entries } = await work.call(listFiles, { path: '.' });
    const texts = await work.texts(entries.filter(({ type }) => type === 'file').map((entry) => entry.path));
    await work.voice.sayAll(writeReport(work.caller.workspace.title, texts));
  },

  async fail({ voice, caller }) {
    await voice.think('You want to see a failure.');
    await voice.say('This turn fails after this sentence. It can be resumed.');
    failOnce(caller);
    await voice.say('Resumed: the turn goes on here, with all it had.');
  },

  tour: takeTour,

  async unknown(work, { text }) {
    const attached = attachedPath(work);
    if (attached !== undefined) return handlers.explain(work, { kind: 'explain', path: attached });
    const name = text.split(/[\s,;:!?"'`()]+/).find((word) => /\w\.\w/.test(word));
    await work.voice.think('None of my rules fits this request.');
    const few = examples().slice(0, 5);
    const tip = name === undefined ? '' : ` Do you mean ${codeSpan(`read ${name}`)}?`;
    await work.voice.say(
      `I did not understand that.${tip} I go by simple rules; these work:\n\n${list(few)}\n\n${codeSpan('help')} shows all of them.`,
    );
  },
};

function examples(): string[] {
  const all = [
    'list the files in src',
    'read src/units.js',
    'search for tablespoon',
    'explain src/units.js',
    'summarise the workspace',
    'show lines 1-8 of src/units.js',
    'count the lines in src',
    'replace "size: 4" with "size: 5" in src/units.js',
    'create notes.md with "Buy lentils."',
    'write a long report about the workspace',
    'move docs/decisions.md to docs/why.md',
    'run `node --version`',
    'run the tests',
    'fix the failing test',
    'add a recipe',
    'prices of milk, eggs',
    'delegate: explain src/units.js',
    'tour',
  ];
  return all.map(codeSpan);
}

/** A file of the workspace that is attached to the message. */
function attachedPath({ caller }: Work): string | undefined {
  for (const attachment of caller.turn.message.attachments ?? []) {
    const path = attachment.type === 'resource' ? fromFileUri(attachment.uri) : undefined;
    if (path !== undefined) return path;
  }
  return undefined;
}

/** Repairs that are tried before giving up. */
const maxGuesses = 3;

/** Makes one change and lets the tests judge it; takes it back when they still fail. Returns whether it was right. */
async function tryRepair(work: Work, failure: TestFailure, suspect: Suspect): Promise<boolean> {
  const { path, line, find, replaceWith, word, from, to } = suspect;
  await work.voice.think(
    `It expected ${failure.expected ?? '?'} and got ${failure.actual ?? '?'}. Only failing tests speak of "${word}", and line ${line} of ${path} says ${from} there; with ${to} the result would fit.`,
  );
  await work.call(readFile, { path, from: Math.max(1, line - 2), to: line + 2 });
  await work.voice.say(`My guess is line ${line} of ${codeSpan(path)}: ${from} should be ${to}. The tests will tell.`);
  await work.voice.say(describeEdit(await work.call(editFile, { path, find, replaceWith })));
  const { run, text } = await runTests(work);
  await work.voice.say(run ? describeTests(run) : text);
  if (run?.failures.every(({ name }) => name !== failure.name)) return true;
  await work.voice.say('That was not it. I take it back.');
  await work.call(editFile, { path, find: replaceWith, replaceWith: find });
  return false;
}

/** The modules a test imports; without its place, all that look like source. */
async function sourcesOf(work: Work, location: string | undefined): Promise<FileText[]> {
  const paths = (await work.files()).map((file) => file.path);
  const test = location?.replace(/:\d+$/, '');
  const [text] = test === undefined ? [] : await work.texts([test]);
  if (!text) return work.texts(paths.filter((path) => /^src\/.*\.[cm]?[jt]s$/.test(path)));
  const folder = text.path.split('/').slice(0, -1).join('/') || '.';
  const imported = outlineOf(text.path, text.text).uses.filter((name) => name.startsWith('.'));
  // A module outside of the workspace is none of its paths, so it needs no special care.
  const inside = new Set(imported.map((name) => new URL(name, `workspace:///${folder}/`).pathname.slice(1)));
  return work.texts(paths.filter((path) => inside.has(path)));
}

async function runAndDescribe(work: Work, command: string): Promise<string> {
  const outcome = await work.attempt(runCommand, { command });
  if (outcome.kind === 'denied')
    throw new Setback('You did not allow the command, so it did not run.', outcome.suggestion);
  if (outcome.kind === 'done') return describeCommand(command, outcome.data);
  if (!outcome.data) throw new Setback(outcome.message);
  return `${outcome.message}\n\n${describeCommand(command, outcome.data)}`;
}

async function runTests(work: Work): Promise<{ run: TestRun | undefined; text: string }> {
  const { lines } = await work.call(readFile, { path: 'package.json' }, 'Find out how the tests are run');
  const command = testCommand(lines.join('\n'));
  if (command === undefined) throw new Setback(`${codeSpan('package.json')} names no test script.`);
  const outcome = await work.attempt(runCommand, { command, timeoutSeconds: 120 });
  if (outcome.kind === 'denied') throw new Setback('You did not allow the tests to run.', outcome.suggestion);
  if (!outcome.data) throw new Setback(outcome.kind === 'failed' ? outcome.message : 'The tests gave no result.');
  return { run: parseTestRun(outcome.data.output), text: describeCommand(outcome.data.command, outcome.data) };
}

function testCommand(packageJson: string): string | undefined {
  try {
    const parsed = JSON.parse(packageJson) as { scripts?: Record<string, unknown> } | null;
    return typeof parsed?.scripts?.test === 'string' ? 'npm test' : undefined;
  } catch {
    throw new Setback(`${codeSpan('package.json')} is not valid JSON:\n\n${fence(packageJson.slice(0, 400), 'json')}`);
  }
}

function hint(run: TestRun): string {
  return run.failed === 0
    ? ''
    : `\n\nSay ${codeSpan('fix the failing test')} and I look for the cause of ${count(run.failed, 'failure')}.`;
}

const withLineEnd = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`);
