/** `npm start`: the page and the demo host, started and ended together, and the one address to open. */

import { startDemo } from '../demo/host/supervisor.js';

let isEnding = false;

const demo = await startDemo({
  port: Number(process.env.AHP_DEMO_PORT ?? 5173),
  ...(process.env.AHP_DEMO_DATA !== undefined && { dataDir: process.env.AHP_DEMO_DATA }),
  onHostExit() {
    if (isEnding) return;
    console.error('The demo host ended by itself. Stopping.');
    void end(1);
  },
});

async function end(code: number): Promise<void> {
  if (isEnding) return;
  isEnding = true;
  await demo.close();
  process.exit(code);
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end(0));

console.log(`\n  Open  ${demo.address}\n\n  Ctrl+C stops the page and the host.\n`);
