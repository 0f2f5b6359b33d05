/** How a text looks of which some is left out. */

import { css } from 'lit';

export const longTextStyles = css`
  ahp-long-text {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 6px;
    min-inline-size: 0;
  }
  .text-piece {
    content-visibility: auto;
    contain-intrinsic-block-size: auto 24000px;
  }
  .text-rest {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 4px 12px;
  }
  @media print {
    .text-piece {
      content-visibility: visible;
    }
  }
`;
