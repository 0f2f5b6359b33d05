/**
 * Runs one command line of the workspace in a process group of its own, with an environment that holds no secret, and
 * ends the whole group: when it is cancelled, takes too long or prints too much, and also when this process is killed.
 */

import { spawn } from 'node:child_process';
import type { CommandOptions, CommandResult } from './workspace.js';

export interface RunOptions extends CommandOptions {
  readonly command: string;
  readonly cwd: string;
  readonly home: string;
  readonly redact: (text: string) => string;
}

const maxOutput = 256 * 1024;
const outputEveryMs = 100;
const graceMs = 2000;

/**
 * The shell first starts a watcher that reads a pipe from us. When the pipe ends, because the command is over or because
 * we were killed, the watcher ends what is left of the group.
 */
const watched = '(cat <&3 >/dev/null; kill -9 0) >/dev/null 2>&1 & exec 3<&-; exec sh -c "$1"';

/** What a command may know of the machine. */
const passedOn = ['PATH', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'SystemRoot', 'ComSpec'];

export async function runCommand(options: RunOptions): Promise<CommandResult> {
  const startedAt = performance.now();
  const onWindows = process.platform === 'win32';
  const child = onWindows
    ? spawn(options.command, { shell: true, cwd: options.cwd, env: environment(options.home) })
    : spawn('sh', ['-c', watched, 'sh', options.command], {
        cwd: options.cwd,
        env: environment(options.home),
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      });
  const watcher = child.stdio[3];
  // The watcher may be gone before its pipe: nothing is lost by that.
  watcher?.on('error', () => {});

  let output = '';
  let ended: CommandResult['ended'] = 'exit';
  let reporting: NodeJS.Timeout | undefined;
  let forcing: NodeJS.Timeout | undefined;

  const signalGroup = (signal: NodeJS.Signals): void => {
    if (child.pid === undefined) return;
    try {
      if (onWindows) child.kill(signal);
      else process.kill(-child.pid, signal);
    } catch (error) {
      // ESRCH: the whole group has ended already.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  };
  const end = (reason: CommandResult['ended']): void => {
    if (ended !== 'exit') return;
    ended = reason;
    signalGroup('SIGTERM');
    forcing = setTimeout(() => signalGroup('SIGKILL'), graceMs);
  };
  const report = (): void => {
    reporting = undefined;
    options.onOutput(options.redact(output));
  };
  const append = (text: string): void => {
    if (ended === 'too-much-output') return;
    output += text;
    if (output.length > maxOutput) {
      output = output.slice(0, maxOutput);
      end('too-much-output');
    }
    reporting ??= setTimeout(report, outputEveryMs);
  };

  const timer = setTimeout(() => end('timeout'), options.timeoutMs);
  const cancel = (): void => end('cancelled');
  if (options.signal.aborted) cancel();
  options.signal.addEventListener('abort', cancel, { once: true });
  try {
    const exitCode = await new Promise<number | null>((resolve, reject) => {
      child.stdout?.setEncoding('utf8').on('data', append);
      child.stderr?.setEncoding('utf8').on('data', append);
      child.once('error', reject);
      child.once('exit', () => watcher?.destroy());
      child.once('close', resolve);
    });
    const result = { output: options.redact(output), ended, durationMs: Math.round(performance.now() - startedAt) };
    return ended === 'exit' && exitCode !== null ? { ...result, exitCode } : result;
  } finally {
    clearTimeout(timer);
    clearTimeout(forcing);
    clearTimeout(reporting);
    // Whoever ignored the first signal and let go of the output is still in the group.
    if (ended !== 'exit') signalGroup('SIGKILL');
    options.signal.removeEventListener('abort', cancel);
  }
}

function environment(home: string): NodeJS.ProcessEnv {
  const kept: NodeJS.ProcessEnv = {};
  for (const name of passedOn) if (process.env[name]) kept[name] = process.env[name];
  return { ...kept, HOME: home, TERM: 'dumb', NO_COLOR: '1', CI: '1', npm_config_update_notifier: 'false' };
}
