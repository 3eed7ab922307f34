import type { Reason, RequestText } from '../../kernel/model/index.ts';
import type { Finding } from '../matching/index.ts';

/** A range of a request's text. */
export interface TextRange {
  readonly text: RequestText;
  readonly start: number;
  readonly end: number;
}

/** A finding with its place in the request. */
export interface Evidence {
  readonly finding: Finding;
  /** The text in which it starts. */
  readonly text: RequestText;
  /** Its ranges in later texts; absent if it ends in the text in which it starts. */
  readonly rest?: readonly TextRange[];
  /** The inspected text, which may be several texts joined, and the finding's range in it. */
  readonly passage: { readonly text: string; readonly start: number; readonly end: number };
  /** The number of assistant turns since the newest of its texts. */
  readonly turnsAgo: number;
  readonly reasons: readonly Reason[];
}

/** A word table's finding reaches from its verb to the end of the sentence. These units of it are the verb. */
const VERB_UNITS = 4;

/** The part of a finding's passage that decides whether the text only quotes it: of a word table's finding, the verb. */
export function decidingPart({ finding: { rule }, passage }: Evidence): Evidence['passage'] {
  const { start, end } = passage;
  return rule.cues === undefined ? passage : { ...passage, end: Math.min(end, start + VERB_UNITS) };
}

/** Log-odds of a probability, on which independent evidence adds. Never infinite. */
export function toLogOdds(probability: number): number {
  const bounded = Math.min(0.9999, Math.max(0.0001, probability));
  return Math.log(bounded / (1 - bounded));
}

export function toProbability(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds));
}
