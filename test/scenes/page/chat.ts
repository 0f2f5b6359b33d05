/** A page with one chat, which the address names. */

import '../../../src/index.js';
import './hands.js';

const wanted = new URLSearchParams(location.search);
const chat = document.createElement('ahp-chat');
for (const name of ['chat', 'storage', 'storage-key']) {
  const value = wanted.get(name);
  if (value !== null) chat.setAttribute(name, value);
}
// What is behind the hash is no part of a request, and stays over reloads.
chat.token = () => decodeURIComponent(location.hash.slice(1));
chat.src = '/ahp';
document.body.append(chat);
