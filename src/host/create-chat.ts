/** `createChat`: another chat in a session, empty, forked from one, or beside one. Source: AHP, `createChat`. */

import type { CreateChatParams } from '../protocol/commands.js';
import { RpcCode } from '../protocol/errors.js';
import { isRecord } from '../protocol/record.js';
import type { AgentCapabilities, ChatOrigin, Message, Turn, URI } from '../protocol/state.js';
import type { SessionChannel } from './channels.js';
import type { Client } from './clients.js';
import type { Connection } from './connection.js';
import { rpcError, type ChatSeed } from './hooks.js';
import type { HostCore } from './host-core.js';
import { findMessageFault, pinTranscripts } from './messages.js';
import { findRecord, findString, findStrings, readChannel, readString, type Params } from './read.js';
import { indexOfTurn } from './window.js';

const refuse = (message: string) => rpcError(RpcCode.InvalidParams, message);

export async function createChat(
  host: HostCore,
  connection: Connection,
  client: Client,
  params: Params,
): Promise<null> {
  const session = host.find(readChannel(params));
  if (session?.kind !== 'session') throw rpcError(RpcCode.SessionNotFound, 'There is no such session.');
  const resource = readString(params, 'chat');
  expectFree(host, resource);
  const given: CreateChatParams = {
    channel: session.uri,
    chat: resource,
    ...readMessage(host, params),
    ...readDirectories(session, params),
    ...readTitle(params),
  };
  const capabilities = host.root.agents.find(({ provider }) => provider === session.state.provider)?.capabilities;
  if (session.state.chats.length > 0 && !capabilities?.multipleChats) {
    throw refuse('The agent of this session has one chat only.');
  }
  const source = findRecord(params, 'source');
  const history = source ? readSource(host, client, session, capabilities, source) : {};
  const asked = { ...params, ...given };
  const seed = (await host.hooks.createChat?.(asked, connection)) ?? {};
  // The session may be gone by now, or the URI taken.
  if (host.find(session.uri) !== session) throw rpcError(RpcCode.SessionNotFound, 'The session was disposed of.');
  const { chat: _chat, channel: _channel, initialMessage, source: _source, ...fields } = given;
  const made: ChatSeed = { resource, ...fields, ...history, ...seed };
  expectFree(host, made.resource ?? resource);
  const uri = host.directory.createChat(session.uri, made);
  if (initialMessage) host.startTurn(uri, pinTranscripts(initialMessage, host.rules.findChat));
  return null;
}

function expectFree(host: HostCore, resource: URI): void {
  if (host.find(resource)) throw rpcError(RpcCode.AlreadyExists, 'There is something at this URI already.');
}

function readMessage(host: HostCore, params: Params): { readonly initialMessage?: Message } {
  const message = findRecord(params, 'initialMessage');
  if (!message) return {};
  const fault = findMessageFault(message, host.rules);
  if (fault !== undefined) throw refuse(fault);
  // Its form has just been checked.
  return { initialMessage: message as unknown as Message };
}

function readDirectories(session: SessionChannel, params: Params): { readonly workingDirectories?: readonly URI[] } {
  const workingDirectories = findStrings(params, 'workingDirectories');
  if (!workingDirectories) return {};
  const known = session.state.workingDirectories ?? [];
  if (workingDirectories.some((directory) => !known.includes(directory))) {
    throw refuse('A chat works in directories of its session only.');
  }
  return { workingDirectories };
}

function readTitle(params: Params): { readonly title?: string } {
  const title = findString(params, 'title');
  return title === undefined ? {} : { title };
}

interface History {
  readonly turns?: readonly Turn[];
  readonly origin: ChatOrigin;
}

function readSource(
  host: HostCore,
  client: Client,
  session: SessionChannel,
  capabilities: AgentCapabilities | undefined,
  source: Params,
): History {
  // Up to 0.6 a source had no kind, and was a fork.
  const kind = findString(source, 'kind') ?? 'fork';
  const chat = readString(source, 'chat');
  const turnId = readString(source, 'turnId');
  if (kind !== 'fork' && kind !== 'sideChat') throw refuse(`There is no source of kind "${kind}".`);
  if (!capabilities?.multipleChats?.[kind]) throw refuse(`The agent of this session offers no ${kind}.`);
  const channel = host.find(chat);
  if (channel?.kind !== 'chat' || channel.session !== session.uri) {
    throw refuse('The source must be a chat of the same session.');
  }
  const index = indexOfTurn(channel.state, turnId);
  const isActive = channel.state.activeTurn?.id === turnId;
  if (index < 0 && !(kind === 'sideChat' && isActive)) throw refuse('The source has no such turn to start from.');
  // What the client points at must be in its window before it hears of the new chat.
  const subscription = client.subscriptions.get(chat);
  if (subscription && index >= 0) host.loadTurns(subscription, channel, index, subscription.start);
  if (kind === 'fork') return { turns: channel.state.turns.slice(0, index + 1), origin: { kind, chat, turnId } };
  const selection = readSelection(source.selection);
  return { origin: { kind, chat, turnId, ...(selection && { selection }) } };
}

function readSelection(value: unknown): Extract<ChatOrigin, { kind: 'sideChat' }>['selection'] {
  if (value === undefined || value === null) return undefined;
  if (!isRecord(value) || typeof value.text !== 'string' || value.text === '') {
    throw refuse('A selection has a text.');
  }
  const { text, responsePartId } = value;
  return { text, ...(typeof responsePartId === 'string' && { responsePartId }) };
}
