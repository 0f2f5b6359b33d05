import { expect } from '@open-wc/testing';
import { createWorkerTransport as createDemoTransport } from '../../demo/worker-transport.js';
import { createWorkerTransport } from '../../src/host/worker-host.js';
import type { ResourceReadResult } from '../../src/protocol/commands.js';
import { callsOf, RawClient, textOf } from './raw-client.js';
import { everyContent, everyPart, everyStatus, walkTour } from './walk-tour.js';

describe('the demo host in a worker', () => {
  const workers: Worker[] = [];
  let script: URL;

  // A database for each test: a worker that is ended may hold its own for a while, and nothing here waits for that.
  beforeEach(() => {
    script = new URL(`../../demo/host/worker-host.ts?pace=0&store=test-${crypto.randomUUID()}`, import.meta.url);
  });
  afterEach(() => {
    for (const worker of workers.splice(0)) worker.terminate();
  });

  async function connect(): Promise<{ client: RawClient; worker: Worker }> {
    const worker = new Worker(script, { type: 'module' });
    workers.push(worker);
    const link = await createWorkerTransport(worker).connect(new AbortController().signal);
    return { client: await RawClient.over(link), worker };
  }

  it('answers from a workspace in memory, with the same tools', async () => {
    const { client } = await connect();
    const chat = await client.openChat();

    const turn = await client.askAndWait(chat, 'search for tablespoon');

    expect(turn.state).to.equal('complete');
    expect(callsOf(turn.responseParts).map((call) => call.toolName)).to.deep.equal(['search_text']);
    expect(textOf(turn.responseParts)).to.contain('src/units.js');
  });

  it('says that its shell is simulated, and runs what that knows', async () => {
    const { client } = await connect();
    const chat = await client.openChat();

    const turn = await client.askAndWait(chat, 'run `ls src && npm test`', 'allow-once');

    const [call] = callsOf(turn.responseParts);
    const block = call?.status === 'completed' ? call.content?.[0] : undefined;
    expect(block?.type === 'terminal' && block.title).to.contain('Simulated in this page');
    expect(block?.type === 'terminal' && block.result?.exitCode).to.equal(127);
    expect(block?.type === 'terminal' && block.result?.preview).to.match(
      /units\.js[^]*npm: not in this simulated shell/,
    );
  });

  it('has chats, edits and their versions again after a reload', async () => {
    const first = await connect();
    const chat = await first.client.openChat();
    const done = await first.client.askAndWait(chat, 'replace "size: 4" with "size: 5" in src/units.js', 'allow-once');
    first.client.dispatch(chat, { type: 'chat/draftChanged', draft: { text: 'not yet', origin: { kind: 'user' } } });
    await first.client.until(chat, (state) => state.draft);
    first.worker.terminate();

    const { client } = await connect();
    const state = await client.subscribe(chat);
    const turn = await client.askAndWait(chat, 'show lines 5-5 of src/units.js');

    expect(state.turns).to.deep.equal([done]);
    expect(state.draft?.text).to.equal('not yet');
    expect(textOf(turn.responseParts)).to.contain('size: 5');
    const [call] = callsOf(done.responseParts);
    const block = call?.status === 'completed' ? call.content?.[0] : undefined;
    const uri = block?.type === 'fileEdit' ? block.before?.content.uri : undefined;
    const { data } = await client.request<ResourceReadResult>('resourceRead', { channel: 'ahp-root://', uri });
    expect(data).to.contain('size: 4');
  });

  it('goes on waiting for an answer after the page was left', async () => {
    const first = await connect();
    const chat = await first.client.openChat();
    const turnId = first.client.ask(chat, 'create a.md with "x"');
    await first.client.pendingCall(chat);
    first.worker.terminate();

    const { client } = await connect();
    await client.subscribe(chat);
    const call = await client.pendingCall(chat);
    client.confirm(chat, turnId, call.toolCallId, 'allow-once');
    const turn = await client.turnEnd(chat, turnId);

    expect(textOf(turn.responseParts)).to.contain('I created');
  });

  it('takes the same tour, on the files in memory', async () => {
    const { client } = await connect();
    const chat = await client.openChat();

    const { turn, parts, statuses, contents } = await walkTour(client, chat);

    expect(turn.state).to.equal('complete');
    expect([...parts]).to.have.members(everyPart);
    expect([...statuses]).to.have.members(everyStatus);
    expect([...contents]).to.have.members(everyContent);
  });

  it('takes several connections of one page', async () => {
    const { client, worker } = await connect();
    const chat = await client.openChat();
    const link = await createWorkerTransport(worker).connect(new AbortController().signal);
    const other = await RawClient.over(link);
    await other.subscribe(chat);

    const turnId = client.ask(chat, 'help');
    const turn = await other.turnEnd(chat, turnId);

    expect(turn.state).to.equal('complete');
  });

  it('is one host for all tabs where workers can be shared', async function () {
    if (typeof SharedWorker !== 'function') this.skip();
    const open = async () => RawClient.over(await createDemoTransport().connect(new AbortController().signal));
    const client = await open();
    const other = await open();
    const chat = await client.openChat();
    await other.subscribe(chat);

    const turnId = client.ask(chat, 'help');
    const turn = await other.turnEnd(chat, turnId);

    expect(textOf(turn.responseParts)).to.contain('without a model');
  });
});
