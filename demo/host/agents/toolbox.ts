/** Everything an agent can call: the host's own tools, the market's, and those that pages lend to the session. */

import { askUser } from './ask.js';
import { chartStock } from './chart.js';
import { delegate } from './delegate.js';
import { pageTools } from './page-tools.js';
import { workspaceTools } from './tools.js';
import type { Tool, ToolCaller } from './tool.js';

/** A page's tool never stands in for one of the host's. */
export function toolsFor(caller: ToolCaller): readonly Tool[] {
  const own: readonly Tool[] = [...workspaceTools, chartStock, askUser, delegate, caller.market.tool];
  return [...own, ...pageTools(caller).filter(({ name }) => !own.some((tool) => tool.name === name))];
}
