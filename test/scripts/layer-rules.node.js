/** The layer check can fail: each rule against a text that breaks it, and against its neighbour that does not. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findComplaints } from '../../scripts/layer-rules.mjs';

const complaintsIn = (file, ...lines) => findComplaints([[file, `${lines.join('\n')}\n`]]);

function assertRefused(file, text, message) {
  const complaints = complaintsIn(file, '// a line before', text);
  assert.equal(complaints.length, 1, `${file}: ${text} gives ${JSON.stringify(complaints)}`);
  assert.match(complaints[0].message, message);
  assert.equal(complaints[0].line, 2);
}

function assertAccepted(file, text) {
  assert.deepEqual(complaintsIn(file, text), [], `${file}: ${text}`);
}

/** Who may import whom, read off the architecture's table: every other pair of folders must be refused. */
const FOLDERS = [
  ...['protocol', 'bytes', 'chat', 'channels', 'markdown', 'i18n', 'mirror', 'worker'],
  ...['transcript', 'host', 'attachments', 'client', 'views', 'element', 'adapters'],
];
const VALUES = {
  protocol: [],
  bytes: [],
  chat: ['protocol'],
  channels: ['protocol'],
  markdown: ['protocol'],
  i18n: ['protocol'],
  mirror: ['protocol', 'bytes', 'chat', 'channels', 'markdown', 'i18n'],
  worker: ['protocol', 'bytes', 'chat', 'channels', 'markdown', 'i18n'],
  transcript: ['protocol', 'bytes', 'chat', 'channels', 'markdown', 'i18n'],
  host: ['protocol', 'bytes', 'chat', 'channels', 'markdown', 'i18n'],
  attachments: ['protocol', 'bytes', 'chat', 'channels', 'markdown', 'i18n'],
  client: ['protocol', 'bytes', 'chat', 'channels', 'markdown', 'i18n', 'attachments'],
  views: ['protocol', 'bytes', 'chat', 'channels', 'markdown', 'i18n'],
  element: FOLDERS.filter((folder) => folder !== 'element' && folder !== 'adapters'),
  adapters: FOLDERS.filter((folder) => !['views', 'element', 'adapters'].includes(folder)),
};
const TYPES = {
  attachments: ['mirror', 'worker', 'transcript', 'host'],
  client: ['mirror', 'worker', 'transcript', 'host'],
  views: ['attachments'],
};

describe('the direction of imports', () => {
  for (const from of FOLDERS) {
    it(`lets ${from} import what stands in its row of the table and nothing else`, () => {
      for (const to of FOLDERS.filter((folder) => folder !== from)) {
        const value = `import { a } from '../${to}/a.js';`;
        const type = `import type { A } from '../${to}/a.js';`;
        const mayImport = VALUES[from].includes(to);
        const mayImportTypes = mayImport || (TYPES[from] ?? []).includes(to);

        const [values, types] = [value, type].map((text) => complaintsIn(`src/${from}/x.ts`, text).length);

        assert.equal(values, mayImport ? 0 : 1, `${from} → ${to}`);
        assert.equal(types, mayImportTypes ? 0 : 1, `types of ${from} → ${to}`);
      }
    });
  }

  it('lets a folder import its own modules and src/index.ts import everything but adapters', () => {
    assertAccepted('src/views/composer/keys.ts', "import { a } from '../events.js';");
    assertAccepted('src/index.ts', "export * from './element/ahp-chat.js';");
    assertRefused('src/index.ts', "import './adapters/happy/parse.js';", /Adapters/);
  });

  it('sees re-exports, dynamic imports, import types and worker URLs', () => {
    assertRefused('src/chat/x.ts', "export * from '../client/hub.js';", /chat may not import client/);
    assertRefused('src/chat/x.ts', "export { a } from '../client/hub.js';", /chat may not import client/);
    assertRefused('src/chat/x.ts', "const a = await import('../client/hub.js');", /chat may not import client/);
    assertRefused('src/chat/x.ts', "let a: import('../client/hub.js').Hub;", /chat may not import client/);
    assertRefused(
      'src/chat/x.ts',
      "const url = new URL('../worker/x.worker.ts', import.meta.url);",
      /chat may not import worker/,
    );
  });

  it('takes an inline type specifier for a value import, because the module is still loaded', () => {
    assertRefused('src/client/x.ts', "import { type Mirror } from '../mirror/mirror.js';", /write "import type"/);
    assertAccepted('src/client/x.ts', "import type { Mirror } from '../mirror/mirror.js';");
    assertAccepted('src/client/x.ts', "export type { Mirror } from '../mirror/mirror.js';");
    assertAccepted('src/client/x.ts', "let mirror: import('../mirror/mirror.js').Mirror;");
  });

  it('refuses an index, a missing ending, a path out of src and a folder without a layer', () => {
    assertRefused('src/element/x.ts', "import { a } from '../client/index.js';", /is an index/);
    assertRefused('src/element/x.ts', "import { a } from './index.js';", /is an index/);
    assertRefused('src/element/x.ts', "import { a } from '../client/hub';", /must end in "\.js"/);
    assertRefused('src/element/x.ts', "import { a } from '../../demo/demo.js';", /outside of src/);
    assert.match(complaintsIn('src/misc/x.ts', '')[0].message, /src\/misc is in no layer/);
  });

  it('keeps the plug-ins of the demo host apart', () => {
    assertRefused('demo/host/agents/x.ts', "import { a } from '../happy/fold.js';", /agents may not import happy/);
    assertAccepted('demo/host/agents/x.ts', "import { a } from '../journal.js';");
    assertAccepted('demo/host/agents/x.ts', "import { a } from '../../../src/host/index.js';");
  });
});

