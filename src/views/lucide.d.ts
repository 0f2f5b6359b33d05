/** lucide types only its whole set; the elements import icon by icon, so that nothing else is loaded. */
declare module 'lucide/dist/esm/icons/*.mjs' {
  const node: readonly (readonly [tag: string, attributes: Readonly<Record<string, string | number>>])[];
  export default node;
}
