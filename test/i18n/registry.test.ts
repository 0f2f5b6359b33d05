import { expect } from '@open-wc/testing';
import { en } from '../../src/i18n/en.js';
import { loadStrings, readStrings, registerLanguage } from '../../src/i18n/registry.js';

const tiny = (send: string) => ({ ...en, send });

describe('the language registry', () => {
  it('has English without loading anything', async () => {
    expect(readStrings('en-GB')).to.equal(en);
    expect(await loadStrings('en-GB')).to.equal(false);
  });

  it('loads a language once and finds it for every region of it', async () => {
    let loads = 0;
    registerLanguage('nl', async () => ((loads += 1), tiny('Versturen')));
    expect(readStrings('nl').send).to.equal('Send');

    const all = await Promise.all([loadStrings('nl'), loadStrings('nl-BE'), loadStrings('NL-nl')]);

    expect(all).to.deep.equal([true, true, true]);
    expect(loads).to.equal(1);
    expect(readStrings('nl-BE').send).to.equal('Versturen');
  });

  it('prefers the same script over the same language', async () => {
    registerLanguage('zh', async () => tiny('发送'));
    registerLanguage('zh-Hant', async () => tiny('傳送'));
    await Promise.all([loadStrings('zh-TW'), loadStrings('zh-CN')]);

    expect(readStrings('zh-TW').send).to.equal('傳送');
    expect(readStrings('zh-HK').send).to.equal('傳送');
    expect(readStrings('zh-CN').send).to.equal('发送');
  });

  it('stays with English when a language cannot be fetched, and tries again later', async () => {
    let isOnline = false;
    registerLanguage('fi', async () => {
      if (!isOnline) throw new Error('no network');
      return tiny('Lähetä');
    });

    expect(await loadStrings('fi')).to.equal(false);
    expect(readStrings('fi')).to.equal(en);
    isOnline = true;
    expect(await loadStrings('fi')).to.equal(true);
    expect(readStrings('fi').send).to.equal('Lähetä');
  });

  for (const lang of ['', 'x', 'not a tag', 'tlh', '12345678901'])
    it(`speaks English for lang="${lang}"`, async () => {
      expect(await loadStrings(lang)).to.equal(false);
      expect(readStrings(lang)).to.equal(en);
    });
});
