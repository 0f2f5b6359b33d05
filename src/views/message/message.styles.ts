/** What started a turn. */

import { css } from 'lit';

export const messageStyles = css`
  .message {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 6px;
    justify-items: start;
  }
  .message.user {
    justify-items: end;
    margin-inline-start: 15%;
  }
  .message.user .chips {
    justify-content: flex-end;
  }
  .bubble {
    max-inline-size: 100%;
    padding: 8px 14px;
    border: 1px solid transparent;
    border-radius: var(--_radius);
    background: var(--_user);
  }
  .bubble-text {
    white-space: pre-wrap;
    overflow-wrap: anywhere;
    unicode-bidi: plaintext;
  }
  .message.note {
    padding: 8px 14px;
    border: 1px solid var(--_border);
    border-radius: var(--_radius);
    background: var(--_raised);
  }
  .message.note .bubble {
    padding: 0;
    border: 0;
    background: none;
  }
  .message-origin {
    color: var(--_quiet);
    font-size: 0.875em;
  }
  .notification {
    margin-inline: auto;
    max-inline-size: 85%;
    color: var(--_quiet);
    font-size: 0.9375em;
    text-align: center;
  }
`;
