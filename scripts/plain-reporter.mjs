/**
 * Counts what both test runners ran, so that one plain line can close a run: "N passed, N failed, N skipped".
 *
 * `plainReporter()` is for the browser runner; the default export is for `node --test`. Run alone they print the line;
 * started through `counted.mjs`, which sums them, they write their counts to the file named in `TEST_COUNTS` instead.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { inspect } from 'node:util';
import { closingLine, root } from './counted.mjs';

export function plainReporter() {
  return {
    stop({ sessions, testCoverage }) {
      const counts = { passed: 0, failed: 0, skipped: 0 };
      for (const session of sessions) {
        const before = sum(counts);
        countSuite(session.testResults, counts);
        // An import that fails or a late throw belongs to no test.
        counts.failed += session.errors?.length ?? 0;
        if (sum(counts) === before) {
          console.error(`No test ran in ${path.relative(root, session.testFile)}.`);
          counts.failed++;
        }
      }
      if (testCoverage) console.log(describeCoverage(testCoverage));
      deliver(counts);
    },
  };
}

/** Of the files that some test imports; what runs in a worker is not seen. */
function describeCoverage({ summary }) {
  const shares = ['lines', 'branches', 'functions'].map((what) => `${summary[what].pct} % of ${what}`);
  return `Covered: ${shares.join(', ')}; by file in coverage/lcov-report/index.html.`;
}

function countSuite(suite, counts) {
  for (const test of suite?.tests ?? []) {
    if (test.skipped) counts.skipped++;
    else if (test.passed) counts.passed++;
    else counts.failed++;
  }
  for (const child of suite?.suites ?? []) countSuite(child, counts);
}

/** Says nothing of a test that passes. */
export default async function* nodeReporter(events) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for await (const { type, data } of events) {
    if (type === 'test:stdout' || type === 'test:stderr') yield data.message;
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    // A suite, and a test around others, repeats what its own tests have said.
    if (data.details?.type === 'suite' || data.details?.error?.failureType === 'subtestsFailed') continue;
    if (type === 'test:fail') {
      counts.failed++;
      yield describeFailure(data);
    } else if (data.skip !== undefined || data.todo !== undefined) {
      counts.skipped++;
    } else if (data.name === data.file) {
      // Node reports a file in which no test ran as one passed test of the file's name.
      counts.failed++;
      yield `No test ran in ${path.relative(root, data.file)}.\n`;
    } else {
      counts.passed++;
    }
  }
  deliver(counts);
}

/** The stack has the lines; those that Node reports are of the compiled text. */
function describeFailure({ name, file, details }) {
  const error = details.error?.cause ?? details.error;
  const text = (error instanceof Error && error.stack) || inspect(error);
  return `\n✖ ${name}\n  ${path.relative(root, file ?? '')}\n${text.replace(/^/gm, '  ')}\n`;
}

const sum = ({ passed, failed, skipped }) => passed + failed + skipped;

function deliver(counts) {
  const file = process.env.TEST_COUNTS;
  if (file) writeFileSync(file, JSON.stringify(counts));
  else console.log(closingLine(counts));
}
