/**
 * A simulated MCP server with prices of food, behind a sign-in. Only the prices are made up: what a call does without a
 * token, with one that has expired or that covers too little, and what the session says of the server, is the protocol's
 * own state machine. Tokens stay in memory. Source: AHP, authentication of MCP servers.
 */

import type { Host } from '../../../src/host/create-host.js';
import type { HostEnvironment } from '../../../src/host/environment.js';
import { rpcError } from '../../../src/host/hooks.js';
import type { AuthenticateParams } from '../../../src/protocol/commands.js';
import { RpcCode } from '../../../src/protocol/errors.js';
import type { Customization, McpAuthRequirement, McpServerState } from '../../../src/protocol/state.js';
import { WorkspaceError } from '../workspace/workspace.js';
import { ask } from './ask.js';
import { text } from './tool-input.js';
import { code, defineTool, says, type RunningCall, type Tool } from './tool.js';

const id = 'market';
const scope = 'prices:read';
const resource = {
  resource: 'https://market.example/mcp',
  resource_name: 'Market prices (simulated)',
  authorization_servers: ['https://market.example'],
  scopes_supported: [scope, 'orders:write'],
  bearer_methods_supported: ['header'],
};
const termsUrl = 'https://example.com/';

/** Euros for a kilogram, a litre or a piece. */
const prices: Readonly<Record<string, number>> = {
  butter: 9.2,
  carrots: 1.5,
  eggs: 0.35,
  milk: 1.2,
  'olive oil': 9.9,
  onions: 1.4,
  potatoes: 1.3,
  'red lentils': 3.8,
  sugar: 1.3,
  tomatoes: 3.2,
  'wheat flour': 1.1,
};

export class Market {
  readonly tool: Tool<Readonly<Record<string, number>>>;
  readonly #environment: HostEnvironment;
  #grant: { readonly scopes: readonly string[]; readonly expiresAt: number } | undefined;
  #cancelExpiry: (() => void) | undefined;

  constructor(environment: HostEnvironment) {
    this.#environment = environment;
    this.tool = this.#createTool();
  }

  /** What a call needs now; `undefined` when it may run. */
  get requirement(): McpAuthRequirement | undefined {
    const grant = this.#grant;
    const needs = (reason: McpAuthRequirement['reason'], description: string): McpAuthRequirement => ({
      reason,
      description,
      resource,
      requiredScopes: [scope],
    });
    if (!grant) return needs('required', 'The market shows its prices to people it knows.');
    if (grant.expiresAt <= this.#environment.now()) return needs('expired', 'Your sign-in at the market has expired.');
    return grant.scopes.includes(scope) ? undefined : needs('insufficientScope', 'Your sign-in does not cover prices.');
  }

  get customization(): Customization {
    const state = this.#state;
    return { type: 'mcpServer', id, name: 'Market (simulated)', enabled: true, state };
  }

  get #state(): McpServerState {
    const requirement = this.requirement;
    return requirement ? { kind: 'authRequired', ...requirement } : { kind: 'ready' };
  }

  /** Takes a token. Returns whether it was for this server; throws when it is refused. */
  authenticate(params: AuthenticateParams, host: Host): boolean {
    if (params.resource !== resource.resource) return false;
    if (!/^[\w.~+/-]{4,}=*$/.test(params.token) || params.token.startsWith('bad')) {
      throw rpcError(RpcCode.AuthRequired, 'The market does not know this token.', { resources: [resource] });
    }
    const { scopes = [scope], expiresIn } = params;
    const lifetimeMs = expiresIn === undefined ? Infinity : expiresIn * 1000;
    this.#grant = { scopes, expiresAt: this.#environment.now() + lifetimeMs };
    this.#cancelExpiry?.();
    if (lifetimeMs < 2 ** 31) {
      this.#cancelExpiry = this.#environment.schedule(lifetimeMs, () => {
        host.notify('auth/required', { channel: 'ahp-root://', resource, reason: 'expired' });
        this.tell(host);
      });
    }
    this.tell(host);
    return true;
  }

  /** Says in every session how the server stands. */
  tell(host: Host): void {
    for (const session of host.listSessions()) {
      host.dispatch(session.resource, { type: 'session/mcpServerStateChanged', id, state: this.#state });
    }
  }

  /** Waits at the call until the market takes a token. Throws when somebody gives the call up instead. */
  async #signIn({ caller: { turn, host }, toolCallId }: RunningCall): Promise<void> {
    for (let auth = this.requirement; auth; auth = this.requirement) {
      this.tell(host);
      turn.dispatch({ type: 'chat/toolCallAuthRequired', toolCallId, auth });
      const call = await turn.authorization(toolCallId);
      if (call.status !== 'running') throw new WorkspaceError('unsupported', 'You did not sign in at the market.');
    }
  }

  #createTool(): Tool<Readonly<Record<string, number>>> {
    return defineTool({
      name: 'market_prices',
      displayName: 'Market prices',
      description: 'Looks up what foods cost at the market, in euros per kilogram, litre or piece.',
      contributor: { kind: 'mcp', customizationId: id },
      fields: { foods: text('Names of foods, with commas between them.') },
      prepare: async ({ foods }, { host, turn, createId }) => {
        const server = host.getSession(turn.session)?.customizations?.find((each) => each.id === id);
        if (server?.enabled === false) throw new WorkspaceError('unsupported', 'The market is switched off here.');
        const names = foods.split(',').flatMap((name) => name.trim().toLowerCase() || []);
        return {
          ...says('Asking the market about', 'Asked the market about', code(names.join(', '))),
          reviewsResult: true,
          run: async (call) => {
            await this.#signIn(call);
            if (!hasReadTerms(call)) {
              const request = {
                id: createId(),
                message: 'The market wants you to read its terms first.',
                url: termsUrl,
              };
              const { response } = await ask(turn, request);
              if (response !== 'accept')
                throw new WorkspaceError('unsupported', 'You did not take the market’s terms.');
            }
            const known = names.filter((name) => Object.hasOwn(prices, name));
            const data = Object.fromEntries(known.map((name) => [name, prices[name] ?? 0]));
            const json = JSON.stringify(data, undefined, 2);
            // The encoding of an embedded resource; the names are plain ASCII.
            const resourceBlock = {
              type: 'embeddedResource',
              data: btoa(json),
              contentType: 'application/json',
            } as const;
            const line = `${known.length} of ${names.length} foods have a price.`;
            return { data, text: `${line}\n${json}`, content: [{ type: 'text', text: line }, resourceBlock] };
          },
        };
      },
    });
  }
}

/** Whether the terms were taken in this chat before. */
function hasReadTerms({ caller: { turn } }: RunningCall): boolean {
  const parts = [...turn.state.turns, ...(turn.turn ? [turn.turn] : [])].flatMap((each) => each.responseParts);
  return parts.some(
    (part) => part.kind === 'inputRequest' && part.request.url === termsUrl && part.response === 'accept',
  );
}
