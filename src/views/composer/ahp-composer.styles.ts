/** The rounded box with its rows. */

import { css } from 'lit';
import { attachmentListStyles } from '../attachments/attachment-list.styles.js';
import { hostStyles } from '../host.styles.js';

const own = css`
  :host {
    container: ahp-composer / inline-size;
  }
  .composer {
    max-inline-size: calc(var(--_measure) + 32px);
    margin-inline: auto;
    padding: 8px 16px 12px;
  }
  .rows {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 4px;
  }
  .rows:has(> .row) {
    padding-block-end: 4px;
  }
  .row,
  .queue-row {
    display: flex;
    align-items: center;
    gap: 8px;
    padding: 4px 4px 4px 12px;
    padding-inline: 12px 4px;
    border: 1px solid var(--_border);
    border-radius: 8px;
    background: var(--_raised);
    font-size: 0.9375em;
  }
  .row > .icon {
    color: var(--_warning);
  }
  .row.answer-mode > .icon {
    color: var(--_accent);
  }
  .row.answer-mode.on {
    border-color: var(--_accent);
  }
  .row-text {
    flex: 1;
    min-inline-size: 0;
    overflow-wrap: anywhere;
  }
  .row .button {
    min-block-size: 28px;
    padding: 2px 10px;
  }
  .queue {
    --_row: 32px;
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 4px;
    /* Five rows and the edge of a sixth, which says that there are more. */
    max-block-size: min(calc(5.4 * (var(--_row) + 4px)), 40vh);
    margin: 0 0 4px;
    padding: 0;
    overflow-y: auto;
    list-style-type: '';
  }
  .queue-row {
    min-block-size: var(--_row);
    padding-block: 0;
  }
  .queue-kind {
    flex: none;
    color: var(--_accent);
    font-size: 0.875em;
  }
  .queue-text {
    flex: 1;
    min-inline-size: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .queue-row .quiet {
    flex: none;
    font-size: 0.875em;
  }
  .box {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    border: 1px solid var(--_control);
    border-radius: var(--_radius);
    background: var(--_raised);
  }
  .box:focus-within {
    border-color: var(--_accent);
  }
  /* One ring, around the box that looks like the field. */
  .box:has(textarea:focus-visible) {
    outline: var(--_focus);
    outline-offset: -1px;
  }
  textarea:focus-visible {
    outline: none;
  }
  .attached {
    max-block-size: 72px;
    padding: 8px 8px 0;
    overflow-y: auto;
  }
  textarea {
    display: block;
    inline-size: 100%;
    min-block-size: 2.75em;
    max-block-size: min(12lh, 40vh);
    padding: 10px 14px 4px;
    border: 0;
    background: none;
    line-height: 1.5;
    resize: none;
    field-sizing: content;
    overflow-wrap: anywhere;
    unicode-bidi: plaintext;
  }
  textarea::placeholder {
    color: var(--_quiet);
    opacity: 1;
  }
  .command-hint {
    padding: 0 14px 4px;
    color: var(--_quiet);
    font-size: 0.875em;
  }
  .toolbar {
    display: flex;
    align-items: center;
    gap: 4px;
    padding: 0 6px 6px;
  }
  .toolbar .space {
    flex: 1;
  }
  .choice {
    field-sizing: content;
    min-inline-size: 0;
    max-inline-size: 24ch;
    block-size: 32px;
    padding: 0 6px;
    border: 1px solid transparent;
    border-radius: 8px;
    background: none;
    color: var(--_quiet);
    font-size: 0.875em;
    text-overflow: ellipsis;
    cursor: pointer;
  }
  .choice.gone {
    max-inline-size: 40ch;
    color: var(--_warning);
  }
  .choice:hover {
    background: color-mix(in srgb, var(--_text) 9%, transparent);
    color: var(--_text);
  }
  .choice option {
    background: var(--_surface);
    color: var(--_text);
  }
  .steer {
    border-radius: 999px;
    font-size: 0.9375em;
  }
  .send,
  .stop {
    min-inline-size: 32px;
    padding: 0 8px;
    border-radius: 999px;
  }
  .stop .icon {
    inline-size: 12px;
    block-size: 12px;
    fill: currentColor;
  }
  @container ahp-composer (inline-size < 420px) {
    .composer {
      padding: 4px 12px 8px;
    }
    .choice {
      max-inline-size: 14ch;
    }
    .steer > span {
      display: none;
    }
    .steer {
      min-inline-size: 32px;
      padding: 0 8px;
    }
  }
  @media (pointer: coarse) {
    .steer,
    .send,
    .stop {
      min-inline-size: 44px;
    }
    .choice,
    .row .button {
      min-block-size: 44px;
    }
    .choice {
      font-size: max(16px, 0.875em);
    }
    .queue {
      --_row: 44px;
      max-block-size: min(calc(4.4 * (var(--_row) + 4px)), 40vh);
    }
  }
  @media print {
    :host {
      display: none;
    }
  }
`;

export const composerStyles = [hostStyles, attachmentListStyles, own];
