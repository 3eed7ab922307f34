import { type BestWindow, type TokenTotals, windowScore } from './best-window.ts';

/** Of shorter texts the loudest window speaks alone: few windows are seldom loud by chance. */
const LONG_FROM_UNITS = 1500;
/** After so many doublings from there on, the sentence counts as much as it ever does: as much as the window. */
const DOUBLINGS = 3;
const SENTENCE_WEIGHT = 0.2;
/** Sentences are looked for so many tokens to each side of the window. */
const NEIGHBOURS = 16;
/** Fewer tokens say nothing by themselves. */
const FEWEST_TOKENS = 4;

/** A text's tokens with where they stand in it: token `t` from `startOf[t]` up to `endOf[t]`. */
export interface PlacedTokens extends TokenTotals {
  readonly startOf: Int32Array;
  readonly endOf: Int32Array;
}

/**
 * The score of a text's loudest window, lowered in a long text where no sentence that it touches is as loud. Of many windows
 * some are loud by chance, and these mostly span the end of one sentence and the start of the next; an instruction is a
 * sentence of its own.
 */
export function agreedScore(text: string, tokens: PlacedTokens, window: BestWindow): number {
  if (text.length <= LONG_FROM_UNITS) return window.score;
  const weight = SENTENCE_WEIGHT * Math.min(1, Math.log2(text.length / LONG_FROM_UNITS) / DOUBLINGS);
  const sentence = loudestSentence(text, tokens, window) ?? window.score;
  return window.score - weight * Math.max(0, window.score - sentence);
}

function loudestSentence(text: string, tokens: PlacedTokens, { first, end }: BestWindow): number | undefined {
  const from = Math.max(0, first - NEIGHBOURS);
  const to = Math.min(tokens.tokens, end + NEIGHBOURS);
  let start = first;
  while (start > from && !isBreak(text, tokens, start)) start -= 1;
  let loudest: number | undefined;
  for (let token = start + 1; token <= to && start < end; token++) {
    if (token < to && !isBreak(text, tokens, token)) continue;
    if (token > first && token - start >= FEWEST_TOKENS)
      loudest = Math.max(loudest ?? Number.NEGATIVE_INFINITY, windowScore(tokens, start, token));
    start = token;
  }
  return loudest;
}

/** Whether a line, a sentence or a clause behind a colon starts with a token. */
function isBreak(text: string, { startOf, endOf }: PlacedTokens, token: number): boolean {
  const before = endOf[token - 1] as number;
  const gap = text.slice(before, startOf[token]);
  return gap.includes('\n') || (gap === '' ? /[。！？]/ : /[.!?:;。！？]/).test(text[before - 1] as string);
}
