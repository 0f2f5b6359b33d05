/** What the bench uses of a peer that is installed for the bench alone. */
declare module 'streaming-markdown' {
  interface Parser {
    readonly pending: string;
  }
  export function default_renderer(root: HTMLElement): object;
  export function parser(renderer: object): Parser;
  export function parser_write(parser: Parser, chunk: string): void;
  export function parser_end(parser: Parser): void;
}