describe('packages', () => {
  const places = [
    ["import { html } from 'lit';", 'src/views/x.ts', 'src/chat/x.ts'],
    ["import { repeat } from 'lit/directives/repeat.js';", 'src/element/x.ts', 'src/client/x.ts'],
    ["import { Task } from '@lit/task';", 'src/views/parts/x.ts', 'src/attachments/x.ts'],
    ["import { ContextConsumer } from '@lit/context';", 'src/i18n/localize.ts', 'src/i18n/registry.ts'],
    ["import { openDB } from 'idb';", 'src/mirror/idb-mirror.ts', 'src/client/x.ts'],
    ["import { wrap } from 'comlink';", 'src/worker/spawn.ts', 'src/element/x.ts'],
    ["import { Lexer } from 'marked';", 'src/markdown/lexer.ts', 'src/views/message/x.ts'],
    ["import Prism from 'prismjs';", 'src/views/parts/highlight.ts', 'src/views/parts/code.ts'],
    ["const load = () => import('lucide');", 'src/views/icons.ts', 'src/element/x.ts'],
  ];
  for (const [text, home, elsewhere] of places) {
    it(`lets ${text} stand in ${home} and not in ${elsewhere}`, () => {
      assertAccepted(home, text);
      assertRefused(elsewhere, text, /may not be imported here/);
    });
  }

  it('refuses packages that have no place, Node among them', () => {
    assertRefused('src/client/x.ts', "import { readFileSync } from 'node:fs';", /imported nowhere in src/);
    assertRefused('src/views/x.ts', "import React from 'react';", /imported nowhere in src/);
    assertAccepted('demo/host/x.ts', "import { readFileSync } from 'node:fs';");
  });
});

describe('what a text shows', () => {
  it('refuses every way from a string to HTML or code, in src and demo alike', () => {
    for (const file of ['src/views/x.ts', 'demo/demo.ts']) {
      assertRefused(file, 'const run = () => { element.innerHTML = text; };', /innerHTML/);
      assertRefused(file, "const run = () => { element['outerHTML'] = text; };", /outerHTML/);
      assertRefused(file, "const run = () => element.insertAdjacentHTML('beforeend', text);", /insertAdjacentHTML/);
      assertRefused(file, 'const p = html`<p .innerHTML=${text}></p>`;', /sets HTML from a string/);
      assertRefused(file, 'const p = html`${a}<iframe srcdoc=${text}></iframe>`;', /sets HTML from a string/);
      assertRefused(file, 'const run = () => { eval(text); };', /becomes code/);
      assertRefused(file, 'const run = () => { new Function(text); };', /becomes code/);
      assertRefused(file, 'const run = () => { document.write(text); };', /becomes code/);
    }
    assertAccepted('src/views/x.ts', '// No innerHTML here.');
  });

  it('refuses left and right in styles and knows what only sounds like them', () => {
    const inStyles = (css) => complaintsIn('src/views/x.styles.ts', 'const x = css`', `a { ${css} }`, '`');
    const physical = [
      ...['left: 0', 'margin-left: 1px', 'padding-right:0', 'border-left: 1px solid', 'border-right-color: red'],
      ...['border-top-left-radius: 2px', 'scroll-margin-left: 0', 'text-align: right', 'float: left'],
    ];
    for (const css of physical) {
      const complaints = inStyles(css);
      assert.equal(complaints.length, 1, css);
      assert.equal(complaints[0].line, 2);
    }
    const logical = [
      ...['inset-inline-start: 0', 'margin-inline: 1px', 'border-start-start-radius: 2px', 'text-align: start'],
      ...['--_left: 1px', 'color: var(--left)', '/* left: 0 */', 'transform: translateX(1px)'],
    ];
    for (const css of logical) assert.deepEqual(inStyles(css), [], css);
  });

  it('wants a file over 500 lines to say why it is one', () => {
    const long = (comment) => complaintsIn('src/chat/x.ts', comment, ...Array(500).fill('// a line'));

    assert.match(long('/** Everything. */')[0].message, /501 lines/);
    assert.deepEqual(long('/** One switch; one file, because no case is read without the others. */'), []);
  });

  it('lets only files that register elements do something on import', () => {
    assertRefused('src/i18n/de.ts', 'register(de);', /runs on import/);
    assertRefused('src/views/x.ts', "@customElement('ahp-x') class X {}", /runs on import/);
    assertAccepted('src/views/x/ahp-x.ts', "@customElement('ahp-x') class X {}");
    assertAccepted('src/element/ahp-chat.ts', "customElements.define('ahp-chat', AhpChat);");
    assertAccepted('src/worker/x.worker.ts', "import { expose } from 'comlink'; expose(api);");
    assertAccepted('src/i18n/de.ts', 'export const de = make();');
  });

  it('lets only src/host answer "initialize", and everybody ask', () => {
    assertRefused('src/client/x.ts', "const run = () => { switch (method) { case 'initialize': } };", /Only src\/host/);
    assertRefused('src/client/x.ts', 'const handlers = { initialize: () => 1 };', /Only src\/host/);
    assertAccepted('src/client/x.ts', "const ask = () => connection.request('initialize', params);");
    assertAccepted('src/host/x.ts', "const run = () => { switch (method) { case 'initialize': } };");
  });
});
