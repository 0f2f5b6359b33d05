import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { ChatInputRequest, ChatState, InputAnswerValue, ToolCallState } from '../../src/protocol/state.js';
import { isRunning } from './processes.js';
import { callsOf, outputOf, textOf, type RawClient } from './raw-client.js';
import { runHost, type RunningHost } from './running-host.js';

const root = { channel: 'ahp-root://' } as const;
const market = 'https://market.example/mcp';

describe('the workspace agent with others', () => {
  let running: RunningHost;
  let client: RawClient;
  let chat: string;

  before(async () => {
    running = await runHost();
    client = await running.connect();
    await client.request('subscribe', root);
  });
  beforeEach(async () => {
    chat = await client.openChat();
  });
  after(() => running.end());

  const openRequest = (state: ChatState): ChatInputRequest | undefined => {
    const open = state.activeTurn?.responseParts.find((part) => part.kind === 'inputRequest' && !part.response);
    return open?.kind === 'inputRequest' ? open.request : undefined;
  };
  const asked = () => client.until(chat, openRequest);

  function accept(request: ChatInputRequest, values: Readonly<Record<string, InputAnswerValue>> = {}): void {
    const answers = Object.fromEntries(
      Object.entries(values).map(([id, value]) => [id, { state: 'submitted', value } as const]),
    );
    client.dispatch(chat, { type: 'chat/inputCompleted', requestId: request.id, response: 'accept', answers });
  }

  const callInState = (status: ToolCallState['status']) =>
    client.until(chat, (state) =>
      callsOf(state.activeTurn?.responseParts ?? []).find((call) => call.status === status),
    );
  /** Waits until the host has refused something for a reason that matches. */
  const refused = (reason: RegExp) =>
    client.when(() => client.envelopes.find((envelope) => reason.test(envelope.rejectionReason ?? '')));

  describe('questions of the workspace agent', () => {
    const recipe = {
      title: { kind: 'text', value: 'Carrot mash' },
      serves: { kind: 'number', value: 3 },
      main: { kind: 'selected', value: 'carrots' },
      amount: { kind: 'number', value: 200 },
      others: { kind: 'selected-many', value: ['butter'], freeformValues: ['nutmeg'] },
      list: { kind: 'boolean', value: true },
    } as const satisfies Record<string, InputAnswerValue>;

    it('are of all six kinds, come from the data, and their answers become edits of it', async () => {
      const turnId = client.ask(chat, 'add a recipe called "Carrot mash"');
      const request = await asked();
      const { questions = [] } = request;
      assert.deepEqual(
        questions.map(({ kind }) => kind),
        ['text', 'integer', 'single-select', 'number', 'multi-select', 'boolean'],
      );
      const main = questions.find(({ id }) => id === 'main');
      const recommended = main?.kind === 'single-select' ? main.options.filter((option) => option.recommended) : [];
      assert.deepEqual(recommended, [{ id: 'onions', label: 'onions', description: 'Vegetables', recommended: true }]);

      accept(request, recipe);
      for (const answered = new Set<string>(); answered.size < 2;) {
        const call = await client.pendingCall(chat, answered);
        answered.add(call.toolCallId);
        client.confirm(chat, turnId, call.toolCallId, 'allow-once');
      }
      const turn = await client.turnEnd(chat, turnId);

      const book = JSON.parse(await running.read('data/recipes.json')) as { recipes: unknown[] };
      assert.deepEqual(book.recipes.at(-1), {
        title: 'Carrot mash',
        serves: 3,
        ingredients: [
          { food: 'carrots', amount: 600, unit: 'gram' },
          { food: 'butter', amount: 3, unit: 'piece' },
          { food: 'nutmeg', amount: 3, unit: 'piece' },
        ],
      });
      assert.match(await running.read('shopping.md'), /# For Carrot mash\n\n- 600 gram carrots/);
      assert.equal(turn.state, 'complete');
    });

    it('are answered in drafts that every client sees, and only what was given counts', async () => {
      client.ask(chat, 'add a recipe');
      const request = await asked();

      const answer = { state: 'draft', value: recipe.title } as const;
      client.dispatch(chat, { type: 'chat/inputAnswerChanged', requestId: request.id, questionId: 'title', answer });
      const drafted = await client.until(chat, (state) => openRequest(state)?.answers?.title);
      const { title: _title, ...others } = recipe;
      accept(request, others);
      await refused(/^unanswered: "title"/);

      assert.deepEqual(drafted, answer);
    });

    const faults: readonly (readonly [question: string, value: InputAnswerValue, reason: RegExp])[] = [
      ['serves', { kind: 'number', value: 99 }, /wrong-answer: "serves": it must be at most 24/],
      ['serves', { kind: 'number', value: 2.5 }, /a whole number/],
      ['title', { kind: 'text', value: 'x' }, /at least 2 characters/],
      ['main', { kind: 'selected', value: 'gravel' }, /there is no option "gravel"/],
      ['others', { kind: 'selected-many', value: Array.from('carrots', () => 'carrots') }, /at most 6 entries/],
      ['list', { kind: 'text', value: 'yes' }, /wrong-answer/],
    ];
    for (const [question, value, reason] of faults) {
      it(`refuse the answer ${JSON.stringify(value)} to “${question}” and stay open`, async () => {
        client.ask(chat, 'add a recipe');
        const request = await asked();
        accept(request, { ...recipe, [question]: value });
        await refused(reason);

        assert.equal(openRequest(client.chat(chat))?.id, request.id);
      });
    }

    it('can be declined: then nothing is added', async () => {
      const turnId = client.ask(chat, 'add a recipe');
      const { id } = await asked();

      client.dispatch(chat, { type: 'chat/inputCompleted', requestId: id, response: 'decline' });
      client.dispatch(chat, { type: 'chat/inputCompleted', requestId: id, response: 'accept' });
      const turn = await client.turnEnd(chat, turnId);

      assert.match(textOf(turn.responseParts), /Then I add no recipe/);
      await refused(/^not-open/);
    });

    it('ask which file is meant where several have the name', async () => {
      const turnId = client.ask(chat, 'explain units');
      await client.turnEnd(chat, turnId);
      const other = client.ask(chat, 'read shopping-list');
      const ended = client.turnEnd(chat, other);
      const request = await Promise.race([asked(), ended.then(() => undefined)]);

      if (request) accept(request, { path: { kind: 'selected', value: 'src/shopping-list.js' } });
      const turn = await ended;

      assert.match(textOf(turn.responseParts), /src\/shopping-list\.js/);
    });
  });

  describe('the market, a server behind a sign-in', () => {
    const signIn = (more: Readonly<Record<string, unknown>> = {}) =>
      client.request('authenticate', { ...root, resource: market, token: 'demo-token', ...more });
    const serverState = () => client.session().customizations?.find(({ id }) => id === 'market')?.state?.kind;

    it('pauses a call until it is given a token, asks for its terms, and lets a person look at the result', async () => {
      const turnId = client.ask(chat, 'prices of milk, eggs, gravel');
      const paused = await callInState('auth-required');
      assert.ok(paused.status === 'auth-required');
      assert.deepEqual(
        [paused.auth.reason, paused.auth.resource.resource, paused.auth.requiredScopes],
        ['required', market, ['prices:read']],
      );
      assert.equal(serverState(), 'authRequired');

      await signIn();
      const terms = await asked();
      assert.match(terms.url ?? '', /^https:/);
      accept(terms);
      const pending = await callInState('pending-result-confirmation');
      client.dispatch(chat, {
        type: 'chat/toolCallResultConfirmed',
        turnId,
        toolCallId: pending.toolCallId,
        approved: true,
      });
      const turn = await client.turnEnd(chat, turnId);

      assert.match(textOf(turn.responseParts), /\| milk \| 1\.20 € \|/);
      assert.equal(serverState(), 'ready');
      const [call] = callsOf(turn.responseParts);
      assert.deepEqual(call?.status === 'completed' && call.content?.map(({ type }) => type), [
        'text',
        'embeddedResource',
      ]);
    });

    it('does not use a result that was discarded', async () => {
      await signIn();
      const turnId = client.ask(chat, 'prices of milk');
      accept(await asked());
      const { toolCallId } = await callInState('pending-result-confirmation');

      client.dispatch(chat, { type: 'chat/toolCallResultConfirmed', turnId, toolCallId, approved: false });
      const turn = await client.turnEnd(chat, turnId);

      const [call] = callsOf(turn.responseParts);
      assert.equal(call?.status === 'cancelled' && call.reason, 'result-denied');
      assert.doesNotMatch(textOf(turn.responseParts), /1\.20/);
    });

    it('asks again when the token has expired or covers too little, and says which', async () => {
      await signIn({ scopes: ['orders:write'] });
      const turnId = client.ask(chat, 'prices of milk');
      const first = await callInState('auth-required');
      assert.equal(first.status === 'auth-required' && first.auth.reason, 'insufficientScope');

      await signIn({ expiresIn: 0 });
      const second = await client.until(chat, (state) =>
        callsOf(state.activeTurn?.responseParts ?? []).find(
          (call) => call.status === 'auth-required' && call.auth.reason === 'expired',
        ),
      );
      assert.ok(second);
      await client.when(() => client.frames.find((frame) => frame.includes('"auth/required"')));
      await signIn({ expiresIn: 60 });
      accept(await asked());
      const { toolCallId } = await callInState('pending-result-confirmation');
      client.dispatch(chat, { type: 'chat/toolCallResultConfirmed', turnId, toolCallId, approved: true });

      assert.equal((await client.turnEnd(chat, turnId)).state, 'complete');
    });

    it('refuses a token it does not know, and takes none for anything else', async () => {
      await signIn({ expiresIn: 0 });
      client.ask(chat, 'prices of milk');
      await callInState('auth-required');

      await assert.rejects(signIn({ token: 'bad-token' }), /-32007/);
      await assert.rejects(signIn({ resource: 'https://other.example' }), /-32602/);
      assert.equal((await callInState('auth-required')).status, 'auth-required');
    });

    it('lets anybody give the call up, as a failure and never as a success', async () => {
      await signIn({ expiresIn: 0 });
      const turnId = client.ask(chat, 'prices of milk');
      const { toolCallId } = await callInState('auth-required');
      const complete = (success: boolean) =>
        client.dispatch(chat, {
          type: 'chat/toolCallComplete',
          turnId,
          toolCallId,
          result: { success, pastTenseMessage: 'Given up', error: { message: 'Cancelled', code: 'cancelled' } },
        });

      complete(true);
      complete(false);
      const turn = await client.turnEnd(chat, turnId);

      await refused(/^auth-required/);
      const [call] = callsOf(turn.responseParts);
      assert.deepEqual(call?.status === 'completed' && [call.success, call.error?.code], [false, 'cancelled']);
      assert.match(textOf(turn.responseParts), /You did not sign in/);
    });

    it('shows no token to anybody', () => {
      assert.ok(client.frames.every((frame) => !frame.includes('demo-token')));
    });
  });

  describe('a worker', () => {
    const workerOf = () =>
      client.until(chat, (state) => {
        const [call] = callsOf(state.activeTurn?.responseParts ?? []);
        const block = call?.status === 'running' ? call.content?.[0] : undefined;
        return block?.type === 'subagent' ? block : undefined;
      });

    it('works in a chat of its own that is read-only, and asks for permission there', async () => {
      const turnId = client.ask(chat, 'delegate: run `ls src`');
      const block = await workerOf();
      await client.subscribe(block.resource);
      const call = await client.pendingCall(block.resource);
      const worker = client.chat(block.resource);
      assert.deepEqual([worker.interactivity, worker.origin?.kind], ['read-only', 'tool']);
      assert.ok(client.session().chats.some(({ resource }) => resource === block.resource));
      await client.when(() => client.session().inputNeeded?.find((need) => need.chat === block.resource));
      client.ask(block.resource, 'may I?');
      await refused(/^read-only/);

      client.confirm(block.resource, worker.activeTurn?.id ?? '', call.toolCallId, 'allow-once');
      const turn = await client.turnEnd(chat, turnId);

      assert.match(textOf(turn.responseParts), /The worker says:[\s\S]*units\.js/);
      const [done] = callsOf(turn.responseParts);
      assert.deepEqual(done?.status === 'completed' && done.content, [block]);
    });

    it('stops when the turn that sent it is stopped', async () => {
      const turnId = client.ask(chat, 'delegate: run `ls src`');
      const block = await workerOf();
      await client.subscribe(block.resource);
      await client.pendingCall(block.resource);

      client.dispatch(chat, { type: 'chat/turnCancelled', turnId, duration: 1 });
      const stopped = await client.until(block.resource, (state) => state.turns[0]);

      assert.equal(stopped.state, 'cancelled');
    });
  });

  describe('work in the background', () => {
    it('is listed while it runs, and the chat is told when it ends', async () => {
      const turn = await client.askAndWait(chat, 'run `sleep 0.3; exit 5` in the background', 'allow-once');
      const [work] = client.chat(chat).backgroundWork ?? [];
      assert.equal(turn.state, 'complete');
      assert.deepEqual([work?.kind, work?.command], ['shell', 'sleep 0.3; exit 5']);

      const told = await client.until(chat, (state) => state.turns[1]);

      assert.equal(told.message.origin.kind, 'systemNotification');
      assert.match(told.message.text, /ended with exit code 5/);
      assert.equal(client.chat(chat).backgroundWork, undefined);
    });

    it('ends with its chat', async () => {
      await client.askAndWait(chat, 'run `echo $$; sleep 300` in the background', 'allow-once');
      const uri = client.chat(chat).backgroundWork?.[0]?.terminal ?? '';
      const pid = Number.parseInt(outputOf(await client.untilTerminal(uri, /\d/)), 10);

      await client.request('disposeChat', { channel: chat });

      while (isRunning(pid)) await new Promise(setImmediate);
    });
  });

  describe('a tool of a page', () => {
    const lend = (annotations: Readonly<Record<string, unknown>> = { readOnlyHint: true }) =>
      client.dispatch(client.lastSession, {
        type: 'session/activeClientSet',
        activeClient: { clientId: client.clientId, tools: [{ name: 'page_title', title: 'Page title', annotations }] },
      });

    it('is announced, run by its page and nobody else, and what it gave is used', async () => {
      lend();
      const turnId = client.ask(chat, 'use the tool page_title with {"short":true}');
      const call = await callInState('running');
      assert.deepEqual(call.contributor, { kind: 'client', clientId: client.clientId });
      assert.equal('toolInput' in call && call.toolInput, '{"short":true}');
      const complete = (by: RawClient) =>
        by.dispatch(chat, {
          type: 'chat/toolCallComplete',
          turnId,
          toolCallId: call.toolCallId,
          result: { success: true, pastTenseMessage: 'Read', content: [{ type: 'text', text: 'Larder demo' }] },
        });

      const other = await running.connect();
      await other.subscribe(chat);
      complete(other);
      await other.when(() => other.envelopes.find(({ rejectionReason }) => rejectionReason?.startsWith('not-owner')));
      complete(client);
      const turn = await client.turnEnd(chat, turnId);

      assert.match(textOf(turn.responseParts), /The page answers: `Larder demo`/);
    });

    it('is asked about first when it does more than look', async () => {
      lend({});
      client.ask(chat, 'use the tool page_title');

      const call = await client.pendingCall(chat);

      assert.ok(call.status === 'pending-confirmation' && call.editable);
    });

    it('that nobody lends is said to be missing', async () => {
      const turn = await client.askAndWait(chat, 'use the tool page_title');

      assert.match(textOf(turn.responseParts), /There is no page tool/);
    });
  });

  describe('a message that comes while a turn runs', () => {
    const send = (kind: 'steering' | 'queued', text: string) =>
      client.dispatch(chat, {
        type: 'chat/pendingMessageSet',
        kind,
        id: kind,
        message: { text, origin: { kind: 'user' } },
      });

    it('is taken into the turn when it steers, at the next step', async () => {
      const turnId = client.ask(chat, 'run `pwd`, then list docs');
      const { toolCallId } = await client.pendingCall(chat);
      send('steering', 'read README.md');
      await client.until(chat, (state) => state.steeringMessage);

      client.confirm(chat, turnId, toolCallId, 'allow-once');
      const turn = await client.turnEnd(chat, turnId);

      assert.match(textOf(turn.responseParts), /You added: read README\.md[\s\S]*# Larder[\s\S]*decisions\.md/);
      assert.deepEqual([client.chat(chat).steeringMessage, client.chat(chat).turns.length], [undefined, 1]);
    });

    it('becomes the next turn when it is queued', async () => {
      const turnId = client.ask(chat, 'run `pwd`');
      const { toolCallId } = await client.pendingCall(chat);
      send('queued', 'list docs');
      await client.until(chat, (state) => state.queuedMessages);

      client.confirm(chat, turnId, toolCallId, 'allow-once');
      const next = await client.until(chat, (state) => state.turns[1]);

      assert.deepEqual([next.message.text, next.state], ['list docs', 'complete']);
      assert.equal(client.chat(chat).queuedMessages, undefined);
    });
  });

  describe('who answers', () => {
    it('as Reader changes nothing', async () => {
      const turnId = client.ask(chat, 'create x.txt with "x"', { agent: { uri: 'workspace-agent:/reader' } });
      const turn = await client.turnEnd(chat, turnId);

      const [call] = callsOf(turn.responseParts);
      assert.ok(call?.status === 'completed' && !call.success);
      await assert.rejects(running.read('x.txt'));
    });

    it('thinks in silence when the model is set so', async () => {
      const model = { id: 'rules', config: { thoughts: false, speed: 'fast' } };
      const turn = await client.turnEnd(chat, client.ask(chat, 'help', { model }));

      assert.ok(turn.responseParts.every(({ kind }) => kind !== 'reasoning'));
    });

    for (const [what, request, config, shown] of [
      ['rows of a table', 'list the files', undefined, /\n\| --- [^]*(\n\|.*){3}\n\n… and \d+ more$/],
      ['as many as were set', 'list the files', { lines: 2 }, /^[^|]*(\n\|.*){4}\n\n… and \d+ more$/],
      ['lines of a file', 'read src/units.js', { lines: 1 }, /^[^`]*`[^`]*`[^`]*```js\n.*\n```\n\n… and \d+ more$/],
      ['not a word less than there is', 'list docs', undefined, /^(?![^]*… and)[^|]*(\n\|.*){3,5}$/],
    ] as const) {
      it(`in brief says ${what}`, async () => {
        const model = { id: 'brief', ...(config && { config }) };
        const turn = await client.turnEnd(chat, client.ask(chat, request, { model }));

        assert.match(textOf(turn.responseParts).trim(), shown);
        assert.ok(turn.responseParts.every(({ kind }) => kind !== 'reasoning'));
        assert.equal(turn.usage?.model, 'brief');
      });
    }
  });
});
