import { expect } from '@open-wc/testing';
import { collect, find, findAll, findButton, click, press } from '../../helpers/views.js';
import { markdownFixture } from '../../helpers/markdown.js';
import { outline } from '../../helpers/outline.js';

describe('ahp-markdown', () => {
  for (const [markdown, nodes] of [
    ['# A *b*', '<h1>A <em>b</em></h1>'],
    ['a  \nb', '<p>a<br></br>b</p>'],
    ['~~a~~ **b** `c`', '<p><del>a</del> <strong>b</strong> <code>c</code></p>'],
    ['---', '<hr></hr>'],
    ['> a\n>\n> b', '<blockquote><p>a</p><p>b</p></blockquote>'],
    ['3. a\n4. b', '<ol start=3><li><p>a</p></li><li><p>b</p></li></ol>'],
    ['- a\n\n- b', '<ul class=md-loose><li><p>a</p></li><li><p>b</p></li></ul>'],
    [
      '- [ ] a\n- [x] b',
      '<ul class=md-tasks><li class=md-task><input></input><p>a</p></li><li class=md-task><input></input><p>b</p></li></ul>',
    ],
    [
      'a | b\n:-: | --\nc |',
      '<div class=md-scroll md-table><table><thead><tr><th class=md-center>a</th><th>b</th></tr></thead>' +
        '<tbody><tr><td class=md-center>c</td><td></td></tr></tbody></table></div>',
    ],
    [
      '```ts\na\n```',
      '<div class=md-code><div class=md-code-head><span class=md-code-name>ts</span><button class=md-copy>Copy</button></div>' +
        '<pre class=md-scroll><code>a</code></pre></div>',
    ],
    ['[a](https://b.example)', '<p><a href=https://b.example/>a</a></p>'],
    ['<b>a</b>', '<p>&lt;b>a&lt;/b></p>'],
    ['\\(a\\)', '<p><span class=md-math>\\(a\\)</span></p>'],
  ] as const) {
    it(`shows ${JSON.stringify(markdown)}`, async () => {
      const element = await markdownFixture({ text: markdown });

      expect(outline(element)).to.equal(nodes);
    });
  }

  it('makes no element of raw HTML, wherever it stands', async () => {
    const element = await markdownFixture({
      text: [
        '<img src=x onerror=window.__x=1> <svg><script>window.__x=1</script></svg>',
        '<style>*{display:none}</style>',
        '<a href="javascript:window.__x=1" onclick="window.__x=1">a</a> <form action=x><input></form>',
        '- <iframe srcdoc="<script>parent.__x=1</script>"></iframe>\n- <object data=x>',
        '| <b onmouseover=x> |\n|--|\n| <math><mtext></mtext></math> |',
        '# <h1>x</h1>',
        '`<u>`\n\n```html\n<script>window.__x=1</script>\n```',
      ].join('\n\n'),
    });

    expect(element.querySelectorAll('img, svg, script, style, form, iframe, object, b, math, u, input')).to.have.length(
      0,
    );
    expect(element.querySelectorAll('a, h1 h1')).to.have.length(0);
    expect(element.textContent).to.contain('<img src=x onerror=window.__x=1>').and.to.contain('<iframe srcdoc=');
    expect((window as { __x?: number }).__x).to.equal(undefined);
  });

  it('opens links to the web in a new tab that knows nothing of this page', async () => {
    const element = await markdownFixture({ text: '[a](https://b.example "t")' });

    const link = find<HTMLAnchorElement>(element, 'a');
    expect(link).to.include({ target: '_blank', rel: 'noopener noreferrer', title: 't' });
    expect(link.getAttribute('aria-description')).to.equal('Opens in a new tab');
  });

  it('reports a press on a link to a resource, by mouse and by keyboard', async () => {
    const element = await markdownFixture({ text: '[a](file:///b.ts)' });
    const opened = collect(element, 'ahp-open-resource');
    const link = find(element, 'a');

    await click(link);
    link.focus();
    await press('Enter');

    expect(opened.map(({ uri }) => uri)).to.deep.equal(['file:///b.ts', 'file:///b.ts']);
    expect(link.hasAttribute('href')).to.equal(false);
  });

  it('names the language of code and keeps it left to right', async () => {
    const element = await markdownFixture({ text: 'שלום `a`\n\n```py\nb\n```' });

    expect(find(element, 'p').dir).to.equal('auto');
    expect(find(element, 'p > code').dir).to.equal('ltr');
    expect(find(element, '.md-code').dir).to.equal('ltr');
    expect(find(element, 'pre').getAttribute('aria-label')).to.equal('Code, py');
  });

  it('loads no picture by itself, and one when its button is pressed', async () => {
    const element = await markdownFixture({ text: 'a ![a cat](https://b.example/c.png) ![](relative.png)' });
    expect(findAll(element, 'img')).to.have.length(0);

    findButton(element, 'Load picture “a cat” from b.example').click();

    const picture = find<HTMLImageElement>(element, 'img');
    expect(picture).to.include({ alt: 'a cat', src: 'https://b.example/c.png', referrerPolicy: 'no-referrer' });
  });

  it('loads pictures of origins that the page allows', async () => {
    const picture = 'data:image/gif;base64,R0lGODlhAQABAAAAACw=';
    const element = await markdownFixture({
      text: `![a](${location.origin}/none.png) ![b](https://other.example/b.png) ![c](${picture})`,
      imageOrigins: [location.origin],
    });

    expect(findAll<HTMLImageElement>(element, 'img').map(({ alt }) => alt)).to.deep.equal(['a']);
    expect(findAll(element, 'button')).to.have.length(1);
  });

  it('keeps a picture that was asked for when the allowed origins change', async () => {
    const element = await markdownFixture({ text: '![a](https://b.example/c.png)' });
    findButton(element, /a/).click();

    element.imageOrigins = ['https://other.example'];
    await element.updateComplete;

    expect(findAll(element, 'img')).to.have.length(1);
  });

  it('is accessible', async () => {
    const element = await markdownFixture({
      text: [
        '# A\n\nb [c](https://d.example) `e` [f](file:///g)',
        '- [ ] h\n- [x] i\n\n1. j\n   - k',
        '| l | m |\n|--|--|\n| n | o |',
        '```ts\nconst p = 1;\n```\n\n> q\n\n![r](https://s.example/t.png)',
      ].join('\n\n'),
    });

    await expect(element).to.be.accessible();
  });
});
