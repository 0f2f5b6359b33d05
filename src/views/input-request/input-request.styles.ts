/** Forms; taken on by the surface around the first one. */

import { css } from 'lit';

export const inputFormStyles = css`
  ahp-input-form {
    display: block;
    min-inline-size: 0;
  }
  .form,
  .question,
  .choices,
  .url-box {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    min-inline-size: 0;
  }
  .form {
    gap: 16px;
    margin: 0;
  }
  .question {
    gap: 6px;
  }
  .question-head {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    justify-content: space-between;
    gap: 4px 12px;
  }
  .question-text {
    flex: 1 1 12em;
    min-inline-size: 0;
  }
  .question-title {
    font-weight: 600;
  }
  .hint,
  .fault,
  .required {
    font-size: 0.875em;
  }
  .fault {
    color: var(--_danger);
  }
  .fault > .icon,
  .url-box .icon {
    margin-inline-end: 6px;
  }
  .control {
    display: block;
    inline-size: 100%;
    min-block-size: 36px;
    padding: 6px 10px;
    border: 1px solid var(--_control);
    border-radius: 8px;
    background: var(--_surface);
    line-height: 1.5;
  }
  .control[type='number'],
  .control[type='date'],
  .control[type='time'],
  .control[type='datetime-local'] {
    max-inline-size: 20em;
    text-align: start;
  }
  textarea.control {
    max-block-size: 12lh;
    field-sizing: content;
    resize: vertical;
    overflow-wrap: anywhere;
    unicode-bidi: plaintext;
  }
  .control[aria-invalid='true'] {
    border-color: var(--_danger);
    box-shadow: inset 0 0 0 1px var(--_danger);
  }
  .choices {
    gap: 2px;
  }
  .choice {
    display: flex;
    align-items: baseline;
    gap: 8px;
    min-block-size: 32px;
    margin-inline: -8px;
    padding: 4px 8px;
    border-radius: 8px;
    cursor: pointer;
  }
  .choice:hover {
    background: color-mix(in srgb, var(--_text) 6%, transparent);
  }
  .choice input {
    flex: none;
    inline-size: 16px;
    block-size: 16px;
    margin: 0;
    accent-color: var(--_accent);
    translate: 0 0.15em;
  }
  .choice-text {
    min-inline-size: 0;
    overflow-wrap: anywhere;
  }
  .choice-about {
    display: block;
    font-size: 0.9375em;
  }
  .badge {
    margin-inline-start: 8px;
    padding: 1px 8px;
    border: 1px solid var(--_control);
    border-radius: 999px;
    color: var(--_quiet);
    font-size: 0.8125em;
    white-space: nowrap;
  }
  .choices > .other {
    inline-size: calc(100% - 24px);
    margin-inline-start: 24px;
  }
  .other-label {
    padding-block-start: 4px;
    font-size: 0.9375em;
    margin-inline-start: 24px;
  }
  .url-box {
    gap: 8px;
    padding: 12px;
    border-radius: 8px;
    background: var(--_sunken);
  }
  .url-box code {
    overflow-wrap: anywhere;
    font-family: var(--_font-code);
    font-size: 0.92em;
  }
  .url-place {
    font-weight: 600;
  }
  .url-box a.button {
    color: inherit;
    text-decoration: none;
  }
  .entered {
    padding: 8px 12px;
    border-radius: 8px;
    background: var(--_sunken);
  }
  @media (pointer: coarse) {
    .choice,
    .control {
      min-block-size: 44px;
    }
    .choice {
      align-items: center;
    }
  }
  @media (forced-colors: active) {
    .control[aria-invalid='true'] {
      border-width: 2px;
    }
    .url-box,
    .entered {
      border: 1px solid CanvasText;
    }
  }
`;
