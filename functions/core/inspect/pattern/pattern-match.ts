/** Where a pattern matched: half-open, UTF-16 offsets from the start of the text or stream. */
export interface PatternMatch {
  /** Index into the sources of the set. */
  readonly pattern: number;
  readonly start: number;
  readonly end: number;
}

/** Orders matches by start, then end, then pattern. */
export function compareMatches(a: PatternMatch, b: PatternMatch): number {
  return a.start - b.start || a.end - b.end || a.pattern - b.pattern;
}
