import { expect } from '@open-wc/testing';
import { indentJson } from '../../../src/views/parts/code-box.js';

describe('indentJson', () => {
  it('puts each member on a line and changes nothing else', () => {
    expect(indentJson('{"a": 1.0, "a":[ ], "b" :{}, "c":[1,{"d":"x, {y}: \\"z\\""}]}')).to.equal(
      [
        '{',
        '  "a": 1.0,',
        '  "a": [ ],',
        '  "b": {},',
        '  "c": [',
        '    1,',
        '    {',
        '      "d": "x, {y}: \\"z\\""',
        '    }',
        '  ]',
        '}',
      ].join('\n'),
    );
  });

  it('says the same to a parser', () => {
    const value = { text: 'a\n"b" {c}, [d]: \\', list: [[], [{}], [1e21, -0.5, null, true]], '': '\u2028' };

    expect(JSON.parse(indentJson(JSON.stringify(value)))).to.deep.equal(value);
  });

  for (const text of ['', 'npm test', '{"cut', '[1,', '"just text"', '{a: 1}', '  '])
    it(`leaves ${JSON.stringify(text)} alone`, () => {
      expect(indentJson(text)).to.equal(text);
    });
});
