/**
 * What a person reads in a document of a run: it comes from what was rendered, and not from a store, except the full text
 * of what a row shows the beginning of.
 */

import type { ActiveTurn, ChatState, ResponsePart, ToolCallState, Turn } from '../../src/protocol/state.js';
import type { LivePage } from './page.js';

/** Stands for a text that is being changed in its place, whatever it was. */
export const changing = '(being changed)';

const deep = (root: Element | null | undefined): ParentNode | undefined => root?.shadowRoot ?? root ?? undefined;

/** The surfaces of the chat, as far as they are there. */
export class Screen {
  readonly #page: LivePage;

  constructor(page: LivePage) {
    this.#page = page;
  }

  surface(name: 'ahp-composer' | 'ahp-transcript' | 'ahp-status'): ParentNode | undefined {
    return deep(this.#page.chat.shadowRoot?.querySelector(name));
  }

  get field(): HTMLTextAreaElement | null | undefined {
    return this.surface('ahp-composer')?.querySelector('textarea[part=textarea]');
  }

  get composer(): ParentNode | undefined {
    return this.surface('ahp-composer');
  }

  get turns(): readonly Element[] {
    return [...(this.surface('ahp-transcript')?.querySelectorAll('ahp-turn') ?? [])];
  }

  get queueRows(): readonly HTMLElement[] {
    return [...(this.composer?.querySelectorAll<HTMLElement>('[part=queue-row]') ?? [])];
  }

  /** The text of each message that waits. */
  readQueue(): readonly string[] {
    return this.queueRows.map((row) =>
      row.querySelector('textarea') ? changing : toText(row.querySelector('.queue-text')!),
    );
  }

  /** Rows about messages that the host has not confirmed. */
  get unconfirmedRows(): readonly Element[] {
    return [...(this.surface('ahp-status')?.querySelectorAll('.unconfirmed > li') ?? [])];
  }

  /** What is said of connection and storage. */
  get complaints(): readonly string[] {
    const rows = this.surface('ahp-status')?.querySelectorAll('div[part=status]') ?? [];
    return [...rows].map(toText);
  }

  get isBusy(): boolean {
    return this.#isShown('[part=stop]');
  }

  /** Whether a row offers a draft that was written elsewhere. */
  get offerRow(): Element | undefined {
    const buttons = [...(this.composer?.querySelectorAll('.rows .row button') ?? [])];
    return buttons.find((button) => toText(button) === 'Use it')?.closest('.row') ?? undefined;
  }

  /** The whole text that is offered. */
  get offer(): string {
    return this.#page.chat.shadowRoot?.querySelector('ahp-composer')?.offer?.text ?? '';
  }

  #isShown(selector: string): boolean {
    const found = this.composer?.querySelector<HTMLElement>(selector);
    return !!found && !found.hidden;
  }

  /** Every word on the screen, those in fields among them, and those of which a row shows the beginning. */
  readAll(): string {
    const { chat } = this.#page;
    return `${collect(chat.shadowRoot)} ${this.offer} ${JSON.stringify(chat.status?.unconfirmed ?? [])}`;
  }

  /** The conversation, one line for each thing in it. */
  readTurns(): readonly string[] {
    return this.turns.flatMap(readTurn);
  }
}

export const toText = (element: Element): string => fold(element.textContent);

export const fold = (text: string): string => text.trim().replace(/\s+/g, ' ');

function collect(node: Node | null): string {
  if (!node) return '';
  if (node.nodeType === Node.TEXT_NODE) return node.nodeValue ?? '';
  const shadow = 'shadowRoot' in node ? collect(node.shadowRoot as Node | null) : '';
  const value = 'value' in node ? String(node.value) : '';
  return [shadow, value, ...[...node.childNodes].map(collect)].join(' ');
}

/* ---------------------------------------------------------------- turns, as shown */

const pieces = '.bubble-text, ahp-markdown, ahp-tool-call, ahp-input-request, [part=error], .mark';

function readTurn(turn: Element): string[] {
  const found = [...turn.querySelectorAll(pieces)];
  // A piece in a piece is told by the outer one.
  const outer = found.filter((piece) => !found.some((other) => other !== piece && other.contains(piece)));
  const message = turn.querySelector('ahp-message-editor') ? [`message ${changing}`] : [];
  return ['turn', ...message, ...outer.map(readPiece)];
}

function readPiece(piece: Element): string {
  if (piece.matches('.bubble-text')) return `message ${toText(piece)}`;
  if (piece.matches('.mark')) return `mark ${toText(piece)}`;
  if (piece.matches('[part=error]')) return `error ${toText(piece.querySelector('.card-title')!)}`;
  switch (piece.localName) {
    case 'ahp-markdown':
      return `text ${toText(piece)}`;
    case 'ahp-tool-call':
      return `call ${readCall(piece)}`;
    default:
      return `question ${readRequest(piece)}`;
  }
}

function readCall(call: Element): string {
  if (call.querySelector('[part=confirmation]')) return 'pending-confirmation';
  const line = call.querySelector('[part=tool-call-line]');
  const word = toText(line?.querySelector('.line-text ~ .hidden-text, .line-text ~ .line-word') ?? call);
  return { Done: 'completed', Running: 'running', Failed: 'failed' }[word] ?? 'cancelled';
}

const outcomes = ['Answered', 'Declined', 'Cancelled', 'Not answered'];

function readRequest(request: Element): string {
  if (request.querySelector('ahp-input-form')) return 'open';
  const told = [...request.querySelectorAll('p.quiet')].map(toText).findLast((text) => text !== '') ?? '';
  return outcomes.find((outcome) => told.startsWith(outcome)) ?? told;
}

/* ---------------------------------------------------------------- turns, as they are */

/** The last `count` turns of the host, in the same lines. */
export function tellTurns({ turns, activeTurn }: ChatState, count: number): readonly string[] {
  const all: readonly (Turn | ActiveTurn)[] = activeTurn ? [...turns, activeTurn] : turns;
  return all.slice(all.length - count).flatMap((turn) => tellTurn(turn, turn === activeTurn));
}

function tellTurn(turn: Turn | ActiveTurn, isActive: boolean): string[] {
  const parts = turn.responseParts.map((part) => tellPart(part, isActive));
  const { error, state } = turn as Partial<Turn>;
  const isSaid = error !== undefined && turn.responseParts.at(-1)?.kind !== 'error';
  return [
    'turn',
    `message ${fold(turn.message.text)}`,
    ...parts,
    ...(isSaid ? [`error ${error.message}`] : []),
    ...(state === 'cancelled' ? ['mark Stopped'] : []),
    ...(state === 'error' && !error && turn.responseParts.at(-1)?.kind !== 'error' ? ['mark Failed'] : []),
  ];
}

function tellPart(part: ResponsePart, isActive: boolean): string {
  switch (part.kind) {
    case 'markdown':
      return `text ${fold(part.content)}`;
    case 'toolCall':
      return `call ${tellCall(part.toolCall)}`;
    case 'inputRequest':
      return `question ${part.response === undefined && isActive ? 'open' : tellResponse(part.response)}`;
    case 'error':
      return `error ${part.error.message}`;
    default:
      return part.kind;
  }
}

const tellCall = (call: ToolCallState): string =>
  call.status === 'completed' && !call.success ? 'failed' : call.status;

const tellResponse = (response: string | undefined): string =>
  ({ accept: 'Answered', decline: 'Declined', cancel: 'Cancelled', none: 'Not answered' })[response ?? 'none'] ?? '';
