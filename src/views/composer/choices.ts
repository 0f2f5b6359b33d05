/**
 * Model and agent of the next message. What is absent means the host's default. What is chosen and no longer offered stays
 * visible and says so; it is not sent.
 */

import { html, nothing } from 'lit';
import type { SessionInfo } from '../../chat/store.js';
import type { Strings } from '../../i18n/strings.js';
import type { Message } from '../../protocol/state.js';
import { shortenEnd } from '../label.js';

interface Choice {
  readonly value: string;
  readonly name: string;
}

/** The draft without what its session has ceased to offer. A session that lists nothing is not known yet. */
export function withOffered(message: Message, session: SessionInfo | undefined): Message {
  const { model, agent, ...rest } = message;
  const isModelGone = model && isGone(model.id, toModels(session));
  const isAgentGone = agent && isGone(agent.uri, toAgents(session));
  if (!isModelGone && !isAgentGone) return message;
  return { ...rest, ...(model && !isModelGone && { model }), ...(agent && !isAgentGone && { agent }) };
}

export function renderModels(
  { model, ...rest }: Message,
  session: SessionInfo | undefined,
  report: (message: Message) => void,
  strings: Strings,
) {
  // Another model's settings would not fit.
  const choose = (id: string) => report(id ? { ...rest, model: { id } } : rest);
  const models = session?.models ?? [];
  // One model is the host's default anyway; only its settings may be a reason to choose it.
  const hasChoice = models.length > 1 || models.some(({ configSchema }) => configSchema);
  if (!model && !hasChoice) return nothing;
  return renderChoice([strings.model, strings.modelDefault], toModels(session), model?.id, choose, strings);
}

export function renderAgents(
  { agent, ...rest }: Message,
  session: SessionInfo | undefined,
  report: (message: Message) => void,
  strings: Strings,
) {
  const choose = (uri: string) => report(uri ? { ...rest, agent: { uri } } : rest);
  return renderChoice([strings.agent, strings.agentDefault], toAgents(session), agent?.uri, choose, strings);
}

const toModels = (session: SessionInfo | undefined): readonly Choice[] =>
  (session?.models ?? []).map(({ id, name }) => ({ value: id, name }));

const toAgents = (session: SessionInfo | undefined): readonly Choice[] =>
  (session?.agents ?? []).map(({ uri, name }) => ({ value: uri, name }));

const isGone = (chosen: string, choices: readonly Choice[]): boolean =>
  choices.length > 0 && !choices.some(({ value }) => value === chosen);

/** A native select. */
function renderChoice(
  [label, fallback]: readonly [string, string],
  choices: readonly Choice[],
  chosen: string | undefined,
  choose: (value: string) => void,
  strings: Strings,
) {
  const isKnown = chosen === undefined || choices.some(({ value }) => value === chosen);
  if (chosen === undefined && choices.length === 0) return nothing;
  const gone = isKnown || choices.length === 0 ? chosen : strings.notOffered(shortenEnd(chosen, 48));
  const all = isKnown ? choices : [...choices, { value: chosen, name: gone! }];
  return html`<select
    class=${isKnown ? 'choice' : 'choice gone'}
    aria-label=${label}
    title=${label}
    @change=${(event: Event) => choose((event.target as HTMLSelectElement).value)}
  >
    <option value="" .selected=${chosen === undefined}>${fallback}</option>
    ${all.map(
      ({ value, name }) => html`<option value=${value} .selected=${value === chosen}>${shortenEnd(name, 80)}</option>`,
    )}
  </select>`;
}
