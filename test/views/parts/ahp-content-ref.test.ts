/** Content of tools and parts: what is shown, what is asked for, what is refused, and what never happens by itself. */

import { expect } from '@open-wc/testing';
import type { ChatServices } from '../../../src/chat/store.js';
import type { ResourceReadResult } from '../../../src/protocol/commands.js';
import { AhpError, RpcCode } from '../../../src/protocol/errors.js';
import type { ContentRef, ResponsePart } from '../../../src/protocol/state.js';
import { heldAnswer, type Answer } from '../../helpers/answer.js';
import { finishedFixture, settled } from '../../helpers/transcript.js';
import { turn } from '../../helpers/turns.js';
import { collect, deepFocus, find, findAll, findButton, press, textOf } from '../../helpers/views.js';
import { waitUntil } from '../../helpers/until.js';

const part = (ref: Partial<ContentRef>): ResponsePart => ({ kind: 'contentRef', uri: 'file:///notes.md', ...ref });
const head = (root: Element) => textOf(find(root, '.content-head'));
const refusal = (code: number, data?: unknown) =>
  new AhpError('rpc', 'The host says no.', { rpc: { code, message: 'no', ...(data !== undefined && { data }) } });

/** Shows a small reference whose content is this. */
async function show(result: ResourceReadResult, ref: Partial<ContentRef> = {}) {
  const services = { readResource: async () => result };
  const transcript = await finishedFixture([part({ sizeHint: 1, ...ref })], { services });
  await waitUntil(() => findAll(transcript, '.content-ref > :not(.content-head)').length > 0);
  return transcript;
}

/** A reader whose answers the test gives; `signals` are those of the requests. */
function heldReader() {
  const asked: { readonly ref: ContentRef; readonly signal: AbortSignal | undefined }[] = [];
  const answers: Answer<ResourceReadResult>[] = [];
  const services: ChatServices = {
    readResource: (ref, signal) => {
      const answer = heldAnswer<ResourceReadResult>();
      signal?.addEventListener('abort', () => answer.reject(signal.reason as Error));
      asked.push({ ref, signal });
      answers.push(answer);
      return answer.promise;
    },
  };
  return { asked, answers, services };
}

describe('what content is shown as', () => {
  it('indents JSON and leaves every letter of it as it was sent', async () => {
    const transcript = await show({
      data: '{"a":1e400,"b":"<b>\\u0041"}',
      encoding: 'utf-8',
      contentType: 'application/json',
    });

    expect(find(transcript, '.code-box').textContent).to.equal('{\n  "a": 1e400,\n  "b": "<b>\\u0041"\n}');
  });

  it('renders Markdown as Markdown, with nothing of its HTML alive', async () => {
    const data = '# Title\n\n<img src=x onerror="window.__ran=1">';
    const transcript = await show({ data, encoding: 'utf-8', contentType: 'text/markdown' });
    await waitUntil(() => findAll(transcript, '.content-text h1, .content-text h2, .content-text h3').length > 0);

    expect(findAll(transcript, '.content-text img')).to.be.empty;
    expect(textOf(find(transcript, '.content-text'))).to.contain('<img src=x');
  });

  it('shows the beginning and the end of a huge text and says how much is left out', async () => {
    const transcript = await show({ data: 'x'.repeat(400_000), encoding: 'utf-8', contentType: 'text/plain' });

    expect(findAll(transcript, '.code-box').map(({ textContent }) => textContent.length)).to.deep.equal([
      65_536, 72_320,
    ]);
    expect(textOf(find(transcript, '.text-rest'))).to.equal('262.1 kB are left out here. Show all (400 kB) Copy all');
  });

  it('says that a picture is none, and keeps it to be saved', async () => {
    const transcript = await show({ data: btoa('not a picture'), encoding: 'base64', contentType: 'image/png' });

    await waitUntil(() => textOf(find(transcript, '.content-ref')).includes('No preview'));
    expect(findAll(transcript, 'img')).to.be.empty;
    expect(findButton(transcript, 'Save notes.md').isConnected).to.equal(true);
  });

  it('says that text is damaged where base64 is none', async () => {
    const transcript = await show({ data: '***', encoding: 'base64', contentType: 'text/plain' });

    expect(textOf(find(transcript, '.content-ref'))).to.contain('The content is damaged.');
  });

  for (const contentType of [
    'text/html',
    'image/svg+xml',
    'application/xml',
    'application/xhtml+xml',
    'application/pdf',
  ])
    it(`makes no address of ${contentType} that could be opened`, async () => {
      const transcript = await show({ data: btoa('<svg onload="x"/>'), encoding: 'base64', contentType });

      expect(findAll(transcript, 'a, iframe, object, embed, img, svg[onload]')).to.be.empty;
    });
});

describe('pictures on the web', () => {
  const ref = { uri: 'https://pictures.example/p.png', contentType: 'image/png', sizeHint: 1 };

  it('are the host’s to read where the page has not named their origin', async () => {
    const { asked, services } = heldReader();

    const transcript = await finishedFixture([part(ref)], { services, imageOrigins: ['https://other.example'] });

    expect(asked.map(({ ref: { uri } }) => uri)).to.deep.equal([ref.uri]);
    expect(findAll(transcript, 'img')).to.be.empty;
  });

  it('are the browser’s to load where it has', async () => {
    const { asked, services } = heldReader();

    const transcript = await finishedFixture([part(ref)], { services, imageOrigins: ['https://pictures.example'] });

    expect(asked).to.be.empty;
    await waitUntil(() => textOf(find(transcript, '.content-ref')).includes('Could not be loaded.'));
  });
});

