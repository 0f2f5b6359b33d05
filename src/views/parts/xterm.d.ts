/** The module of `@xterm/headless`; the path its `package.json` names for modules does not exist. */

declare module '@xterm/headless/lib-headless/xterm-headless.mjs' {
  export { Terminal } from '@xterm/headless';
}
