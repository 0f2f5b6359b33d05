/**
 * How this page answers `ahp-auth-request`: it asks the person, and hands on a made-up token. A real page would run OAuth
 * here, with the requirement's resource, scopes and client; the element never does.
 */

import type { AhpChat } from '../src/element/ahp-chat.js';
import type { McpAuthRequirement } from '../src/protocol/state.js';

export function answerSignIns(chat: AhpChat): void {
  chat.addEventListener('ahp-auth-request', ({ requirement }) => {
    // It comes by itself when a call begins to wait, and each time a person presses the call's own button.
    if (document.querySelector('dialog')) return;
    void askPerson(requirement).then((isAgreed) => (isAgreed ? signIn(chat, requirement) : undefined));
  });
}

async function signIn(chat: AhpChat, { resource, requiredScopes = [] }: McpAuthRequirement): Promise<void> {
  const token = `demo-${crypto.getRandomValues(new Uint32Array(2)).join('-')}`;
  await chat.authenticate(resource.resource, token, { scopes: requiredScopes, expiresIn: 3600 });
}

/** Resolves when the dialog is closed. */
function askPerson({ resource, requiredScopes = [] }: McpAuthRequirement): Promise<boolean> {
  const dialog = document.createElement('dialog');
  const title = document.createElement('h2');
  title.id = 'sign-in-title';
  title.textContent = `Sign in to ${resource.resource_name ?? resource.resource}`;
  dialog.setAttribute('aria-labelledby', title.id);
  const words = document.createElement('p');
  words.textContent = `A pretence: nothing is sent anywhere but to the demo host. It asks for: ${requiredScopes.join(', ')}.`;
  const form = document.createElement('form');
  form.method = 'dialog';
  form.append(toButton('Not now', ''), toButton('Sign in to the demo', 'yes'));
  dialog.append(title, words, form);
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue === 'yes');
    });
  });
}

function toButton(text: string, value: string): HTMLButtonElement {
  const button = document.createElement('button');
  button.textContent = text;
  button.value = value;
  return button;
}
