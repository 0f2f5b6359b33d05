/** How changed lines look. */

import { css } from 'lit';

export const diffStyles = css`
  ahp-diff {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 6px;
    min-inline-size: 0;
    container-type: inline-size;
  }
  .diff {
    max-block-size: 420px;
    overflow: auto;
    border: 1px solid var(--_border);
    border-radius: 8px;
    background: var(--_sunken);
    font-family: var(--_font-code);
    font-size: 0.875em;
    line-height: 1.5;
  }
  .diff-table {
    padding-block: 4px;
  }
  .diff-page {
    content-visibility: auto;
    contain-intrinsic-block-size: auto 4000px;
  }
  .diff-row {
    display: grid;
    grid-template-columns: calc(var(--_digits) + 12px) calc(var(--_digits) + 12px) 2ch minmax(0, 1fr);
    border-inline-start: 3px solid transparent;
  }
  .diff-row.gap {
    display: block;
    border-inline-start: 0;
  }
  .diff-number,
  .diff-sign {
    user-select: none;
    text-align: end;
  }
  .diff-number {
    padding-inline-end: 8px;
    color: var(--_quiet);
  }
  .diff-sign {
    text-align: start;
    font-weight: 700;
  }
  .diff-text {
    padding-inline-end: 8px;
    unicode-bidi: isolate;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
    tab-size: 4;
  }
  .diff-row.added,
  .diff-row.removed {
    color: var(--_text);
  }
  .diff-row.added {
    border-inline-start-color: var(--_success);
    background: color-mix(in srgb, var(--_success) 13%, transparent);
  }
  .diff-row.removed {
    border-inline-start-color: var(--_danger);
    border-inline-start-style: double;
    background: color-mix(in srgb, var(--_danger) 12%, transparent);
  }
  .added > .diff-number,
  .removed > .diff-number {
    color: var(--_text);
  }
  .diff-text > ins,
  .diff-text > del {
    border-radius: 3px;
    text-decoration-line: underline;
    text-decoration-thickness: 2px;
    text-decoration-skip-ink: none;
    text-underline-offset: 2px;
  }
  .diff-text > ins {
    background: color-mix(in srgb, var(--_success) 20%, transparent);
    text-decoration-color: var(--_success);
  }
  .diff-text > del {
    background: color-mix(in srgb, var(--_danger) 20%, transparent);
    text-decoration-color: var(--_danger);
  }
  .diff-note {
    margin-inline-start: 2ch;
    color: var(--_quiet);
    font-family: var(--_font-body);
    font-style: italic;
    user-select: none;
  }
  .added .diff-note,
  .removed .diff-note {
    color: var(--_text);
  }
  .diff-whole {
    margin-inline-start: 1ch;
    border: 1px solid var(--_control);
    border-radius: 6px;
    background: var(--_surface);
    color: var(--_text);
    font-family: var(--_font-body);
    cursor: pointer;
    user-select: none;
  }
  .diff-gap > button,
  .diff-more {
    display: flex;
    align-items: center;
    gap: 6px;
    inline-size: 100%;
    min-block-size: 28px;
    padding: 2px 12px;
    border: 0;
    background: color-mix(in srgb, var(--_accent) 9%, transparent);
    color: var(--_text);
    font-family: var(--_font-body);
    text-align: start;
    cursor: pointer;
    user-select: none;
  }
  .diff-gap > button:hover,
  .diff-more:hover {
    background: color-mix(in srgb, var(--_accent) 18%, transparent);
  }
  .diff-gap > button:focus-visible,
  .diff-more:focus-visible {
    outline-offset: -2px;
  }
  @container (max-width: 420px) {
    .diff-row {
      grid-template-columns: calc(var(--_digits) + 8px) 2ch minmax(0, 1fr);
    }
    .diff-row:not(.removed) > .diff-number:first-child,
    .diff-row.removed > .diff-number:nth-child(2) {
      display: none;
    }
  }
  @media (pointer: coarse) {
    .diff-gap > button,
    .diff-more {
      min-block-size: 44px;
    }
  }
  @media (forced-colors: active) {
    .diff-row:not(.added, .removed) {
      border-inline-start-color: Canvas;
    }
  }
  @media print {
    .diff {
      max-block-size: none;
    }
  }
`;
