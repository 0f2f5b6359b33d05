/** The suggestions, and the layer behind the text; joins the composer's sheet when it is needed. */

import { css } from 'lit';

export const assistStyles = css`
  .field {
    position: relative;
  }
  .field > textarea {
    position: relative;
  }
  .backdrop {
    position: absolute;
    inset-block: 0;
    inset-inline-start: 0;
    padding: 10px 14px 4px;
    overflow: hidden;
    color: transparent;
    line-height: 1.5;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
    unicode-bidi: plaintext;
    pointer-events: none;
    user-select: none;
  }
  .backdrop mark {
    border-radius: 4px;
    background: color-mix(in srgb, var(--_accent) 22%, transparent);
    box-shadow: 0 0 0 1px color-mix(in srgb, var(--_accent) 22%, transparent);
    color: inherit;
  }
  .suggestions {
    inset: 0;
    inline-size: max-content;
    max-inline-size: min(44ch, 100vw - 16px);
    block-size: max-content;
    margin: 0;
    padding: 4px;
    overflow-y: auto;
    border: 1px solid var(--_border);
    border-radius: 8px;
    background: var(--_raised);
    box-shadow: 0 4px 16px rgb(0 0 0 / 25%);
    color: var(--_text);
    font-size: 0.9375em;
  }
  .suggestions ul,
  .suggestions p {
    margin: 0;
    padding: 0;
    list-style-type: '';
  }
  .suggestions p {
    padding: 4px 8px;
    color: var(--_quiet);
  }
  .suggestions li {
    display: flex;
    align-items: center;
    gap: 8px;
    min-block-size: 32px;
    padding: 2px 10px;
    border-radius: 6px;
    cursor: pointer;
  }
  .suggestions li > .icon {
    color: var(--_quiet);
  }
  .suggestions li > bdi {
    min-inline-size: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .suggestions li > .quiet {
    flex: 1 1000;
    font-size: 0.9em;
    text-align: end;
  }
  .suggestions li:hover {
    background: color-mix(in srgb, var(--_text) 7%, transparent);
  }
  .suggestions li[aria-selected='true'] {
    background: color-mix(in srgb, var(--_accent) 22%, transparent);
  }
  .suggestions li[aria-selected='true'] > .quiet {
    color: var(--_text);
  }
  @media (pointer: coarse) {
    .backdrop {
      font-size: max(16px, 1em);
    }
    .suggestions li {
      min-block-size: 44px;
    }
  }
  @media (forced-colors: active) {
    .backdrop {
      visibility: hidden;
    }
    .suggestions li[aria-selected='true'] {
      forced-color-adjust: none;
      background: Highlight;
    }
    .suggestions li[aria-selected='true'] > *,
    .suggestions li[aria-selected='true'] > .quiet {
      color: HighlightText;
    }
  }
`;
