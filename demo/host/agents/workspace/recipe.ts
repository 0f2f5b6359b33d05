/**
 * "Add a recipe": the one request that cannot be done without asking. What is asked comes from the data, the answers
 * become a real edit of it, and a list of what has to be bought if the person wants one.
 */

import type { ChatInputQuestion, InputOption } from '../../../../src/protocol/state.js';
import { readText, splitLines } from '../../workspace/files.js';
import type { Answers } from '../ask.js';
import { readFile, writeFile } from '../tools.js';
import { describeEdit } from './answers.js';
import { Setback, type Work } from './work.js';

const recipesPath = 'data/recipes.json';
const stockPath = 'data/stock.csv';

interface Book {
  readonly aisles: readonly { readonly name: string; readonly foods: readonly string[] }[];
  readonly recipes: readonly { readonly title: string }[];
}

export async function addRecipe(work: Work, title: string | undefined): Promise<void> {
  await work.voice.think('I look up which foods the recipes know, then ask for what I cannot know.');
  const { lines } = await work.call(readFile, { path: recipesPath });
  const book = readBook(lines.join('\n'));
  const { response, values } = await work.ask({
    message: { markdown: 'A **recipe** needs a few facts.' },
    questions: toQuestions(book, title, await stockedFoods(work)),
  });
  if (response !== 'accept') throw new Setback('Then I add no recipe.');
  const recipe = toRecipe(values);
  const text = `${JSON.stringify({ ...book, recipes: [...book.recipes, recipe] }, undefined, 2)}\n`;
  await work.voice.say(describeEdit(await work.call(writeFile, { path: recipesPath, text })));
  if (values.list !== true) return;
  const list = recipe.ingredients.map(({ food, amount, unit }) => `- ${amount} ${unit} ${food}\n`).join('');
  const shopping = { path: 'shopping.md', text: `# For ${recipe.title}\n\n${list}` };
  await work.voice.say(describeEdit(await work.call(writeFile, shopping)));
}

function readBook(text: string): Book {
  try {
    const book = JSON.parse(text) as Book | null;
    if (Array.isArray(book?.aisles) && Array.isArray(book.recipes)) return book;
  } catch {
    // Said below, as for any other text that is no book of recipes.
  }
  throw new Setback(`\`${recipesPath}\` is not the book of recipes I know.`);
}

async function stockedFoods(work: Work): Promise<ReadonlySet<string>> {
  const stock = await readText(work.caller.workspace, stockPath).catch(() => '');
  return new Set(splitLines(stock).map((line) => line.split(',')[0] ?? ''));
}

function toQuestions(book: Book, title: string | undefined, stock: ReadonlySet<string>): readonly ChatInputQuestion[] {
  const foods = book.aisles.flatMap(({ name, foods }) =>
    foods.map((food): InputOption => ({ id: food, label: food, description: name })),
  );
  const recommended = foods.find(({ id }) => stock.has(id))?.id;
  const mains = foods.map((food) => (food.id === recommended ? { ...food, recommended: true } : food));
  const base = { required: true } as const;
  return [
    {
      ...base,
      id: 'title',
      kind: 'text',
      title: 'Name',
      message: 'What is the dish called?',
      min: 2,
      max: 60,
      ...(title !== undefined && { defaultValue: title }),
    },
    {
      ...base,
      id: 'serves',
      kind: 'integer',
      title: 'People',
      message: 'For how many?',
      min: 1,
      max: 24,
      defaultValue: 4,
    },
    {
      ...base,
      id: 'main',
      kind: 'single-select',
      message: 'What is it mostly made of?',
      options: mains,
      allowFreeformInput: true,
    },
    {
      ...base,
      id: 'amount',
      kind: 'number',
      message: 'How many grams of it for each?',
      min: 0.5,
      max: 2000,
      defaultValue: 120,
    },
    {
      id: 'others',
      kind: 'multi-select',
      message: 'What else goes in?',
      options: foods,
      allowFreeformInput: true,
      max: 6,
    },
    { id: 'list', kind: 'boolean', message: 'Shall I write a shopping list, too?', defaultValue: true },
  ];
}

interface Recipe {
  readonly title: string;
  readonly serves: number;
  readonly ingredients: readonly { readonly food: string; readonly amount: number; readonly unit: string }[];
}

/** The host has checked the answers against their questions. */
function toRecipe({ title, serves, main, amount, others }: Answers['values']): Recipe {
  const people = Number(serves);
  const more = Array.isArray(others) ? (others as readonly string[]) : [];
  return {
    title: String(title),
    serves: people,
    ingredients: [
      { food: String(main), amount: Number(amount) * people, unit: 'gram' },
      ...more.map((food) => ({ food, amount: people, unit: 'piece' })),
    ],
  };
}
