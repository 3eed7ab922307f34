import type { TextFeatures } from './text-features.ts';

/** Windows of so many tokens are judged, so that one sentence in a long text counts as much as alone. */
export const WINDOWS = [12, 32, 96] as const;
/** A window begins at every so many tokens of its length. */
const STEPS_A_WINDOW = 4;

/** The window of a text that scored highest. */
export interface BestWindow {
  /** Sum of its features' weights over the root of their number: a short window weighs no less than a long one. */
  readonly score: number;
  /** Its tokens: from `first` up to `end`. */
  readonly first: number;
  readonly end: number;
}

export const NO_WINDOW: BestWindow = { score: Number.NEGATIVE_INFINITY, first: 0, end: 0 };

let sums = new Float64Array(1024);

/** The highest-scoring window by these weights. A text shorter than a window is judged whole. */
export function bestWindow(features: TextFeatures, weights: Int8Array | Float32Array): BestWindow {
  const { tokens, buckets, firstOf } = features;
  if (tokens === 0) return NO_WINDOW;
  if (sums.length <= tokens) sums = new Float64Array(2 * tokens);
  let sum = 0;
  for (let token = 0, at = 0; token < tokens; token++) {
    const end = firstOf[token + 1] as number;
    for (; at < end; at++) sum += weights[buckets[at] as number] as number;
    sums[token + 1] = sum;
  }
  let best = Number.NEGATIVE_INFINITY;
  let first = 0;
  let end = tokens;
  for (const size of WINDOWS) {
    const step = size / STEPS_A_WINDOW;
    for (let from = 0; ; from += step) {
      const to = Math.min(tokens, from + size);
      const count = (firstOf[to] as number) - (firstOf[from] as number);
      const score = ((sums[to] as number) - (sums[from] as number)) / Math.sqrt(count);
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
