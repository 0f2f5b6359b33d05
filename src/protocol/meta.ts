/** Our own `_meta` keys. Views may read them as an enhancement; everything renders well without them. */

export const MetaKey = {
  /** `{ id }` on a message that travelled as a pending message: proof that the host has taken it. */
  pending: 'ahp-chat/pending',
} as const;
