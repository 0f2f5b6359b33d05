import assert from 'node:assert/strict';
import test from 'node:test';
import { convert, findUnit, format } from '../src/units.js';

test('finds a unit by plural and by short form', () => {
  assert.equal(findUnit('Cups').name, 'cup');
  assert.equal(findUnit('tbsp').name, 'tablespoon');
  assert.equal(findUnit('handful'), undefined);
});

test('a tablespoon holds three teaspoons', () => {
  assert.equal(convert(1, 'tablespoon', 'teaspoon'), 3);
});

test('a cup holds sixteen tablespoons', () => {
  assert.equal(convert(1, 'cup', 'tablespoon'), 16);
});

test('does not turn a weight into a volume', () => {
  assert.throws(() => convert(1, 'gram', 'litre'), /Cannot convert/);
});

test('writes large amounts in large units', () => {
  assert.equal(format(1500, 'weight'), '1.5 kg');
  assert.equal(format(3, 'count'), '3');
});
