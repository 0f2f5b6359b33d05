import assert from 'node:assert/strict';
import test from 'node:test';
import { missing, need, writeList } from '../src/shopping-list.js';
import { findRecipe, readBook, scale } from '../src/recipes.js';
import { totals } from '../src/stock.js';

const soup = {
  title: 'Soup',
  serves: 2,
  ingredients: [
    { food: 'lentils', amount: 200, unit: 'gram' },
    { food: 'salt', note: 'a pinch' },
  ],
};

test('adds up two recipes and keeps loose words apart', () => {
  const { sum, loose } = need([soup, soup]);

  assert.equal(sum.get('lentils|weight'), 400);
  assert.deepEqual([...loose], ['salt']);
});

test('buys only what the larder lacks', () => {
  const stock = [
    { food: 'lentils', amount: 0.15, unit: 'kilogram', best_before: '2027-01-01' },
    { food: 'lentils', amount: 1, unit: 'kilogram', best_before: '2020-01-01' },
  ];

  const list = missing(need([soup]), totals(stock, '2026-11-30'));

  assert.deepEqual(list, [{ food: 'lentils', kind: 'weight', amount: 50 }]);
});

test('scales a recipe of the book to the people who eat', () => {
  const recipe = findRecipe(readBook(), 'lentil soup');

  assert.equal(scale(recipe, recipe.serves * 2).ingredients[0].amount, recipe.ingredients[0].amount * 2);
});

test('groups the list by aisle', () => {
  const text = writeList(
    [{ food: 'lentils', kind: 'weight', amount: 50 }],
    [{ name: 'Dry goods', foods: ['lentils'] }],
  );

  assert.equal(text, 'Dry goods\n  lentils: 50 g');
});
