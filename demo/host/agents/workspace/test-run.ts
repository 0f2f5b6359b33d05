/** Reads the output of Node's test runner, in either of the forms it prints. Pure. */

export interface TestFailure {
  readonly name: string;
  /** `test/units.test.js:12` */
  readonly location?: string;
  readonly expected?: string;
  readonly actual?: string;
}

export interface TestRun {
  readonly passed: number;
  /** Names of tests that passed. */
  readonly passing: readonly string[];
  readonly failed: number;
  readonly failures: readonly TestFailure[];
}

/** `undefined` when the output is not that of a test run. */
export function parseTestRun(output: string): TestRun | undefined {
  const passed = /^\s*(?:#|ℹ) pass (\d+)/m.exec(output);
  const failed = /^\s*(?:#|ℹ) fail (\d+)/m.exec(output);
  if (!passed || !failed) return undefined;
  const names = output.matchAll(/^\s*(?:ok \d+ - |✔ )(.+?)(?: \([\d.]+ms\))?$/gm);
  return {
    passed: Number(passed[1]),
    passing: [...names].map((found) => found[1] ?? ''),
    failed: Number(failed[1]),
    failures: readFailures(output),
  };
}

function readFailures(output: string): TestFailure[] {
  const failures = new Map<string, TestFailure>();
  const starts = /^\s*(?:not ok \d+ - (?<tap>.+)|✖ (?<spec>.+?) \([\d.]+ms\))$/gm;
  for (const found of output.matchAll(starts)) {
    const name = (found.groups?.tap ?? found.groups?.spec ?? '').trim();
    const rest = output.slice(found.index + found[0].length).split(/^\s*(?:not ok|ok|✖|✔|#|ℹ) /m)[0] ?? '';
    const expected = /^\s*expected: (.+?),?$/m.exec(rest)?.[1];
    const actual = /^\s*actual: (.+?),?$/m.exec(rest)?.[1];
    const location = /([\w./-]*?)((?:test|src)\/[\w./-]+\.\w+:\d+)/.exec(rest)?.[2];
    // The second form prints each failure twice; the later one has the details.
    const known = failures.get(name);
    failures.set(name, {
      name,
      ...((location ?? known?.location) !== undefined && { location: location ?? known?.location ?? '' }),
      ...((expected ?? known?.expected) !== undefined && { expected: expected ?? known?.expected ?? '' }),
      ...((actual ?? known?.actual) !== undefined && { actual: actual ?? known?.actual ?? '' }),
    });
  }
  return [...failures.values()];
}
