/** One for the page: what asks for time and ids. */

import { createBrowserEnvironment } from '../client/browser-environment.js';

export const environment = createBrowserEnvironment();
