import { expect } from '@open-wc/testing';
import { userMessage } from '../../src/chat/actions.js';
import { createBrowserEnvironment } from '../../src/client/browser-environment.js';
import { provideTools, type ClientTool } from '../../src/client/client-tools.js';
import { Hub } from '../../src/client/hub.js';
import { toSendGroup } from '../../src/client/send-group.js';
import type { AhpChat } from '../../src/element/ahp-chat.js';
import type { TurnHandle } from '../../src/host/turn-handle.js';
import { MemoryMirror } from '../../src/mirror/memory-mirror.js';
import { openMirror } from '../../src/mirror/open-mirror.js';
import type { AhpTransport, Link } from '../../src/protocol/link.js';
import type { ToolCallState } from '../../src/protocol/state.js';
import { Browser, type Tab } from '../helpers/browser.js';
import { fixtureOf, untilLive, untilQuiet } from '../helpers/chat-element.js';
import { CHAT, PageHost, SESSION } from '../helpers/page-host.js';
import { waitUntil } from '../helpers/until.js';

/** An agent that calls the tools it is told: `pick {"a":1}`, one call for each line. */
async function callTools(turn: TurnHandle, options: { readonly asks?: boolean; readonly owner?: string } = {}) {
  const owner = options.owner ?? current?.host.getSession(SESSION)!.activeClients[0]?.clientId ?? 'nobody';
  for (const [place, line] of turn.message.text.split('\n').entries()) {
    const [toolName = '', ...input] = line.split(' ');
    const toolCallId = `call-${place}`;
    const contributor = { kind: 'client' as const, clientId: owner };
    turn.dispatch({ type: 'chat/toolCallStart', toolCallId, toolName, displayName: toolName, contributor });
    turn.dispatch({
      type: 'chat/toolCallReady',
      toolCallId,
      invocationMessage: `Calling ${toolName}`,
      toolInput: input.join(' '),
      ...(options.asks ? {} : { confirmed: 'not-needed' }),
    });
  }
  for (const [place] of turn.message.text.split('\n').entries()) await turn.completion(`call-${place}`);
}

let current: PageHost | undefined;

function makeHost(options: Parameters<typeof callTools>[1] = {}): PageHost {
  return (current = new PageHost({ hooks: { runTurn: (turn) => callTools(turn, options) } }));
}

const registered = (host: PageHost) => host.host.getSession(SESSION)!.activeClients;
const toolNames = (host: PageHost) => registered(host).flatMap(({ tools }) => tools.map(({ name }) => name));
const call = (host: PageHost, id = 'call-0'): ToolCallState | undefined =>
  [...host.chat.turns, ...(host.chat.activeTurn ? [host.chat.activeTurn] : [])]
    .flatMap(({ responseParts }) => responseParts)
    .flatMap((part) => (part.kind === 'toolCall' ? [part.toolCall] : []))
    .find(({ toolCallId }) => toolCallId === id);
const say = (chat: AhpChat, text: string) => chat.send({ text, origin: { kind: 'user' } });

/** A tool that is over when the test says so, and keeps what it was given. */
function slowTool(name = 'slow') {
  const runs: { input: unknown; signal: AbortSignal; report: Parameters<ClientTool['run']>[2] }[] = [];
  let end: (text: string) => void = () => undefined;
  const tool: ClientTool = {
    name,
    description: 'Takes its time',
    run: (input, signal, report) =>
      new Promise<string>((resolve) => {
        runs.push({ input, signal, report });
        end = resolve;
      }),
  };
  return { tool, runs, end: (text: string) => end(text) };
}

const echo: ClientTool = { name: 'echo', inputSchema: { type: 'object' }, run: (input) => JSON.stringify(input) };

async function withTools(host: PageHost, tools: readonly ClientTool[]): Promise<AhpChat> {
  const chat = await fixtureOf(host, { tools });
  await waitUntil(() => toolNames(host).join() === tools.map(({ name }) => name).join(), 'the tools are registered');
  return chat;
}

