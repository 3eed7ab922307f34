import type { Reason } from '../../model/threat.ts';
import type { Finding } from '../finding.ts';
import type { RequestText } from '../requests/request-text.ts';

/** A range of a request's text. */
export interface TextRange {
  readonly text: RequestText;
  readonly start: number;
  readonly end: number;
}

/** A finding and where in the request it was made. */
export interface Evidence {
  readonly finding: Finding;
  /** The text in which it starts. */
  readonly text: RequestText;
  /** Where it goes on in later texts; absent where it ends in the text in which it starts. */
  readonly rest?: readonly TextRange[];
  /** What was read when it was found: the text itself, or several joined; and the finding's range in it. */
  readonly passage: { readonly text: string; readonly start: number; readonly end: number };
  /** How often the assistant has answered since the newest of the texts that it is made of. */
  readonly turnsAgo: number;
  readonly reasons: readonly Reason[];
}

/** A probability as its log-odds, on which independent evidence adds. Never infinite. */
export function toLogOdds(probability: number): number {
  const bounded = Math.min(0.9999, Math.max(0.0001, probability));
  return Math.log(bounded / (1 - bounded));
}

/** The probability of log-odds. */
export function toProbability(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds));
}
