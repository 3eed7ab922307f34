/** Windows of so many tokens are judged, so that one sentence in a long text counts as much as alone. */
const WINDOWS = [12, 32, 96] as const;
/** A window begins at every so many parts of its length. */
const STEPS_A_WINDOW = 4;

/** Neutral features added to every window: one odd word alone is no evidence. */
const SILENT_FEATURES = 96;
/** Fewer tokens are no evidence by themselves. */
const FEWEST_TOKENS = 4;

/** What a window's weights are divided by: a short window counts hardly less than a long one. */
export function windowSize(features: number): number {
  return Math.sqrt(features + SILENT_FEATURES);
}

/** What the tokens from `first` up to `end` score: the sum of their weights over `windowSize`. */
export function windowScore({ weights, features }: TokenTotals, first: number, end: number): number {
  const count = (features[end] as number) - (features[first] as number);
  return ((weights[end] as number) - (weights[first] as number)) / windowSize(count);
}

/** A text's tokens as running totals: entry `t` is that of the tokens before `t`. */
export interface TokenTotals {
  readonly tokens: number;
  /** Weights of the tokens' features. */
  readonly weights: Float64Array;
  /** Features. */
  readonly features: Int32Array;
}

/** The window of a text that scored highest. */
export interface BestWindow {
  readonly score: number;
  /** Its tokens: from `first` up to `end`. */
  readonly first: number;
  readonly end: number;
}

/** Returns the best window; undefined for a text of up to three words, which is too short. One shorter than a window is judged whole. */
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

/** In shorter texts the highest-scoring window decides alone: few windows rarely score high by chance. */
const LONG_FROM_UNITS = 1500;
/** After so many doublings from there on, the sentence counts as much as it ever does: as much as the window. */
const DOUBLINGS = 3;
const SENTENCE_WEIGHT = 0.2;
/** Sentences are looked for so many tokens to each side of the window. */
const NEIGHBOURS = 16;

/** A text's tokens with their offsets: token `t` from `startOf[t]` up to `endOf[t]`. */
export interface PlacedTokens extends TokenTotals {
  readonly startOf: Int32Array;
  readonly endOf: Int32Array;
}

/**
 * The score of a text's best window, lowered in a long text where no sentence that it touches scores as high. Of many windows
 * some score high by chance, and these mostly span the end of one sentence and the start of the next; an instruction is a
 * separate sentence.
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

/** Whether a line, a sentence or a clause behind a colon starts with a token. */
function isBreak(text: string, { startOf, endOf }: PlacedTokens, token: number): boolean {
  const before = endOf[token - 1] as number;
  const gap = text.slice(before, startOf[token]);
  return gap.includes('\n') || (gap === '' ? /[。！？]/ : /[.!?:;。！？]/).test(text[before - 1] as string);
}
