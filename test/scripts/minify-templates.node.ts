import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { minifyCss, minifyHtml, minifyTemplatesIn } from '../../scripts/minify-templates.js';

describe('templates of the stand-alone build', () => {
  it('lose the white space of CSS that separates nothing', () => {
    const css = `
      /* a comment */
      .a > .b,
      .c .d:hover {
        color: red;
        margin: calc(1px + 2px) auto;
      }
      @container (inline-size > 400px) and (block-size: 1px) {}
    `;

    assert.equal(
      minifyCss(css).trim(),
      '.a>.b,.c .d:hover{color:red;margin:calc(1px + 2px) auto}@container (inline-size>400px) and (block-size:1px){}',
    );
  });

  it('keep what is quoted in CSS', () => {
    assert.equal(minifyCss(`a { content: "  /* x */ ; "; quotes: '« ' }`), `a{content:"  /* x */ ; ";quotes:'« '}`);
  });

  it('keep the space between a word and a substitution', () => {
    const code = 'const a = css`p { border: 1px solid ${color}; margin: 0 ${space} ${space} }`;';

    assert.equal(minifyTemplatesIn(code), 'const a = css`p{border:1px solid ${color};margin:0 ${space} ${space}}`;');
  });

  it('keep one line break of HTML where there was one, so that words stay apart', () => {
    assert.equal(minifyHtml('<p>\n      a\n      <b>c</b> d\n</p>'), '<p>\na\n<b>c</b> d\n</p>');
  });

  it('are minified in each other, and other templates are left alone', () => {
    const code =
      'const a = html`<p>\n  ${list.map((b) => html`<i>\n  ${b}</i>`)}</p>`; const c = `x\n  y`; css`a { }`;';

    assert.equal(
      minifyTemplatesIn(code),
      'const a = html`<p>\n${list.map((b) => html`<i>\n${b}</i>`)}</p>`; const c = `x\n  y`; css`a{}`;',
    );
  });
});
