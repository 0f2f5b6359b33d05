import { findRecipe, readBook, scale } from './recipes.js';
import { isFresh, readStock, totals } from './stock.js';
import { missing, need, writeList } from './shopping-list.js';

const titles = process.argv.slice(2);
const book = readBook();
const people = Number(process.env.PEOPLE ?? 4);
const today = process.env.TODAY ?? new Date().toISOString().slice(0, 10);

if (titles.length === 0) {
  console.log(`Recipes: ${book.recipes.map((recipe) => recipe.title).join(', ')}`);
  process.exit(0);
}

const recipes = titles.map((title) => {
  const recipe = findRecipe(book, title);
  if (!recipe) {
    console.error(`No recipe is called "${title}".`);
    process.exit(1);
  }
  return scale(recipe, people);
});

const stock = readStock();
const expired = stock.filter((item) => !isFresh(item, today));
const list = missing(need(recipes), totals(stock, today));

console.log(list.length > 0 ? writeList(list, book.aisles) : 'Everything is at home.');
if (expired.length > 0) console.log(`\nExpired: ${expired.map((item) => item.food).join(', ')}`);
