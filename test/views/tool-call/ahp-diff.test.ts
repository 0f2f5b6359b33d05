import { expect } from '@open-wc/testing';
import type { ChatServices } from '../../../src/chat/store.js';
import type { ContentRef, FileEdit, ToolCallPendingConfirmation } from '../../../src/protocol/state.js';
import { loadDiff } from '../../../src/views/parts/lazy.js';
import type { AhpTranscript } from '../../../src/views/transcript/ahp-transcript.js';
import { activeFixture, finishedFixture, settled } from '../../helpers/transcript.js';
import { completedCall, toolPart } from '../../helpers/turns.js';
import { waitUntil } from '../../helpers/until.js';
import { collect, deepFocus, find, findAll, findButton, press, textOf } from '../../helpers/views.js';

// The chunk comes at its own time; that it may fail to come is tested where that is done.
await loadDiff();

const side = (uri: string, name = 'src/app.ts') => ({ uri: `file:///${name}`, content: { uri } });
const asking = (...items: FileEdit[]): ToolCallPendingConfirmation => ({
  toolCallId: 'c',
  toolName: 'edit',
  displayName: 'Edit file',
  status: 'pending-confirmation',
  invocationMessage: 'Edit a file',
  edits: { items },
});

/** A host that knows these files, and what was read of it. */
function hostOf(files: Readonly<Record<string, string | Uint8Array>>) {
  const reads: string[] = [];
  const services: ChatServices = {
    readResource: async ({ uri }: ContentRef) => {
      reads.push(uri);
      const file = files[uri];
      if (file === undefined) throw new Error(`no ${uri}`);
      if (typeof file === 'string') return { data: file, encoding: 'utf-8' };
      return { data: btoa(String.fromCharCode(...file)), encoding: 'base64' };
    },
  };
  return { services, reads };
}

/** A chunk comes late on a busy machine. */

const diffIn = (transcript: AhpTranscript) => find(transcript, 'ahp-diff');
const shown = (transcript: AhpTranscript) =>
  waitUntil(
    () =>
      findAll(transcript, 'ahp-diff').every((diff) => !textOf(diff).includes('Loading')) &&
      findAll(transcript, 'ahp-diff').length > 0,
    'the lines are here',
  );
/** `- text`, `+ text` or `  text` for each row; gaps in brackets. */
const rowsOf = (transcript: AhpTranscript) =>
  findAll(transcript, '.diff-row').map((row) => {
    const text = row.querySelector('.diff-text')?.textContent;
    return text === undefined ? `[${textOf(row)}]` : `${textOf(row.querySelector('.diff-sign')!) || ' '} ${text}`;
  });

async function confirming(edits: readonly FileEdit[], files: Parameters<typeof hostOf>[0]) {
  const { services, reads } = hostOf(files);
  const transcript = await activeFixture([toolPart(asking(...edits))], { services });
  return { transcript, reads, services };
}

