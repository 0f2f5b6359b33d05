/** Starts the worker from its text, which the build puts here: no second file has to be found, on whatever origin. */

import InlineWorker from './bytes.worker.ts?worker&inline';

export const createWorker = (): Worker => new InlineWorker();
