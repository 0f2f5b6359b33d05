/**
 * The demo page: the element on a page of its own, with a theme, and a switch that kills and starts the host for real.
 * `?host=worker` runs the host inside the page instead. Nothing here is needed to use the element.
 */

import { createBrowserEnvironment } from '../src/client/browser-environment.js';
import { createWebSocketTransport } from '../src/client/websocket-transport.js';
import type { AhpChat } from '../src/element/ahp-chat.js';
import '../src/element/ahp-chat-list.js';
import '../src/index.js';
import type { AhpTransport } from '../src/protocol/link.js';
import { createSession, listAgents } from './new-chat.js';
import { lookAtPage } from './page-tool.js';
import { answerSignIns } from './sign-in.js';

interface HostStatus {
  readonly running: boolean;
  readonly url: string;
}

const find = <E extends HTMLElement>(selector: string): E => {
  const element = document.querySelector<E>(selector);
  if (!element) throw new Error(`The page has no ${selector}.`);
  return element;
};

const chat = find<AhpChat>('ahp-chat');
const agent = find<HTMLSelectElement>('#agent');
const newChat = find<HTMLButtonElement>('#new-chat');
const theme = find<HTMLSelectElement>('#theme');
const hostState = find('#host-state');
const hostSwitch = find<HTMLButtonElement>('#host-switch');

answerSignIns(chat);
chat.tools = [lookAtPage];

theme.addEventListener('change', () => {
  document.documentElement.style.colorScheme = theme.value;
});

for (const suggestion of document.querySelectorAll('.suggestions button')) {
  suggestion.addEventListener('click', () => chat.send({ text: suggestion.textContent, origin: { kind: 'user' } }));
}

let transport: AhpTransport;
if (new URLSearchParams(location.search).get('host') === 'worker') {
  const { createWorkerTransport } = await import('./worker-transport.js');
  transport = createWorkerTransport();
  chat.storageKey = 'demo-worker';
  chat.transport = transport;
  hostState.textContent = 'Host in this page';
} else {
  const token = takeToken();
  const status = await readStatus();
  transport = createWebSocketTransport({ url: status.url, token, environment: createBrowserEnvironment() });
  chat.token = () => token;
  chat.src = status.url;
  show(status);
  hostSwitch.hidden = false;
  hostSwitch.addEventListener('click', () => void toggleHost(token));
}

newChat.addEventListener('click', () => void startChat());
chat.addEventListener('ahp-status-change', ({ status }) => {
  allowNewChat(status.phase === 'live');
  if (status.phase === 'live' && agent.options.length === 0) void fillAgents();
});

async function fillAgents(): Promise<void> {
  const agents = await listAgents(transport);
  agent.replaceChildren(...agents.map(({ provider, displayName }) => new Option(displayName, provider)));
  agent.hidden = agents.length < 2;
}

/** A button that is really disabled loses the focus of whoever has just pressed it. */
function allowNewChat(isAllowed: boolean): void {
  newChat.ariaDisabled = String(!isAllowed);
}

async function startChat(): Promise<void> {
  if (newChat.ariaDisabled === 'true') return;
  allowNewChat(false);
  try {
    const session = await createSession(transport, agent.value);
    // A fork or another chat may have been opened by its own name, which counts more than its session's.
    Object.assign(chat, { session, chat: undefined });
  } catch (error) {
    hostState.textContent = `No new chat: ${(error as Error).message}`;
  }
}

/**
 * The token comes in the address's fragment, which no server sees. It leaves the address at once and stays with this
 * entry of the history, so that a reload still has it.
 */
function takeToken(): string {
  const given = new URLSearchParams(location.hash.slice(1)).get('token');
  if (given) history.replaceState({ token: given }, '', location.pathname + location.search);
  const kept = history.state as { readonly token?: string } | null;
  return kept?.token ?? '';
}

async function readStatus(): Promise<HostStatus> {
  const answer = await fetch('/__host');
  return (await answer.json()) as HostStatus;
}

async function toggleHost(token: string): Promise<void> {
  hostSwitch.disabled = true;
  const { running } = await readStatus();
  const answer = await fetch(running ? '/__host/stop' : '/__host/start', {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  });
  if (answer.ok) show((await answer.json()) as HostStatus);
  else hostState.textContent = ((await answer.json()) as { error: string }).error;
  hostSwitch.disabled = false;
}

function show({ running }: HostStatus): void {
  hostState.textContent = running ? 'Host is running' : 'Host is stopped';
  hostSwitch.textContent = running ? 'Stop host' : 'Start host';
}
