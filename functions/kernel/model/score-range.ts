/** A half-open range of scores, [from, to). */
export interface ScoreRange {
  readonly from: number;
  readonly to: number;
}

export function isInRange({ from, to }: ScoreRange, score: number): boolean {
  return score >= from && score < to;
}
