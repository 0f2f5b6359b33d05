/**
 * The shell of a workspace in memory. A page can start no process and open no terminal, so this is a simulation and says
 * so: a few read-only commands over the files in memory, joined with `;`, `&&` and `||`. What it does not know ends with
 * exit code 127, as a command that is not installed would.
 */

import { readText, search, splitLines } from './files.js';
import { WorkspaceError, type CommandOptions, type Shell, type Workspace } from './workspace.js';

type Command = (args: readonly string[], workspace: Workspace, signal: AbortSignal) => Promise<string>;

/** Ends a command with an exit code. */
class Exit extends Error {
  readonly code: number;

  constructor(code: number, message = '') {
    super(message);
    this.code = code;
  }
}

const commands: Readonly<Record<string, Command>> = {
  pwd: async () => '/larder',
  echo: async (args) => args.join(' '),
  true: async () => '',
  async false() {
    throw new Exit(1);
  },
  async exit([code = '0']) {
    throw new Exit(Number(code) || 0);
  },
  async ls([path = '.'], workspace) {
    const { entries } = await workspace.list(path, 1);
    return entries.map((entry) => entry.path.split('/').at(-1) ?? entry.path).join('\n');
  },
  async cat(paths, workspace) {
    return (await Promise.all(paths.map((path) => readText(workspace, path)))).join('').trimEnd();
  },
  async head([path = '.'], workspace) {
    return splitLines(await readText(workspace, path))
      .slice(0, 10)
      .join('\n');
  },
  async wc(args, workspace) {
    const path = args.at(-1) ?? '.';
    return `${splitLines(await readText(workspace, path)).length} ${path}`;
  },
  async grep([text = '', path = '.'], workspace) {
    const { matches } = await search(workspace, { text, path, matchCase: true });
    if (matches.length === 0) throw new Exit(1);
    return matches.map((match) => `${match.path}:${match.line}:${match.text}`).join('\n');
  },
  async sleep([seconds = '0'], _workspace, signal) {
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(resolve, Number(seconds) * 1000 || 0);
      const stop = (): void => {
        clearTimeout(timer);
        reject(new Exit(143));
      };
      signal.addEventListener('abort', stop, { once: true });
    });
    return '';
  },
};

export function createMemoryShell(getWorkspace: () => Workspace): Shell {
  return {
    isPty: false,
    note: 'Simulated in this page: no process is started.',
    async run(line, options) {
      const startedAt = performance.now();
      const abort = AbortSignal.any([options.signal, AbortSignal.timeout(options.timeoutMs)]);
      let output = '';
      const print = (text: string): void => {
        if (text === '') return;
        output += `${text}\n`;
        options.onData(`${text}\n`);
      };
      const exitCode = await runLine(line, getWorkspace(), { ...options, signal: abort }, print);
      const result = { output, durationMs: Math.round(performance.now() - startedAt) };
      if (options.signal.aborted) return { ...result, ended: 'cancelled' };
      if (abort.aborted) return { ...result, ended: 'timeout' };
      return { ...result, ended: 'exit', exitCode };
    },
  };
}

async function runLine(
  line: string,
  workspace: Workspace,
  { signal }: CommandOptions,
  print: (text: string) => void,
): Promise<number> {
  let code = 0;
  let joint = ';';
  for (const piece of line.split(/(;|&&|\|\|)/)) {
    if (/^(?:;|&&|\|\|)$/.test(piece)) {
      joint = piece;
      continue;
    }
    if ((joint === '&&' && code !== 0) || (joint === '||' && code === 0) || piece.trim() === '') continue;
    const [name = '', ...args] = [...piece.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
      (word) => word[1] ?? word[2] ?? word[3] ?? '',
    );
    try {
      const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
      if (!command)
        throw new Exit(127, `sh: ${name}: not in this simulated shell (${Object.keys(commands).join(', ')})`);
      print(await command(args, workspace, signal));
      code = 0;
    } catch (error) {
      if (!(error instanceof Exit) && !(error instanceof WorkspaceError)) throw error;
      print(error instanceof WorkspaceError ? `${name}: ${error.message}` : error.message);
      code = error instanceof Exit ? error.code : 1;
      if (name === 'exit' || signal.aborted) return code;
    }
  }
  return code;
}
