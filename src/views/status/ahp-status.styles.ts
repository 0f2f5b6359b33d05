/** A slim strip, and rows for what waits for the person. */

import { css } from 'lit';
import { hostStyles } from '../host.styles.js';

const own = css`
  :host {
    container: ahp-status / inline-size;
    font-size: 0.9375em;
  }
  .row {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr) auto;
    align-items: center;
    gap: 4px 8px;
    padding: 4px 16px;
    border-block-end: 1px solid var(--_border);
    background: var(--_raised);
  }
  .row > .icon {
    color: var(--_warning);
  }
  .row.failed > .icon {
    color: var(--_danger);
  }
  .text {
    display: -webkit-box;
    overflow: hidden;
    overflow-wrap: anywhere;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 3;
  }
  .actions {
    display: flex;
    flex-wrap: wrap;
    justify-content: flex-end;
    gap: 4px;
  }
  .row .button {
    min-block-size: 28px;
    padding: 2px 10px;
  }
  .unconfirmed {
    max-block-size: 132px;
    margin: 0;
    padding: 0;
    overflow-y: auto;
    list-style-type: '';
  }
  @container ahp-status (inline-size < 420px) {
    .row {
      padding-inline: 12px;
    }
    .actions {
      grid-column: 2 / -1;
      justify-content: flex-start;
    }
  }
  @media (pointer: coarse) {
    .row .button {
      min-block-size: 44px;
    }
  }
  @media print {
    :host {
      display: none;
    }
  }
`;

export const statusStyles = [hostStyles, own];
