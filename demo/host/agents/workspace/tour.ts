/**
 * The tour: everything an agent can show and ask, once each, on the real files. It waits only where a person has to
 * answer, takes no for an answer everywhere, and leaves the workspace as it was, if it may. The stations in order are the
 * documentation; what each of them shows stands in its title.
 */

import type { ChatInputQuestion } from '../../../../src/protocol/state.js';
import { toFileUri } from '../../workspace/content.js';
import { chartStock } from '../chart.js';
import { delegate } from '../delegate.js';
import { pageTools } from '../page-tools.js';
import { deleteFile, editFile, listFiles, moveFile, readFile, runCommand, writeFile } from '../tools.js';
import { describeEdit } from './answers.js';
import { failOnce } from './fail.js';
import { codeSpan, plain, table } from './markdown.js';
import { Setback, type Work } from './work.js';

interface Station {
  readonly title: string;
  visit(work: Work): Promise<void>;
}

const path = 'tour.md';
const movedPath = 'docs/tour.md';
const readUrl = 'https://microsoft.github.io/agent-host-protocol/';

const questions: readonly ChatInputQuestion[] = [
  { id: 'name', kind: 'text', message: 'What shall I call you?', required: true, min: 1, max: 40 },
  { id: 'visits', kind: 'integer', message: 'How often have you seen this tour?', min: 0, max: 99, defaultValue: 0 },
  { id: 'mark', kind: 'number', message: 'Which mark do you give it, from 1 to 5?', min: 1, max: 5, defaultValue: 4.5 },
  { id: 'again', kind: 'boolean', message: 'Would you take it again?', defaultValue: true },
  {
    id: 'best',
    kind: 'single-select',
    message: 'What did you like best?',
    allowFreeformInput: true,
    options: [
      { id: 'diff', label: 'The diff', description: 'Before and after, side by side or not', recommended: true },
      { id: 'terminal', label: 'The terminal' },
      { id: 'questions', label: 'These questions' },
    ],
  },
  {
    id: 'more',
    kind: 'multi-select',
    message: 'What would you like more of?',
    max: 2,
    options: [
      { id: 'text', label: 'Text' },
      { id: 'tools', label: 'Tools' },
      { id: 'silence', label: 'Silence' },
    ],
  },
];

