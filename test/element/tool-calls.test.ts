/** Tool calls in the whole element: what an answer becomes, and that there is one, whoever gives it. */

import { expect } from '@open-wc/testing';
import { MemoryChatStore } from '../../src/chat/memory-store.js';
import type { AhpChat } from '../../src/element/ahp-chat.js';
import type { DecideContext, Decision } from '../../src/host/hooks.js';
import type { TurnHandle } from '../../src/host/turn-handle.js';
import type { StateAction } from '../../src/protocol/actions.js';
import { Status, type ConfirmationOption, type ToolCallState } from '../../src/protocol/state.js';
import { loadSuggestion, loadToolInput } from '../../src/views/parts/lazy.js';
import { comeToRest, fixtureOf, fixtureWith, transcriptOf, untilLive } from '../helpers/chat-element.js';
import { busyChat } from '../helpers/chat-states.js';
import { PageHost } from '../helpers/page-host.js';
import { waitUntil } from '../helpers/until.js';
import { collect, find, findAll, findButton, press, textOf, type } from '../helpers/views.js';

await Promise.all([loadToolInput(), loadSuggestion()]);

const base = { toolCallId: 'call', toolName: 'run', displayName: 'Run command', invocationMessage: 'Run ls' };
const auth = {
  reason: 'required' as const,
  description: 'Sign in, please.',
  resource: { resource: 'https://calendar.example', resource_name: 'Calendar' },
  requiredScopes: ['read'],
  oauthClient: { clientId: 'id', clientSecret: 'secret' },
};
const calls = {
  call: { ...base, status: 'pending-confirmation', toolInput: 'ls', editable: true },
  result: {
    ...base,
    status: 'pending-result-confirmation',
    confirmed: 'not-needed',
    success: true,
    pastTenseMessage: 'Ran ls',
  },
  auth: {
    ...base,
    status: 'auth-required',
    confirmed: 'not-needed',
    contributor: { kind: 'mcp', customizationId: 'm' },
    auth,
  },
} as const satisfies Record<string, ToolCallState>;

async function shown(call: ToolCallState): Promise<{ element: AhpChat; store: MemoryChatStore }> {
  const store = new MemoryChatStore(busyChat([{ kind: 'toolCall', toolCall: call }], { status: Status.InputNeeded }));
  return { element: await fixtureWith(store), store };
}
const cardIn = (element: AhpChat) => find(transcriptOf(element), 'ahp-tool-call');
const buttonIn = (element: AhpChat, name: string) => findButton(cardIn(element), name);
const sent = (store: MemoryChatStore) => store.dispatched.flat();

