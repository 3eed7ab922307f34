/** Windows of so many tokens are judged, so that one sentence in a long text counts as much as alone. */
const WINDOWS = [12, 32, 96] as const;
/** A window begins at every so many parts of its length. */
const STEPS_A_WINDOW = 4;

/** As if so many features that say nothing stood in every window: one odd word alone is no evidence. */
const SILENT_FEATURES = 96;
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

/** undefined for a text of a word or three: it says too little to be judged. One shorter than a window is judged whole. */
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
