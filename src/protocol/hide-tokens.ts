/** Addresses in texts of errors and notifications may carry a secret; it has no place on a screen. Pure. */

/** A parameter by the names secrets go by, in a query or a fragment, and a password before the host. */
const parameter =
  /([?&#][\w.-]*(?:token|tkn|secret|passw(?:or)?d|signature|sig|auth|credential|api[_-]?key|access[_-]?key)=)[^&#\s"'<>()[\]]+/gi;
const password = /(\w:\/\/[^\s/@:]*:)[^\s/@]+@/g;

/** `text` with every secret in an address as `…`; the rest of the address stays, since it says what failed. */
export const hideTokens = (text: string): string => text.replace(parameter, '$1…').replace(password, '$1…@');
