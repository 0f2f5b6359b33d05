/**
 * The terminals commands of a session run in. A terminal outlives its command, so that what it printed can be read and
 * copied, until the session has enough newer ones or ends; after that, and after a restart, there is the preview.
 */

import type { Host } from '../../../src/host/create-host.js';
import { toTimestamp } from '../../../src/host/environment.js';
import type { TerminalClaim, Timestamp, ToolResultContent, URI } from '../../../src/protocol/state.js';
import type { CommandResult, Shell } from '../workspace/workspace.js';

/** Of one session. */
const maxKept = 12;
/** UTF-16 units of a command's end that stay with the call. */
const maxPreview = 4000;

type Block = Extract<ToolResultContent, { type: 'terminal' }>;

export interface LiveTerminal {
  readonly uri: URI;
  readonly startedAt: Timestamp;
  /** What a call shows of it now. */
  readonly block: Block;
  write(data: string): void;
  /** Ends the terminal; what a call shows of it from now on. */
  end(result: CommandResult): Block;
}

export interface NewTerminal {
  readonly shell: Shell;
  readonly command: string;
  readonly cwd: URI;
  readonly claim: Extract<TerminalClaim, { kind: 'session' }>;
}

export class Terminals {
  readonly #createId: () => string;
  readonly #now: () => number;
  readonly #kept = new Map<URI, URI[]>();
  readonly #running = new Set<URI>();

  constructor(createId: () => string, now: () => number) {
    this.#createId = createId;
    this.#now = now;
  }

  open(host: Host, { shell, command, cwd, claim }: NewTerminal): LiveTerminal {
    const uri = `ahp-terminal:/${this.#createId()}`;
    const { isPty } = shell;
    const title = shell.note === undefined ? command : `${command} (${shell.note})`;
    host.createTerminal(uri, {
      title,
      cwd,
      content: [],
      claim,
      isPty,
      supportsCommandDetection: true,
      lifecycle: { status: 'running' },
    });
    this.#keep(host, claim.session, uri);
    this.#running.add(uri);
    const timestamp = this.#now();
    host.dispatch(uri, { type: 'terminal/commandExecuted', commandId: uri, commandLine: command, timestamp });
    const block: Block = { type: 'terminal', resource: uri, title, isPty };
    return {
      uri,
      startedAt: toTimestamp(timestamp),
      block,
      write: (data) => void host.dispatch(uri, { type: 'terminal/data', data }),
      end: ({ exitCode, durationMs, output }) => {
        this.#running.delete(uri);
        const code = exitCode === undefined ? {} : { exitCode };
        host.dispatch(uri, { type: 'terminal/commandFinished', commandId: uri, durationMs, ...code });
        host.dispatch(uri, { type: 'terminal/exited', ...code });
        const truncated = output.length > maxPreview;
        return { ...block, result: { ...code, preview: output.slice(-maxPreview), ...(truncated && { truncated }) } };
      },
    };
  }

  #keep(host: Host, session: URI, uri: URI): void {
    const kept = this.#kept.get(session) ?? [];
    this.#kept.set(session, [...kept, uri]);
    const old = kept.filter((each) => !this.#running.has(each)).slice(0, Math.max(0, kept.length + 1 - maxKept));
    for (const each of old) this.#dispose(host, session, each);
  }

  #dispose(host: Host, session: URI, uri: URI): void {
    host.disposeTerminal(uri);
    this.#kept.set(session, this.#kept.get(session)?.filter((each) => each !== uri) ?? []);
  }

  /** The session is over, and its terminals with it. */
  forget(host: Host, session: URI): void {
    for (const uri of this.#kept.get(session) ?? []) this.#dispose(host, session, uri);
    this.#kept.delete(session);
  }
}
