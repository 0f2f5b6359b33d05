/** The hooks of a host that is made of plug-ins: each request goes to the one whose provider or URI it is. */

import { RpcCode } from '../../src/protocol/errors.js';
import type { CreateChatParams, ResourceResolveResult } from '../../src/protocol/commands.js';
import type { URI } from '../../src/protocol/state.js';
import { createHost, type Host } from '../../src/host/create-host.js';
import { rpcError, type HostHooks } from '../../src/host/hooks.js';
import type { HostOptions } from '../../src/host/options.js';
import type { TurnHandle } from '../../src/host/turn-handle.js';
import type { Agent, Contribution, ResourceProvider } from './plugin.js';

/** Options that are the demo's own; whoever runs it adds the environment and where it is kept. */
export type ComposeOptions = Pick<HostOptions, 'environment' | 'supportedVersions'> &
  Pick<HostHooks, 'onCommitted' | 'onDiagnostic'>;

export function composeHost(contributions: readonly Contribution[], options: ComposeOptions): Host {
  const agents = contributions.flatMap((contribution) => contribution.agents ?? []);
  const resources = contributions.flatMap((contribution) => contribution.resources ?? []);
  const { environment, supportedVersions, onCommitted, onDiagnostic } = options;

  const findAgent = (provider: string | undefined): Agent | undefined =>
    agents.find(({ info }) => info.provider === provider);

  const hooks: HostHooks = {
    ...(onCommitted && { onCommitted }),
    ...(onDiagnostic && { onDiagnostic }),

    async runTurn(turn) {
      const agent = findAgent(host.getSession(turn.session)?.provider);
      if (!agent) {
        turn.fail(
          { errorType: 'no-agent', message: 'The agent of this session is not configured any more.' },
          { resumable: true },
        );
        return;
      }
      nameSession(host, turn);
      try {
        await agent.runTurn(turn, host);
      } finally {
        if (host.getChat(turn.chat)?.activity !== undefined) host.dispatch(turn.chat, { type: 'chat/activityChanged' });
      }
    },

    createSession: (params) => findAgent(params.provider)?.createSession?.(params) ?? {},

    resolveSessionConfig({ provider, config }) {
      const resolved = findAgent(provider ?? agents[0]?.info.provider)?.createSession?.({
        ...(config && { config }),
      }).config;
      if (!resolved) throw rpcError(RpcCode.ProviderNotFound, 'There is no such agent, or nothing to configure.');
      return resolved;
    },

    createChat({ source, title }) {
      const named = title ?? titleOf(host, source);
      return named === undefined ? {} : { title: named };
    },

    authenticate(params) {
      for (const contribution of contributions) if (contribution.authenticate?.(params, host)) return;
    },

    onChatDisposed(chat) {
      for (const contribution of contributions) contribution.chatEnded?.(chat);
    },

    onSessionDisposed(session) {
      for (const contribution of contributions) contribution.sessionEnded?.(session, host);
    },

    async completions(params) {
      const lists = await Promise.all(
        contributions.map((contribution) => contribution.complete?.(params) ?? Promise.resolve([])),
      );
      return { items: lists.flat() };
    },

    resourceRead: ({ uri, encoding }) => findResource(resources, uri).read(uri, encoding),

    resourceList({ uri }) {
      const { list } = findResource(resources, uri);
      if (!list) throw rpcError(RpcCode.NotFound, 'This is not a folder.');
      return list(uri);
    },

    async resourceResolve({ uri }): Promise<ResourceResolveResult> {
      const provider = findResource(resources, uri);
      if (provider.resolve) return provider.resolve(uri);
      const { data, encoding, contentType } = await provider.read(uri, 'utf-8');
      const size = encoding === 'base64' ? (data.length * 3) / 4 : new TextEncoder().encode(data).byteLength;
      return { uri, type: 'file', size, ...(contentType !== undefined && { contentType }) };
    },

    resourceRequest() {
      throw rpcError(RpcCode.PermissionDenied, 'This host gives no access beyond its workspace.');
    },
  };

  const host = createHost({
    environment,
    hooks,
    ...(supportedVersions && { supportedVersions }),
    agents: agents.map(({ info }) => info),
    serverInfo: { name: 'ahp-chat-demo', title: 'Demo host' },
    completionTriggerCharacters: ['@', '/', '#'],
    terminalCommandPrefix: '!',
  });
  return host;
}

function findResource(resources: readonly ResourceProvider[], uri: URI): ResourceProvider {
  const provider = resources.find(({ prefix }) => uri.startsWith(prefix));
  // Everything else is somebody else's, `file:` above all.
  if (!provider) throw rpcError(RpcCode.PermissionDenied, 'This host does not read this kind of resource.');
  return provider;
}

const maxTitle = 60;

const shorten = (text: string): string => (text.length > maxTitle ? `${text.slice(0, maxTitle - 1).trimEnd()}…` : text);

/** A chat that came from another is called after what it came from. */
function titleOf(host: Host, source: CreateChatParams['source']): string | undefined {
  if (!source) return undefined;
  const turn = host.getChat(source.chat)?.turns.find(({ id }) => id === source.turnId);
  const line = turn?.message.text.split('\n')[0] ?? '';
  if (source.kind !== 'sideChat') return shorten(`Fork: ${line}`);
  return shorten(`About “${source.selection?.text ?? line}”`);
}

/** A session is called after its first message. */
function nameSession(host: Host, turn: TurnHandle): void {
  if (host.getSession(turn.session)?.title !== '' || turn.state.turns.length > 0) return;
  const line = turn.message.text.trim().split('\n')[0]?.trim() ?? '';
  if (line === '') return;
  host.dispatch(turn.session, { type: 'session/titleChanged', title: shorten(line) });
}
