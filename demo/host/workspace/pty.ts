/**
 * A pseudo terminal for commands, where there is one: the package is there for the demo only and comes as a prebuilt
 * binary for the usual machines; on others it installs without one. Then, or where the machine opens no terminal, commands
 * run on pipes.
 */

/** As much of the package as is used; it may not be installed, so its own types may not be there either. */
export interface Pty {
  spawn(
    file: string,
    args: readonly string[],
    options: { name: string; cols: number; rows: number; cwd: string; env: NodeJS.ProcessEnv },
  ): PtyProcess;
}

export interface PtyProcess {
  readonly pid: number;
  onData(listener: (text: string) => void): void;
  onExit(listener: (exit: { exitCode: number; signal?: number }) => void): void;
  resize(cols: number, rows: number): void;
  write(data: string): void;
}

/** Not a literal where it is imported, so that type checks and bundlers do not look for it. */
const packageName = '@lydell/node-pty';

/** `undefined` where no terminal can be opened, which is found out by opening one. */
export async function findPty(): Promise<Pty | undefined> {
  if (process.platform === 'win32') return undefined;
  try {
    const pty = (await import(packageName)) as Pty;
    await new Promise<void>((resolve) => {
      const probe = pty.spawn('true', [], {
        name: 'dumb',
        cols: 80,
        rows: 24,
        cwd: '/',
        env: { PATH: process.env.PATH },
      });
      probe.onExit(() => resolve());
    });
    return pty;
  } catch {
    // Not installed, built for another machine, or no terminals left: pipes do the same without colours.
    return undefined;
  }
}
