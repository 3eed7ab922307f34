/**
 * Every percentile that a sketch tells is at most this much off the true one, relatively: 1,000 ms may be told as 990 to
 * 1,010.
 */
export const RELATIVE_ERROR = 0.01;

const GAMMA = (1 + RELATIVE_ERROR) / (1 - RELATIVE_ERROR);
const LOG_GAMMA = Math.log(GAMMA);
/** Shorter and longer times are told as these, milliseconds: a microsecond, and a day. */
const SHORTEST_MS = 0.001;
const LONGEST_MS = 86_400_000;

/**
 * Durations, kept as how many fell between one power of a base and the next, so that sketches can be added up like counts
 * and percentiles of the sum are as good as those of the parts (DDSketch: https://arxiv.org/abs/1908.10693).
 */
export class LatencySketch {
  /** Counts by the power of GAMMA that the duration is at most. */
  private readonly buckets = new Map<number, number>();

  /** The sketch that `toJSON` wrote. */
  static from(json: readonly number[]): LatencySketch {
    const sketch = new LatencySketch();
    for (let at = 0, index = 0; at < json.length; at += 2) {
      index += json[at] as number;
      sketch.buckets.set(index, json[at + 1] as number);
    }
    return sketch;
  }

  add(milliseconds: number): void {
    const bounded = Math.min(LONGEST_MS, Math.max(SHORTEST_MS, milliseconds));
    this.count(Math.ceil(Math.log(bounded) / LOG_GAMMA), 1);
  }

  merge(other: LatencySketch): void {
    for (const [index, count] of other.buckets) this.count(index, count);
  }

  /** The shortest duration that the share `q` (0..1) of all do not exceed, milliseconds; null where there are none. */
  quantile(q: number): number | null {
    const indexes = [...this.buckets.keys()].sort((a, b) => a - b);
    const total = indexes.reduce((sum, index) => sum + this.at(index), 0);
    let rank = Math.max(1, Math.ceil(q * total));
    for (const index of indexes) {
      rank -= this.at(index);
      // The middle of the bucket, by ratio.
      if (rank <= 0) return (2 * GAMMA ** index) / (GAMMA + 1);
    }
    return null;
  }

  /** For each bucket in use, in order, how far it is from the one before and how many fell into it. */
  toJSON(): number[] {
    let before = 0;
    return [...this.buckets.keys()]
      .sort((a, b) => a - b)
      .flatMap((index) => {
        const step = index - before;
        before = index;
        return [step, this.at(index)];
      });
  }

  private count(index: number, by: number): void {
    this.buckets.set(index, this.at(index) + by);
  }

  private at(index: number): number {
    return this.buckets.get(index) ?? 0;
  }
}
