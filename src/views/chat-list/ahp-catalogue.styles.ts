/** The list of sessions and chats: dense lines, what can be done with one on hover, focus or touch. */

import { css } from 'lit';
import { hostStyles } from '../host.styles.js';

const own = css`
  :host {
    container: ahp-catalogue / inline-size;
    display: grid;
    align-content: start;
    gap: 4px;
    padding: 8px;
    overflow: hidden auto;
  }
  ul {
    display: grid;
    gap: 1px;
    margin: 0;
    padding: 0;
    list-style: none;
  }
  li {
    display: flex;
    align-items: center;
    gap: 4px;
    min-inline-size: 0;
    border-radius: 8px;
  }
  li:hover,
  li:focus-within {
    background: color-mix(in srgb, var(--_text) 6%, transparent);
  }
  .nested {
    margin-inline-start: 20px;
  }
  .open {
    display: flex;
    flex: 1;
    align-items: center;
    gap: 8px;
    min-inline-size: 0;
    min-block-size: 36px;
    padding: 4px 8px;
    border: 0;
    border-radius: 8px;
    background: none;
    text-align: start;
    cursor: pointer;
  }
  .open[aria-current] {
    background: color-mix(in srgb, var(--_accent) 14%, transparent);
  }
  .title {
    flex: 1 0 6em;
    min-inline-size: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .unread .title {
    font-weight: 600;
  }
  .mark,
  .lock,
  time {
    flex: none;
    color: var(--_quiet);
    font-size: 0.8125em;
  }
  .mark.input,
  .word.input {
    color: var(--_warning);
  }
  .word.input {
    min-inline-size: 0;
    overflow: hidden;
    font-size: 0.8125em;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .mark.error {
    color: var(--_danger);
  }
  .mark .icon-running {
    animation: ahp-turn 1.2s linear infinite;
  }
  @keyframes ahp-turn {
    to {
      rotate: 360deg;
    }
  }
  .dot {
    flex: none;
    inline-size: 8px;
    block-size: 8px;
    border-radius: 999px;
    background: var(--_accent);
    forced-color-adjust: none;
  }
  .actions {
    display: none;
    flex: none;
    padding-inline-end: 4px;
  }
  li:hover > .actions,
  li:focus-within > .actions {
    display: flex;
  }
  .note {
    display: flex;
    align-items: center;
    gap: 8px;
    margin: 0;
    padding: 4px 8px;
    color: var(--_quiet);
    font-size: 0.875em;
    overflow-wrap: anywhere;
  }
  .note[role='status']:not(:has(*)) {
    padding: 0;
  }
  .fold {
    justify-content: space-between;
    justify-self: start;
  }
  .fold .icon-chevron:dir(rtl) {
    scale: -1 1;
  }
  .fold[aria-expanded='true'] .icon-chevron {
    rotate: 90deg;
  }
  .fold[aria-expanded='true'] .icon-chevron:dir(rtl) {
    rotate: -90deg;
  }
  input {
    flex: 1;
    min-inline-size: 0;
    min-block-size: 32px;
    padding: 4px 8px;
    border: 1px solid var(--_control);
    border-radius: 8px;
    background: var(--_surface);
  }
  .question {
    display: flex;
    flex: 1;
    flex-wrap: wrap;
    align-items: center;
    gap: 4px 8px;
    min-inline-size: 0;
    padding: 6px 8px;
  }
  .question bdi {
    flex: 1 1 10em;
    min-inline-size: 0;
    overflow-wrap: anywhere;
  }
  .button.danger {
    border-color: var(--_danger);
    color: var(--_danger);
  }
  .skeleton {
    display: grid;
    gap: 12px;
    padding: 12px 8px;
  }
  .skeleton i {
    block-size: 14px;
    border-radius: 7px;
    background: var(--_sunken);
  }
  .skeleton i:nth-child(2) {
    inline-size: 70%;
  }
  @media (pointer: coarse), (hover: none) {
    .open {
      min-block-size: 44px;
    }
    .actions {
      display: flex;
    }
    @container ahp-catalogue (inline-size < 360px) {
      time {
        display: none;
      }
    }
  }
  @media (forced-colors: active) {
    .open[aria-current] {
      border-inline-start: 4px solid Highlight;
    }
    .dot {
      background: Highlight;
    }
    .skeleton i {
      border: 1px solid GrayText;
    }
  }
`;

export const catalogueStyles = [hostStyles, own];
