/** Lets the page do what it has to. A task of its own, because frames and idle time may be far away. */
export const pause = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve));
