/** What every surface shares: its box, buttons, focus ring, icons, and text that only a screen reader meets. */

import { css } from 'lit';
import { tokens } from './tokens.styles.js';

const shared = css`
  :host {
    display: block;
    box-sizing: border-box;
    color: var(--_text);
    background: var(--_surface);
    font-family: var(--_font-body);
    font-size: var(--_font-size);
    line-height: 1.55;
  }
  :host([hidden]),
  [hidden] {
    display: none !important;
  }
  *,
  ::before,
  ::after {
    box-sizing: border-box;
  }
  :focus-visible {
    outline: var(--_focus);
    outline-offset: 2px;
  }
  button,
  textarea,
  input,
  select {
    margin: 0;
    color: inherit;
    font: inherit;
    letter-spacing: inherit;
  }
  a {
    color: var(--_accent);
  }
  .icon {
    display: inline-block;
    flex: none;
    inline-size: 1rem;
    block-size: 1rem;
    vertical-align: -0.15em;
  }
  .button,
  .icon-button,
  .link-button {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: calc(var(--_space) * 1.5);
    border: 1px solid transparent;
    border-radius: 8px;
    background: none;
    line-height: 1.3;
    cursor: pointer;
  }
  .button {
    min-block-size: 32px;
    padding: 4px 12px;
    border-color: var(--_control);
    background: var(--_surface);
    overflow-wrap: anywhere;
  }
  .button:hover {
    background: var(--_sunken);
  }
  .button.filled {
    border-color: transparent;
    background: var(--_accent);
    color: var(--_on-accent);
  }
  .button.filled:hover {
    background: color-mix(in srgb, var(--_accent) 88%, var(--_text));
  }
  .button.quiet {
    border-color: transparent;
    background: none;
    color: var(--_quiet);
  }
  .button.quiet:hover,
  .icon-button:hover {
    background: color-mix(in srgb, var(--_text) 9%, transparent);
    color: var(--_text);
  }
  .icon-button {
    inline-size: 28px;
    block-size: 28px;
    flex: none;
    padding: 0;
    color: var(--_quiet);
  }
  .link-button {
    padding: 0;
    color: var(--_accent);
    text-decoration: underline;
    text-underline-offset: 2px;
  }
  .button[aria-disabled='true'],
  .icon-button[aria-disabled='true'] {
    border-color: var(--_border);
    background: none;
    color: var(--_quiet);
    cursor: default;
  }
  .quiet {
    color: var(--_quiet);
  }
  .hidden-text {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  @media (pointer: coarse) {
    .button,
    .link-button {
      min-block-size: 44px;
      min-inline-size: 44px;
    }
    .icon-button {
      inline-size: 44px;
      block-size: 44px;
    }
    textarea,
    input,
    select {
      font-size: max(16px, 1em);
    }
  }
  @media (forced-colors: active) {
    .button.filled {
      border-color: ButtonText;
    }
    .link-button {
      border-color: Canvas;
      color: LinkText;
    }
    .button[aria-disabled='true'],
    .icon-button[aria-disabled='true'] {
      color: GrayText;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    *,
    ::before,
    ::after {
      animation: none !important;
      transition: none !important;
    }
  }
`;

export const hostStyles = [tokens, shared];
