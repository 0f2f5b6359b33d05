/**
 * What a handshake settles, and how two lists of versions that do not meet are told apart from two that nearly do.
 * Source: AHP, versioning and lifecycle.
 */

import type { InitializeResult } from '../protocol/commands.js';
import { AhpError, isRpcError, RpcCode } from '../protocol/errors.js';
import { parseSupportedVersions } from '../protocol/parse.js';
import { compose, isRecord } from '../protocol/record.js';
import { compareVersions, isVersion, offeredVersions, satisfies } from '../protocol/versions.js';

/** Holds for the connection and for every one resumed from it. */
export interface Handshake {
  readonly protocolVersion: string;
  /** Names the stretch of the host's counting that began with it: numbers from another one say nothing here. */
  readonly epoch: string;
  /** Typing one of these asks for completions. */
  readonly completionTriggerCharacters: readonly string[];
  /** Text after it is run as a command. */
  readonly terminalCommandPrefix?: string;
  readonly takesCollections: boolean;
  /** Steering messages form a list; without it there is one slot. */
  readonly takesSteeringList: boolean;
}

export function toHandshake(result: InitializeResult, epoch: string): Handshake {
  return compose(
    {
      protocolVersion: result.protocolVersion,
      epoch,
      completionTriggerCharacters: result.completionTriggerCharacters ?? [],
      takesCollections: isRecord(result.attachmentCollections ?? result._meta?.attachmentCollections),
      takesSteeringList: isRecord(result.steeringMessages),
    },
    // An empty prefix would make a command of everything.
    { terminalCommandPrefix: result.terminalCommandPrefix || undefined },
  );
}

/** Reads a handshake that was kept over a reload. */
export function parseHandshake(text: string | undefined): Handshake | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (!isRecord(value) || !isVersion(value.protocolVersion)) return undefined;
    const characters: unknown = value.completionTriggerCharacters;
    return {
      protocolVersion: value.protocolVersion,
      epoch: typeof value.epoch === 'string' ? value.epoch : '',
      completionTriggerCharacters: Array.isArray(characters) ? characters.filter((c) => typeof c === 'string') : [],
      ...(typeof value.terminalCommandPrefix === 'string'
        ? { terminalCommandPrefix: value.terminalCommandPrefix }
        : {}),
      takesCollections: value.takesCollections === true,
      takesSteeringList: value.takesSteeringList === true,
    };
  } catch {
    // Written by another build or by somebody else: the client initializes instead.
    return undefined;
  }
}

/** Minor versions of the 0.x line whose shapes are read and sent; each accepts only its own. */
const spokenMinors = new Set(offeredVersions.map((version) => version.split('.').slice(0, 2).join('.')));

function isSpoken(version: string): boolean {
  const [major, minor] = version.split('.');
  return major === '1' || spokenMinors.has(`${major}.${minor}`);
}

/**
 * Versions in `supported` that this client speaks and did not offer, such as a patch of a 0.x minor or a later 1.x. The
 * highest first.
 */
export function findSpoken(supported: readonly string[], offered: readonly string[]): readonly string[] {
  const named = supported.flatMap((entry) => {
    const versions = entry.match(/\d+\.\d+\.\d+/g) ?? [];
    return versions.filter((version) => isVersion(version) && satisfies(version, entry));
  });
  return [...new Set(named)]
    .filter((version) => isSpoken(version) && !offered.includes(version))
    .sort((a, b) => compareVersions(b, a));
}

export const isVersionRefusal = (error: unknown): error is AhpError =>
  isRpcError(error, RpcCode.UnsupportedProtocolVersion);

/** Both lists, for a person to act on. */
export function toVersionMismatch(error: AhpError, offered: readonly string[]): AhpError {
  const supported = parseSupportedVersions(error.rpc?.data).join(', ').slice(0, 200) || 'other versions';
  const message = `The host speaks ${supported}; this client speaks ${offered.join(', ')}. Update one of the two, then connect again.`;
  return new AhpError('version-mismatch', message, { cause: error, ...(error.rpc ? { rpc: error.rpc } : {}) });
}
