/**
 * How safe a call looks before somebody allows it: rules over the command line or the edit. A guess with its reason, and
 * never a permission: what is allowed is for people to say. Pure.
 */

import type { PlannedEdit } from '../workspace/files.js';

export interface Judgement {
  /** 0 is unsafe, 1 is safe. */
  readonly safety: number;
  readonly reason: string;
}

/** Whoever wants to be asked about risks only is asked below this. */
export const safeEnough = 0.6;

/** The most dangerous rule that fits decides. */
const commandRules: readonly (readonly [pattern: RegExp, safety: number, reason: string])[] = [
  [/\brm\b(?=.*\s-\w*[rf])/, 0.05, 'It deletes files for good, folders included.'],
  [/\b(?:mkfs|dd|shutdown|reboot)\b|:\(\)\s*\{/, 0.02, 'It can damage the machine itself.'],
  [/\b(?:sudo|su|doas|chown|chmod)\b/, 0.1, 'It changes who may do what.'],
  [/\b(?:curl|wget)\b.*\|\s*(?:sh|bash|node|python3?)\b/, 0.03, 'It runs a program straight from the network.'],
  [/\b(?:rm|mv|unlink|truncate)\b/, 0.3, 'It deletes or moves files.'],
  [/\bgit\s+(?:push|reset|clean|rebase|checkout)\b/, 0.3, 'It changes the history or throws changes away.'],
  [
    /\b(?:npm|pnpm|yarn|pip3?|apt(?:-get)?)\s+(?:i|install|add|ci|uninstall|remove)\b/,
    0.35,
    'It installs code of others.',
  ],
  [/\b(?:curl|wget|ssh|scp|nc|rsync)\b/, 0.4, 'It talks to the network.'],
  [/(?:^|[\s=:"'])(?:~|\.\.|\/(?!dev\/null\b))/, 0.4, 'It names a place outside of the workspace.'],
  [/\b(?:kill|pkill|killall)\b/, 0.4, 'It ends processes.'],
  [/[^2&]>{1,2}(?!\s*(?:&|\/dev\/null))/, 0.5, 'It writes its output to a file.'],
  [/\$\(|`/, 0.5, 'It runs another command inside, which is hard to read.'],
  [/\b(?:npm|pnpm|yarn)\s+(?:t|test|run|start)\b|\bnode\b/, 0.75, 'It runs the project’s own code, in the workspace.'],
];

const readsOnly =
  /^(?:ls|cat|head|tail|wc|grep|pwd|echo|date|sort|uniq|sleep|true|false|git\s+(?:status|log|diff|show))\b/;

export function judgeCommand(command: string): Judgement {
  const [worst] = commandRules
    .filter(([pattern]) => pattern.test(command))
    .sort(([, a], [, b]) => a - b)
    .map(([, safety, reason]) => ({ safety, reason }));
  if (worst) return worst;
  const steps = command.split(/&&|\|\||[;|]/).map((step) => step.trim());
  if (steps.every((step) => readsOnly.test(step))) return { safety: 0.95, reason: 'It only reads or prints.' };
  return { safety: 0.5, reason: 'I do not know this command.' };
}

/** `namedIn` are the other files that name the edited one. */
export function judgeEdit(edit: PlannedEdit, namedIn: readonly string[]): Judgement {
  const { path, before, after, movedFrom, removed } = edit;
  const users =
    namedIn.length === 0
      ? 'No other file names it'
      : `${namedIn.join(', ')} ${namedIn.length === 1 ? 'names' : 'name'} it`;
  const cost = Math.min(0.3, namedIn.length * 0.1);
  if (/(?:^|\/)\./.test(path)) return { safety: 0.3, reason: 'A hidden file may change how tools behave.' };
  if (after === undefined) return { safety: 0.4 - cost, reason: `The file will be gone. ${users}.` };
  if (movedFrom !== undefined) return { safety: 0.7 - cost, reason: `The file gets another path. ${users}.` };
  if (before === undefined) return { safety: 0.9, reason: 'A new file; nothing that exists is changed.' };
  if (/(?:^|\/)package(?:-lock)?\.json$/.test(path))
    return { safety: 0.5, reason: 'It decides which programs the project runs.' };
  const share = removed / Math.max(1, before.split('\n').length);
  if (share > 0.5) return { safety: 0.5 - cost, reason: `More than half of the file is replaced. ${users}.` };
  return { safety: 0.85 - cost, reason: `A change of ${removed} ${removed === 1 ? 'line' : 'lines'}. ${users}.` };
}
