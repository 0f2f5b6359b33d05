/** `npm start`: the page and the demo host, started and ended together, and the one address to open. */

import { startDemo } from '../demo/host/supervisor.js';

/** The same at each start, if they are free: what a browser keeps belongs to these addresses. */
const pagePort = 5173;
const hostPort = 5137;

let isEnding = false;

const demo = await startDemo({
  port: Number(process.env.AHP_DEMO_PORT ?? pagePort),
  hostPort: Number(process.env.AHP_DEMO_HOST_PORT ?? hostPort),
  ...(process.env.AHP_DEMO_DATA !== undefined && { dataDir: process.env.AHP_DEMO_DATA }),
  onHostExit() {
    if (isEnding) return;
    console.error('The demo host ended by itself. Stopping.');
    void end(1);
  },
}).catch((error: unknown) => {
  console.error((error as Error).message);
  process.exit(1);
});

async function end(code: number): Promise<void> {
  if (isEnding) return;
  isEnding = true;
  await demo.close();
  process.exit(code);
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end(0));

console.log(`\n  Open  ${demo.address}\n\n  Ctrl+C stops the page and the host.\n`);
