/** Requests that need somebody besides the files: a person's answers, the market, a worker, the page, time. */

import { delegate } from '../delegate.js';
import { pageTools } from '../page-tools.js';
import { runCommand } from '../tools.js';
import { parseToolInput } from '../tool-input.js';
import type { Handlers } from './handlers.js';
import { codeSpan, count, list, plain, table } from './markdown.js';
import { addRecipe } from './recipe.js';
import { Setback } from './work.js';

type Kinds = 'recipe' | 'prices' | 'delegate' | 'page-tool' | 'background' | 'stop-background';

const usualFoods = 'carrots, milk, red lentils';

export const together: Pick<Handlers, Kinds> = {
  recipe: (work, { title }) => addRecipe(work, title),

  async prices(work, { foods = usualFoods }) {
    await work.voice.think('Prices are with the market, which lets in people it knows only.');
    const found = Object.entries(await work.call(work.caller.market.tool, { foods }));
    if (found.length === 0) return work.voice.say('The market has none of these.');
    const rows = found.map(([food, price]) => [plain(food), `${price.toFixed(2)} €`]);
    await work.voice.say(`The market says:\n\n${table(['Food', 'Price'], rows)}`);
  },

  async delegate(work, { task }) {
    if (task.trim() === '') throw new Setback('Tell me what the worker is to do.');
    await work.voice.think('A worker does this in a chat of its own. I wait for what it says.');
    const said = await work.call(delegate, { task, title: task.slice(0, 40) });
    await work.voice.say(`The worker says:\n\n${said.replace(/^/gm, '> ')}`);
  },

  async 'page-tool'(work, { name, input }) {
    const tools = pageTools(work.caller);
    const tool = tools.find((each) => each.name === name || each.displayName === name);
    if (!tool) {
      const known =
        tools.length === 0 ? 'No page lends a tool to this session.' : list(tools.map((each) => codeSpan(each.name)));
      throw new Setback(`There is no page tool ${codeSpan(name)}.\n\n${known}`);
    }
    await work.voice.think('The page runs this tool, not I.');
    const given = input.trim().startsWith('{') ? parseToolInput(input) : {};
    const data = await work.call(tool, given);
    await work.voice.say(`The page answers: ${codeSpan(typeof data === 'string' ? data : JSON.stringify(data))}`);
  },

  async background(work, { command }) {
    await work.voice.think('This goes on behind the chat; you are told when it ends.');
    await work.call(runCommand, { command, background: true });
    await work.voice.say(`${codeSpan(command)} runs in the background. You can go on.`);
  },

  async 'stop-background'(work) {
    const stopped = work.caller.background.stop(work.caller.turn.chat);
    await work.voice.say(stopped === 0 ? 'Nothing runs in the background.' : `I stop ${count(stopped, 'command')}.`);
  },
};