const stations: readonly Station[] = [
  {
    title: 'Text and thoughts',
    async visit({ voice }) {
      await voice.think('A thought comes before the text, and can be folded away.');
      await voice.say('**Bold**, *slanted*, `code`, [a link](https://example.com/), a list:\n\n- one\n- two');
      await voice.say('```js\nconst tablespoon = 3 * teaspoon;\n```');
    },
  },
  {
    title: 'Content that is read when it is wanted',
    async visit(work) {
      const uri = toFileUri('docs/decisions.md');
      work.show({ kind: 'contentRef', uri, contentType: 'text/markdown', sizeHint: 1000 });
    },
  },
  {
    title: 'News from the host',
    async visit(work) {
      work.show({ kind: 'systemNotification', content: { markdown: 'The tour has begun. Nothing else has changed.' } });
    },
  },
  {
    title: 'Tools that only look: text, a picture, a file',
    async visit(work) {
      await work.call(listFiles, { path: 'src' }, 'See what there is');
      await work.call(chartStock, {});
    },
  },
  {
    title: 'A tool that fails',
    async visit(work) {
      await work.attempt(readFile, { path: 'no-such-file.md' });
      await work.voice.say('It failed, and the turn goes on.');
    },
  },
  {
    title: 'Asking before a file is made, with a judge who thinks about it',
    async visit(work) {
      const text = '# Tour\n\nThis file comes and goes.\n';
      await work.voice.say(describeEdit(await work.call(writeFile, { path, text })));
    },
  },
  {
    title: 'A change, and a new place',
    async visit(work) {
      const edit = await work.call(editFile, { path, find: 'comes and goes', replaceWith: 'has been changed' });
      await work.voice.say(describeEdit(edit));
      await work.voice.say(describeEdit(await work.call(moveFile, { from: path, to: movedPath })));
    },
  },
  {
    title: 'Saying no: deny this one, and say what you want instead',
    async visit(work) {
      const outcome = await work.attempt(deleteFile, { path: movedPath });
      if (outcome.kind === 'done') return work.voice.say('You allowed it, so the file is gone.');
      if (outcome.kind === 'failed') return work.voice.say(outcome.message);
      const said = outcome.suggestion === undefined ? '' : ` You said instead: ${plain(outcome.suggestion)}`;
      await work.voice.say(`Denied, and nothing was deleted.${said}`);
    },
  },
  {
    title: 'A command on a terminal; you can change it before it runs',
    async visit(work) {
      const command = 'ls src && echo "That was the workspace."';
      const { exitCode } = await work.call(runCommand, { command });
      await work.voice.say(`It ended with exit code ${exitCode ?? 'unknown'}.`);
    },
  },
  {
    title: 'Work that goes on behind the chat',
    async visit(work) {
      await work.call(runCommand, { command: 'sleep 1; echo done', background: true });
      await work.voice.say('You are told when it ends.');
    },
  },
  {
    title: 'Questions, one of each kind',
    async visit(work) {
      const { response, values } = await work.ask({ message: 'A few words about the tour so far?', questions });
      if (response !== 'accept') return work.voice.say(`You chose to ${response}. That is fine, too.`);
      const rows = Object.entries(values).map(([id, value]) => [id, plain(String(value))]);
      await work.voice.say(`You said:\n\n${table(['Question', 'Answer'], rows)}`);
    },
  },
  {
    title: 'An address that only you can open',
    async visit(work) {
      const { response } = await work.ask({ message: 'Here is where the protocol is described.', url: readUrl });
      await work.voice.say(response === 'accept' ? 'You have seen it.' : 'Another time, then.');
    },
  },
  {
    title: 'A server that wants a sign-in, and a result you look at first',
    async visit(work) {
      const prices = await work.call(work.caller.market.tool, { foods: 'milk, carrots' });
      await work.voice.say(`Used: ${codeSpan(JSON.stringify(prices))}`);
    },
  },
  {
    title: 'A worker in a chat of its own',
    async visit(work) {
      await work.call(delegate, { task: 'count the lines in src', title: 'Counter' });
      await work.voice.say('The worker has counted.');
    },
  },
  {
    title: 'A tool of the page',
    async visit(work) {
      const [tool] = pageTools(work.caller);
      if (!tool) return work.voice.say('No page lends a tool to this session, so there is none to call.');
      await work.attempt(tool, {});
      await work.voice.say(`${codeSpan(tool.displayName)} was run by the page.`);
    },
  },
  {
    title: 'A failure that can be resumed',
    async visit({ voice, caller }) {
      await voice.say('The turn fails here. Resume it, and the tour ends well.');
      failOnce(caller);
    },
  },
];

export async function takeTour(work: Work): Promise<void> {
  const { voice, caller } = work;
  const visited: (readonly [number, string, string])[] = [];
  await voice.say(`# A tour of ${stations.length} stations\n\nI wait wherever you have to answer, and nowhere else.`);
  for (const [index, { title, visit }] of stations.entries()) {
    await voice.say(`### ${index + 1}. ${title}`);
    let how = 'seen';
    try {
      await visit(work);
    } catch (error) {
      if (!(error instanceof Setback)) throw error;
      how = 'skipped';
      await voice.say(error.message);
    }
    visited.push([index + 1, title, how]);
    const steering = caller.turn.takeSteering();
    if (steering) await voice.say(`You added: ${plain(steering.message.text)}`);
  }
  await voice.say(`### The end\n\n${table(['', 'Station', 'How'], visited)}`);
}
