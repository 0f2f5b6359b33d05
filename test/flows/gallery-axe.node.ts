/** What axe finds in the gallery: every section, in light and in dark, with every rule that axe has. */

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { after, describe, it } from 'node:test';
import { Gallery } from '../../scripts/gallery-page.js';

const gallery = await Gallery.start();
const sections = await gallery.listSections();
after(() => gallery.close());

const axeFile = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

interface Finding {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** One line for each element that breaks a rule, or may break one. */
async function findFaults(theme: 'light' | 'dark'): Promise<string[]> {
  return gallery.page.evaluate(async (shown) => {
    document.documentElement.dataset.theme = shown;
    const { axe } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: readonly Finding[]; incomplete: readonly Finding[] }> };
    };
    const { violations, incomplete } = await axe.run();
    // Where axe cannot tell is a fault as well, but for the contrast of a lone sign or of what lies below a field: axe reads
    // no colour there, and the colours themselves are compared in `contrast.test.ts`.
    const unsure = incomplete.filter(({ id }) => id !== 'color-contrast');
    return [...violations, ...unsure].flatMap(({ id, nodes }) =>
      nodes.map(({ html }) => `${shown}, ${id}: ${html.slice(0, 160)}`),
    );
  }, theme);
}

describe('axe finds nothing, in light and in dark,', () => {
  it('in sections of which there are many', () => {
    assert.ok(sections.length >= 30, `there are ${sections.length}`);
  });

  for (const section of sections) {
    it(`in "${section}"`, async () => {
      await gallery.open(section);
      await gallery.page.addScriptTag({ path: axeFile });

      assert.deepEqual([...(await findFaults('light')), ...(await findFaults('dark'))], []);
    });
  }

  it('and no section has thrown an error, or updated an element twice in a row', () => {
    assert.deepEqual(gallery.faults, []);
  });
});
