/** Icons of those parts of the composer that are loaded when they are needed. */

export { default as chevronDown } from 'lucide/dist/esm/icons/chevron-down.mjs';
export { default as chevronUp } from 'lucide/dist/esm/icons/chevron-up.mjs';
export { default as grip } from 'lucide/dist/esm/icons/grip-vertical.mjs';
export { default as pencil } from 'lucide/dist/esm/icons/pencil.mjs';
export { default as sliders } from 'lucide/dist/esm/icons/sliders-horizontal.mjs';
