/** The tool that every page of the simulation offers: it says that it runs, takes its time, and fails now and then. */

import type { ClientTool } from '../../src/client/client-tools.js';
import type { Environment } from '../../src/client/environment.js';

export interface PageToolOptions {
  readonly environment: Pick<Environment, 'schedule'>;
  readonly random: () => number;
  /** Called with the id of each call that is run. */
  readonly onRun: (toolCallId: string) => void;
}

export const pageToolName = 'note';

export const createPageTool = ({ environment, random, onRun }: PageToolOptions): ClientTool => ({
  name: pageToolName,
  description: 'Notes something in the page.',
  run: async (input, _signal, report) => {
    // The agent of the simulation gives each call its own id to work on.
    onRun(String(input));
    report('Noting');
    await new Promise<void>((resolve) => environment.schedule(Math.floor(random() * 1_500), resolve));
    if (random() < 0.2) throw new Error('It could not be noted.');
    return 'Noted';
  },
});
