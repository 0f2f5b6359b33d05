/** A page with a mirror of its own. It writes once more when it is told to leave, and then it is gone. */

import { openMirror } from '../../../src/mirror/open-mirror.js';
import { CHAT, draft, entry, record, turns } from '../samples.js';

const hostKey = new URL(location.href).searchParams.get('host') ?? '';
const mirror = openMirror(hostKey, {
  schedule: (delayMs, run) => {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
});
addEventListener('pagehide', () => mirror.suspend());

await mirror.saveChat(CHAT, record({ turns: turns(1, 3) }));
await mirror.putDraft(CHAT, 'me', draft('half a message', 1));

addEventListener('message', ({ data }) => {
  // Nothing is waited for: the answers would come to a page that is gone.
  if (data === 'type') void mirror.putDraft(CHAT, 'me', draft('a whole message', 2));
  if (data === 'send') void mirror.putOutbox([entry(1)], { nextClientSeq: 2, clearDraft: true });
  if (data === 'read') void mirror.adopt('nobody', 'me', 1);
  location.replace('about:blank');
});
parent.postMessage('ready', location.origin);
