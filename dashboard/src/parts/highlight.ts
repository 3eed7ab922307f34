export interface Range {
  /** UTF-16 code units, as findings tell them. */
  readonly start: number;
  readonly end: number;
}

export interface Piece<T extends Range> {
  readonly text: string;
  readonly start: number;
  /** What lies over all of it. */
  readonly ranges: readonly T[];
}

/** The text cut at the borders of the ranges, in order and without a gap; what lies outside the text counts as far as it goes. */
export function cutByRanges<T extends Range>(text: string, ranges: readonly T[]): Piece<T>[] {
  const inside = ranges
    .map((range) => ({ range, start: clamp(range.start, text.length), end: clamp(range.end, text.length) }))
    .filter(({ start, end }) => start < end);
  const borders = [...new Set([0, text.length, ...inside.flatMap(({ start, end }) => [start, end])])].sort(
    (a, b) => a - b,
  );
  return borders.slice(0, -1).map((start, at) => ({
    text: text.slice(start, borders[at + 1]),
    start,
    ranges: inside.filter((one) => one.start <= start && start < one.end).map(({ range }) => range),
  }));
}

function clamp(offset: number, length: number): number {
  return Math.min(Math.max(0, Math.trunc(offset)), length);
}
