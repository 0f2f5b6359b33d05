/** A handler that raises an event from the pressed button. */
export const dispatch = (create: () => Event) => (event: Event) => event.currentTarget?.dispatchEvent(create());
