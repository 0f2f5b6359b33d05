import { readFileSync } from 'node:fs';

/** Reads the recipe book: recipes and the order of the aisles. */
export function readBook(file = new URL('../data/recipes.json', import.meta.url)) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Finds a recipe by its title; upper and lower case do not matter. */
export function findRecipe(book, title) {
  const wanted = title.trim().toLowerCase();
  return book.recipes.find((recipe) => recipe.title.toLowerCase() === wanted);
}

/** Scales a recipe to a number of people. Ingredients without an amount stay as they are. */
export function scale(recipe, people) {
  const factor = people / recipe.serves;
  return {
    ...recipe,
    serves: people,
    ingredients: recipe.ingredients.map((item) => (item.amount ? { ...item, amount: item.amount * factor } : item)),
  };
}
