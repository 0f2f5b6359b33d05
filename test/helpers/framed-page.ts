/**
 * What a page in a frame of a test needs: it gathers what went wrong and tells its parent. `framed-test.ts` is the other
 * side; `strict.html` forbids all that a policy can, `open.html` nothing.
 */

/** Violations of the policy, errors and rejections that nobody took. */
export const problems: string[] = [];

addEventListener('securitypolicyviolation', (event) =>
  problems.push(`${event.violatedDirective}: ${event.blockedURI} ${event.sample} ${event.sourceFile}`),
);
addEventListener('error', ({ message }) => problems.push(message));
addEventListener('unhandledrejection', (event) => problems.push(String(event.reason)));

/** Hands the parent what was found; a page alone keeps it where a driver finds it. */
export function tell(report: unknown): void {
  Object.assign(window, { report });
  if (parent !== window) parent.postMessage(report, location.origin);
}
