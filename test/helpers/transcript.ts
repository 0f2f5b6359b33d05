/** A transcript on a page, with one turn or many. */

import { fixture, html } from '@open-wc/testing';
import type { ResponsePart } from '../../src/protocol/state.js';
import '../../src/views/transcript/ahp-transcript.js';
import type { AhpTranscript } from '../../src/views/transcript/ahp-transcript.js';
import type { AhpTurn } from '../../src/views/transcript/ahp-turn.js';
import { active, turn } from './turns.js';
import { findAll, frame } from './views.js';

/** Two frames: one in which things happen, one after it was painted. */
export const settled = async (): Promise<void> => {
  for (let i = 0; i < 3; i += 1) await frame();
};

export async function transcriptFixture(props: Partial<AhpTranscript> = {}, height = 400): Promise<AhpTranscript> {
  const transcript = Object.assign(document.createElement('ahp-transcript'), props);
  await fixture(html`${transcript}`);
  transcript.style.blockSize = `${height}px`;
  transcript.style.inlineSize = '600px';
  await settled();
  return transcript;
}

/** A transcript whose running turn has these parts. */
export const activeFixture = (parts: readonly ResponsePart[], props: Partial<AhpTranscript> = {}) =>
  transcriptFixture({ activeTurn: active('now', ...parts), ...props }, 800);

/** A transcript whose one finished turn has these parts. */
export const finishedFixture = (parts: readonly ResponsePart[], props: Partial<AhpTranscript> = {}) =>
  transcriptFixture({ turns: [turn('done', { responseParts: parts })], ...props }, 800);

export const turnsOf = (transcript: AhpTranscript): AhpTurn[] => findAll<AhpTurn>(transcript, 'ahp-turn');

export const turnOf = (transcript: AhpTranscript, id: string): AhpTurn =>
  turnsOf(transcript).find((element) => element.turn?.id === id)!;

/** How far the top of `element` is below the top of the transcript. */
export const topOf = (transcript: AhpTranscript, element: Element): number =>
  element.getBoundingClientRect().top - transcript.getBoundingClientRect().top;
