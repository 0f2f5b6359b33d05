/** Why something failed, in a host's words, without what is for its developers only: stacks and secrets. Pure. */

import { hideTokens } from './hide-tokens.js';

/** What is longer is no reason, and everything below looks at each line. */
const MAX_LENGTH = 20_000;
const MAX_LINE = 2_000;

/** Where a call stood: ` at f (file.js:1:2)`, ` at file:///x.js:1:2`, ` at A.b() in c.cs:line 5`. Also at a line's end. */
const place = String.raw`(?:<anonymous>|native|Native Method|Unknown Source|[^\s()][^()\n]{0,500}:\d+)`;
const frame = new RegExp(
  String.raw`(?:^|\s+)at (?:[^()\n]{1,200}\(${place}\)|(?:async )?(?:[a-z]+:|\/|[A-Za-z]:\\)[^\s()]{1,500}:\d+:\d+|[^\n]{1,200} in [^\n]{1,500}:line \d+)`,
);

/** Whole lines of a stack as Python, Go and Rust write it. */
const line =
  /^\s*(?:File ".{1,500}", line \d+|Traceback \(most recent call last\):|goroutine \d+ \[.{1,100}\]:|\S{1,500}\.go:\d+|stack backtrace:|\d+: .{1,200}::|\.\.\. \d+ more$)/;

/** The source that Python shows below each of its places. */
const isQuoted = (text: string, before: string | undefined): boolean =>
  /^ {4}\S/.test(text) && /^\s*File "/.test(before ?? '');

/** `text` as a person may read it: the rest of it says what failed. */
export function toReason(text: string): string {
  const lines = text.slice(0, MAX_LENGTH).split('\n');
  const said = lines
    .filter((each, at) => !line.test(each.slice(0, MAX_LINE)) && !isQuoted(each, lines[at - 1]))
    .map((each) => {
      // Some hosts put the whole stack into one line.
      const at = each.slice(0, MAX_LINE).search(frame);
      return at < 0 ? each : each.slice(0, at);
    });
  return hideTokens(said.join('\n').replace(/\n{3,}/g, '\n\n')).trim();
}
