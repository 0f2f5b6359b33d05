/** What Vite makes of a worker's module when asked to inline it. */
declare module '*?worker&inline' {
  const InlineWorker: new () => Worker;
  export default InlineWorker;
}
