/** What the linter holds: types are used soundly, templates are accessible, and untrusted text stays text. */
import js from '@eslint/js';
import { defineConfig } from 'eslint/config';
import globals from 'globals';
import lit from 'eslint-plugin-lit';
import litA11y from 'eslint-plugin-lit-a11y';
import ts from 'typescript-eslint';
import wc from 'eslint-plugin-wc';

/** Clock, ids and randomness come from the environment, so that tests and the simulation own them. */
const environmentOnly = [
  { object: 'Date', property: 'now' },
  { object: 'Math', property: 'random' },
  { object: 'crypto', property: 'randomUUID' },
].map((rule) => ({ ...rule, message: 'Use client/environment.ts.' }));

/** No string ever becomes HTML or code: everything shown is untrusted. */
const sinks = ['innerHTML', 'outerHTML', 'insertAdjacentHTML', 'srcdoc'].map((property) => ({
  property,
  message: 'HTML sinks are forbidden; build nodes.',
}));

export default defineConfig(
  { ignores: ['**/node_modules/**', 'dist/**', 'demo-dist/**', 'out/**', 'coverage/**', 'demo/data/**'] },
  js.configs.recommended,
  ts.configs.recommendedTypeChecked,
  lit.configs['flat/recommended'],
  wc.configs['flat/recommended'],
  { plugins: { 'lit-a11y': litA11y }, rules: litA11y.configs.recommended.rules },
  {
    languageOptions: {
      globals: { ...globals.browser, ...globals.node, ...globals.mocha },
      parserOptions: { project: './tsconfig.json', tsconfigRootDir: process.cwd() },
    },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/restrict-template-expressions': 'off',
      '@typescript-eslint/unbound-method': 'off',
      '@typescript-eslint/require-await': 'off',
      'wc/guard-super-call': 'off',
      'no-restricted-properties': ['error', ...sinks],
    },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/client/environment.ts', 'src/client/browser-environment.ts'],
    rules: {
      'no-restricted-properties': ['error', ...sinks, ...environmentOnly],
      'no-restricted-syntax': [
        'error',
        { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: 'Use client/environment.ts.' },
      ],
      'no-console': 'error',
    },
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-unused-expressions': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      // `expect(…).to.equal(…)` is a promise by type, and only in snapshot comparisons, which we do not use, in fact.
      '@typescript-eslint/no-floating-promises': [
        'error',
        {
          allowForKnownSafeCalls: [
            { from: 'package', name: 'Equal', package: '@types/chai' },
            // Node's runner waits for its tests by itself.
            { from: 'package', name: ['test', 'it', 'describe', 'suite', 'after', 'before'], package: 'node:test' },
          ],
        },
      ],
    },
  },
  { files: ['**/*.{js,mjs}'], extends: [ts.configs.disableTypeChecked] },
);
