/**
 * The README's API tables, made from what the elements' own comments say. `npm run docs` writes them between their marks;
 * `--check` only says whether they are up to date.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import prettier from 'prettier';
import { root, tool } from './counted.mjs';

const START = '<!-- api:start (npm run docs) -->';
const END = '<!-- api:end -->';
const outDir = 'out/cem';

execFileSync(
  process.execPath,
  [
    tool('@custom-elements-manifest/analyzer/cem.js'),
    ...['analyze', '--config', 'scripts/cem.config.mjs', '--outdir', outDir, '--quiet'],
  ],
  { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] },
);

const readme = path.join(root, 'README.md');
const before = readFileSync(readme, 'utf8');
const [head, rest] = before.split(START);
const tail = rest?.split(END)[1];
if (tail === undefined) throw new Error(`README.md lacks the marks ${START} and ${END}.`);
const text = `${head}${START}\n\n${describe(readElement('ahp-chat'))}\n${END}${tail}`;
const after = await prettier.format(text, { ...(await prettier.resolveConfig(readme)), parser: 'markdown' });

if (!process.argv.includes('--check')) writeFileSync(readme, after);
else if (after !== before) {
  console.error('The API tables of README.md are out of date. Run: npm run docs');
  process.exitCode = 1;
}

function readElement(tagName) {
  const manifest = JSON.parse(readFileSync(path.join(root, outDir, 'custom-elements.json'), 'utf8'));
  const found = manifest.modules.flatMap(({ declarations }) => declarations).find((each) => each.tagName === tagName);
  if (!found) throw new Error(`The manifest has no <${tagName}>.`);
  return found;
}

function describe(element) {
  const fields = element.members.filter(({ kind, inheritedFrom }) => kind === 'field' && !inheritedFrom);
  const methods = element.members.filter(({ kind, inheritedFrom }) => kind === 'method' && !inheritedFrom);
  const undocumented = [...fields, ...methods].filter(({ description }) => !description).map(({ name }) => name);
  if (undocumented.length > 0) throw new Error(`Without a comment in the source: ${undocumented.join(', ')}.`);
  return [
    table('Properties', ['property', 'attribute', 'type', 'default', 'meaning'], fields.map(toFieldRow)),
    table('Methods', ['method', 'meaning'], methods.map(toMethodRow)),
    table('Events', ['event', 'class', 'meaning'], element.events.map(toEventRow)),
    table('Slots', ['slot', 'content'], element.slots.map(toRow)),
    table('Parts', ['part', 'what it is'], listParts().map(toRow)),
    table('Custom properties', ['property', 'use'], element.cssProperties.map(toRow)),
    table('States', ['state', 'meaning'], (element.cssStates ?? []).map(toStateRow)),
  ].join('\n\n');
}

/** The element hands on the parts of the surfaces inside it, under their own names. */
function listParts() {
  const parts = ['ahp-chat', 'ahp-transcript', 'ahp-composer'].flatMap((tag) => readElement(tag).cssParts ?? []);
  return [...new Map(parts.map((each) => [each.name, each])).values()];
}

function table(title, columns, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [`### ${title}`, '', line(columns), line(columns.map(() => '---')), ...rows.map(line)].join('\n');
}

function code(text) {
  return text ? `\`${text.replaceAll('|', '\\|')}\`` : '';
}

function prose(text = '') {
  return text.replace(/\s+/g, ' ').replaceAll('|', '\\|').trim();
}

function toRow({ name, description }) {
  return [code(name), prose(description)];
}

function toStateRow({ name, description }) {
  return [code(`:state(${name})`), prose(description)];
}

function toEventRow({ name, type, description }) {
  return [code(name), code(type?.text), prose(description)];
}

function toMethodRow({ name, parameters = [], description }) {
  const names = parameters.map((each) => each.name + (each.optional || each.default ? '?' : ''));
  return [code(`${name}(${names.join(', ')})`), prose(description)];
}

function toFieldRow({ name, attribute, type, default: initial, readonly, description }) {
  const shown = readonly ? 'read-only' : code(initial === 'undefined' ? '' : initial);
  return [code(name), code(attribute), code(type?.text.replace(/ \| undefined$/, '')), shown, prose(description)];
}
