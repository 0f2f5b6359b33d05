import { expect } from '@open-wc/testing';
import type { ChatStoreStatus } from '../../../src/chat/store.js';
import type {
  ConfirmationOption,
  ToolCallPendingConfirmation,
  ToolCallState,
  ToolResultContent,
} from '../../../src/protocol/state.js';
import type { AhpTranscript } from '../../../src/views/transcript/ahp-transcript.js';
import { activeFixture, finishedFixture, settled } from '../../helpers/transcript.js';
import { active, completedCall, markdown, toolPart } from '../../helpers/turns.js';
import { collect, deepFocus, find, findAll, findButton, nameOf, press, textOf, type } from '../../helpers/views.js';

const base = { toolCallId: 'c', toolName: 'run_command', displayName: 'Run command' };
const pending = (more: Partial<ToolCallPendingConfirmation> = {}): ToolCallPendingConfirmation => ({
  ...base,
  status: 'pending-confirmation',
  invocationMessage: { markdown: 'Run `npm test`' },
  toolInput: 'npm test',
  ...more,
});
const running: ToolCallState = {
  ...base,
  status: 'running',
  invocationMessage: { markdown: 'Running `npm test`' },
  confirmed: 'user-action',
  toolInput: 'npm test',
};
const options: readonly ConfirmationOption[] = [
  { id: 'o1', label: 'Only here', kind: 'deny', group: 1 },
  { id: 'o2', label: 'Once', kind: 'approve', group: 1 },
  { id: 'o3', label: 'Always', kind: 'approve', group: 2 },
  { id: 'o4', label: 'Ask my boss', kind: 'postpone', group: 2 },
];
const auth: ToolCallState = {
  ...base,
  status: 'auth-required',
  contributor: { kind: 'mcp', customizationId: 'x' },
  invocationMessage: 'Read the calendar',
  confirmed: 'not-needed',
  auth: {
    reason: 'required',
    description: 'Sign in, please.',
    resource: {
      resource: 'https://calendar.example',
      resource_name: 'Calendar',
      scopes_supported: ['write', 'admin'],
    },
    requiredScopes: ['read'],
    oauthClient: { clientId: 'id', clientSecret: 'secret' },
  },
};
const unchecked: ToolCallState = {
  ...base,
  status: 'pending-result-confirmation',
  invocationMessage: 'Query',
  confirmed: 'user-action',
  success: true,
  pastTenseMessage: { markdown: 'Queried **412** rows' },
  content: [{ type: 'text', text: 'row 1' }],
};

const callIn = (transcript: AhpTranscript) => find(transcript, 'ahp-tool-call');
const line = (transcript: AhpTranscript) => find<HTMLButtonElement>(transcript, '[part=tool-call-line]');
const show = async (transcript: AhpTranscript, call: ToolCallState) => {
  transcript.activeTurn = active('now', toolPart(call));
  await settled();
};

/** Opens the details of the one call and returns their text. */
async function openDetails(call: ToolCallState): Promise<{ transcript: AhpTranscript; details: HTMLElement }> {
  const transcript = await finishedFixture([toolPart(call)]);
  line(transcript).click();
  await settled();
  return { transcript, details: find(transcript, '[part=tool-call-body]') };
}
const withContent = (content: readonly ToolResultContent[]) => completedCall('c', { content });