describe('the tools of the page', () => {
  it('are registered with their definitions, and again when they change', async () => {
    const host = makeHost();
    const chat = await withTools(host, [echo]);
    expect(registered(host)[0]!.tools).to.deep.equal([{ name: 'echo', inputSchema: { type: 'object' } }]);

    chat.tools = [echo, { ...echo, name: 'other' }];

    await waitUntil(() => toolNames(host).join() === 'echo,other');
  });

  it('are withdrawn when the element has none any more, and when it leaves', async () => {
    const host = makeHost();
    const chat = await withTools(host, [echo]);
    chat.tools = [];
    await waitUntil(() => registered(host).length === 0, 'no tools are left');

    chat.tools = [echo];
    await waitUntil(() => toolNames(host).join() === 'echo');
    chat.disconnect();

    await waitUntil(() => registered(host).length === 0, 'it has left');
  });

  it('are registered again after a reconnect to a host that has forgotten them', async () => {
    const host = makeHost();
    const chat = await withTools(host, [echo]);
    const { clientId } = registered(host)[0]!;
    host.goAway();
    await waitUntil(() => chat.status?.phase === 'offline');
    host.host.dispatch(SESSION, { type: 'session/activeClientRemoved', clientId });

    host.isReachable = true;
    chat.connect();
    await untilLive(chat);

    await waitUntil(() => toolNames(host).join() === 'echo');
  });

  it('run with their input, once, and the agent gets what they give', async () => {
    const host = makeHost();
    const inputs: unknown[] = [];
    const tool: ClientTool = {
      ...echo,
      run: (input) => {
        inputs.push(input);
        return { content: [{ type: 'text', text: 'four' }], structuredContent: { n: 4 }, pastTenseMessage: 'Counted' };
      },
    };
    const chat = await withTools(host, [tool]);

    say(chat, 'echo {"a":1}');
    await waitUntil(() => host.chat.turns.length === 1);
    await untilQuiet(chat);

    expect(inputs).to.deep.equal([{ a: 1 }]);
    expect(call(host)).to.deep.include({
      status: 'completed',
      success: true,
      pastTenseMessage: 'Counted',
      content: [{ type: 'text', text: 'four' }],
      structuredContent: { n: 4 },
    });
  });

  it('fail with the message of what they throw, and nothing else of it', async () => {
    const host = makeHost();
    const tool: ClientTool = {
      ...echo,
      run: () => {
        throw new TypeError('The selection is empty.');
      },
    };
    const chat = await withTools(host, [tool]);

    say(chat, 'echo {}');
    await waitUntil(() => host.chat.turns.length === 1);

    expect(call(host)).to.deep.include({
      success: false,
      error: { code: 'failed', message: 'The selection is empty.' },
    });
  });

  it('show content while they run', async () => {
    const host = makeHost();
    const { tool, runs, end } = slowTool();
    const chat = await withTools(host, [tool]);
    say(chat, 'slow {}');
    await waitUntil(() => runs.length === 1);

    runs[0]!.report('half way');
    await waitUntil(() => JSON.stringify(call(host)).includes('half way'));
    end('done');
    await waitUntil(() => host.chat.turns.length === 1);

    expect(call(host)).to.deep.include({ content: [{ type: 'text', text: 'done' }] });
    await untilQuiet(chat);
  });

  it('are told when their turn is stopped, and send nothing then', async () => {
    const host = makeHost();
    const { tool, runs, end } = slowTool();
    const chat = await withTools(host, [tool]);
    say(chat, 'slow {}');
    await waitUntil(() => runs.length === 1);

    chat.stop();
    await waitUntil(() => runs[0]!.signal.aborted, 'the signal is aborted');
    end('too late');
    await untilQuiet(chat);

    expect(call(host)?.status).to.equal('cancelled');
  });

  it('wait for the person where the host asks, and do not run when it is denied', async () => {
    const host = makeHost({ asks: true });
    const { tool, runs, end } = slowTool();
    const chat = await withTools(host, [tool]);
    say(chat, 'slow {}\nslow {}');
    await waitUntil(() => chat.state?.activeTurn?.responseParts.length === 2);
    const { id: turnId } = chat.state!.activeTurn!;
    expect(runs).to.have.length(0);

    const answer = { turnId, type: 'chat/toolCallConfirmed' as const };
    chat.store!.dispatch({ ...answer, toolCallId: 'call-0', approved: false, reason: 'denied' });
    chat.store!.dispatch({ ...answer, toolCallId: 'call-1', approved: true, confirmed: 'user-action' });
    await waitUntil(() => runs.length === 1);
    end('yes');
    await waitUntil(() => host.chat.turns.length === 1);

    expect(runs).to.have.length(1);
    expect([call(host, 'call-0')?.status, call(host, 'call-1')?.status]).to.deep.equal(['cancelled', 'completed']);
    await untilQuiet(chat);
  });

  it('do not run on an approval that the host refuses', async () => {
    const host = new PageHost({
      hooks: {
        runTurn: (turn) => callTools(turn, { asks: true }),
        decide: ({ type }) =>
          type === 'chat/toolCallConfirmed' ? { kind: 'refuse', reason: 'not by you' } : undefined,
      },
    });
    current = host;
    const { tool, runs } = slowTool();
    const chat = await withTools(host, [tool]);
    say(chat, 'slow {}');
    await waitUntil(() => chat.state?.activeTurn?.responseParts.length === 1);
    let isRefused = false;
    chat.addEventListener('ahp-rejected', () => (isRefused = true));

    const turnId = chat.state!.activeTurn!.id;
    chat.store!.dispatch({
      type: 'chat/toolCallConfirmed',
      turnId,
      toolCallId: 'call-0',
      approved: true,
      confirmed: 'user-action',
    });
    await waitUntil(() => isRefused);

    expect(runs).to.have.length(0);
    chat.stop();
    await untilQuiet(chat);
  });

  it('refuse a tool that is not there, running or waiting', async () => {
    const host = makeHost();
    const chat = await withTools(host, [echo]);
    say(chat, 'missing {}');
    await waitUntil(() => host.chat.turns.length === 1);
    expect(call(host)).to.deep.include({ status: 'completed', success: false });

    const asking = makeHost({ asks: true });
    const other = await withTools(asking, [echo]);
    say(other, 'missing {}');
    await waitUntil(() => asking.chat.turns.length === 1);

    expect(call(asking)).to.deep.include({ status: 'cancelled', reason: 'denied' });
    await Promise.all([untilQuiet(chat), untilQuiet(other)]);
  });

  it('leave calls of other clients alone', async () => {
    const host = makeHost({ owner: 'somebody-else' });
    const { tool, runs } = slowTool();
    const chat = await withTools(host, [tool]);

    say(chat, 'slow {}');
    await waitUntil(() => chat.state?.activeTurn?.responseParts.length === 1);
    chat.stop();
    await untilQuiet(chat);

    expect(runs).to.have.length(0);
  });

  it('run once over a loss of the connection, and finish afterwards', async () => {
    const host = makeHost();
    const { tool, runs, end } = slowTool();
    const chat = await withTools(host, [tool]);
    say(chat, 'slow {}');
    await waitUntil(() => runs.length === 1);

    host.goAway();
    await waitUntil(() => chat.status?.phase === 'offline');
    end('kept');
    host.isReachable = true;
    chat.connect();
    await waitUntil(() => host.chat.turns.length === 1);
    await untilQuiet(chat);

    expect(runs).to.have.length(1);
    expect(call(host)).to.deep.include({ success: true, content: [{ type: 'text', text: 'kept' }] });
  });

  it('run once the chat has heard of a call that the session has told of before', async () => {
    const browser = new Browser({ agent: (turn) => callTools(turn, { owner: tab.clientId }) });
    const { tool, runs, end } = slowTool();
    const tab: Tab = await browser.openChat(undefined, {
      transport: losing(browser.host.transport, (text) => /"method":"action".*"chat.turnStarted"/.test(text)),
    });
    const endTools = provideTools(tab.client, tab.chat, [tool]);
    await browser.advance(0);

    // The session says that the call runs; the chat is asked about its turn when the end of the draft has come back.
    tab.send('slow {}');
    await browser.advance(1_000);
    end('done');
    await browser.advance(1_000);

    expect(runs).to.have.length(1);
    expect(browser.host.chat.turns[0]?.responseParts).to.have.nested.property('[0].toolCall.success', true);
    endTools();
    await tab.close();
  });

  it('give their result once more when the page comes back and somebody else had taken it over in vain', async () => {
    const browser = new Browser({ agent: (turn) => callTools(turn, { owner: tab.clientId }) });
    const { tool, runs, end } = slowTool();
    const tab: Tab = await browser.openChat();
    const endTools = provideTools(tab.client, tab.chat, [tool]);
    await browser.advance(0);
    tab.send('slow {}');
    await browser.advance(1_000);

    browser.host.isHalfOpen = true;
    end('done');
    await browser.advance(1_000);
    tab.leave();
    browser.host.isHalfOpen = false;
    const other = await browser.openChat();
    await browser.advance(5_000);
    expect(other.rejections.map(({ reason }) => reason)).to.deep.equal(['not-owner: another party runs this call.']);
    await tab.comeBack();
    await browser.advance(5_000);

    expect(runs).to.have.length(1);
    expect(browser.host.chat.turns[0]?.responseParts).to.have.nested.property('[0].toolCall.success', true);
    endTools();
    await Promise.all([tab.close(), other.close()]);
  });

  for (const kept of ['on disk', 'in the tab’s storage'] as const) {
    it(`fail, and do not run again, when the page goes while they run; that is known ${kept}`, async () => {
      const host = makeHost();
      const first = slowTool();
      const before = openClient(host, kept);
      provideTools(before.host, before.chat, [first.tool]);
      await waitUntil(() => toolNames(host).join() === 'slow');
      before.chat.store.dispatch(...toSendGroup(userMessage('slow {}'), { environment, state: undefined }));
      await waitUntil(() => first.runs.length === 1);

      // As a reload: locks and sockets go, and nothing of the page is asked any more.
      window.dispatchEvent(new PageTransitionEvent('pagehide'));
      // The next page has a connection of its own to the same disk.
      before.host.mirror.resume();
      if (kept === 'on disk') for (const key of toolMarks()) sessionStorage.removeItem(key);
      const again = slowTool();
      const after = openClient(host, kept);
      const end = provideTools(after.host, after.chat, [again.tool]);
      await waitUntil(() => host.chat.turns.length === 1, 'the call is over');

      expect(after.host.identity.clientId).to.equal(before.host.identity.clientId);
      expect(first.runs.length + again.runs.length).to.equal(1);
      expect(call(host)).to.have.nested.property('error.code', 'interrupted');
      end();
      after.host.close();
      before.host.close();
    });
  }
});

const environment = createBrowserEnvironment();
const toolMarks = () => Object.keys(sessionStorage).filter((key) => key.startsWith('ahp-chat:tool:'));

/** A client of its own, as another page in the same tab would have. */
function openClient(page: PageHost, kept: 'on disk' | 'in the tab’s storage') {
  const mirror = kept === 'on disk' ? openMirror(page.key, environment) : new MemoryMirror();
  const host = new Hub(createBrowserEnvironment()).acquire(page.key, () => ({
    transport: page.transport,
    mirror,
  })).value;
  return { host, chat: host.acquireChat(CHAT, { session: SESSION }).value };
}

/** A way to a host on which some of what comes back is lost. */
const losing = (transport: AhpTransport, isLost: (text: string) => boolean): AhpTransport => ({
  isLocal: true,
  connect: async (signal) => {
    const far = await transport.connect(signal);
    const near: Link = {
      send: (text) => far.send(text),
      close: () => far.close(),
      onmessage: undefined,
      onclose: undefined,
    };
    far.onmessage = (text) => !isLost(text) && near.onmessage?.(text);
    far.onclose = (close) => near.onclose?.(close);
    return near;
  },
});
