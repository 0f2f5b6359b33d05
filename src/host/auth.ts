/** Which resources the host has asked tokens for, and what a token sets free again. Source: AHP, authentication. */

import { listProtectedResources } from '../channels/protected-resources.js';
import { isRecord } from '../protocol/record.js';
import type { ChatChannel } from './channels.js';
import type { HostCore } from './host-core.js';

export class Auth {
  readonly #host: HostCore;
  /** Named in a refusal or a notification; neither leaves a trace in any state. */
  readonly #named = new Set<string>();

  constructor(host: HostCore) {
    this.#host = host;
  }

  /** Remembers resources a client was told to get tokens for: identifiers, or metadata that holds one. */
  advertise(resources: readonly unknown[]): void {
    for (const each of resources) {
      const resource = isRecord(each) ? each.resource : each;
      if (typeof resource === 'string') this.#named.add(resource);
    }
  }

  /** Whether an agent, a customization or a waiting tool call names `resource`. */
  isAdvertised(resource: string): boolean {
    if (this.#named.has(resource)) return true;
    const customizations = this.#host.sessions().flatMap((session) => session.state.customizations ?? []);
    const isNamed = listProtectedResources(this.#host.root.agents, customizations).has(resource);
    return isNamed || this.#waiting(resource).length > 0;
  }

  /** Lets every call that waits for a token of `resource` go on. A token that was taken may be renewed at any time. */
  resolve(resource: string): void {
    this.#named.add(resource);
    for (const { chat, turnId, toolCallId } of this.#waiting(resource)) {
      this.#host.commit(chat, { type: 'chat/toolCallAuthResolved', turnId, toolCallId });
    }
  }

  #waiting(resource: string): readonly { chat: ChatChannel; turnId: string; toolCallId: string }[] {
    return this.#host.chats().flatMap((chat) => {
      const turn = chat.state.activeTurn;
      if (!turn) return [];
      return turn.responseParts.flatMap((part) => {
        if (part.kind !== 'toolCall' || part.toolCall.status !== 'auth-required') return [];
        if (part.toolCall.auth.resource.resource !== resource) return [];
        return [{ chat, turnId: turn.id, toolCallId: part.toolCall.toolCallId }];
      });
    });
  }
}
