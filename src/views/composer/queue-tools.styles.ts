/** Rows that are being moved or edited; joins the composer's sheet with the tools. */

import { css } from 'lit';

export const queueToolsStyles = css`
  .queue-row:has(.handle) {
    padding-inline-start: 4px;
  }
  .queue-row .icon-button + .icon-button {
    margin-inline-start: -4px;
  }
  .queue-row.moving {
    border-color: var(--_accent);
    background: var(--_surface);
  }
  .handle {
    cursor: grab;
    touch-action: none;
  }
  .moving .handle {
    cursor: grabbing;
  }
  .queue-editor {
    display: grid;
    flex: 1;
    gap: 4px;
    min-inline-size: 0;
    padding-block: 6px;
  }
  .queue-editor textarea {
    min-block-size: 2.25em;
    padding: 6px 8px;
    border: 1px solid var(--_control);
    border-radius: 8px;
    background: var(--_surface);
  }
  .queue-editor textarea:focus-visible {
    outline: var(--_focus);
    outline-offset: -1px;
  }
  .queue-editor-tools {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: flex-end;
    gap: 4px 8px;
  }
  .queue-editor-tools .quiet.queue-text {
    white-space: normal;
  }
  @media (pointer: coarse) {
    .queue-editor textarea {
      min-block-size: 44px;
    }
  }
`;
