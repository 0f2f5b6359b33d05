/** Prints one plain closing line that scripts can read: "N passed, N failed, N skipped". */
export function plainReporter() {
  return {
    onTestRunFinished() {},
    stop({ sessions }) {
      let p = 0,
        f = 0,
        s = 0;
      const walk = (r) => {
        for (const t of r?.tests ?? []) t.skipped ? s++ : t.passed ? p++ : f++;
        for (const x of r?.suites ?? []) walk(x);
      };
      for (const x of sessions) {
        walk(x.testResults);
        if (x.errors?.length) f += x.errors.length;
      }
      console.log(`${p} passed, ${f} failed, ${s} skipped`);
    },
  };
}
