/**
 * Commands that go on after their turn. The chat lists each while it runs, and when it ends it is told: the running turn
 * by a notification, an idle chat by a turn of its own. Source: AHP, background work.
 */

import type { Host } from '../../../src/host/create-host.js';
import type { URI } from '../../../src/protocol/state.js';
import { toFileUri } from '../workspace/content.js';
import type { CommandResult } from '../workspace/workspace.js';
import { code, type RunningCall } from './tool.js';

/** Half an hour; nobody watches over it. */
const maxMs = 30 * 60 * 1000;

export class Background {
  readonly #running = new Map<URI, Set<AbortController>>();

  /** Starts `command` and does not wait for it. */
  start({ caller, toolCallId }: RunningCall, command: string): URI {
    const { host, turn, terminals, workspace, createId } = caller;
    const { session, chat, turnId } = turn;
    const claim = { kind: 'session', session, chat, turnId, toolCallId } as const;
    const terminal = terminals.open(host, { shell: workspace.shell, command, cwd: toFileUri('.'), claim });
    const id = createId();
    const stop = new AbortController();
    const running = this.#running.get(chat) ?? new Set();
    this.#running.set(chat, running.add(stop));
    const work = {
      kind: 'shell',
      id,
      label: command,
      command,
      terminal: terminal.uri,
      startedAt: terminal.startedAt,
    } as const;
    turn.dispatch({ type: 'chat/backgroundWorkSet', work });
    const options = { signal: stop.signal, timeoutMs: maxMs, onData: terminal.write };
    const end = (result: CommandResult): void => {
      running.delete(stop);
      terminal.end(result);
      host.dispatch(chat, { type: 'chat/backgroundWorkRemoved', id });
      tell(host, chat, describe(command, result));
    };
    const failed: CommandResult = { output: '', ended: 'exit', durationMs: 0 };
    void workspace.shell.run(command, options).then(end, () => end(failed));
    return terminal.uri;
  }

  /** Ends what runs behind a chat. Returns how many commands that were. */
  stop(chat: URI): number {
    const running = this.#running.get(chat) ?? new Set();
    for (const each of running) each.abort();
    return running.size;
  }
}

function describe(command: string, { exitCode, ended }: CommandResult): string {
  const how = exitCode === undefined ? `was ended (${ended})` : `ended with exit code ${exitCode}`;
  return `In the background, ${code(command)} ${how}.`;
}

function tell(host: Host, chat: URI, markdown: string): void {
  const turnId = host.getChat(chat)?.activeTurn?.id;
  if (turnId === undefined) {
    host.startTurn(chat, { text: markdown, origin: { kind: 'systemNotification' } });
    return;
  }
  const part = { kind: 'systemNotification', content: { markdown } } as const;
  host.dispatch(chat, { type: 'chat/responsePart', turnId, part });
}
