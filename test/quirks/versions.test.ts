/** Hosts of one old version only: a whole conversation with each, in the words and shapes of its time. */

import { expect } from '@open-wc/testing';
import { RpcCode } from '../../src/protocol/errors.js';
import { transcriptOf } from '../helpers/chat-element.js';
import { openScreen } from '../helpers/screen.js';
import { CHAT } from '../helpers/scripted-host.js';
import { click, findAll } from '../helpers/views.js';

/** What clients could say in 0.6, about chats and sessions. */
const known06 = [
  'chat/turnStarted',
  'chat/toolCallConfirmed',
  'chat/toolCallComplete',
  'chat/toolCallResultConfirmed',
  'chat/toolCallContentChanged',
  'chat/turnCancelled',
  'chat/truncated',
  'chat/pendingMessageSet',
  'chat/pendingMessageRemoved',
  'chat/queuedMessagesReordered',
  'chat/draftChanged',
  'chat/inputAnswerChanged',
  'chat/inputCompleted',
  'session/titleChanged',
  'session/isReadChanged',
  'session/isArchivedChanged',
  'session/activeClientSet',
  'session/activeClientRemoved',
  'session/configChanged',
];
const known07 = [...known06, 'chat/workingDirectorySet', 'chat/workingDirectoryRemoved'];
const known09 = [...known07, 'chat/turnResume', 'chat/isReadChanged', 'chat/isArchivedChanged'];

const oldError = { error: { errorType: 'Quota', message: 'Quota used up' } };
const newError = { part: { kind: 'error', error: { errorType: 'Quota', message: 'Quota used up' }, resumable: true } };
const newTerminal = {
  type: 'terminal',
  resource: 'ahp-terminal:/1',
  title: 'sh',
  result: { exitCode: 2, preview: 'no' },
};

const versions = [
  {
    version: '0.6.0',
    known: known06,
    failure: oldError,
    terminal: { type: 'terminalComplete', resource: 'ahp-terminal:/1', exitCode: 2, preview: 'no' },
  },
  { version: '0.7.0', known: known07, failure: oldError, terminal: newTerminal },
  { version: '0.9.0', known: known09, failure: newError, terminal: newTerminal },
];

for (const { version, known, failure, terminal } of versions)
  describe(`a host that speaks ${version} only`, () => {
    it('is talked with from the first word over a tool, a question, a queue and a lost connection to a failure', async () => {
      const screen = await openScreen({ supportedVersions: [version] });

      // A message, and an answer that streams.
      await screen.say('What is here?');
      expect(screen.host.chat.activeTurn!.message.text).to.equal('What is here?');
      const part = { kind: 'markdown', id: 'm', content: 'Let me ' };
      await screen.act({ type: 'chat/responsePart', part }, { type: 'chat/delta', partId: 'm', content: '**look**.' });
      expect(screen.text).to.contain('Let me look.');

      // A tool that asks.
      const call = { toolCallId: 'c', toolName: 'run', displayName: 'Run command' };
      const ready = { invocationMessage: 'Run ls', toolInput: '{"command":"ls"}' };
      await screen.act(
        { type: 'chat/toolCallStart', ...call },
        { type: 'chat/toolCallReady', toolCallId: 'c', ...ready },
      );
      await screen.press('Allow');
      expect(screen.buttons).not.to.include('Allow');
      const result = { success: true, pastTenseMessage: 'Ran ls', content: [terminal] };
      await screen.act({ type: 'chat/toolCallComplete', toolCallId: 'c', result });
      expect(screen.text).to.contain('Ran ls').and.contain('Exit code 2');

      // A question.
      const options = [
        { id: 'a', label: 'All of it' },
        { id: 's', label: 'Some of it' },
      ];
      const questions = [{ id: '1', kind: 'single-select', message: 'How much?', required: true, options }];
      await screen.act({ type: 'chat/inputRequested', request: { id: 'q', questions } });
      await click(findAll(transcriptOf(screen.chat), 'ahp-input-form input[type=radio]')[1]!);
      await screen.press('Submit');
      const answers = screen.host.dispatched('chat/inputCompleted') as readonly {
        readonly type: string;
        readonly answers?: object;
      }[];
      expect(answers[0]!.answers).to.deep.equal({ 1: { state: 'submitted', value: { kind: 'selected', value: 's' } } });

      // A message that waits, over a lost connection to a host that does not know `reconnect`.
      await screen.say('And then?');
      expect(screen.queue).to.deep.equal(['And then?']);
      screen.host.onReconnect = { code: RpcCode.MethodNotFound };
      screen.host.isReachable = false;
      screen.host.drop();
      await screen.pass();
      screen.tab.send('While away');
      await screen.pass();
      screen.host.isReachable = true;
      await screen.pass(30_000);
      expect(screen.tab.store.status.phase).to.equal('live');
      expect(screen.queue).to.deep.equal(['And then?', 'While away']);
      expect(screen.host.sent('initialize')).to.have.length(2);

      // The next turn, which fails in the words of its version.
      await screen.act({ type: 'chat/turnComplete', duration: 10 });
      expect(screen.queue).to.deep.equal(['While away']);
      await screen.act({ type: 'chat/error', duration: 10, ...failure });
      expect(screen.text).to.contain('Quota used up');
      expect(screen.buttons.includes('Resume')).to.equal('part' in failure);

      expect(screen.host.chat.turns.map(({ message }) => message.text)).to.deep.equal(['What is here?', 'And then?']);
      expect(screen.tab.state).to.deep.equal(screen.host.chat);
      expect(screen.strip).to.equal('');
      expect(screen.tab.client.client.handshake!.protocolVersion).to.equal(version);
      const said = new Set(screen.host.dispatched().map(({ type }) => type));
      expect([...said].filter((type) => !known.includes(type))).to.deep.equal([]);
      expect(screen.host.sent('createChat')).to.deep.equal([]);
      expect(screen.tab.state.resource).to.equal(CHAT);
    });
  });
