/** Folds, cards, boxes and lines that the parts of a turn are made of. */

import { css } from 'lit';

export const partsStyles = css`
  ahp-markdown,
  ahp-reasoning,
  ahp-tool-call,
  ahp-input-request,
  ahp-content-ref,
  ahp-file-edit {
    display: block;
    min-inline-size: 0;
  }
  .plain {
    margin: 0;
    overflow-wrap: anywhere;
  }
  .literal {
    margin: 0;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
    unicode-bidi: plaintext;
  }
  .strong {
    font-weight: 600;
  }
  .danger {
    color: var(--_danger);
  }
  .warning {
    color: var(--_warning);
  }
  .line code,
  .code {
    font-family: var(--_font-code);
    font-size: 0.92em;
  }
  .line {
    display: flex;
    align-items: baseline;
    gap: 8px;
    max-inline-size: 100%;
    min-block-size: 28px;
    padding: 3px 8px;
    margin-inline-start: -8px;
    border: 0;
    border-radius: 8px;
    background: none;
    color: var(--_quiet);
    font-size: 0.9375em;
    line-height: 1.4;
    text-align: start;
    cursor: pointer;
  }
  .line:hover,
  .line[aria-expanded='true'] {
    color: var(--_text);
  }
  .line:hover {
    background: color-mix(in srgb, var(--_text) 6%, transparent);
  }
  .line > .icon {
    align-self: center;
  }
  .line.danger > .icon:first-child,
  .line-word {
    flex: none;
  }
  .line-word {
    max-inline-size: 60%;
    overflow-wrap: anywhere;
  }
  .line.danger {
    color: var(--_danger);
  }
  .line-text,
  .last-line {
    min-inline-size: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .last-line {
    font-style: italic;
  }
  .icon-chevron {
    inline-size: 14px;
    block-size: 14px;
    transition: rotate 150ms ease-out;
  }
  .icon-chevron:dir(rtl) {
    scale: -1 1;
  }
  [aria-expanded='true'] > .icon-chevron {
    rotate: 90deg;
  }
  [aria-expanded='true'] > .icon-chevron:dir(rtl) {
    rotate: -90deg;
  }
  .line > .icon-chevron:last-child {
    opacity: 0;
  }
  .line:hover > .icon-chevron,
  .line:focus-visible > .icon-chevron,
  .line[aria-expanded='true'] > .icon-chevron {
    opacity: 1;
  }
  .icon-running {
    animation: ahp-turn 1.2s linear infinite;
  }
  @keyframes ahp-turn {
    to {
      rotate: 360deg;
    }
  }
  .fold-body {
    margin-block: 4px;
    padding-inline-start: 15px;
    border-inline-start: 2px solid var(--_border);
  }
  .card {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 8px;
    min-inline-size: 0;
    padding: 12px;
    border: 1px solid var(--_border);
    border-radius: var(--_radius);
  }
  .card.raised {
    border-color: var(--_control);
    background: var(--_raised);
  }
  .card.error {
    border-inline-start: 3px solid var(--_danger);
  }
  .card-title {
    display: flex;
    align-items: baseline;
    gap: 8px;
    margin: 0;
    font-size: 1em;
    font-weight: 600;
    overflow-wrap: anywhere;
  }
  .card-title > .icon {
    align-self: center;
  }
  .card.error .card-title > .icon {
    color: var(--_danger);
  }
  .raised .card-title > .icon {
    color: var(--_accent);
  }
  .field {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 6px;
    min-inline-size: 0;
  }
  .field-head {
    display: flex;
    align-items: baseline;
    justify-content: space-between;
    gap: 8px;
  }
  .field-head > .link-button {
    font-size: 0.875em;
  }
  .field-name {
    color: var(--_quiet);
    font-size: 0.8125em;
    letter-spacing: 0.02em;
  }
  .code-box {
    max-block-size: 320px;
    margin: 0;
    padding: 8px 12px;
    overflow: auto;
    border-radius: 8px;
    background: var(--_sunken);
    font-family: var(--_font-code);
    font-size: 0.875em;
    line-height: 1.5;
    text-align: start;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
    tab-size: 4;
  }
  .buttons {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px;
  }
  .content-ref {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 6px;
    min-inline-size: 0;
  }
  .content-head {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px;
    font-size: 0.9375em;
  }
  .content-head > .icon {
    color: var(--_quiet);
  }
  .content-text {
    max-block-size: 480px;
    padding: 8px 12px;
    overflow: auto;
    border: 1px solid var(--_border);
    border-radius: 8px;
  }
  .late {
    animation: ahp-late 1ms 300ms backwards;
  }
  @keyframes ahp-late {
    from {
      visibility: hidden;
    }
  }
  .picture {
    max-inline-size: 100%;
    max-block-size: 480px;
    border-radius: 8px;
    justify-self: start;
  }
  .unknown {
    font-size: 0.9375em;
  }
  .unknown .icon {
    margin-inline-end: 6px;
  }
  @media (pointer: coarse) {
    .line {
      min-block-size: 44px;
      align-items: center;
    }
  }
`;