describe('ahp-diff', () => {
  it('shows the lines of an edit before it can be allowed, without a press', async () => {
    const edit = { before: side('1'), after: side('2') };
    const { transcript } = await confirming([edit], { 1: 'a\nb\nc\n', 2: 'a\nB\nc\nd\n' });
    await shown(transcript);

    expect(rowsOf(transcript)).to.deep.equal(['  a', '− b', '+ B', '  c', '+ d']);
    expect(textOf(diffIn(transcript))).to.contain('2 lines added, 1 line removed');
  });

  it('names the line before and after, and what happened, to those who cannot see it', async () => {
    const { transcript } = await confirming([{ before: side('1'), after: side('2') }], { 1: 'a\nb\n', 2: 'a\nB\n' });
    await shown(transcript);

    const cells = findAll(transcript, '.diff-row').map((row) =>
      [...row.querySelectorAll('[role=cell]')].map((cell) => cell.getAttribute('aria-label') ?? textOf(cell)),
    );
    expect(cells).to.deep.equal([
      ['1', '1', '', 'a'],
      ['2', '', 'Removed', 'b'],
      ['', '2', 'Added', 'B'],
    ]);
    expect(findAll(transcript, '[role=columnheader]').map(textOf)).to.deep.equal([
      'Line before',
      'Line after',
      'Change',
      'Text',
    ]);
  });

  it('marks the words of a line that were changed, by a line under them and not by colour alone', async () => {
    const { transcript } = await confirming([{ before: side('1'), after: side('2') }], {
      1: 'const total = sum(prices);\nreturn null;\n',
      2: 'const total = sum(costs, tax);\nwhile (true) {}\n',
    });
    await shown(transcript);

    expect(findAll(transcript, '.diff-text').map((text) => findAll(text, 'ins, del').map(textOf))).to.deep.equal([
      ['prices'],
      [],
      ['costs, tax'],
      [],
    ]);
    const [removed, added] = [find(transcript, '.diff-row.removed del'), find(transcript, '.diff-row.added ins')];
    expect([removed, added].map((mark) => getComputedStyle(mark).textDecorationLine)).to.deep.equal([
      'underline',
      'underline',
    ]);
    expect(rowsOf(transcript)).to.deep.equal([
      '− const total = sum(prices);',
      '− return null;',
      '+ const total = sum(costs, tax);',
      '+ while (true) {}',
    ]);
  });

  it('shows hidden characters in changed words, too', async () => {
    const { transcript } = await confirming([{ before: side('1'), after: side('2') }], {
      1: 'allow the user\n',
      2: 'allow the \u202euser\n',
    });
    await shown(transcript);

    expect(rowsOf(transcript)).to.deep.equal(['− allow the user', '+ allow the [U+202E]user']);
    expect(findAll(transcript, 'ins').map(textOf).join('')).to.contain('[U+202E]');
  });

  it('tells created, deleted and moved files apart', async () => {
    const { transcript } = await confirming(
      [
        { after: side('1', 'new.ts') },
        { before: side('1', 'old.ts') },
        { before: side('1', 'a.ts'), after: side('1', 'b.ts') },
      ],
      { 1: 'a\n' },
    );
    await shown(transcript);
    const edits = findAll(transcript, 'ahp-file-edit').map(textOf);

    expect(edits[0]).to.contain('Created new.ts').and.contain('+');
    expect(edits[1]).to.contain('Deleted old.ts').and.contain('−');
    expect(edits[2])
      .to.contain('Moved b.ts')
      .and.contain('From file:///a.ts to file:///b.ts')
      .and.contain('stays the same');
  });

  it('says what cannot be seen: other line endings, and a last line without an end', async () => {
    const { transcript } = await confirming([{ before: side('1'), after: side('2') }], { 1: 'a\r\nb\r\n', 2: 'a\nb' });
    await shown(transcript);

    expect(textOf(diffIn(transcript))).to.contain('Line endings change from CRLF to LF');
    expect(rowsOf(transcript)).to.deep.equal(['  a', '− b', '+ bno newline at the end']);
  });

  it('shows hidden characters, and lets no line reorder another', async () => {
    const { transcript } = await confirming([{ after: side('1') }], {
      1: 'const a = 1; // \u202etxt\nافتح src الآن!\n',
    });
    await shown(transcript);

    expect(rowsOf(transcript)[0]).to.equal('+ const a = 1; // [U+202E]txt');
    const text = findAll(transcript, '.diff-text')[1]!;
    expect(getComputedStyle(text).direction).to.equal('ltr');
    expect(getComputedStyle(text).unicodeBidi).to.equal('isolate');
  });

  it('does not draw bytes as text, and offers them to be looked at', async () => {
    const bytes = new Uint8Array([137, 80, 78, 71, 0, 255]);
    const { transcript } = await confirming([{ before: side('1'), after: side('2') }], {
      1: bytes,
      2: new Uint8Array([...bytes, 1]),
    });
    await shown(transcript);

    expect(rowsOf(transcript)).to.be.empty;
    expect(textOf(diffIn(transcript))).to.contain('No text');
    expect(findAll(diffIn(transcript), 'ahp-content-ref')).to.have.length(2);
  });

  it('takes bytes that are UTF-8 for the text they are', async () => {
    const { transcript } = await confirming([{ after: side('1') }], { 1: new TextEncoder().encode('grün\n') });
    await shown(transcript);

    expect(rowsOf(transcript)).to.deep.equal(['+ grün']);
  });

  it('folds what is the same, and opens it at the keyboard without losing the focus', async () => {
    const text = Array.from({ length: 300 }, (_, i) => `line ${i}`).join('\n');
    const { transcript } = await confirming([{ before: side('1'), after: side('2') }], {
      1: text,
      2: text.replace('line 0\n', 'first\n').replace('line 299', 'last'),
    });
    await shown(transcript);
    expect(rowsOf(transcript)).to.contain('[Show 292 unchanged lines]');

    find(transcript, '.diff-gap button').focus();
    await press('Enter');
    await settled();

    expect(rowsOf(transcript)).to.contain('[Show 92 unchanged lines]');
    expect(rowsOf(transcript)).to.contain('  line 50').and.contain('  line 250');
    expect(deepFocus() === find(transcript, '.diff-gap button')).to.equal(true);
  });

  it('draws a part of ten thousand changed lines, and more on a press or near the end', async () => {
    const lines = (word: string) => Array.from({ length: 10_000 }, (_, i) => `${word} ${i}`).join('\n');
    const { transcript } = await confirming([{ before: side('1'), after: side('2') }], {
      1: lines('a'),
      2: lines('b'),
    });
    await shown(transcript);
    expect(findAll(transcript, '.diff-row')).to.have.length(400);
    expect(textOf(find(transcript, '.diff-more'))).to.equal('19,600 more lines');

    find(transcript, '.diff-more').click();
    await settled();
    expect(findAll(transcript, '.diff-row')).to.have.length(1_400);

    const box = find(transcript, '[part=diff]');
    box.scrollTop = box.scrollHeight;
    await waitUntil(() => findAll(transcript, '.diff-row').length > 1_400, 'more is drawn when the end comes near');
  });

  it('shows the whole of a very long line only when asked', async () => {
    const { transcript } = await confirming([{ after: side('1') }], { 1: `${'x'.repeat(100_000)}end\n` });
    await shown(transcript);
    expect(rowsOf(transcript)[0]!.length).to.be.below(5_000);

    findButton(diffIn(transcript), /Show the whole line/).click();
    await settled();

    expect(rowsOf(transcript)[0]!.endsWith('end')).to.equal(true);
  });

  it('leaves a failure with a way to try again', async () => {
    const files: Record<string, string> = {};
    const { transcript } = await confirming([{ after: side('1') }], files);
    await shown(transcript);
    expect(textOf(diffIn(transcript))).to.contain('Could not be loaded.');

    files['1'] = 'here\n';
    findButton(diffIn(transcript), 'Try again: app.ts').click();
    await waitUntil(() => findAll(transcript, '.diff-row').length > 0, 'there are lines');

    expect(rowsOf(transcript)).to.deep.equal(['+ here']);
  });

  it('reads a large file only when asked', async () => {
    const large = { uri: 'file:///big.txt', content: { uri: '1', sizeHint: 5_000_000 } };
    const { transcript, reads } = await confirming([{ after: large }], { 1: 'a\n' });
    await shown(transcript);
    expect(reads).to.be.empty;

    findButton(diffIn(transcript), 'Show the changes (5 MB)').click();
    await waitUntil(() => findAll(transcript, '.diff-row').length > 0, 'there are lines');

    expect(reads).to.deep.equal(['1']);
  });

  it('is not read again for a state that says the same', async () => {
    const edit: FileEdit = { before: side('1'), after: side('2') };
    const { transcript, reads } = await confirming([edit], { 1: 'a\n', 2: 'b\n' });
    await shown(transcript);

    transcript.activeTurn = {
      ...transcript.activeTurn!,
      responseParts: [toolPart(asking(structuredClone(edit)))],
    };
    await settled();

    expect(reads).to.deep.equal(['1', '2']);
  });

  it('waits for a press in a finished call, and stays open while it is', async () => {
    const { services, reads } = hostOf({ 1: 'a\n' });
    const call = completedCall('c', { content: [{ type: 'fileEdit', after: side('1') }] });
    const transcript = await finishedFixture([toolPart(call)], { services });
    find<HTMLButtonElement>(transcript, '[part=tool-call-line]').click();
    await settled();
    expect(reads).to.be.empty;

    findButton(transcript, 'Changes in app.ts').focus();
    await press('Enter');
    await waitUntil(() => findAll(transcript, '.diff-row').length > 0, 'there are lines');

    expect(rowsOf(transcript)).to.deep.equal(['+ a']);
    await press('Enter');
    await settled();
    expect(findAll(transcript, 'ahp-diff')).to.be.empty;
  });

  it('opens the file itself when its name is pressed', async () => {
    const { transcript } = await confirming([{ after: side('1') }], { 1: 'a\n' });
    const opened = collect(transcript, 'ahp-open-resource');

    findButton(transcript, 'app.ts').click();

    expect(opened.map(({ uri }) => uri)).to.deep.equal(['file:///src/app.ts']);
  });

  it('can be scrolled with the keyboard, in a box that has a name', async () => {
    const { transcript } = await confirming([{ after: side('1') }], { 1: 'line\n'.repeat(200) });
    await shown(transcript);
    const box = find(transcript, '[part=diff]');
    box.focus();

    await press('End');
    await waitUntil(() => box.scrollTop > 0, 'it has scrolled');

    expect(box.getAttribute('aria-label')).to.equal('Changes in app.ts');
  });

  for (const dir of ['ltr', 'rtl'] as const)
    it(`is accessible (${dir})`, async () => {
      document.documentElement.dir = dir;
      try {
        const edit = { before: side('1'), after: side('2') };
        const { transcript } = await confirming([edit], { 1: 'a\nb\n'.repeat(20), 2: `x\n${'a\nb\n'.repeat(20)}y` });
        await shown(transcript);

        await expect(transcript).to.be.accessible();
        expect(getComputedStyle(find(transcript, '.diff-table')).direction).to.equal('ltr');
      } finally {
        document.documentElement.dir = '';
      }
    });
});
