import { readFileSync } from 'node:fs';
import { toBase } from './units.js';

/** Reads the stock file: one item a line, with amount, unit and the last good day. */
export function readStock(file = new URL('../data/stock.csv', import.meta.url)) {
  const [header, ...lines] = readFileSync(file, 'utf8').trim().split('\n');
  const names = header.split(',');
  return lines.map((line) => {
    const cells = line.split(',');
    const row = Object.fromEntries(names.map((name, index) => [name, cells[index]]));
    return { ...row, amount: Number(row.amount) };
  });
}

/** Whether an item can still be used on a day. Days are written as 2026-11-30, so text order is time order. */
export const isFresh = (item, today) => item.best_before >= today;

/** Adds up what is fresh, by food. */
export function totals(stock, today) {
  const sum = new Map();
  for (const item of stock.filter((entry) => isFresh(entry, today))) {
    const { amount, kind } = toBase(item.amount, item.unit);
    const key = `${item.food}|${kind}`;
    sum.set(key, (sum.get(key) ?? 0) + amount);
  }
  return sum;
}
