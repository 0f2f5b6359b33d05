/** Text fields in a card. */

import { css } from 'lit';

export const fieldStyles = css`
  ahp-tool-input,
  ahp-suggestion {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 6px;
    min-inline-size: 0;
  }
  .text-field {
    display: block;
    inline-size: 100%;
    min-block-size: 2.5em;
    max-block-size: 320px;
    padding: 6px 10px;
    border: 1px solid var(--_control);
    border-radius: 8px;
    background: var(--_surface);
    line-height: 1.5;
    resize: vertical;
    field-sizing: content;
    overflow-wrap: anywhere;
    unicode-bidi: plaintext;
  }
  .text-field[aria-invalid] {
    border-color: var(--_danger);
  }
  .text-field:focus-visible {
    outline-offset: 0;
  }
  .code-field {
    font-family: var(--_font-code);
    font-size: 0.875em;
    tab-size: 4;
    unicode-bidi: normal;
  }
  @media (pointer: coarse) {
    .code-field {
      font-size: max(16px, 1em);
    }
  }
`;
