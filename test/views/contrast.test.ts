import { expect } from '@open-wc/testing';
import { transcriptFixture, turnOf } from '../helpers/transcript.js';
import { markdown, turn } from '../helpers/turns.js';
import { find } from '../helpers/views.js';

type Rgb = readonly [number, number, number];

/** What a custom property is for the elements in the transcript, whatever form of colour it has. */
function readColor(probe: HTMLElement, name: string): Rgb {
  probe.style.color = '';
  probe.style.color = `var(--_${name})`;
  const [red = 0, green = 0, blue = 0] =
    getComputedStyle(probe)
      .color.match(/[\d.]+/g)
      ?.map(Number) ?? [];
  return [red, green, blue];
}

/** WCAG 2.2, relative luminance. */
function luminanceOf(color: Rgb): number {
  const [red, green, blue] = color.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrastOf(one: Rgb, other: Rgb): number {
  const [darker, lighter] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

const surfaces = ['surface', 'raised', 'sunken', 'user'];
const code = ['keyword', 'string', 'comment', 'number', 'function', 'type', 'property', 'tag', 'inserted', 'deleted'];
const pairs: readonly (readonly [string, string, number])[] = [
  ...['text', 'quiet', 'accent', 'danger', 'warning', 'success'].flatMap((text) =>
    surfaces.map((surface) => [text, surface, 4.5] as const),
  ),
  ...code.map((kind) => [`code-${kind}`, 'sunken', 4.5] as const),
  ['on-accent', 'accent', 4.5],
  ...surfaces.map((surface) => ['control', surface, 3] as const),
];

for (const scheme of ['light', 'dark']) {
  describe(`colours in ${scheme}`, () => {
    it('differ enough from what they stand on', async () => {
      const transcript = await transcriptFixture({ turns: [turn('a', { responseParts: [markdown('m', 'Text')] })] });
      transcript.style.colorScheme = scheme;
      const probe = document.createElement('span');
      find(turnOf(transcript, 'a'), 'ahp-markdown').append(probe);

      const weak = pairs
        .map(([text, ground, least]) => {
          const contrast = contrastOf(readColor(probe, text), readColor(probe, ground));
          return { pair: `${text} on ${ground}`, contrast: Math.round(contrast * 100) / 100, least };
        })
        .filter(({ contrast, least }) => contrast < least);

      expect(readColor(probe, 'text')).not.to.deep.equal(readColor(probe, 'surface'));
      expect(weak).to.deep.equal([]);
    });
  });
}
