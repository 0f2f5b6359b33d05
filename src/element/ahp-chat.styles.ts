import { css } from 'lit';
import { hostStyles } from '../views/host.styles.js';

/**
 * One column: the transcript takes what is left, everything else its own height. Where too little is left, in a low window
 * or far zoomed in, the whole scrolls.
 */
const layout = css`
  :host {
    display: flex;
    flex-direction: column;
    position: relative;
    min-block-size: 0;
    block-size: 100%;
    overflow: hidden auto;
    container: ahp-chat / inline-size;
  }
  ahp-transcript {
    flex: 1 0 0;
    min-block-size: 120px;
  }
  ahp-status,
  ahp-composer {
    flex: none;
  }
  @media print {
    :host {
      display: block;
      block-size: auto;
      overflow: visible;
    }
    ahp-composer,
    ahp-status {
      display: none;
    }
  }
`;

export const chatStyles = [...hostStyles, layout];
