/** Prism's files as modules; `scripts/prism-plugin.mjs` makes them so. */

/* eslint-disable @typescript-eslint/consistent-type-imports -- a wildcard module may not import from a relative one */

declare module '*?prism-core' {
  const prism: import('./grammars.js').Prism;
  export default prism;
}

declare module '*?prism-grammar' {
  /** Adds the languages of the file, whose requirements are there already. */
  const install: (prism: import('./grammars.js').Prism) => void;
  export default install;
}
