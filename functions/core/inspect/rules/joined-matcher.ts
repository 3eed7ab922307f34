import {
  compareMatches,
  type PatternMatch,
  type PatternMatcher,
  type PatternStream,
} from '../../pattern-engine/pattern-match.ts';

/** Two matchers as one: the patterns of the second are numbered from `firstOfSecond` on. */
export function joined(first: PatternMatcher, second: PatternMatcher, firstOfSecond: number): PatternMatcher {
  return {
    stream: () => new JoinedStream(first.stream(), second.stream(), firstOfSecond),
    watch: () => new JoinedStream(first.watch(), second.watch(), firstOfSecond),
  };
}

class JoinedStream implements PatternStream {
  private readonly first: PatternStream;
  private readonly second: PatternStream;
  private readonly firstOfSecond: number;

  constructor(first: PatternStream, second: PatternStream, firstOfSecond: number) {
    this.first = first;
    this.second = second;
    this.firstOfSecond = firstOfSecond;
  }

  get settled(): number {
    return Math.min(this.first.settled, this.second.settled);
  }

  get length(): number {
    return this.first.length;
  }

  push(text: string): PatternMatch[] {
    return this.merged(this.first.push(text), this.second.push(text));
  }

  end(text?: string): PatternMatch[] {
    return this.merged(this.first.end(text), this.second.end(text));
  }

  private merged(ours: PatternMatch[], theirs: PatternMatch[]): PatternMatch[] {
    if (theirs.length === 0) return ours;
    const numbered = theirs.map((match) => ({ ...match, pattern: this.firstOfSecond + match.pattern }));
    return [...ours, ...numbered].sort(compareMatches);
  }
}
