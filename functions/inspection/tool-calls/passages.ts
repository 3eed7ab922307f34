import type { LocatedValue } from './call-values.ts';
import { type Conversation, firstOf, type Place } from './conversation.ts';
import { sentencesOf } from './parsed-source.ts';
import type { ToolMeaning } from './tool-meaning.ts';
import { CUES, VERBS } from './word-groups.ts';

/** A passage of third-party prose around a value of a call. */
export interface Passage {
  readonly place: Place;
  readonly text: string;
  /** Weight of the call's values that are in it and are not the user's. */
  readonly weight: number;
  /** Whether it uses a verb of the tool, and a word that orders. */
  readonly hasVerb: boolean;
  readonly orders: boolean;
}

/** Characters around a value: of values that belong together, of the sentence, and of the text that is scored. */
const TOGETHER = [400, 500] as const;
const SENTENCE = [160, 140] as const;
const SCORED = [200, 160] as const;
/** Values within this many characters are in one passage. */
const APART = 300;
const MAX_PASSAGES = 40;
const ORDER = CUES.bit('order');

/** The folded text around a place. */
export function around({ part, at }: Place, [before, after]: readonly [number, number]): string {
  return part.folded.slice(Math.max(0, at - before), at + after);
}

/** The passage that explains most of a call; undefined if none of its values is in prose alone. */
export function bestPassage(meaning: ToolMeaning, values: readonly LocatedValue[]): Passage | undefined {
  let best: Passage | undefined;
  let most = 0;
  const seen: Place[] = [];
  for (const value of values) {
    if (value.isTrusted || value.text.length < 3) continue;
    for (const place of value.prose) {
      if (seen.length >= MAX_PASSAGES || seen.some((other) => isBeside(place, other))) continue;
      seen.push(place);
      const passage = toPassage(place, meaning, values);
      const score = passage.weight + (passage.hasVerb ? 0.5 : 0) + (passage.orders ? 0.25 : 0);
      if (score > most) [best, most] = [passage, score];
    }
  }
  return best;
}

function isBeside(place: Place, other: Place): boolean {
  return place.part === other.part && Math.abs(place.at - other.at) < APART;
}

function toPassage(place: Place, meaning: ToolMeaning, values: readonly LocatedValue[]): Passage {
  const together = around(place, TOGETHER);
  const sentence = around(place, SENTENCE);
  const cues = CUES.in(sentence);
  return {
    place,
    text: around(place, SCORED),
    weight: weightOf(values.filter(({ isTrusted, forms }) => !isTrusted && firstOf(together, forms, false) >= 0)),
    hasVerb: (VERBS.in(sentence) & meaning.verbs) !== 0,
    orders: (cues & ORDER) !== 0,
  };
}

export function weightOf(values: readonly LocatedValue[]): number {
  return values.reduce((sum, { weight }) => sum + weight, 0);
}

/** Whether a sentence of third parties' prose since the user's last message orders what a tool does. */
export function isOrdered(conversation: Conversation, { verbs }: ToolMeaning): boolean {
  const orders = (sentence: string) => (VERBS.in(sentence) & verbs) !== 0 && (CUES.in(sentence) & ORDER) !== 0;
  return conversation.recent().some(({ prose }) => sentencesOf(prose.text).some(orders));
}
