import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import ts from 'typescript';
import { clientChecklist, type NamedTest } from './client-checklist.js';

const root = new URL('../../', import.meta.url);

/** The titles of every `it(…)` and `test(…)` of a file; `…` stands for what a template puts in. */
function readTitles(file: string): readonly { readonly text: string; readonly isMade: boolean }[] {
  const source = ts.createSourceFile(file, readFileSync(new URL(file, root), 'utf8'), ts.ScriptTarget.Latest);
  const titles: { text: string; isMade: boolean }[] = [];
  const visit = (node: ts.Node): void => {
    if (
      ts.isCallExpression(node) &&
      ts.isIdentifier(node.expression) &&
      ['it', 'test'].includes(node.expression.text)
    ) {
      const title = node.arguments[0];
      if (title && ts.isStringLiteralLike(title)) titles.push({ text: title.text, isMade: false });
      else if (title && ts.isTemplateExpression(title)) {
        const text = title.head.text + title.templateSpans.map(({ literal }) => `…${literal.text}`).join('');
        titles.push({ text, isMade: true });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return titles;
}

const known = new Map<string, ReturnType<typeof readTitles>>();

function find(test: NamedTest): boolean {
  if (!existsSync(new URL(test.file, root))) return false;
  const titles = known.get(test.file) ?? readTitles(test.file);
  known.set(test.file, titles);
  return 'title' in test
    ? titles.some(({ text, isMade }) => !isMade && text === test.title)
    : titles.some(({ text, isMade }) => isMade && test.pattern.test(text));
}

describe('the client checklist', () => {
  it('has the rows 1 to 65, each once and in order', () => {
    assert.deepEqual(
      clientChecklist.map(({ row }) => row),
      Array.from({ length: 65 }, (_, index) => index + 1),
    );
  });

  for (const entry of clientChecklist) {
    it(`${entry.row}: ${entry.rule}`, () => {
      assert.match(entry.rule, /^\p{Lu}.{15,}\.$/u);
      if ('reason' in entry) return assert.match(entry.reason, /^\p{Lu}.{30,}\.$/u);
      assert.ok(entry.tests.length > 0, 'names no test');
      const missing = entry.tests.filter((test) => !find(test));
      assert.deepEqual(missing, []);
    });
  }
});
