/** Finds patterns in a text that arrives in pieces; the matches do not depend on the split. */
export interface PatternStream {
  /** The matches that have become final, so that no continuation can alter them, in order of start, end and pattern. */
  push(text: string): PatternMatch[];
  /** The remaining matches; closes the stream, after which `push` and `end` throw. `text` is pushed first, without computing what is settled. */
  end(text?: string): PatternMatch[];
  /**
   * For any continuation, no further match covers or starts at a character before this offset, and all that do have been returned. It is the
   * earliest start of a partial match that could still become or extend a match, or `length`.
   */
  readonly settled: number;
  /** Characters read. */
  readonly length: number;
}

export interface PatternMatcher {
  /** A stream with an exact `settled`. */
  stream(): PatternStream;
  /** A cheaper stream whose `settled` is approximate: nothing before it changes, but it may be lower than necessary. */
  watch(): PatternStream;
}

/** The range of a match: half-open, UTF-16 offsets from the start of the text or stream. */
export interface PatternMatch {
  /** Index into the sources of the set. */
  readonly pattern: number;
  readonly start: number;
  readonly end: number;
}

export function compareMatches(a: PatternMatch, b: PatternMatch): number {
  return a.start - b.start || a.end - b.end || a.pattern - b.pattern;
}
