import type { RuleHit } from '../rules/view-reader.ts';

/**
 * Looks in an answer for what only its own exchange can tell: the operator's prompt, a marker planted in it. Made for one
 * exchange; each text of the answer, and each payload decoded in one, is read apart.
 */
export interface AnswerDetector {
  open(): AnswerReader;
}

/** Reads one text that arrives in pieces. Any split gives the same hits. */
export interface AnswerReader {
  /** The hits that have become final, in offsets of the raw text. */
  read(piece: string, last: boolean): RuleHit[];
  /** Raw offset before which no later hit starts; Infinity where no text need be held for it. */
  readonly settled: number;
  /** The same, whether text is held or not. */
  readonly seen: number;
}
