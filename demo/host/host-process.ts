/** The host as a child process: started, killed, started again on the same port and data, and ended with this process. */

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ReadyMessage } from './main.js';
import { loopback } from './security.js';

export interface HostProcessOptions {
  readonly dataDir: string;
  /** 0, the default, takes a free one; so does one that is taken at the first start. Later starts stay with it. */
  readonly port?: number;
  /** Added to the host's environment: the model's endpoint, for example. */
  readonly env?: Readonly<Record<string, string>>;
  /** Milliseconds between two pieces of an answer. */
  readonly paceMs?: number;
  /** Called when the host ends without having been stopped. */
  readonly onHostExit?: () => void;
  /** Where the host's log lines go; to this process's output by default. */
  readonly log?: (text: string) => void;
}

const repository = fileURLToPath(new URL('../..', import.meta.url));

/** One host after another, on one port and one folder. */
export class HostProcess {
  /** Of pages that may connect, from the next start on. */
  origins: readonly string[] = [];
  /** Of the protocol, as a host of another build speaks them; from the next start on. */
  versions: readonly string[] = [];
  readonly #options: HostProcessOptions;
  #port: number;
  #hasListened = false;
  #child: ChildProcess | undefined;
  #starting: Promise<void> | undefined;

  constructor(options: HostProcessOptions) {
    this.#options = options;
    this.#port = options.port ?? 0;
  }

  get isRunning(): boolean {
    return this.#child !== undefined && this.#starting === undefined;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  get url(): string {
    return `ws://${loopback}:${this.#port}/ahp`;
  }

  /** Resolves at once when it runs already. */
  start(): Promise<void> {
    if (this.isRunning) return Promise.resolve();
    this.#starting ??= this.#start().finally(() => {
      this.#starting = undefined;
    });
    return this.#starting;
  }

  async #start(): Promise<void> {
    const { dataDir, env, paceMs, log = (text) => process.stdout.write(text) } = this.#options;
    const flags = ['--port', this.#port, '--data', dataDir, ...this.origins.flatMap((origin) => ['--origin', origin])];
    flags.push(...this.versions.flatMap((version) => ['--version', version]));
    if (!this.#hasListened) flags.push('--fallback');
    if (paceMs !== undefined) flags.push('--pace', paceMs);
    const child = spawn(
      process.execPath,
      [
        '--import',
        import.meta.resolve('tsx'),
        fileURLToPath(new URL('main.ts', import.meta.url)),
        ...flags.map(String),
      ],
      { cwd: repository, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] },
    );
    this.#child = child;
    child.stdout?.setEncoding('utf8').on('data', log);
    child.stderr?.setEncoding('utf8').on('data', log);
    child.once('exit', () => {
      if (this.#child !== child) return;
      this.#child = undefined;
      if (!this.#starting) this.#options.onHostExit?.();
    });
    this.#port = await new Promise<number>((resolve, reject) => {
      child.once('message', (message: ReadyMessage) => resolve(message.port));
      child.once('error', reject);
      child.once('exit', (code) => reject(new Error(`The demo host ended with code ${code} before it was ready.`)));
    });
    this.#hasListened = true;
  }

  kill(): Promise<void> {
    return this.#stop('SIGKILL');
  }

  end(): Promise<void> {
    return this.#stop('SIGTERM');
  }

  async #stop(signal: NodeJS.Signals): Promise<void> {
    // One that is just starting is waited for, or it would be there after all.
    await this.#starting?.catch(() => undefined);
    const child = this.#child;
    if (!child) return;
    this.#child = undefined;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
  }
}
