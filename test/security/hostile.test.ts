import { expect } from '@open-wc/testing';
import { openFramed } from '../helpers/framed-test.js';
import { corpus } from './corpus.js';
import type { HostileReport } from './hostile.page.js';

const page = new URL('./hostile.page.ts', import.meta.url);

/** WebKit takes some ten times as long for a round. */
const isWebKit = !('chrome' in globalThis) && /AppleWebKit/.test(navigator.userAgent);

describe('hostile text in every place a host or another client can write to', () => {
  for (const isStrict of [true, false])
    it(`runs nothing, loads nothing and makes nothing that could, on a page ${isStrict ? 'with' : 'without'} a policy`, async () => {
      const report = await openFramed<HostileReport>(page, { isStrict, params: { step: isWebKit ? '163' : '41' } });

      expect(report.problems).to.deep.equal([]);
      expect(report.unsafe).to.deep.equal([]);
      expect(report.requests).to.deep.equal([]);
      expect(report.scriptRuns).to.equal(0);
      expect(report.polluted).to.deep.equal([]);
      expect(report.texts).to.equal(corpus.size);
      expect(report.places).to.be.above(300);
      expect(report.notLoaded).to.deep.equal([]);
      const shown = [
        'ahp-announcer',
        'ahp-attachment-list',
        'ahp-catalogue',
        'ahp-chat-notes',
        'ahp-composer',
        'ahp-content-ref',
        'ahp-diff',
        'ahp-input-request',
        'ahp-markdown',
        'ahp-queue',
        'ahp-reasoning',
        'ahp-status',
        'ahp-suggestion',
        'ahp-terminal',
        'ahp-tool-call',
        'ahp-tool-input',
        'ahp-turn-footer',
        'ahp-worker-chat',
        'settings',
        'suggestions',
      ];
      expect(shown.filter((name) => !report.drawn.includes(name))).to.deep.equal([]);
    }).timeout(120_000);
});
