/** Window sizes in tokens: one sentence in a long text counts as much as alone. */
const WINDOWS = [12, 32, 96] as const;
/** Windows overlap: each starts this fraction of its length after the previous one. */
const STEPS_A_WINDOW = 4;

/** Neutral features added to every window, so that one odd word alone is no evidence. */
const SILENT_FEATURES = 96;
/** Shorter texts are no evidence by themselves. */
const FEWEST_TOKENS = 4;

/** The divisor of a window's weights, chosen so that a short window counts almost as much as a long one. */
export function windowSize(features: number): number {
  return Math.sqrt(features + SILENT_FEATURES);
}

/** The score of the tokens from `first` up to `end`: the sum of their weights over `windowSize`. */
export function windowScore({ weights, features }: TokenTotals, first: number, end: number): number {
  const count = (features[end] as number) - (features[first] as number);
  return ((weights[end] as number) - (weights[first] as number)) / windowSize(count);
}

/** Running totals over a text's tokens: entry `t` covers the tokens before `t`. */
export interface TokenTotals {
  readonly tokens: number;
  /** Sum of the features' weights. */
  readonly weights: Float64Array;
  /** Number of features. */
  readonly features: Int32Array;
}

/** The highest-scoring window of a text. */
export interface BestWindow {
  readonly score: number;
  /** Half-open range of its tokens. */
  readonly first: number;
  readonly end: number;
}

/** Returns the best window; undefined for a text of up to three words. A text shorter than a window is scored as a whole. */
export function bestWindow(totals: TokenTotals): BestWindow | undefined {
  const { tokens } = totals;
  if (tokens < FEWEST_TOKENS) return undefined;
  let best = Number.NEGATIVE_INFINITY;
  let first = 0;
  let end = tokens;
  for (const size of WINDOWS) {
    const step = size / STEPS_A_WINDOW;
    for (let from = 0; ; from += step) {
      const to = Math.min(tokens, from + size);
      const score = windowScore(totals, from, to);
      if (score > best) {
        best = score;
        first = from;
        end = to;
      }
      if (to === tokens) break;
    }
    if (size >= tokens) break;
  }
  return { score: best, first, end };
}

/** In shorter texts the best window decides alone: few windows rarely score high by chance. */
const LONG_FROM_UNITS = 1500;
/** After this many doublings of the length, the sentence has its full weight. */
const DOUBLINGS = 3;
const SENTENCE_WEIGHT = 0.2;
/** Sentence boundaries are searched this many tokens to each side of the window. */
const NEIGHBOURS = 16;

/** A text's tokens with their offsets: token `t` is [startOf[t], endOf[t]). */
export interface PlacedTokens extends TokenTotals {
  readonly startOf: Int32Array;
  readonly endOf: Int32Array;
}

/**
 * The score of a text's best window, lowered in a long text if no sentence that it overlaps scores as high. Among many windows some score
 * high by chance, mostly across two sentences. An instruction is one sentence.
 */
export function agreedScore(text: string, tokens: PlacedTokens, window: BestWindow): number {
  if (text.length <= LONG_FROM_UNITS) return window.score;
  const weight = SENTENCE_WEIGHT * Math.min(1, Math.log2(text.length / LONG_FROM_UNITS) / DOUBLINGS);
  const sentence = highestSentenceScore(text, tokens, window) ?? window.score;
  return window.score - weight * Math.max(0, window.score - sentence);
}

function highestSentenceScore(text: string, tokens: PlacedTokens, { first, end }: BestWindow): number | undefined {
  const from = Math.max(0, first - NEIGHBOURS);
  const to = Math.min(tokens.tokens, end + NEIGHBOURS);
  let start = first;
  while (start > from && !isBreak(text, tokens, start)) start -= 1;
  let highest: number | undefined;
  for (let token = start + 1; token <= to && start < end; token++) {
    if (token < to && !isBreak(text, tokens, token)) continue;
    if (token > first && token - start >= FEWEST_TOKENS)
      highest = Math.max(highest ?? Number.NEGATIVE_INFINITY, windowScore(tokens, start, token));
    start = token;
  }
  return highest;
}

/** Whether a token starts a line, a sentence, or a clause after a colon. */
function isBreak(text: string, { startOf, endOf }: PlacedTokens, token: number): boolean {
  const before = endOf[token - 1] as number;
  const gap = text.slice(before, startOf[token]);
  return gap.includes('\n') || (gap === '' ? /[。！？]/ : /[.!?:;。！？]/).test(text[before - 1] as string);
}
