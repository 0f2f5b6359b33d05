import assert from 'node:assert/strict';
import { it } from 'node:test';
import { toFigures, tryHostile } from './try-hostile.js';

it('hostile text in every place causes no request that a driver of the browser could see, and opens nothing', async () => {
  const outcome = await tryHostile(29);

  assert.deepEqual(toFigures(outcome).lines.slice(0, -1), []);
  assert.equal(outcome.scriptRuns, 0);
  assert.ok(outcome.tried > 5_000, `${outcome.tried} inputs were tried`);
});