describe('ahp-tool-call', () => {
  describe('the quiet line', () => {
    const lines: readonly [string, ToolCallState, string][] = [
      ['streaming', { ...base, status: 'streaming' }, 'Preparing Run command Running'],
      ['running', running, 'Running npm test Running Allowed by a person'],
      ['completed', completedCall('c'), 'Read file-c.ts Done'],
      ['failed', completedCall('c', { success: false, error: { message: 'no' } }), 'Read file-c.ts Failed'],
      [
        'completed with an exit code',
        withContent([{ type: 'terminal', resource: 't', title: 'x', result: { exitCode: 2 } }]),
        'Read file-c.ts Done Exit code 2',
      ],
      [
        'completed with changed lines',
        withContent([{ type: 'fileEdit', diff: { added: 12, removed: 3 } }]),
        'Read file-c.ts Done +12 −3',
      ],
      [
        'skipped',
        { ...base, status: 'cancelled', invocationMessage: 'Run it', reason: 'skipped' },
        'Run it Not run: the turn ended first',
      ],
      [
        'denied by somebody',
        { ...base, status: 'cancelled', invocationMessage: 'Run it', reason: 'denied' },
        'Run it Denied',
      ],
      [
        'denied with an option',
        { ...base, status: 'cancelled', invocationMessage: 'Run it', reason: 'denied', selectedOption: options[0] },
        'Run it Denied: Only here',
      ],
      [
        'with its result denied',
        { ...base, status: 'cancelled', invocationMessage: 'Run it', reason: 'result-denied' },
        'Run it Result not used',
      ],
      [
        'of a later version',
        { ...base, status: 'projecting' } as unknown as ToolCallState,
        'Run command State unknown to this page: projecting',
      ],
      [
        'without any message',
        { ...base, status: 'cancelled', invocationMessage: '', reason: 'skipped' },
        'Run command Not run: the turn ended first',
      ],
    ];
    for (const [name, call, text] of lines)
      it(`of a call that is ${name}`, async () => {
        const transcript = await activeFixture([toolPart(call)]);

        expect(textOf(line(transcript))).to.equal(text);
      });

    it('shows the end of what is being written, wherever it is cut', async () => {
      const writing = (partialInput: unknown): ToolCallState =>
        ({ ...base, status: 'streaming', partialInput }) as unknown as ToolCallState;
      const transcript = await activeFixture([toolPart(writing('{"path": "src/ne'))]);
      expect(textOf(line(transcript))).to.equal('Preparing Run command Running {"path": "src/ne');
      const button = line(transcript);

      await show(transcript, writing(`${'x'.repeat(2_000_000)}\ud83d`));
      expect(textOf(line(transcript)).length).to.be.below(120);
      expect(line(transcript)).to.equal(button);

      for (const odd of [undefined, null, 7, { a: 1 }]) {
        await show(transcript, writing(odd));
        expect(textOf(line(transcript))).to.equal('Preparing Run command Running');
      }
    });

    it('shows what looks like markup as text', async () => {
      const transcript = await activeFixture([
        toolPart(
          completedCall('c', { pastTenseMessage: { markdown: '<img src=x onerror=alert(1)> [a](javascript:b)' } }),
        ),
      ]);

      expect(findAll(transcript, 'img, a')).to.be.empty;
      expect(textOf(line(transcript))).to.contain('<img src=x onerror=alert(1)>');
    });
  });

  describe('details', () => {
    it('show the whole input, indented but otherwise as it is', async () => {
      const { details } = await openDetails(completedCall('c', { toolInput: '{"a":1.50,"b":[],"a":"\\u202e"}' }));

      expect(find(details, '.code-box').textContent).to.equal('{\n  "a": 1.50,\n  "b": [],\n  "a": "\\u202e"\n}');
    });

    const blocks: readonly [string, ToolResultContent, string][] = [
      ['text', { type: 'text', text: 'plain <b>text</b>' }, 'plain <b>text</b>'],
      ['an embedded text', { type: 'embeddedResource', data: btoa('inside'), contentType: 'text/plain' }, 'inside'],
      ['a broken embedded text', { type: 'embeddedResource', data: '***', contentType: 'text/plain' }, 'Content'],
      ['a reference', { type: 'resource', uri: 'file:///x/Q1%.pdf', sizeHint: 4_200_000 }, 'Q1%.pdf 4.2 MB'],
      ['a created file', { type: 'fileEdit', after: { uri: 'file:///n.ts', content: { uri: 'x' } } }, 'Created n.ts'],
      ['a deleted file', { type: 'fileEdit', before: { uri: 'file:///o.ts', content: { uri: 'x' } } }, 'Deleted o.ts'],
      [
        'a moved file',
        {
          type: 'fileEdit',
          before: { uri: 'file:///o.ts', content: { uri: 'x' } },
          after: { uri: 'file:///n.ts', content: { uri: 'x' } },
        },
        'Moved n.ts',
      ],
      [
        'a terminal',
        {
          type: 'terminal',
          resource: 't',
          title: 'sh',
          result: { exitCode: 0, preview: '\u001b[32mok\u001b[0m', truncated: true },
        },
        'sh Exit code 0',
      ],
      ['an old terminal', { type: 'terminalComplete', exitCode: 1, preview: 'bad' }, 'Terminal Exit code 1'],
      [
        'a subagent',
        { type: 'subagent', resource: 'ahp-chat:/2', title: 'Look', agentName: 'Tester', description: 'Ten times' },
        'Look Tester Open chat Ten times',
      ],
      [
        'a block of a later version',
        { type: 'hologram' } as unknown as ToolResultContent,
        'Content of a kind this page does not know: hologram',
      ],
    ];
    for (const [name, block, text] of blocks)
      it(`show ${name}`, async () => {
        const { details } = await openDetails(withContent([block]));
        await settled();

        expect(textOf(details)).to.contain(text);
      });

    it('show what was made for machines where there is nothing for people', async () => {
      const structuredContent = { html: '<b>1</b>', list: [1] };
      const alone = await openDetails(completedCall('c', { structuredContent }));
      expect(findAll(alone.details, '.code-box').at(-1)?.textContent).to.equal(
        JSON.stringify(structuredContent, undefined, 2),
      );

      const beside = await openDetails(
        completedCall('c', { structuredContent, content: [{ type: 'text', text: 'one' }] }),
      );
      expect(findAll(beside.details, '.code-box').at(-1)?.textContent).to.equal('one');
    });

    it('ask to open a file and a worker’s chat', async () => {
      const { transcript } = await openDetails(
        withContent([
          { type: 'fileEdit', after: { uri: 'file:///n.ts', content: { uri: 'x' } } },
          { type: 'subagent', resource: 'ahp-chat:/2', title: 'Look' },
        ]),
      );
      const resources = collect(transcript, 'ahp-open-resource');
      const chats = collect(transcript, 'ahp-open-chat');

      findButton(callIn(transcript), 'n.ts').click();
      findButton(callIn(transcript), 'Open chat: Look').click();

      expect(resources.map(({ uri }) => uri)).to.deep.equal(['file:///n.ts']);
      expect(chats.map(({ resource }) => resource)).to.deep.equal(['ahp-chat:/2']);
    });

    it('say who let it run, what failed and what was said instead', async () => {
      const failed = await openDetails(
        completedCall('c', {
          success: false,
          error: { message: 'Too slow', code: 'timeout' },
          confirmed: 'user-action',
          selectedOption: options[2],
        }),
      );
      expect(textOf(failed.details))
        .to.contain('Error: Too slow Code timeout')
        .and.contain('Allowed by a person: Always');

      const leaking = { message: 'No answer of https://h/?token=s3cret' };
      const { details } = await openDetails(completedCall('d', { success: false, error: leaking }));
      expect(textOf(details)).to.contain('Error: No answer of https://h/?token=…').and.not.contain('s3cret');

      const denied = await openDetails({
        ...base,
        status: 'cancelled',
        invocationMessage: 'x',
        reason: 'denied',
        reasonMessage: 'Not on Fridays',
        userSuggestion: { text: 'Wait', origin: { kind: 'user' } },
      });
      expect(textOf(denied.details)).to.contain('Not on Fridays Said instead: Wait');
      expect(findAll(denied.details, '.literal').map(({ textContent }) => textContent)).to.include(
        'Said instead: Wait',
      );
    });

    it('stay open while the call goes on, and show its output as it comes', async () => {
      const transcript = await activeFixture([toolPart(running)]);
      line(transcript).click();
      await settled();
      const box = () => findAll(callIn(transcript), '.code-box').at(-1)!;
      await show(transcript, { ...running, content: [{ type: 'text', text: 'one' }] });
      const node = box().firstChild;

      await show(transcript, { ...running, content: [{ type: 'text', text: 'one two' }] });

      expect(box().textContent).to.equal('one two');
      expect(box().firstChild).to.equal(node);
    });

    it('say when the tool of another page runs, and are quiet about one of this page', async () => {
      const services = { isThisClient: (clientId: string) => clientId === 'me' };
      const of = (clientId: string) => toolPart({ ...running, contributor: { kind: 'client', clientId } });
      const own = await activeFixture([of('me')], { services });
      const other = await activeFixture([of('somebody-else')], { services });

      expect(findAll(own, '.line-word')).to.be.empty;
      expect(textOf(find(other, '.line-word'))).to.equal('Running in another page');
    });

    it('show the beginning and the end of an output of many megabytes', async () => {
      const text = `the beginning${'x'.repeat(5_000_000)}the end`;
      const { details } = await openDetails(withContent([{ type: 'text', text }]));
      const [first, last] = findAll(details, '.code-box').map((box) => box.textContent);

      expect(first!.startsWith('the beginning')).to.equal(true);
      expect(last!.endsWith('the end')).to.equal(true);
      expect(first!.length + last!.length).to.be.below(300_000);
      expect(nameOf(findButton(details, /Show all/))).to.equal('Show all (5 MB)');
    });
  });

  describe('confirmation', () => {
    it('offers the host’s options in its order, the first approving one filled, and invents none', async () => {
      const transcript = await activeFixture([toolPart(pending({ options }))]);
      const buttons = findAll(callIn(transcript), '.buttons button');

      expect(buttons.map(nameOf)).to.deep.equal(['Only here', 'Once', 'Always', 'Ask my boss']);
      expect(buttons.filter((button) => button.matches('.filled')).map(nameOf)).to.deep.equal(['Once']);
      expect(buttons.map((button) => button.getAttribute('aria-disabled'))).to.deep.equal([
        'false',
        'false',
        'false',
        'true',
      ]);
      expect(findAll(callIn(transcript), '.options').map((group) => findAll(group, 'button').length)).to.deep.equal([
        2, 2,
      ]);
    });

    it('offers a plain Deny where the host offers none', async () => {
      const transcript = await activeFixture([toolPart(pending({ options: [options[1]!] }))]);

      expect(findAll(callIn(transcript), '.buttons button').map(nameOf)).to.deep.equal(['Once', 'Deny']);
    });

    const answers: readonly [string, readonly ConfirmationOption[] | undefined, object][] = [
      ['Allow', undefined, { approved: true }],
      ['Deny', undefined, { approved: false, reason: 'denied' }],
      ['Always', options, { approved: true, optionId: 'o3' }],
      ['Only here', options, { approved: false, optionId: 'o1', reason: 'denied' }],
    ];
    for (const [button, offered, answer] of answers)
      it(`answers ${button} with its kind and id`, async () => {
        const transcript = await activeFixture([toolPart(pending(offered && { options: offered }))]);
        const confirmed = collect(transcript, 'ahp-tool-confirm');

        findButton(callIn(transcript), button).click();

        expect(confirmed.map((event) => event.answer)).to.deep.equal([
          { turnId: 'now', toolCallId: 'c', stage: 'call', ...answer },
        ]);
      });

    it('takes one answer, also from a second press in the same task', async () => {
      const transcript = await activeFixture([toolPart(pending())]);
      const confirmed = collect(transcript, 'ahp-tool-confirm');
      const [allow, deny] = [findButton(callIn(transcript), 'Allow'), findButton(callIn(transcript), 'Deny')];

      allow.click();
      allow.click();
      deny.click();
      await settled();
      findButton(callIn(transcript), 'Deny').click();

      expect(confirmed).to.have.length(1);
      expect(textOf(callIn(transcript))).to.contain('Answer sent');
    });

    it('can be answered again when the host refused the answer', async () => {
      const call = pending();
      const transcript = await activeFixture([toolPart(call)]);
      const confirmed = collect(transcript, 'ahp-tool-confirm');
      findButton(callIn(transcript), 'Allow').click();
      await show(transcript, running);

      await show(transcript, call);
      findButton(callIn(transcript), 'Deny').click();

      expect(confirmed.map(({ answer }) => answer.approved)).to.deep.equal([true, false]);
    });

    it('can be answered again when it was refused before anything else was shown', async () => {
      const transcript = await activeFixture([toolPart(pending())]);
      const confirmed = collect(transcript, 'ahp-tool-confirm');
      findButton(callIn(transcript), 'Allow').click();

      transcript.refusals = 1;
      await settled();
      findButton(callIn(transcript), 'Deny').click();

      expect(confirmed.map(({ answer }) => answer.approved)).to.deep.equal([true, false]);
    });

    it('can be answered again when the page prevented the answer', async () => {
      const transcript = await activeFixture([toolPart(pending())]);
      transcript.addEventListener('ahp-tool-confirm', (event) => event.preventDefault(), { once: true });
      const confirmed = collect(transcript, 'ahp-tool-confirm');

      findButton(callIn(transcript), 'Allow').click();
      await settled();
      findButton(callIn(transcript), 'Allow').click();

      expect(confirmed).to.have.length(2);
    });

    it('takes no answer while one is under way', async () => {
      const status: ChatStoreStatus = { phase: 'live', pending: 1, unconfirmed: [], pendingIds: new Set(['c']) };
      const transcript = await activeFixture([toolPart(pending())], { status });
      const confirmed = collect(transcript, 'ahp-tool-confirm');

      findButton(callIn(transcript), 'Allow').click();

      expect(confirmed).to.be.empty;
    });

    it('takes no answer from what may be out of date, and says when it will', async () => {
      const status: ChatStoreStatus = { phase: 'offline', pending: 0, unconfirmed: [] };
      const transcript = await activeFixture([toolPart(pending())], { status });
      const confirmed = collect(transcript, 'ahp-tool-confirm');

      findButton(callIn(transcript), 'Allow').click();
      expect(confirmed).to.be.empty;
      expect(textOf(callIn(transcript))).to.contain('You can answer when the connection is back.');

      transcript.status = { ...status, phase: 'live' };
      await settled();
      findButton(callIn(transcript), 'Allow').click();
      expect(confirmed).to.have.length(1);
    });

    it('has no buttons in a read-only chat', async () => {
      const transcript = await activeFixture([toolPart(pending())], { readOnly: true });

      expect(findAll(callIn(transcript), 'button')).to.be.empty;
    });

    it('shows no prompt for a call that was confirmed from the start, and closes one that is confirmed elsewhere', async () => {
      const transcript = await activeFixture([toolPart({ ...running, confirmed: 'not-needed' })]);
      expect(findAll(transcript, '[part=confirmation]')).to.be.empty;

      await show(transcript, pending());
      expect(findAll(transcript, '[part=confirmation]')).to.have.length(1);

      await show(transcript, { ...running, confirmed: 'not-needed' });
      expect(findAll(transcript, '[part=confirmation]')).to.be.empty;
    });

    it('asks once for two parts with one call', async () => {
      const transcript = await activeFixture([toolPart(pending()), toolPart(pending())]);

      expect(findAll(transcript, '[part=confirmation]')).to.have.length(1);
    });

    it('tells a denial of this person from one of somebody else', async () => {
      const denied: ToolCallState = { ...base, status: 'cancelled', invocationMessage: 'Run it', reason: 'denied' };
      const transcript = await activeFixture([toolPart(pending())]);
      findButton(callIn(transcript), 'Deny').click();

      await show(transcript, denied);
      expect(textOf(line(transcript))).to.equal('Run it Denied by you');

      await show(transcript, { ...denied, toolCallId: 'other' });
      expect(textOf(line(transcript))).to.equal('Run it Denied');
    });

    it('stays reachable when other parts come after it, and from a bar when it is out of view', async () => {
      const parts = [toolPart(pending()), markdown('word '.repeat(4_000)), markdown('more', 'n')];
      const transcript = await activeFixture(parts);
      const bar = find(transcript, '[part=request-bar]');
      expect(textOf(bar)).to.equal('Waiting for your answer Show');

      findButton(bar, 'Show').click();
      await settled();

      const confirmation = find(transcript, '[part=confirmation]');
      expect(confirmation.getBoundingClientRect().top).to.be.within(0, 400);
      expect(deepFocus()).to.equal(confirmation);
      expect(findAll(transcript, '[part=request-bar]')).to.be.empty;
    });

    it('never takes the focus from who is typing', async () => {
      const transcript = await activeFixture([markdown('text')]);
      const outside = document.createElement('textarea');
      transcript.parentElement!.append(outside);
      const confirmed = collect(transcript, 'ahp-tool-confirm');
      outside.focus();
      await type('hel');

      await show(transcript, pending());
      await type('lo');
      await press('Enter');

      expect(outside.value).to.equal('hello\n');
      expect(confirmed).to.be.empty;
    });

    it('shows the risk with a word and the judge’s reason', async () => {
      const risk = (safety: number) =>
        pending({ riskAssessment: { kind: 'judge', status: 'complete', safety, reason: 'Deletes files.' } });
      const transcript = await activeFixture([
        toolPart(pending({ riskAssessment: { kind: 'judge', status: 'loading' } })),
      ]);
      expect(textOf(find(transcript, '.risk'))).to.equal('Looking at the risk…');

      for (const [safety, word] of [
        [0.1, 'High risk safety 10%'],
        [0.5, 'Some risk safety 50%'],
        [0.9, 'Low risk safety 90%'],
        [7, 'Low risk safety 100%'],
        [NaN, 'Risk not known'],
      ] as const) {
        await show(transcript, risk(safety));
        expect(textOf(find(transcript, '.risk'))).to.equal(`${word} Deletes files.`);
      }
    });
  });

  describe('a result that must be allowed', () => {
    it('shows the result and takes one answer about it', async () => {
      const transcript = await activeFixture([toolPart(unchecked)]);
      const confirmed = collect(transcript, 'ahp-tool-confirm');
      expect(textOf(callIn(transcript)))
        .to.contain('Queried 412 rows')
        .and.contain('row 1');

      findButton(callIn(transcript), 'Discard result').click();
      findButton(callIn(transcript), 'Use result').click();

      expect(confirmed.map(({ answer }) => answer)).to.deep.equal([
        { turnId: 'now', toolCallId: 'c', stage: 'result', approved: false },
      ]);
    });
  });

  describe('a sign-in', () => {
    it('shows what for and hands the whole requirement to the page', async () => {
      const transcript = await activeFixture([toolPart(auth)]);
      const requests = collect(transcript, 'ahp-auth-request');
      expect(textOf(callIn(transcript)))
        .to.contain('Sign in to Calendar to go on')
        .and.contain('Access asked for: read')
        .and.not.contain('secret')
        .and.not.contain('admin');

      findButton(callIn(transcript), 'Sign in').click();

      expect(requests.map(({ requirement, toolCallId }) => [requirement, toolCallId])).to.deep.equal([
        ['auth' in auth && auth.auth, 'c'],
      ]);
    });

    it('can be given up', async () => {
      const transcript = await activeFixture([toolPart(auth)]);
      const cancelled = collect(transcript, 'ahp-tool-cancel');

      findButton(callIn(transcript), 'Cancel this call').click();

      expect(cancelled.map(({ turnId, toolCallId }) => [turnId, toolCallId])).to.deep.equal([['now', 'c']]);
    });
  });

  describe('for everybody', () => {
    const all = [pending({ options }), auth, unchecked, running, completedCall('c')];

    for (const call of all)
      it(`is accessible while it is ${call.status}`, async () => {
        const transcript = await activeFixture([toolPart(call)]);
        findAll<HTMLButtonElement>(transcript, '[part=tool-call-line]').forEach((button) => button.click());
        await settled();

        await expect(transcript).to.be.accessible();
      });

    it('can be opened and answered with the keyboard', async () => {
      const transcript = await activeFixture([toolPart(completedCall('a')), toolPart(pending({ options }))]);
      const confirmed = collect(transcript, 'ahp-tool-confirm');
      line(transcript).focus();

      await press('Enter');
      await settled();
      expect(line(transcript).getAttribute('aria-expanded')).to.equal('true');

      find(transcript, '[part=confirmation]').focus();
      const reached: string[] = [];
      for (let i = 0; i < 3; i += 1) {
        await press('Tab');
        reached.push(nameOf(deepFocus()!));
      }
      expect(reached).to.deep.equal(['Input', 'Only here', 'Once']);
      await press('Enter');
      await settled();
      expect(confirmed.map(({ answer }) => answer.optionId)).to.deep.equal(['o2']);
    });

    it('keeps machine text left to right and isolates names in a right-to-left page', async () => {
      document.documentElement.dir = 'rtl';
      try {
        const transcript = await activeFixture([
          toolPart(
            pending({
              confirmationTitle: 'افتح src/app.ts الآن!',
              options: [{ id: 'x', label: 'a\u202Eb', kind: 'approve' }],
            }),
          ),
        ]);

        expect(find(transcript, '.code-box').dir).to.equal('ltr');
        expect(find(transcript, '.card-title bdi').textContent).to.equal('افتح src/app.ts الآن!');
        expect(findAll(transcript, '.buttons button').map(nameOf)).to.deep.equal(['a[U+202E]b', 'Deny']);
        expect(getComputedStyle(find(transcript, '.card')).direction).to.equal('rtl');
      } finally {
        document.documentElement.dir = '';
      }
    });
  });
});
