/** What must be in no text that leaves the host: its token, a model's key. Text may come in pieces, and a secret in two. */

export interface Secrets {
  keep(secret: string): void;
  redact(text: string): string;
  /** Redacts a text that comes piece by piece. `end` gives what was held back. */
  inPieces(): { push(piece: string): string; end(): string };
}

export function createSecrets(): Secrets {
  const kept = new Set<string>();
  const redact = (text: string): string =>
    [...kept].reduce((safe, secret) => safe.replaceAll(secret, '[hidden]'), text);

  /** How much of the end of `text` may be the beginning of a secret. */
  const unsure = (text: string): number => {
    let most = 0;
    for (const secret of kept) {
      let length = Math.min(secret.length - 1, text.length);
      while (length > most && !secret.startsWith(text.slice(text.length - length))) length--;
      most = Math.max(most, length);
    }
    return most;
  };

  return {
    keep: (secret) => void kept.add(secret),
    redact,
    inPieces() {
      let held = '';
      return {
        push(piece) {
          const safe = redact(held + piece);
          const end = safe.length - unsure(safe);
          held = safe.slice(end);
          return safe.slice(0, end);
        },
        end: () => held,
      };
    },
  };
}
