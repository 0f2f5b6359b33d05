/**
 * Takes the white space and the comments out of `css` and `html` templates, which no minifier touches. For the
 * stand-alone build only: the package's modules stay readable.
 */

import ts from 'typescript';
import type { Plugin } from 'vite';

export const minifyTemplates: Plugin = {
  name: 'minify-templates',
  enforce: 'pre',
  transform: {
    filter: { id: /\/src\/.*\.ts$/, code: /\b(css|html|svg)`/ },
    handler: (code) => ({ code: minifyTemplatesIn(code), map: null }),
  },
};

/** Returns a module's text with its templates minified. */
export function minifyTemplatesIn(code: string): string {
  const source = ts.createSourceFile('module.ts', code, ts.ScriptTarget.Latest);
  const edits: { readonly start: number; readonly end: number; readonly text: string }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTaggedTemplateExpression(node)) {
      const minify = minifiers[node.tag.getText(source)];
      if (minify)
        for (const { start, end } of textsOf(node.template, source)) {
          edits.push({ start, end, text: minify(code.slice(start, end)) });
        }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return edits
    .sort((a, b) => b.start - a.start)
    .reduce((result, { start, end, text }) => result.slice(0, start) + text + result.slice(end), code);
}

const minifiers: Readonly<Record<string, (text: string) => string>> = {
  css: minifyCss,
  html: minifyHtml,
  svg: minifyHtml,
};

/** Where the literal parts of a template stand, without backticks, `${` and `}`. */
function textsOf(template: ts.TemplateLiteral, source: ts.SourceFile): { start: number; end: number }[] {
  const parts = ts.isNoSubstitutionTemplateLiteral(template)
    ? [template]
    : [template.head, ...template.templateSpans.map(({ literal }) => literal)];
  return parts.map((part) => {
    const isLast = ts.isNoSubstitutionTemplateLiteral(part) || ts.isTemplateTail(part);
    return { start: part.getStart(source) + 1, end: part.end - (isLast ? 1 : 2) };
  });
}

/** Quoted text stays; so does a space that may separate two words, also at the edge to a substitution. */
export function minifyCss(text: string): string {
  return text
    .replace(/("[^"]*"|'[^']*')|\/\*[^]*?\*\/|\s+/g, (_, quoted: string | undefined) => quoted ?? ' ')
    .split(/("[^"]*"|'[^']*')/)
    .map((part, index) =>
      index % 2 === 1
        ? part
        : part
            .replace(/ {2,}/g, ' ')
            .replace(/ ?([{};,>]) ?/g, '$1')
            .replace(/: /g, ':')
            .replace(/;\}/g, '}'),
    )
    .join('');
}

/** A line break and its indentation become one line break: where white space shows at all, it shows as before. */
export function minifyHtml(text: string): string {
  return text.replace(/\s*\n\s*/g, '\n');
}