describe('tool calls in <ahp-chat>', () => {
  describe('an answer', () => {
    const answers: readonly [string, ToolCallState, string, object][] = [
      [
        'an approval',
        calls.call,
        'Allow',
        { type: 'chat/toolCallConfirmed', approved: true, confirmed: 'user-action' },
      ],
      ['a denial', calls.call, 'Deny', { type: 'chat/toolCallConfirmed', approved: false, reason: 'denied' }],
      ['a used result', calls.result, 'Use result', { type: 'chat/toolCallResultConfirmed', approved: true }],
      ['a discarded one', calls.result, 'Discard result', { type: 'chat/toolCallResultConfirmed', approved: false }],
    ];
    for (const [name, call, button, action] of answers) {
      it(`is sent once: ${name}, pressed twice`, async () => {
        const { element, store } = await shown(call);
        const pressed = buttonIn(element, button);

        pressed.click();
        pressed.click();

        expect(sent(store)).to.have.length(1);
        expect(sent(store)[0]).to.deep.include(action);
      });

      it(`is not sent when the page prevents it: ${name}`, async () => {
        const { element, store } = await shown(call);
        const seen = collect(element, 'ahp-tool-confirm');
        element.addEventListener('ahp-tool-confirm', (event) => event.preventDefault());

        buttonIn(element, button).click();

        expect(seen).to.have.length(1);
        expect(sent(store)).to.be.empty;
      });
    }

    it('takes along what was changed in the input', async () => {
      const { element, store } = await shown(calls.call);
      buttonIn(element, 'Edit').click();
      await waitUntil(() => findAll(cardIn(element), 'textarea').length > 0, 'the field');
      const field = find<HTMLTextAreaElement>(cardIn(element), 'textarea');
      field.focus();
      field.select();
      await type('ls -la');

      buttonIn(element, 'Allow').click();

      expect(sent(store)[0]).to.deep.include({ approved: true, editedToolInput: 'ls -la' });
      expect(store.state?.activeTurn?.responseParts[0]).to.have.nested.property('toolCall.toolInput', 'ls -la');
    });

    it('takes along what to do instead', async () => {
      const { element, store } = await shown(calls.call);
      buttonIn(element, 'Tell it what to do instead').click();
      await waitUntil(() => findAll(cardIn(element), 'textarea').length > 0, 'the field');
      find<HTMLTextAreaElement>(cardIn(element), 'textarea').focus();
      await type('Use dir');
      await press('Enter');

      expect(sent(store)[0]).to.deep.include({
        approved: false,
        userSuggestion: { text: 'Use dir', origin: { kind: 'user' } },
      });
    });

    it('names the option that was pressed, with its own kind', async () => {
      const options: ConfirmationOption[] = [
        { id: 'always', label: 'Always', kind: 'approve', group: 'Here' },
        { id: 'never', label: 'Never', kind: 'deny', group: 'Everywhere' },
      ];
      const { element, store } = await shown({ ...calls.call, options });

      expect(
        findAll(cardIn(element), '.options[role=group]').map((group) => group.getAttribute('aria-label')),
      ).to.deep.equal(['Here', 'Everywhere']);
      buttonIn(element, 'Never').click();
      expect(sent(store)[0]).to.deep.include({ approved: false, selectedOptionId: 'never' });
    });
  });

  describe('a sign-in', () => {
    it('hands the page the whole requirement and the call, each time it is pressed, and sends nothing', async () => {
      const { element, store } = await shown(calls.auth);
      const seen = collect(element, 'ahp-auth-request');

      buttonIn(element, 'Sign in').click();
      element.addEventListener('ahp-auth-request', (event) => event.preventDefault());
      buttonIn(element, 'Sign in').click();

      expect(seen.map(({ requirement, toolCallId }) => [requirement, toolCallId])).to.deep.equal([
        [auth, 'call'],
        [auth, 'call'],
      ]);
      expect(seen[1]!.defaultPrevented).to.equal(true);
      expect(sent(store)).to.be.empty;
    });

    it('that is given up fails the call, once and never with success', async () => {
      const { element, store } = await shown(calls.auth);
      const cancel = buttonIn(element, 'Cancel this call');

      cancel.click();
      cancel.click();

      expect(sent(store)).to.deep.equal([
        {
          type: 'chat/toolCallComplete',
          turnId: store.state!.activeTurn!.id,
          toolCallId: 'call',
          result: {
            success: false,
            pastTenseMessage: 'Cancelled',
            error: { message: 'Cancelled', code: 'cancelled' },
          },
        },
      ]);
    });
  });

  describe('with a host', () => {
    type Decide = (action: StateAction, context: DecideContext) => Decision | undefined;

    /** A host whose agent asks before it runs, and the confirmations that reached it. */
    function askingHost(decide: Decide = () => undefined) {
      const confirmations: string[] = [];
      const host = new PageHost({
        hooks: {
          decide: (action, context) => {
            if (action.type === 'chat/toolCallConfirmed') confirmations.push(context.clientId);
            return decide(action, context) ?? { kind: 'accept' };
          },
          runTurn: async (turn: TurnHandle) => {
            turn.dispatch({ type: 'chat/toolCallStart', ...base });
            turn.dispatch({ type: 'chat/toolCallReady', ...base, toolInput: 'ls' });
            await turn.confirmation('call');
            await new Promise<void>((resolve) => turn.signal.addEventListener('abort', () => resolve()));
          },
        },
      });
      return { host, confirmations };
    }

    async function asked(host: PageHost, settings: Partial<AhpChat> = {}): Promise<AhpChat> {
      const element = await fixtureOf(host, settings);
      if (!host.chat.activeTurn) element.send({ text: 'go', origin: { kind: 'user' } });
      await waitUntil(() => findAll(transcriptOf(element), '[part=confirmation]').length > 0, 'it asks');
      await comeToRest(element);
      return element;
    }
    const statusOf = (host: PageHost) => {
      const part = host.chat.activeTurn?.responseParts[0];
      return part?.kind === 'toolCall' ? part.toolCall.status : undefined;
    };
    const lineIn = (element: AhpChat) => textOf(find(transcriptOf(element), '[part=tool-call-line]'));
    const untilLine = (element: AhpChat, text: string) =>
      waitUntil(
        () => findAll(transcriptOf(element), '[part=tool-call-line]').some((line) => textOf(line).includes(text)),
        text,
      );

    const untilSettled = (element: AhpChat) => waitUntil(() => element.status?.pending === 0, 'it is settled');

    it('reaches it once, and the line says who decided', async () => {
      const { host, confirmations } = askingHost();
      const element = await asked(host);

      const allow = buttonIn(element, 'Allow');
      allow.click();
      allow.click();
      await untilLine(element, 'Allowed by you');
      await untilSettled(element);

      expect(confirmations).to.have.length(1);
      expect(statusOf(host)).to.equal('running');
    });

    it('closes the card of another client, which then has nothing more to send', async () => {
      const { host, confirmations } = askingHost();
      const first = await asked(host);
      const second = await asked(host, { storageKey: `${host.key}-other` });
      expect(host.connections).to.equal(2);
      const stale = buttonIn(second, 'Deny');

      buttonIn(first, 'Allow').click();
      await untilLine(second, 'Allowed elsewhere');
      stale.click();
      await comeToRest(second);

      expect(confirmations).to.have.length(1);
      expect(lineIn(second)).to.contain('Allowed elsewhere');
      expect(statusOf(host)).to.equal('running');
    });

    it('counts once when two clients answer in the same moment, and both show what counted', async () => {
      const { host } = askingHost();
      const first = await asked(host);
      const second = await asked(host, { storageKey: `${host.key}-other` });

      buttonIn(first, 'Allow').click();
      buttonIn(second, 'Deny').click();
      for (const element of [first, second]) await untilSettled(element);

      const word = statusOf(host) === 'running' ? 'Allowed' : 'Denied';
      for (const element of [first, second]) {
        await untilLine(element, word);
        await waitUntil(() => !lineIn(element).includes('Answer sent'), 'it is said to have counted');
        expect(lineIn(element)).to.contain(word);
      }
    });

    it('is not sent again after the connection broke behind it', async () => {
      const { host, confirmations } = askingHost();
      const element = await asked(host);

      buttonIn(element, 'Allow').click();
      await waitUntil(() => confirmations.length === 1, 'it has arrived');
      host.goAway();
      host.isReachable = true;
      element.connect();
      await untilLive(element);
      await untilSettled(element);

      expect(confirmations).to.have.length(1);
      expect(statusOf(host)).to.equal('running');
    });

    it('is sent after a reconnect when it had never arrived, and meanwhile the line says it is on its way', async () => {
      let isDeaf = true;
      const { host } = askingHost(() => (isDeaf ? { kind: 'silent' } : undefined));
      isDeaf = false;
      const element = await asked(host);
      isDeaf = true;

      buttonIn(element, 'Allow').click();
      await untilLine(element, 'Answer sent');
      isDeaf = false;
      host.goAway();
      host.isReachable = true;
      element.connect();
      await untilLine(element, 'Allowed by you');
      await untilSettled(element);

      expect(statusOf(host)).to.equal('running');
    });

    it('can be given again when it was refused', async () => {
      let refusals = 1;
      const { host } = askingHost((action) =>
        action.type === 'chat/toolCallConfirmed' && refusals-- > 0 ? { kind: 'refuse', reason: 'not now' } : undefined,
      );
      const element = await asked(host);
      const rejected = collect(element, 'ahp-rejected');

      buttonIn(element, 'Allow').click();
      await waitUntil(() => rejected.length === 1, 'it is refused');
      await waitUntil(() => findAll(transcriptOf(element), '[part=confirmation]').length > 0, 'it asks again');
      await comeToRest(element);
      buttonIn(element, 'Deny').click();
      await untilLine(element, 'Denied by you');
      await untilSettled(element);

      expect(statusOf(host)).to.equal('cancelled');
    });

    it('is not asked for from what may be out of date: after a reload the outcome shows', async () => {
      const { host, confirmations } = askingHost();
      const element = await asked(host);
      await element.updateComplete;
      element.remove();
      await waitUntil(() => host.links === 0, 'the link is closed');
      host.isReachable = false;
      const again = await fixtureOf(host);
      await waitUntil(() => findAll(transcriptOf(again), '[part=confirmation]').length > 0, 'the mirror shows it');
      await comeToRest(again);
      buttonIn(again, 'Allow').click();
      expect(textOf(cardIn(again))).to.contain('You can answer when the connection is back.');
      host.host.dispatch(host.chat.resource, {
        type: 'chat/toolCallConfirmed',
        turnId: host.chat.activeTurn!.id,
        toolCallId: 'call',
        approved: true,
        confirmed: 'setting',
      });

      host.isReachable = true;
      again.connect();
      await untilLine(again, 'Allowed by a setting');

      expect(confirmations).to.be.empty;
    });
  });
});
