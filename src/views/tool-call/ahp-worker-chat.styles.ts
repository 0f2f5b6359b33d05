/** A worker's card, and its chat in a view of its own that is never taller than what is around it. */

import { css } from 'lit';

export const workerChatStyles = css`
  ahp-worker-chat {
    display: block;
    min-inline-size: 0;
  }
  .worker {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 8px;
    padding: 8px 12px;
    border: 1px solid var(--_border);
    border-radius: 8px;
    background: var(--_surface);
  }
  .worker-head {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 4px 12px;
  }
  .worker-title,
  .worker-words {
    display: flex;
    align-items: center;
    gap: 0 8px;
  }
  .worker-words {
    flex-wrap: wrap;
  }
  .worker-title {
    flex: 1 1 0;
    min-inline-size: min(100%, 180px);
    overflow-wrap: anywhere;
  }
  .line.worker-title {
    margin-inline-start: -8px;
    color: var(--_text);
  }
  .worker-status {
    display: inline-flex;
    align-items: center;
    gap: 4px;
  }
  .worker-status.quiet {
    color: var(--_quiet);
  }
  .worker ahp-transcript {
    block-size: clamp(120px, var(--_content, 180px), max(180px, min(50cqb, 400px)));
    border: 1px solid var(--_border);
    border-radius: 8px;
  }
`;
