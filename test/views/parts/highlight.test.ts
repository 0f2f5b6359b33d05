import { expect } from '@open-wc/testing';
import { findStretches, paint } from '../../../src/views/parts/highlight.js';

const code = {
  typescript: 'export function a(b: string): number { return `c ${b}` /* d */; }',
  python: 'def a(b: str) -> int:\n    return 1  # c',
  bash: 'for a in $(ls "$HOME"); do echo done; done # x',
  json: '{ "a": [1, true, "b"] }',
  html: '<p class="a">b<!-- c --></p><script>const d = 1;</script>',
  css: '.a > b::before { color: #fff; }',
  rust: 'pub fn a(b: &str) -> Vec<u8> { let c = "d"; }',
  go: 'func a(b string) error { return nil }',
  java: 'public final class A { private int b = 1; }',
  c: '#include <a.h>\nint main(void) { return 0; }',
  cpp: 'template <class T> T a(T b) { return b; }',
  csharp: 'public class A { string B => $"{c}"; }',
  ruby: 'def a(b)\n  "c #{b}" # d\nend',
  php: '<?php function a($b) { return "c"; } ?>',
  sql: "SELECT a FROM b WHERE c = 'd'; -- e",
  yaml: 'a: 1\nb: "c" # d',
  toml: '[a]\nb = 1 # c',
  ini: '[a]\nb=c',
  diff: '--- a\n+++ b\n@@ -1 +1 @@\n-c\n+d',
  markdown: '# a\n\n**b** `c`',
  docker: 'FROM node:20 AS a\nRUN npm ci # b',
  kotlin: 'fun a(b: String): Int = 1 // c',
  swift: 'func a(b: String) -> Int { return 1 }',
  lua: 'local a = "b" -- c',
  powershell: 'Get-ChildItem -Path "a" # b',
  makefile: 'a: b\n\tcc $< # c',
  graphql: 'query A { b(c: 1) { d } }',
  scss: '$a: 1px; .b { &:hover { width: $a; } }',
  r: 'a <- function(b) { "c" } # d',
  perl: 'my $a = "b"; # c',
  dart: 'String a(int b) => "c"; // d',
  scala: 'def a(b: Int): String = "c" // d',
  haskell: 'a :: Int -> Int\na b = b + 1 -- c',
  elixir: 'def a(b), do: "c" # d',
  nix: '{ a = "b"; } # c',
  protobuf: 'message A { string b = 1; } // c',
  hcl: 'resource "a" "b" { c = "d" } # e',
  jsx: 'const a = <B c="d">{e}</B>;',
  tsx: 'const a: B = <C d="e">{f as G}</C>;',
  javascript: 'const a = async () => /b/g.test("c"); // d',
};

describe('highlighting', () => {
  for (const [language, text] of Object.entries(code)) {
    it(`knows ${language}`, async () => {
      const stretches = await findStretches(text, language);

      expect(stretches.length).to.be.above(0);
      stretches.forEach(({ from, to }, i) => {
        expect(from).to.be.below(to);
        expect(from).to.be.at.least(stretches[i - 1]?.to ?? 0);
        expect(to).to.be.at.most(text.length);
      });
    });
  }

  it('tells kinds of words apart', async () => {
    const text = code.typescript;
    const found = (await findStretches(text, 'TS')).map(
      ({ from, to, category }) => `${category}:${text.slice(from, to)}`,
    );

    expect(found).to.include.members(['keyword:export', 'function:a', 'comment:/* d */', 'string:c ']);
    expect(found).not.to.include('string:b');
  });

  it('leaves a language nobody knows, and too much code, plain', async () => {
    expect(await findStretches('a b c', 'nosuchlanguage')).to.deep.equal([]);
    expect(await findStretches('a b c', 'constructor')).to.deep.equal([]);
    expect(await findStretches('const a = 1;\n'.repeat(10_000), 'ts')).to.deep.equal([]);
    expect(await findStretches(`const a = '${'b'.repeat(5_000)}';`, 'ts')).to.deep.equal([]);
  });

  it('paints no element, across the nodes that hold the text, and takes all of it away again', () => {
    const parent = document.body.appendChild(document.createElement('code'));
    const nodes = ['const ', 'a = ', '"text" ', ';'].map((part) => parent.appendChild(document.createTextNode(part)));
    const size = () => CSS.highlights.get('ahp-code-string')?.size ?? 0;
    const before = size();

    const clear = paint(nodes, [
      { from: 0, to: 5, category: 'keyword' },
      { from: 8, to: 16, category: 'string' },
    ]);

    expect(size()).to.equal(before + 2);
    const painted = [...CSS.highlights.get('ahp-code-string')!]
      .slice(-2)
      .map(({ startContainer, startOffset, endOffset }) => [(startContainer as Text).data, startOffset, endOffset]);
    expect(painted).to.deep.equal([
      ['a = ', 2, 4],
      ['"text" ', 0, 6],
    ]);
    expect(parent.children).to.have.length(0);
    clear();
    expect(size()).to.equal(before);
    parent.remove();
  });

  it('leaves the Prism of the page alone', async () => {
    const own = { languages: {} };
    Object.assign(globalThis, { Prism: own });

    await findStretches(code.perl, 'perl');

    expect((globalThis as { Prism?: object }).Prism).to.equal(own);
    expect(own).to.deep.equal({ languages: {} });
    delete (globalThis as { Prism?: object }).Prism;
  });
});
