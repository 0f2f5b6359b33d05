/** Real pages, each under a policy of its own. What a worker may do differs; that the jobs are done does not. */

import { expect } from '@open-wc/testing';

interface Outcome {
  readonly decoded: readonly number[];
  readonly digest: string;
  readonly fallbacks: number;
  readonly errors: readonly string[];
}

/** Loads a page of `pages/` and waits for what it tells. */
async function visit(page: string): Promise<Outcome> {
  const frame = document.createElement('iframe');
  frame.src = new URL(`./pages/${page}.html`, import.meta.url).href;
  const told = new Promise<Outcome>((resolve) => {
    addEventListener('message', function listen({ source, data }: MessageEvent<Outcome>) {
      if (source !== frame.contentWindow) return;
      removeEventListener('message', listen);
      resolve(data);
    });
  });
  document.body.append(frame);
  const outcome = await told;
  frame.remove();
  return outcome;
}

const DONE = {
  decoded: [65, 66, 67],
  digest: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  errors: [],
};

describe('byte jobs on a page', () => {
  it('that forbids workers run on its own thread, without an error and with one word about it', async () => {
    expect(await visit('no-worker')).to.deep.equal({ ...DONE, fallbacks: 1 });
  });

  it('that allows only its own origin run in the worker file of that origin', async () => {
    expect(await visit('strict')).to.deep.equal({ ...DONE, fallbacks: 0 });
  });

  it('that forbids eval run in the worker, which needs none', async () => {
    expect(await visit('no-eval')).to.deep.equal({ ...DONE, fallbacks: 0 });
  });

  it('that demands trusted script addresses run on its own thread', async () => {
    // The address of a worker is one of those sinks, and no policy of ours may vouch for it.
    const hasTrustedTypes = 'trustedTypes' in globalThis;

    expect(await visit('trusted-types')).to.deep.equal({ ...DONE, fallbacks: hasTrustedTypes ? 1 : 0 });
  });
});
