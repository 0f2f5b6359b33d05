/** Draws the stock as bars: a tool whose result is a picture, and the file it was drawn from. */

import { encodeBase64 } from '../../../src/bytes/base64.js';
import { contentTypeOf, toFileUri } from '../workspace/content.js';
import { readText, splitLines } from '../workspace/files.js';
import { WorkspaceError } from '../workspace/workspace.js';
import { toPng } from './png.js';
import { text } from './tool-input.js';
import { code, defineTool, says } from './tool.js';

const barHeight = 12;
const width = 320;
const maxBars = 12;
const palette = [
  [250, 248, 244],
  [47, 93, 80],
  [217, 210, 196],
] as const;

export const chartStock = defineTool({
  name: 'chart_stock',
  displayName: 'Chart stock',
  description: 'Counts the entries of each food in a table of stock, and draws them as bars.',
  fields: { path: text('A CSV file whose first column names the food.', 'data/stock.csv') },
  async prepare({ path }, { workspace }) {
    return {
      ...says('Drawing', 'Drew', code(path)),
      isRepeatable: true,
      async run() {
        const counts = new Map<string, number>();
        for (const line of splitLines(await readText(workspace, path)).slice(1)) {
          const food = line.split(',')[0] ?? '';
          counts.set(food, (counts.get(food) ?? 0) + 1);
        }
        const data = [...counts].sort(([, a], [, b]) => b - a).slice(0, maxBars);
        const most = data[0]?.[1];
        if (most === undefined) throw new WorkspaceError('bad-input', `"${path}" has no rows to draw.`);
        const png = await toPng({
          width,
          height: data.length * barHeight,
          palette,
          pixel(x, y) {
            const length = ((data[Math.floor(y / barHeight)]?.[1] ?? 0) / most) * width;
            if (y % barHeight >= barHeight - 3) return 0;
            return x < length ? 1 : 2;
          },
        });
        const lines = data.map(([food, count]) => `${food}: ${count}`).join('\n');
        const type = contentTypeOf(path);
        return {
          data,
          text: lines,
          content: [
            { type: 'text', text: lines },
            { type: 'embeddedResource', data: encodeBase64(png), contentType: 'image/png' },
            { type: 'resource', uri: toFileUri(path), ...(type !== undefined && { contentType: type }) },
          ],
        };
      },
    };
  },
});
