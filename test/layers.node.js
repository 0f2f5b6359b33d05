/** The layer check: reads every source under src and demo and prints what breaks a house rule. Exits 1 if any does. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { findComplaints } from '../scripts/layer-rules.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

const files = ['src', 'demo']
  .filter((folder) => existsSync(path.join(root, folder)))
  .flatMap((folder) => readdirSync(path.join(root, folder), { recursive: true }).map((name) => path.join(folder, name)))
  .map((file) => file.split(path.sep).join('/'))
  .filter((file) => file.endsWith('.ts') && !/(^|\/)(node_modules|dist|demo\/data|demo\/examples)\//.test(file));
if (files.length === 0) throw new Error('The layer check found no source to read.');

const complaints = findComplaints(files.map((file) => [file, readFileSync(path.join(root, file), 'utf8')]));
for (const { file, line, message } of complaints) console.error(`${file}:${line}: ${message}`);
console.log(`${files.length} files read, ${complaints.length} against the rules.`);
process.exitCode = complaints.length > 0 ? 1 : 0;
