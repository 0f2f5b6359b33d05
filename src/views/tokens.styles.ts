/**
 * The design's tokens. A page sets the public `--ahp-*` properties anywhere above a surface; the sheets read the private
 * `--_*` ones declared here, which fall back to the defaults. Declaring the public ones on `:host` instead would make an
 * inner surface (the transcript in the chat) hide what the page has set on the outer one.
 *
 * `color-scheme` is inherited and never set here, so `light-dark()` follows the page and not the system.
 */

import { css } from 'lit';

export const tokens = css`
  :host {
    --_surface: var(--ahp-color-surface, light-dark(#ffffff, #1a1c20));
    --_raised: var(--ahp-color-raised, light-dark(#f5f6f8, #23262b));
    --_sunken: var(--ahp-color-sunken, light-dark(#eceef2, #141619));
    --_user: var(--ahp-color-user, light-dark(#eaf0fd, #263350));
    --_text: var(--ahp-color-text, light-dark(#1d2025, #e6e8ec));
    --_quiet: var(--ahp-color-quiet, light-dark(#596170, #a3abb8));
    --_border: var(--ahp-color-border, light-dark(#d5d9e0, #363b44));
    --_control: var(--ahp-color-control, light-dark(#7f8797, #747d8c));
    --_accent: var(--ahp-color-accent, light-dark(#2b5bd7, #8cb0ff));
    --_on-accent: var(--ahp-color-on-accent, light-dark(#ffffff, #10203f));
    --_danger: var(--ahp-color-danger, light-dark(#b42318, #ff9d92));
    --_warning: var(--ahp-color-warning, light-dark(#8a5300, #f0bd62));
    --_success: var(--ahp-color-success, light-dark(#15743f, #79d49e));
    --_font-body: var(--ahp-font-body, inherit);
    --_font-code: var(--ahp-font-code, ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace);
    --_font-size: var(--ahp-font-size, inherit);
    --_space: var(--ahp-space, 4px);
    --_radius: var(--ahp-radius, 12px);
    --_measure: var(--ahp-measure, 72ch);
    --_focus: var(--ahp-focus-ring, 2px solid var(--_accent));
  }
`;
