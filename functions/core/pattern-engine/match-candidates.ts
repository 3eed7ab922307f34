import type { PatternMatch } from './pattern-match.ts';

/** Matches that an earlier start may still take in, or that may still grow: per pattern in order, without overlap. */
export class MatchCandidates {
  private readonly byPattern = new Map<number, PatternMatch[]>();

  get isEmpty(): boolean {
    return this.byPattern.size === 0;
  }

  /** Where the match begins that was recorded last, if it ends at `end`; else -1. */
  startOfMatchTo(pattern: number, end: number): number {
    const last = this.byPattern.get(pattern)?.at(-1);
    return last?.end === end ? last.start : -1;
  }

  /** Records the match that ends latest so far; it replaces those that start with it or inside it. */
  accept(pattern: number, start: number, end: number): void {
    const matches = this.byPattern.get(pattern);
    if (matches === undefined) {
      this.byPattern.set(pattern, [{ pattern, start, end }]);
      return;
    }
    while (matches.length > 0 && (matches[matches.length - 1] as PatternMatch).start >= start) matches.pop();
    matches.push({ pattern, start, end });
  }

  /** Moves to `into` what no thread can alter; `earliestLive` is the earliest start of a pattern's threads. */
  release(into: PatternMatch[], earliestLive: (pattern: number) => number): void {
    for (const [pattern, matches] of this.byPattern) {
      const live = earliestLive(pattern);
      let released = 0;
      while (released < matches.length && (matches[released] as PatternMatch).start < live) {
        into.push(matches[released] as PatternMatch);
        released += 1;
      }
      if (released === matches.length) this.byPattern.delete(pattern);
      else if (released > 0) matches.splice(0, released);
    }
  }
}
