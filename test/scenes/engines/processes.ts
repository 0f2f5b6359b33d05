/** The processes of a browser, as the system knows them. */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

interface Process {
  readonly pid: number;
  readonly parent: number;
  /** Program and arguments. */
  readonly command: string;
}

async function listAll(): Promise<readonly Process[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,args=']);
  return stdout.split('\n').flatMap((line) => {
    const [, pid, parent, command] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return command === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), command }];
  });
}

/** A process and all that come from it. */
export async function listFamily(root: number): Promise<readonly Process[]> {
  const all = await listAll();
  const of = (pid: number): readonly Process[] =>
    all.filter(({ parent }) => parent === pid).flatMap((child) => [child, ...of(child.pid)]);
  return [...all.filter(({ pid }) => pid === root), ...of(root)];
}

/** Stops a process and all that come from it for as long as `night` lasts. */
export async function whileStopped(root: number, night: () => Promise<void>): Promise<void> {
  const family = await listFamily(root);
  for (const { pid } of family) process.kill(pid, 'SIGSTOP');
  try {
    await night();
  } finally {
    for (const { pid } of family.toReversed()) process.kill(pid, 'SIGCONT');
  }
}
