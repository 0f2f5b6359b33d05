/** What waits for a sign-in, with a host in the page and in real time. */

import { expect } from '@open-wc/testing';
import type { AhpChat } from '../../src/element/ahp-chat.js';
import { rpcError } from '../../src/host/hooks.js';
import { RpcCode } from '../../src/protocol/errors.js';
import type { AhpStatus } from '../../src/views/status/ahp-status.js';
import { fixtureOf, transcriptOf } from '../helpers/chat-element.js';
import { turn } from '../helpers/chat-states.js';
import { PageHost } from '../helpers/page-host.js';
import { waitUntil } from '../helpers/until.js';
import { collect, find, findAll, findButton, press, textOf } from '../helpers/views.js';

const resource = 'https://files.example';

/** A chat with a file that the host reads only for somebody who has signed in. */
async function lockedFixture() {
  let token: string | undefined;
  const host = new PageHost({
    turns: [turn('one', { responseParts: [{ kind: 'contentRef', uri: 'file:///notes.md', sizeHint: 1 }] })],
    hooks: {
      authenticate: (params) => void (token = params.token),
      resourceRead: () => {
        if (token === undefined) {
          throw rpcError(RpcCode.AuthRequired, 'No.', { resources: [{ resource, resource_name: 'Files' }] });
        }
        return { data: 'The notes.', encoding: 'utf-8', contentType: 'text/plain' };
      },
    },
  });
  const requests = collect(document, 'ahp-auth-request');
  const chat = await fixtureOf(host);
  const status = find<AhpStatus>(chat, 'ahp-status');
  await waitUntil(() => findAll(status, '.row').length > 0, 'the strip says what waits');
  return { chat, host, status, requested: requests.splice(0), requests };
}

const shown = (chat: AhpChat) => textOf(find(transcriptOf(chat), '.content-ref'));

describe('what waits for a sign-in', () => {
  it('says so, asks the page at once and on a press, and comes when there is a token', async () => {
    const { chat, status, requested, requests } = await lockedFixture();
    expect(requested.map(({ requirement }) => requirement.resource.resource)).to.deep.equal([resource]);
    expect(textOf(find(status, '.row'))).to.equal('Sign in to Files to go on Sign in Stop waiting');

    findButton(status, 'Sign in').click();
    expect(requests.splice(0).map(({ requirement }) => requirement)).to.deep.equal([requested[0]!.requirement]);
    await chat.authenticate(resource, 'secret');

    await waitUntil(() => shown(chat).includes('The notes.'), 'the content is shown');
    await waitUntil(() => findAll(status, '.row').length === 0, 'the strip says nothing more');
    expect(requests).to.be.empty;
  });

  it('fails at once when nobody is going to sign in, and asks again on another attempt', async () => {
    const { chat, status, host, requests } = await lockedFixture();

    findButton(status, 'Stop waiting').focus();
    await press('Enter');

    await waitUntil(() => shown(chat).includes('Try again'), 'the failure is shown');
    await waitUntil(() => findAll(status, '.row').length === 0, 'the strip says nothing more');
    expect(host.received.filter(({ method }) => method === 'resourceRead')).to.have.length(1);
    findButton(transcriptOf(chat), /^Try again/).click();
    await waitUntil(() => findAll(status, '.row').length > 0, 'the strip is back');
    expect(requests).to.have.length(1);
  });

  it('asks nothing more of the host where the page prevents it', async () => {
    const { chat, status, host } = await lockedFixture();
    chat.addEventListener('ahp-auth-request', (event) => event.preventDefault());
    const before = host.received.length;

    findButton(status, 'Sign in').click();
    await status.updateComplete;

    expect(host.received).to.have.length(before);
    expect(findAll(status, '.row')).to.have.length(1);
  });
});