describe('a reference that is read', () => {
  it('is given up when it leaves the page, and read again when it comes back', async () => {
    const { asked, answers, services } = heldReader();
    const transcript = await finishedFixture([part({ sizeHint: 10 })], { services });
    const element = find(transcript, 'ahp-content-ref');
    const { parentNode, nextSibling } = element;

    element.remove();
    await settled();
    expect(asked.map(({ signal }) => signal?.aborted)).to.deep.equal([true]);

    parentNode!.insertBefore(element, nextSibling);
    answers[1]!.resolve({ data: 'back', encoding: 'utf-8', contentType: 'text/plain' });
    await waitUntil(() => findAll(transcript, '.code-box').length === 1);
    expect(find(transcript, '.code-box').textContent).to.equal('back');
  });

  it('forgets the old content when the reference becomes another, large one', async () => {
    const { answers, services } = heldReader();
    const transcript = await finishedFixture([part({ sizeHint: 10 })], { services });
    answers[0]!.resolve({ data: 'old', encoding: 'utf-8', contentType: 'text/plain' });
    await waitUntil(() => findAll(transcript, '.code-box').length === 1);

    transcript.turns = [turn('done', { responseParts: [part({ sizeHint: 9_000_000, nonce: 'b' })] })];
    await waitUntil(() => findAll(transcript, '.code-box').length === 0);

    expect(findButton(transcript, 'Load: notes.md').isConnected).to.equal(true);
  });

  it('says that it is gone and keeps its name', async () => {
    for (const code of [RpcCode.NotFound, RpcCode.ContentNotFound]) {
      const services = { readResource: () => Promise.reject(refusal(code)) };
      const transcript = await finishedFixture([part({ sizeHint: 10 })], { services });

      await waitUntil(() => head(transcript).includes('No longer there.'));
      expect(head(transcript)).to.equal('notes.md 10 byte No longer there.');
    }
  });

  it('asks the host for access with what the refusal holds, for reading only, then reads once more', async () => {
    const requests: unknown[] = [];
    let isAllowed = false;
    const services: ChatServices = {
      readResource: async () => {
        if (!isAllowed)
          throw refusal(RpcCode.PermissionDenied, { request: { uri: 'file:///', read: true, write: true } });
        return { data: 'secret', encoding: 'utf-8', contentType: 'text/plain' };
      },
      requestResource: async (params) => {
        requests.push(params);
        isAllowed = true;
      },
    };
    const transcript = await finishedFixture([part({ sizeHint: 10 })], { services });
    await waitUntil(() => head(transcript).includes('The host does not allow this.'));
    expect(requests).to.be.empty;

    findButton(transcript, 'Ask for access: notes.md').focus();
    await press('Enter');

    await waitUntil(() => findAll(transcript, '.code-box').length === 1);
    expect(requests).to.deep.equal([{ uri: 'file:///', read: true }]);
    expect(find(transcript, '.content-ref').contains(deepFocus())).to.equal(true);
  });

  it('can only be tried again where the refusal does not say what to ask for', async () => {
    const services = {
      readResource: () => Promise.reject(refusal(RpcCode.PermissionDenied)),
      requestResource: async () => undefined,
    };
    const transcript = await finishedFixture([part({ sizeHint: 10 })], { services });

    await waitUntil(() => head(transcript).includes('The host does not allow this.'));
    expect(findAll(transcript, '.content-head .link-button')).to.have.length(2);
    expect(findButton(transcript, 'Try again: notes.md').isConnected).to.equal(true);
  });

  it('says that it is too large', async () => {
    const services = { readResource: () => Promise.reject(new AhpError('frame-too-large', '9 MB')) };
    const transcript = await finishedFixture([part({ sizeHint: 10 })], { services });

    await waitUntil(() => head(transcript).includes('Too large to be shown here.'));
  });

  it('is opened by the page, with its type, when its name is pressed', async () => {
    const transcript = await finishedFixture([part({ contentType: 'text/markdown' })]);
    const opened = collect(transcript, 'ahp-open-resource');

    findButton(transcript, 'Open notes.md').focus();
    await press('Enter');

    expect(opened.map(({ uri, contentType }) => [uri, contentType])).to.deep.equal([
      ['file:///notes.md', 'text/markdown'],
    ]);
  });

  it('is accessible in every state, also from right to left', async () => {
    const services: ChatServices = {
      readResource: async ({ uri }) => {
        if (uri.endsWith('gone')) throw refusal(RpcCode.NotFound);
        if (uri.endsWith('secret')) throw refusal(RpcCode.PermissionDenied, { request: { uri, read: true } });
        return { data: '# Hello', encoding: 'utf-8', contentType: uri.endsWith('md') ? 'text/markdown' : 'text/plain' };
      },
      requestResource: async () => undefined,
    };
    const parts = ['a.md', 'b.txt', 'gone', 'secret'].map((name) => part({ uri: `file:///${name}`, sizeHint: 1 }));
    const transcript = await finishedFixture([...parts, part({ uri: 'file:///large' })], { services });
    transcript.dir = 'rtl';
    await waitUntil(() => findAll(transcript, '.code-box, .content-text').length === 2);

    await expect(transcript).to.be.accessible();
    expect(getComputedStyle(find(transcript, '.code-box')).direction).to.equal('ltr');
  });
});
