/** What only tool calls have. */

import { css } from 'lit';

export const toolCallStyles = css`
  .tool-call,
  .run {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
  }
  .tool-call > .line,
  .run > .line {
    justify-self: start;
  }
  .tool-call > .card {
    margin-block: 4px 8px;
  }
  .in-run {
    margin-inline-start: 7px;
    padding-inline-start: 15px;
    border-inline-start: 2px solid var(--_border);
  }
  .counts {
    display: inline-flex;
    flex: none;
    gap: 6px;
    font-family: var(--_font-code);
    font-size: 0.875em;
  }
  .added {
    color: var(--_success);
  }
  .removed {
    color: var(--_danger);
  }
  .file-edit,
  .terminal-head {
    display: flex;
    align-items: center;
    gap: 8px;
    min-inline-size: 0;
    font-size: 0.9375em;
  }
  .file-edit .link-button {
    min-inline-size: 0;
    overflow-wrap: anywhere;
    text-align: start;
  }
  .terminal {
    display: grid;
    gap: 6px;
  }
  ahp-file-edit {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 4px;
  }
  .answers:has(> .options) {
    column-gap: 20px;
    /* A line between two groups is none where the second one begins a row. */
    clip-path: inset(-6px);
  }
  .options {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px;
    min-inline-size: 0;
  }
  .options + .options {
    position: relative;
  }
  .options + .options::before {
    position: absolute;
    inset-block: 2px;
    inset-inline-start: -10px;
    border-inline-start: 1px solid var(--_control);
    content: '';
  }
  .options-name,
  .line-who {
    font-size: 0.875em;
  }
  .line-who:empty {
    display: none;
  }
  .line-who,
  .line-growing {
    min-inline-size: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .line-who {
    flex: 0 1000 auto;
  }
  .line-growing {
    flex: 0 1000 auto;
  }
  .risk {
    display: grid;
    gap: 2px;
  }
  p.risk,
  .risk-word {
    display: inline-flex;
    align-items: center;
    gap: 6px;
  }
  .risk-word {
    font-weight: 600;
  }
`;
