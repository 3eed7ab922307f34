export interface Range {
  /** In UTF-16 code units, as in findings. */
  readonly start: number;
  readonly end: number;
}

export interface Piece<T extends Range> {
  readonly text: string;
  readonly start: number;
  /** The ranges that cover this part. */
  readonly ranges: readonly T[];
}

/** Splits the text at the ranges' borders, in order and without gaps; ranges are clipped to the text. */
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

/** A member's name, or an index in brackets. A name may contain anything except `.`, `[` and `]`. */
const STEP = /\.?([^.[\]]+)|\[(\d+)\]/y;

/** The string at a path such as `messages[1].content[0].text` in parsed JSON; undefined if there is none. */
export function textAt(value: unknown, path: string): string | undefined {
  let here = value;
  STEP.lastIndex = 0;
  while (STEP.lastIndex < path.length) {
    const step = STEP.exec(path);
    if (step === null) return undefined;
    const name = step[1] ?? (step[2] as string);
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, name)) return undefined;
    here = (here as Record<string, unknown>)[name];
  }
  return typeof here === 'string' ? here : undefined;
}
