/** Our own `_meta` keys. Views may read them as an enhancement; everything renders well without them. */

export const MetaKey = {
  /**
   * `{ id, joins? }` on a message that travelled as a pending message: proof that the host has taken it, and the messages
   * that were put into it. On this device also `edits`: the message was there before, and this is a change of it.
   */
  pending: 'ahp-chat/pending',
} as const;
