import { css } from 'lit';
import { hostStyles } from '../views/host.styles.js';

/** One column: the transcript takes what is left, everything else its own height. */
const layout = css`
  :host {
    display: flex;
    flex-direction: column;
    position: relative;
    min-block-size: 0;
    block-size: 100%;
    container: ahp-chat / inline-size;
  }
  ahp-transcript {
    flex: 1 1 0;
    min-block-size: 0;
  }
  ahp-status,
  ahp-composer {
    flex: none;
  }
  @media print {
    :host {
      display: block;
      block-size: auto;
    }
    ahp-composer,
    ahp-status {
      display: none;
    }
  }
`;

export const chatStyles = [...hostStyles, layout];
