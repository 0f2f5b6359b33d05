/**
 * The one sheet of the transcript; everything in it has no shadow root of its own. Turns keep their distance by a margin
 * below and not by a rule of neighbours: beside a `* + *` of any part, Chromium would look at every element of the
 * transcript again for each turn that comes in at the top.
 */

import { css } from 'lit';
import { attachmentListStyles } from '../attachments/attachment-list.styles.js';
import { hostStyles } from '../host.styles.js';
import { messageStyles } from '../message/message.styles.js';
import { markdownStyles } from '../parts/ahp-markdown.styles.js';
import { partsStyles } from '../parts/parts.styles.js';
import { toolCallStyles } from '../tool-call/tool-call.styles.js';

const own = css`
  :host {
    position: relative;
    min-block-size: 0;
    overflow: hidden;
  }
  .scroller {
    position: absolute;
    inset: 0;
    container: ahp-transcript / size;
    overflow: hidden auto;
    overflow-anchor: none;
    overscroll-behavior: contain;
    scrollbar-gutter: stable both-edges;
    scrollbar-color: var(--_control) transparent;
  }
  .turns,
  .older,
  .empty,
  .skeleton,
  .print-note,
  slot[name='header'] {
    display: block;
    max-inline-size: calc(var(--_measure) + 32px);
    margin: 0 auto;
    padding-inline: 16px;
  }
  .turns {
    display: flow-root;
    padding-block-start: 16px;
  }
  .older {
    padding-block-start: 12px;
    text-align: center;
  }
  .print-note {
    display: none;
  }
  ahp-turn {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 12px;
    margin-block-end: 24px;
    border-radius: 8px;
    overflow-wrap: anywhere;
  }
  ahp-turn:focus-visible {
    outline-offset: 6px;
  }
  .follow-turn-start ahp-turn:last-child {
    min-block-size: calc(100cqb - 48px);
    align-content: start;
  }
  .answer {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 8px;
  }
  .answer > :is(ahp-tool-call, ahp-reasoning, .run) + :is(ahp-tool-call, ahp-reasoning, .run) {
    margin-block-start: -6px;
  }
  .answer:empty {
    display: none;
  }
  .progress,
  .mark {
    display: flex;
    align-items: center;
    gap: 8px;
    margin: 0;
    font-size: 0.9375em;
  }
  .footer {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 4px 12px;
    min-block-size: 28px;
    margin-block: -8px -16px;
    color: var(--_quiet);
    font-size: 0.8125em;
    opacity: 0;
    transition: opacity 150ms ease-out;
  }
  .actions {
    display: flex;
    flex-wrap: wrap;
    gap: 2px;
    margin-inline-start: -6px;
  }
  .editor {
    display: grid;
    gap: 8px;
    padding: 12px;
    border: 1px solid var(--_control);
    border-radius: var(--_radius);
    background: var(--_user);
  }
  .editor textarea {
    inline-size: 100%;
    min-block-size: 2.6em;
    max-block-size: 40cqb;
    padding: 6px 8px;
    border: 1px solid var(--_control);
    border-radius: 8px;
    background: var(--_surface);
    resize: none;
    field-sizing: content;
    unicode-bidi: plaintext;
  }
  .editor .quiet {
    font-size: 0.875em;
  }
  ahp-turn:hover > .footer,
  ahp-turn:focus-within > .footer,
  ahp-turn:last-child > .footer {
    opacity: 1;
  }
  .empty {
    padding-block: 10cqb 24px;
  }
  .skeleton {
    display: grid;
    gap: 12px;
    padding-block: 24px;
    opacity: 0;
    animation: ahp-appear 200ms ease-out 300ms forwards;
  }
  .skeleton i {
    block-size: 14px;
    border-radius: 7px;
    background: var(--_sunken);
  }
  .skeleton i:nth-child(2) {
    inline-size: 80%;
  }
  .skeleton i:last-child {
    inline-size: 55%;
  }
  @keyframes ahp-appear {
    to {
      opacity: 1;
    }
  }
  .floating {
    position: absolute;
    inset: auto 0 12px;
    display: grid;
    gap: 8px;
    justify-items: center;
    pointer-events: none;
  }
  .jump,
  .selection-bar,
  .request-bar {
    border: 1px solid var(--_control);
    background: var(--_surface);
    box-shadow: 0 2px 8px rgb(0 0 0 / 18%);
    pointer-events: auto;
  }
  .jump {
    position: relative;
    display: grid;
    place-items: center;
    inline-size: 36px;
    block-size: 36px;
    padding: 0;
    border-radius: 999px;
    cursor: pointer;
  }
  .jump.new::after {
    content: '';
    position: absolute;
    inset: -3px -3px auto auto;
    inline-size: 12px;
    block-size: 12px;
    border: 2px solid var(--_surface);
    border-radius: 999px;
    background: var(--_accent);
    forced-color-adjust: none;
  }
  .request-bar {
    display: flex;
    align-items: center;
    gap: 12px;
    max-inline-size: calc(100% - 32px);
    padding: 6px 6px 6px 14px;
    padding-inline: 14px 6px;
    border-radius: var(--_radius);
  }
  .selection-bar {
    border-radius: var(--_radius);
  }
  .selection-bar .button {
    border-color: transparent;
  }
  @container ahp-transcript (inline-size < 420px) {
    .turns,
    .older,
    .empty,
    .skeleton,
    slot[name='header'] {
      padding-inline: 12px;
    }
    .message.user {
      margin-inline-start: 8%;
    }
  }
  @media (pointer: coarse), (hover: none) {
    .footer {
      opacity: 1;
    }
    .jump {
      inline-size: 44px;
      block-size: 44px;
    }
  }
  @media (forced-colors: active) {
    .bubble,
    .code-box {
      border: 1px solid CanvasText;
    }
    .jump.new::after {
      background: Highlight;
    }
    .skeleton i {
      border: 1px solid GrayText;
    }
  }
  @media print {
    :host,
    .scroller {
      position: static;
      overflow: visible;
    }
    .scroller {
      container-type: normal;
    }
    .floating,
    .older,
    .actions,
    .buttons {
      display: none;
    }
    .footer {
      opacity: 1;
    }
    .print-note {
      display: block;
    }
    .code-box {
      max-block-size: none;
    }
  }
`;

export const transcriptStyles = [
  hostStyles,
  attachmentListStyles,
  messageStyles,
  markdownStyles,
  partsStyles,
  toolCallStyles,
  own,
];
