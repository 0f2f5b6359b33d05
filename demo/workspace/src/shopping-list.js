import { format, toBase } from './units.js';

/** What several recipes need together, in base units. Loose words such as "a pinch" are collected as they are. */
export function need(recipes) {
  const sum = new Map();
  const loose = new Set();
  for (const recipe of recipes) {
    for (const item of recipe.ingredients) {
      if (!item.amount) {
        loose.add(item.food);
        continue;
      }
      const { amount, kind } = toBase(item.amount, item.unit);
      const key = `${item.food}|${kind}`;
      sum.set(key, (sum.get(key) ?? 0) + amount);
    }
  }
  return { sum, loose };
}

/** Subtracts the stock and keeps what is missing. */
export function missing(needed, inStock) {
  const list = [];
  for (const [key, amount] of needed.sum) {
    const rest = amount - (inStock.get(key) ?? 0);
    const [food, kind] = key.split('|');
    if (rest > 0) list.push({ food, kind, amount: rest });
  }
  return list;
}

/** Writes the list, aisle by aisle, in the order of the shop. */
export function writeList(items, aisles) {
  const aisleOf = (food) => aisles.find((aisle) => aisle.foods.includes(food))?.name ?? 'Elsewhere';
  const names = [...aisles.map((aisle) => aisle.name), 'Elsewhere'];
  return names
    .map((name) => ({ name, items: items.filter((item) => aisleOf(item.food) === name) }))
    .filter((group) => group.items.length > 0)
    .map(
      (group) =>
        `${group.name}\n${group.items.map((item) => `  ${item.food}: ${format(item.amount, item.kind)}`).join('\n')}`,
    )
    .join('\n\n');
}
