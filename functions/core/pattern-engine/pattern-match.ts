/** A text that comes in pieces; what is found does not depend on where they are cut. */
export interface PatternStream {
  /** The matches that have become final, so that no continuation can alter them, in order of start, end and pattern. */
  push(text: string): PatternMatch[];
  /**
   * The remaining matches; closes the stream, after which `push` and `end` throw. With `text`, as if it had been pushed
   * before, but without the work of knowing what is settled in between.
   */
  end(text?: string): PatternMatch[];
  /**
   * Whatever follows, no further match covers or starts at a character before this offset, and all that do have been
   * returned. It is the earliest start of a partial match that could still become or extend a match, or `length`.
   */
  readonly settled: number;
  /** Characters seen. */
  readonly length: number;
}

/** Finds patterns in texts. */
export interface PatternMatcher {
  /** A matcher for a text that comes in pieces; what it finds does not depend on where they are cut. */
  stream(): PatternStream;
  /** The same, at less cost, where `settled` need not be exact: it is an offset before which nothing changes, maybe not the last. */
  watch(): PatternStream;
}

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
