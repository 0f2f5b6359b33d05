/**
 * An element that has updated must not at once update again: what is set while it updates is set too late. Lit says so
 * once, in the console, where nobody looks; here it fails the test that is running.
 */
globalThis.litIssuedWarnings = new (class extends Set {
  add(warning) {
    if (warning.includes('/change-in-update')) reportError(new Error(warning));
    return super.add(warning);
  }
})();
