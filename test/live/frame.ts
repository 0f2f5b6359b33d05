/** What a document of a run loads: the element as it is, and a way to the host, which is in the page around it. */

import { createPortTransport } from '../../src/client/port-transport.js';
import type { AhpTransport } from '../../src/protocol/link.js';
import '../../src/index.js';

/** What the page around offers its documents. */
export interface Around {
  /** Called before anything else runs in a document. */
  enter(window: Window): void;
  /** Called when the element is defined. */
  begin(window: Window, transport: AhpTransport): void;
  /** One end of a new channel to the host. */
  open(window: Window, signal: AbortSignal): Promise<MessagePort>;
}

const { live } = parent as unknown as { readonly live: Around };

const ports = createPortTransport({
  open: async (signal) => {
    const port = await live.open(window, signal);
    // From now on it is this document's, and ends with it.
    return structuredClone(port, { transfer: [port] });
  },
});

live.begin(window, { ...ports, isLocal: false });
