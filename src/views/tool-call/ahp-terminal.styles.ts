/**
 * A terminal in the colours of the theme. The sixteen are ours and can be read on either background; colours of a
 * program's own are kept, but where it sets only the letters' they are brought into a range that can be read.
 */

import { css, unsafeCSS } from 'lit';

/** Light and dark, in the order of ANSI: black, red, green, yellow, blue, magenta, cyan, white, then bright. */
const sixteen: readonly (readonly [light: string, dark: string])[] = [
  ['#1d2025', '#8b93a1'],
  ['#b42318', '#ff9d92'],
  ['#15693a', '#79d49e'],
  ['#7a4a00', '#f0bd62'],
  ['#2450c0', '#8cb0ff'],
  ['#8a2b8f', '#e2a3ea'],
  ['#0b6472', '#6fd0dd'],
  ['#4d5562', '#d3d7de'],
  ['#59606c', '#a3abb8'],
  ['#c0271a', '#ffb3aa'],
  ['#126b38', '#96e3b5'],
  ['#7d4d00', '#f7d08a'],
  ['#2b5bd7', '#aac5ff'],
  ['#97309c', '#ecbdf2'],
  ['#0a6a79', '#93e0ea'],
  ['#30353d', '#ffffff'],
];

const palette = sixteen
  .map(([light, dark], index) => {
    return `.terminal-lines .f${index}{color:light-dark(${light},${dark})}`;
  })
  .join('');

export const terminalStyles = css`
  ahp-terminal {
    display: block;
    min-inline-size: 0;
  }
  .terminal-live {
    display: inline-flex;
    align-items: center;
    gap: 6px;
  }
  .terminal-command {
    display: flex;
    flex-wrap: wrap;
    gap: 4px 12px;
    font-size: 0.875em;
    overflow-wrap: anywhere;
  }
  .terminal-command code {
    font-family: var(--_font-code);
  }
  .terminal-box {
    max-block-size: 320px;
    padding: 8px 12px;
    overflow: auto;
    overflow-anchor: none;
    border-radius: 8px;
    background: var(--_sunken);
    color: var(--_text);
    font-family: var(--_font-code);
    font-size: 0.8125em;
    line-height: 1.35;
    text-align: start;
    font-variant-ligatures: none;
  }
  .terminal-lines {
    position: relative;
    inline-size: calc((var(--_columns, 80) + 0.25) * 1ch);
    white-space: break-spaces;
    word-break: break-all;
  }
  .preview > .terminal-lines {
    inline-size: auto;
    white-space: pre-wrap;
    word-break: normal;
    overflow-wrap: anywhere;
  }
  .terminal-line {
    min-block-size: 1lh;
    unicode-bidi: isolate;
  }
  .terminal-line[data-command] {
    position: relative;
  }
  .terminal-cursor {
    position: absolute;
    inline-size: 1ch;
    block-size: 1lh;
    outline: 1px solid var(--_text);
    outline-offset: -1px;
    pointer-events: none;
  }
  .terminal-line[data-command]::before {
    position: absolute;
    inset-inline-start: -10px;
    content: '›' / '';
    color: var(--_accent);
    font-weight: 700;
  }
  .terminal-line[data-command='failed']::before {
    content: '×' / '';
    color: var(--_danger);
  }
  ${unsafeCSS(palette)}
  .terminal-lines .wide {
    display: inline-block;
    inline-size: 2ch;
    overflow: hidden;
    vertical-align: bottom;
  }
  .terminal-lines .inverse {
    background: var(--_text);
    color: var(--_sunken);
  }
  .terminal-lines .own-ink {
    color: light-dark(oklch(from var(--_ink) min(l, 0.5) c h), oklch(from var(--_ink) max(l, 0.75) c h));
  }
  .terminal-lines .own-paper {
    background: var(--_paper);
    color: var(--_ink);
  }
  .terminal-lines .bold {
    font-weight: 700;
  }
  .terminal-lines .italic {
    font-style: italic;
  }
  .terminal-lines .dim {
    color: var(--_quiet);
  }
  .terminal-lines .under {
    text-decoration: underline;
  }
  .terminal-lines .over {
    text-decoration: overline;
  }
  .terminal-lines .strike {
    text-decoration: line-through;
  }
  .terminal-lines .concealed {
    visibility: hidden;
  }
  @media (forced-colors: active) {
    .terminal-box {
      border: 1px solid;
    }
    .terminal-lines .inverse {
      forced-color-adjust: none;
      background: CanvasText;
      color: Canvas;
    }
  }
`;
