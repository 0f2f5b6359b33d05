/**
 * Chips and the pieces of a collection; part of the composer's and the transcript's sheet. An empty marker instead of none
 * leaves a list a list for VoiceOver.
 */

import { css } from 'lit';

export const attachmentListStyles = css`
  ahp-attachment-list {
    display: block;
  }
  .chips {
    display: flex;
    flex-wrap: wrap;
    gap: 4px;
    margin: 0;
    padding: 0;
    list-style-type: '';
  }
  .chips > li {
    max-inline-size: 100%;
  }
  .chip {
    display: inline-flex;
    align-items: center;
    max-inline-size: 100%;
    min-block-size: 28px;
    border: 1px solid var(--_border);
    border-radius: 999px;
    background: var(--_raised);
    color: var(--_text);
    font-size: 0.875em;
    line-height: 1.3;
  }
  .chip-main {
    display: inline-flex;
    align-items: center;
    gap: 6px;
    min-inline-size: 0;
    min-block-size: 26px;
    padding: 0 10px;
    border: 0;
    border-radius: 999px;
    background: none;
    text-align: start;
  }
  button.chip-main {
    cursor: pointer;
  }
  button.chip-main:hover {
    background: color-mix(in srgb, var(--_text) 9%, transparent);
  }
  .chip-main > .icon {
    color: var(--_quiet);
  }
  .chip-main img {
    inline-size: 24px;
    block-size: 24px;
    margin-inline-start: -6px;
    border-radius: 6px;
    object-fit: cover;
  }
  .chip bdi {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .chip .icon-button {
    inline-size: 24px;
    block-size: 24px;
    margin-inline: -4px 2px;
    border-radius: 999px;
  }
  .pieces {
    margin: 4px 0 0;
    padding-inline-start: 12px;
    border-inline-start: 2px solid var(--_border);
  }
  @media (pointer: coarse) {
    .chip-main {
      min-block-size: 44px;
    }
    .chip .icon-button {
      inline-size: 44px;
      block-size: 44px;
    }
  }
`;
