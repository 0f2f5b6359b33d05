import { expect, fixture, html } from '@open-wc/testing';
import type { MessageAttachment } from '../../../src/protocol/state.js';
import type { AhpAttachmentList } from '../../../src/views/attachments/ahp-attachment-list.js';
import '../../../src/views/composer/ahp-composer.js';
import { ViewMemory } from '../../../src/views/transcript/view-memory.js';
import { collect, deepFocus, find, findAll, findButton, press, rendered, textOf } from '../../helpers/views.js';

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const every: readonly MessageAttachment[] = [
  { type: 'simple', label: 'note' },
  { type: 'embeddedResource', label: 'shot.png', data: pixel, contentType: 'image/png' },
  { type: 'resource', label: 'main.ts', uri: 'file:///main.ts', displayKind: 'document' },
  { type: 'annotations', label: 'remarks', resource: 'ahp-annotations:/1' },
  { type: 'chat', label: 'other chat', resource: 'ahp-chat:/2' },
  {
    type: 'collection',
    label: 'src',
    displayKind: 'directory',
    attachments: [
      { type: 'resource', label: 'a.ts', uri: 'file:///a.ts' },
      { type: 'simple', label: 'b' },
    ],
  },
  { type: 'hologram', label: 'from the future' } as unknown as MessageAttachment,
];

/** Inside the composer, whose sheet it needs. */
async function listFixture(attachments: readonly MessageAttachment[]) {
  const composer = Object.assign(document.createElement('ahp-composer'), {
    message: { text: '', origin: { kind: 'user' }, attachments },
  });
  await fixture(html`${composer}`);
  await rendered(composer);
  return { composer, list: find<AhpAttachmentList>(composer, 'ahp-attachment-list') };
}

describe('ahp-attachment-list', () => {
  it('shows every type by its label, also one it does not know', async () => {
    const { list } = await listFixture(every);

    expect(findAll(list, '.chips > li').map(textOf)).to.deep.equal([
      'Attachment: note',
      'Image: shot.png',
      'Document: main.ts',
      'Annotations: remarks',
      'Chat: other chat',
      'Folder: src 2 pieces',
      'Attachment: from the future',
    ]);
  });

  it('gives one of a display kind it does not know the look of its type', async () => {
    const plain: MessageAttachment = { type: 'resource', label: 'a.bin', uri: 'file:///a.bin' };
    const { list } = await listFixture([plain, { ...plain, displayKind: 'hologram' }]);
    const [known, unknown] = findAll(list, '.chips > li');

    expect(textOf(known!)).to.contain('a.bin');
    expect(textOf(unknown!)).to.equal(textOf(known!));
    expect(find(unknown!, 'svg').getHTML()).to.equal(find(known!, 'svg').getHTML());
  });

  it('shows a small picture of what is a picture, and runs nothing of an SVG', async () => {
    const { list } = await listFixture([
      every[1]!,
      { type: 'embeddedResource', label: 'x.svg', data: 'PHN2Zy8+', contentType: 'image/svg+xml' },
    ]);

    expect(findAll<HTMLImageElement>(list, 'img').map((image) => image.src.slice(0, 22))).to.deep.equal([
      'data:image/png;base64,',
    ]);
  });

  it('opens a collection into its pieces and closes it again', async () => {
    const { list } = await listFixture(every);
    const toggle = findButton(list, /src/);
    expect(toggle.getAttribute('aria-expanded')).to.equal('false');

    toggle.click();
    await list.updateComplete;
    expect(toggle.getAttribute('aria-expanded')).to.equal('true');
    expect(findAll(list, '.pieces li').map(textOf)).to.deep.equal(['Attachment: a.ts', 'Attachment: b']);

    toggle.click();
    await list.updateComplete;
    expect(findAll(list, '.pieces')).to.be.empty;
  });

  it('remembers what is open where it is told to', async () => {
    const memory = new ViewMemory();
    const open = async () => {
      const { list } = await listFixture(every);
      Object.assign(list, { memory, memoryKey: 'turn' });
      await list.updateComplete;
      return list;
    };
    findButton(await open(), /src/).click();

    expect(findAll(await open(), '.pieces li')).to.have.length(2);
  });

  it('asks to open resources and chats, and only those', async () => {
    const { composer, list } = await listFixture(every);
    const resources = collect(composer, 'ahp-open-resource');
    const chats = collect(composer, 'ahp-open-chat');

    for (const button of findAll<HTMLButtonElement>(list, 'button.chip-main')) button.click();

    expect(resources.map(({ uri }) => uri)).to.deep.equal(['file:///main.ts']);
    expect(chats.map(({ resource }) => resource)).to.deep.equal(['ahp-chat:/2']);
  });

  it('asks to remove an attachment by its place', async () => {
    const { composer, list } = await listFixture(every);
    const removed = collect(composer, 'ahp-attachment-remove');

    findButton(list, 'Remove main.ts').click();

    expect(removed.map(({ index }) => index)).to.deep.equal([2]);
  });

  const labels: readonly [MessageAttachment, string][] = [
    [{ type: 'resource', label: '', uri: 'file:///x/Q1%.pdf' }, 'Q1%.pdf'],
    [{ type: 'simple', label: 'vra 50%.pdf' }, 'vra 50%.pdf'],
    [{ type: 'simple', label: 'Rapport: 12:30 é!.pdf' }, 'Rapport: 12:30 é!.pdf'],
    [{ type: 'simple', label: 'invoice\u202Egpj.exe' }, 'invoice[U+202E]gpj.exe'],
    [{ type: 'simple', label: `${'long '.repeat(20)}.tar.gz` }, 'long long long long …ng long .tar.gz'],
    [{ type: 'simple', label: '<img src=x onerror=alert(1)>' }, '<img src=x onerror=alert(1)>'],
  ];
  for (const [attachment, name] of labels)
    it(`names an attachment ${name}`, async () => {
      const { list } = await listFixture([attachment]);

      expect(find(list, 'bdi').textContent).to.equal(name);
      expect(find(list, '.chip-main').title).to.not.match(/[\u202a-\u202e]/);
    });

  it('can be used with the keyboard', async () => {
    const { list } = await listFixture(every);
    findButton(list, /src/).focus();

    await press('Enter');
    await list.updateComplete;
    await press('Tab');

    expect(findAll(list, '.pieces li')).to.have.length(2);
    expect(deepFocus()?.getAttribute('aria-label')).to.equal('Remove src');
  });

  it('is accessible, closed and open', async () => {
    const { list } = await listFixture(every);
    await expect(list).to.be.accessible();

    findButton(list, /src/).click();
    await list.updateComplete;
    await expect(list).to.be.accessible();
  });

  it('isolates each label in a right-to-left page', async () => {
    const { list } = await listFixture([{ type: 'simple', label: 'src/app.ts الآن!' }]);

    expect(getComputedStyle(find(list, 'bdi')).unicodeBidi).to.equal('isolate');
  });
});
