/**
 * `npm run package-check`: builds, then looks at the package as somebody who installs it: publint and attw (ESM only),
 * and that each package imported by a published module is a dependency.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { root, tool } from './counted.mjs';

const steps = {
  build: () => node('scripts/build.mjs'),
  publint: () => node(tool('publint/src/cli.js'), '--strict'),
  attw: () => node(tool('@arethetypeswrong/cli/dist/index.js'), '--pack', '.', '--profile', 'esm-only'),
  dependencies: checkDependencies,
};

for (const [name, step] of Object.entries(steps)) {
  const complaint = step();
  if (complaint) {
    console.error(`✖ ${name}\n${complaint}`);
    process.exit(1);
  }
  console.log(`✓ ${name}`);
}

/** Returns what was said if it failed, else undefined. */
function node(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  return status === 0 ? undefined : stdout + stderr;
}

function checkDependencies() {
  const { dependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const dist = path.join(root, 'dist');
  const files = readdirSync(dist, { recursive: true }).filter((file) => /\.(js|d\.ts)$/.test(file));
  const complaints = [];
  for (const file of files) {
    const { importedFiles } = ts.preProcessFile(readFileSync(path.join(dist, file), 'utf8'));
    for (const { fileName } of importedFiles) {
      if (fileName.startsWith('.')) continue;
      const name = /^(@[^/]+\/)?[^/]+/.exec(fileName)[0];
      if (name in dependencies) continue;
      complaints.push(`dist/${file} imports "${fileName}", but ${name} is not in the dependencies.`);
    }
  }
  return complaints.join('\n');
}
