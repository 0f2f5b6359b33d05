/** Loads the module that the address of the page names; a policy without inline scripts allows no other way. */

import { tell } from './framed-page.js';

const module = new URLSearchParams(location.search).get('module') ?? '';
import(/* @vite-ignore */ module).catch((error: unknown) => tell({ failed: String(error) }));
