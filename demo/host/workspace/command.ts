/**
 * Runs one command line of the workspace in a process group of its own, on a terminal where there is one, with an
 * environment that holds no secret. It ends the whole group: when it is cancelled, takes too long or prints too much,
 * and also when this process is killed.
 */

import { spawn } from 'node:child_process';
import type { Secrets } from '../secrets.js';
import type { Pty } from './pty.js';
import { toPlainOutput, type CommandOptions, type CommandResult } from './workspace.js';

export interface RunOptions extends CommandOptions {
  readonly command: string;
  readonly cwd: string;
  readonly home: string;
  readonly secrets: Secrets;
  /** Absent: the command runs on pipes. */
  readonly pty?: Pty | undefined;
}

const maxOutput = 256 * 1024;
const dataEveryMs = 50;
const graceMs = 2000;
const size = { cols: 100, rows: 30 };

/**
 * The shell first starts a watcher that reads a pipe from us. When the pipe ends, because the command is over or because
 * we were killed, the watcher ends what is left of the group.
 */
const watchedByPipe = '(cat <&3 >/dev/null; kill -9 0) >/dev/null 2>&1 & exec 3<&-; exec sh -c "$1"';

/** A terminal has no room for a pipe; here the watcher looks now and then whether we are still there. */
const watchedByPid = '(while kill -0 "$2"; do sleep 0.2; done; kill -9 0) </dev/null >/dev/null 2>&1 & exec sh -c "$1"';

/** What a command may know of the machine. */
const passedOn = ['PATH', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'SystemRoot', 'ComSpec'];

interface Child {
  readonly pid: number | undefined;
  /** The exit code, `null` after a signal. Rejects when it could not be started. */
  readonly over: Promise<number | null>;
}

export async function runCommand(options: RunOptions): Promise<CommandResult> {
  const startedAt = performance.now();
  const pieces = options.secrets.inPieces();
  let output = '';
  let waiting = '';
  // Not narrowed to what it is here: callbacks change it.
  let ended = 'exit' as CommandResult['ended'];
  let reporting: NodeJS.Timeout | undefined;
  let forcing: NodeJS.Timeout | undefined;

  const report = (): void => {
    clearTimeout(reporting);
    reporting = undefined;
    if (waiting === '') return;
    output += waiting;
    options.onData(waiting);
    waiting = '';
  };
  const append = (text: string): void => {
    if (ended === 'too-much-output') return;
    waiting += pieces.push(text);
    if (output.length + waiting.length > maxOutput) {
      waiting = waiting.slice(0, maxOutput - output.length);
      end('too-much-output');
    }
    reporting ??= setTimeout(report, dataEveryMs);
  };
  const child = options.pty ? startOnPty(options, options.pty, append) : startOnPipes(options, append);
  const end = (reason: CommandResult['ended']): void => {
    if (ended !== 'exit') return;
    ended = reason;
    signalGroup(child, 'SIGTERM');
    forcing = setTimeout(() => signalGroup(child, 'SIGKILL'), graceMs);
  };

  const timer = setTimeout(() => end('timeout'), options.timeoutMs);
  const cancel = (): void => end('cancelled');
  if (options.signal.aborted) cancel();
  options.signal.addEventListener('abort', cancel, { once: true });
  try {
    const exitCode = await child.over;
    if (ended !== 'too-much-output') waiting += pieces.end();
    report();
    const result = { output: toPlainOutput(output), ended, durationMs: Math.round(performance.now() - startedAt) };
    return ended === 'exit' && exitCode !== null ? { ...result, exitCode } : result;
  } finally {
    clearTimeout(timer);
    clearTimeout(forcing);
    clearTimeout(reporting);
    // Whoever ignored the first signal, or watches over a terminal, is still in the group.
    if (ended !== 'exit' || options.pty) signalGroup(child, 'SIGKILL');
    options.signal.removeEventListener('abort', cancel);
  }
}

function startOnPipes({ command, cwd, home }: RunOptions, onData: (text: string) => void): Child {
  const env = environment(home, 'dumb');
  const child =
    process.platform === 'win32'
      ? spawn(command, { shell: true, cwd, env })
      : spawn('sh', ['-c', watchedByPipe, 'sh', command], {
          cwd,
          env,
          detached: true,
          stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
        });
  const watcher = child.stdio[3];
  // The watcher may be gone before its pipe: nothing is lost by that.
  watcher?.on('error', () => {});
  child.stdout?.setEncoding('utf8').on('data', onData);
  child.stderr?.setEncoding('utf8').on('data', onData);
  const over = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', () => watcher?.destroy());
    child.once('close', resolve);
  });
  return { pid: child.pid, over };
}

function startOnPty({ command, cwd, home }: RunOptions, pty: Pty, onData: (text: string) => void): Child {
  const args = ['-c', watchedByPid, 'sh', command, String(process.pid)];
  const child = pty.spawn('sh', args, {
    name: 'xterm-256color',
    ...size,
    cwd,
    env: environment(home, 'xterm-256color'),
  });
  child.onData(onData);
  const over = new Promise<number | null>((resolve) => {
    child.onExit(({ exitCode, signal }) => resolve(signal ? null : exitCode));
  });
  return { pid: child.pid, over };
}

function signalGroup({ pid }: Child, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal);
  } catch (error) {
    // ESRCH: the whole group has ended already.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function environment(home: string, terminal: string): NodeJS.ProcessEnv {
  const kept: NodeJS.ProcessEnv = {};
  for (const name of passedOn) if (process.env[name]) kept[name] = process.env[name];
  const plain = terminal === 'dumb' ? { NO_COLOR: '1' } : {};
  return { ...kept, HOME: home, TERM: terminal, ...plain, CI: '1', npm_config_update_notifier: 'false' };
}
