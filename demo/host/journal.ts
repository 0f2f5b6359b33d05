/**
 * What the host must still know after it was killed: a snapshot, and one JSON line for each thing that happened since.
 *
 * A line is handed to the operating system before anybody is told of what it says, so a killed host forgets nothing it
 * has shown. It is forced to the disk itself at most five times a second, so losing power may cost the last 200 ms.
 * A last line that was cut off while it was written is dropped. Now and then the lines are folded into a new snapshot:
 * written beside, forced to disk, renamed, and only then is the old pair deleted.
 */

import {
  appendFileSync,
  closeSync,
  fdatasync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
} from 'node:fs';
import { renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export interface JournalContents {
  readonly snapshot: unknown;
  /** In the order in which they were appended. */
  readonly records: readonly unknown[];
  /** What had to be left out, in words. */
  readonly complaint?: string;
}

const syncEveryMs = 200;
const lockName = 'host.pid';

export class Journal {
  readonly contents: JournalContents;
  readonly #dir: string;
  #generation: number;
  #file: number;
  #byteSize = 0;
  #syncing: NodeJS.Timeout | undefined;

  /** Throws when another running host has the folder. */
  constructor(dir: string) {
    this.#dir = dir;
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    takeLock(dir);
    const { generation, snapshot } = readSnapshot(dir);
    this.#generation = generation;
    const file = this.#nameOf(generation);
    const { records, goodBytes, complaint } = readRecords(file);
    if (complaint !== undefined) truncateSync(file, goodBytes);
    this.contents = complaint === undefined ? { snapshot, records } : { snapshot, records, complaint };
    this.#file = openSync(file, 'a', 0o600);
    this.#byteSize = goodBytes;
    removeStrangers(dir, generation);
  }

  /** Bytes of the lines since the last snapshot. */
  get byteSize(): number {
    return this.#byteSize;
  }

  append(record: unknown): void {
    const line = `${JSON.stringify(record)}\n`;
    appendFileSync(this.#file, line);
    this.#byteSize += Buffer.byteLength(line);
    this.#syncing ??= setTimeout(() => {
      this.#syncing = undefined;
      // A disk that fails shows at the next write; there is nobody to tell here.
      fdatasync(this.#file, () => {});
    }, syncEveryMs);
  }

  /** Puts `snapshot` in the place of everything appended so far. */
  compact(snapshot: unknown): void {
    const next = this.#generation + 1;
    writeWhole(path.join(this.#dir, 'snapshot.json'), JSON.stringify({ generation: next, snapshot }));
    const file = openSync(this.#nameOf(next), 'w', 0o600);
    closeSync(this.#file);
    rmSync(this.#nameOf(this.#generation), { force: true });
    this.#file = file;
    this.#generation = next;
    this.#byteSize = 0;
  }

  close(): void {
    clearTimeout(this.#syncing);
    fsyncSync(this.#file);
    closeSync(this.#file);
    rmSync(path.join(this.#dir, lockName), { force: true });
  }

  #nameOf(generation: number): string {
    return path.join(this.#dir, `journal.${generation}.jsonl`);
  }
}

function readSnapshot(dir: string): { generation: number; snapshot: unknown } {
  const text = readIfThere(path.join(dir, 'snapshot.json'));
  if (text === undefined) return { generation: 0, snapshot: undefined };
  const { generation, snapshot } = JSON.parse(text) as { generation: number; snapshot: unknown };
  return { generation, snapshot };
}

/** Reads lines up to the first that is no JSON. What is left out is kept beside, unless it is one line cut short. */
function readRecords(file: string): { records: unknown[]; goodBytes: number; complaint?: string } {
  const text = readIfThere(file) ?? '';
  const records: unknown[] = [];
  let good = 0;
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', good)) {
    try {
      records.push(JSON.parse(text.slice(good, end)));
    } catch {
      writeFileSync(`${file}.damaged`, text.slice(good), { mode: 0o600 });
      const complaint = `Line ${records.length + 1} of ${path.basename(file)} cannot be read. It and what follows is in ${path.basename(file)}.damaged.`;
      return { records, goodBytes: Buffer.byteLength(text.slice(0, good)), complaint };
    }
    good = end + 1;
  }
  const goodBytes = Buffer.byteLength(text.slice(0, good));
  if (good === text.length) return { records, goodBytes };
  return { records, goodBytes, complaint: `The last line of ${path.basename(file)} was cut short and is dropped.` };
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** A crash finds the old file or the new one, never a part. */
function writeWhole(file: string, text: string): void {
  const beside = `${file}.tmp`;
  const opened = openSync(beside, 'w', 0o600);
  writeFileSync(opened, text);
  fsyncSync(opened);
  closeSync(opened);
  renameSync(beside, file);
}

/** Journals of other generations are left by a crash in the middle of folding. */
function removeStrangers(dir: string, generation: number): void {
  for (const name of readdirSync(dir)) {
    const found = /^journal\.(\d+)\.jsonl$/.exec(name);
    if (found && Number(found[1]) !== generation) rmSync(path.join(dir, name));
  }
}

function takeLock(dir: string): void {
  const file = path.join(dir, lockName);
  const holder = Number(readIfThere(file) ?? 0);
  if (holder > 0 && holder !== process.pid && isRunning(holder)) {
    throw new Error(
      `Process ${holder} already keeps its chats in ${dir}. Stop it, or delete ${file} if it is no host.`,
    );
  }
  writeFileSync(file, String(process.pid), { mode: 0o600 });
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
