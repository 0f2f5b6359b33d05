/** The processes of a browser, as the system knows them. */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** A process and all that come from it. */
async function listFamily(root: number): Promise<readonly number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=']);
  const all = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  const of = (pid: number): readonly number[] =>
    all.flatMap(([child = 0, parent]) => (parent === pid ? [child, ...of(child)] : []));
  return [root, ...of(root)];
}

/** Stops a process and all that come from it for as long as `night` lasts. */
export async function whileStopped(root: number, night: () => Promise<void>): Promise<void> {
  const family = await listFamily(root);
  for (const pid of family) process.kill(pid, 'SIGSTOP');
  try {
    await night();
  } finally {
    for (const pid of family.toReversed()) process.kill(pid, 'SIGCONT');
  }
}
