/** The settings of a model; joins the composer's sheet when a model has any. */

import { css } from 'lit';

export const modelSettingsStyles = css`
  .settings-button {
    margin-inline-start: -4px;
  }
  .settings {
    inset: 0;
    inline-size: min(36ch, 100vw - 16px);
    block-size: max-content;
    margin: 0;
    padding: 12px;
    overflow-y: auto;
    border: 1px solid var(--_border);
    border-radius: var(--_radius);
    background: var(--_raised);
    box-shadow: 0 4px 16px rgb(0 0 0 / 25%);
    color: var(--_text);
    font-size: 0.9375em;
  }
  .settings:popover-open {
    display: grid;
    gap: 12px;
  }
  .settings p {
    margin: 0;
  }
  .settings > .button {
    justify-self: end;
  }
  .setting {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 4px 12px;
  }
  .setting-name {
    display: grid;
    flex: 1 1 16ch;
    min-inline-size: 0;
    overflow-wrap: anywhere;
  }
  .setting-name > .quiet {
    font-size: 0.875em;
  }
  .setting select,
  .setting input:not([type='checkbox']) {
    min-block-size: 32px;
    max-inline-size: 100%;
    padding: 2px 8px;
    border: 1px solid var(--_control);
    border-radius: 8px;
    background: var(--_surface);
  }
  .setting input[type='text'] {
    inline-size: 100%;
  }
  .setting input[type='number'] {
    inline-size: 12ch;
  }
  .setting input[type='checkbox'] {
    inline-size: 18px;
    block-size: 18px;
    accent-color: var(--_accent);
  }
  @media (pointer: coarse) {
    .setting {
      min-block-size: 44px;
    }
    .setting select,
    .setting input:not([type='checkbox']) {
      min-block-size: 44px;
    }
  }
`;
