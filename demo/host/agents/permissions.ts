/**
 * What people allowed for a session. It is part of the session's settings: every client sees it and may take it back, and
 * it is kept as long as the session is. Source: AHP, session configuration; confirmation options.
 */

import type { Host } from '../../../src/host/create-host.js';
import type { Config, ConfirmationOption, URI } from '../../../src/protocol/state.js';

/** Something that can be allowed once and for all: `edit src/units.js`, `run npm`. */
export interface Scope {
  readonly id: string;
  /** "Allow edits of units.js for this session" */
  readonly label: string;
}

/** When a call that changes something is asked about. */
export type Approvals = 'ask' | 'risky';

const defaults = { approvals: 'ask', allowed: [] as readonly string[] } as const;

/** The settings of a new session; `given` is what a client wants for it. */
export const sessionConfig = (given: Readonly<Record<string, unknown>> = {}): Config => ({
  schema: {
    properties: {
      approvals: {
        type: 'string',
        title: 'Approvals',
        description: 'When the agent asks before it changes files or runs commands.',
        enum: ['ask', 'risky'],
        enumLabels: ['Ask every time', 'Ask when it looks risky'],
        default: defaults.approvals,
        sessionMutable: true,
      },
      allowed: {
        type: 'array',
        title: 'Allowed in this session',
        description: 'What the agent may do without asking. Take an entry out, and it asks again.',
        default: defaults.allowed,
        sessionMutable: true,
      },
    },
  },
  values: { ...defaults, ...given },
});

export function approvalsOf(host: Host, session: URI): Approvals {
  return host.getSession(session)?.config?.values.approvals === 'risky' ? 'risky' : 'ask';
}

/** Any client may write the settings, so what is no list of words allows nothing. */
function allowedIn(host: Host, session: URI): readonly string[] {
  const allowed = host.getSession(session)?.config?.values.allowed;
  return Array.isArray(allowed) ? allowed.filter((scope): scope is string => typeof scope === 'string') : [];
}

export function isAllowed(host: Host, session: URI, scopes: readonly Scope[]): boolean {
  const allowed = allowedIn(host, session);
  return scopes.some(({ id }) => allowed.includes(id));
}

export function allow(host: Host, session: URI, { id }: Scope): void {
  const allowed = [...new Set([...allowedIn(host, session), id])];
  host.dispatch(session, { type: 'session/configChanged', config: { allowed } });
}

const sessionOptionIds = ['allow-session', 'allow-family'] as const;

/**
 * What a person can answer, in order: once, for the session from narrow to wide, no. The groups are numbers: they keep
 * apart what the labels say by themselves.
 */
export const toOptions = (scopes: readonly Scope[]): readonly ConfirmationOption[] => [
  { id: 'allow-once', label: 'Allow once', kind: 'approve', group: 1 },
  ...sessionOptionIds.flatMap((id, index): ConfirmationOption[] => {
    const scope = scopes[index];
    return scope ? [{ id, label: scope.label, kind: 'approve', group: 2 }] : [];
  }),
  { id: 'deny', label: 'Deny', kind: 'deny', group: 3 },
];

/** The scope that choosing an option allows. */
export function scopeOf(optionId: string | undefined, scopes: readonly Scope[]): Scope | undefined {
  const index = sessionOptionIds.findIndex((id) => id === optionId);
  return index < 0 ? undefined : scopes[index];
}
