/** The tool that the demo page lends the agent: it tells what a host cannot know by itself. */

import type { ClientTool } from '../src/client/client-tools.js';

export const lookAtPage: ClientTool = {
  name: 'look_at_page',
  title: 'Look at the page',
  description: 'Tells title, language, colour scheme and size of the page that the person has open.',
  inputSchema: { type: 'object', properties: {} },
  annotations: { readOnlyHint: true },
  run: () =>
    JSON.stringify({
      title: document.title,
      language: document.documentElement.lang,
      colorScheme: getComputedStyle(document.documentElement).colorScheme,
      size: `${innerWidth} × ${innerHeight}`,
    }),
};
