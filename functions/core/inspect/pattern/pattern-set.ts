import { type Automaton, startingWith } from './automaton.ts';
import { CharSetPool } from './char-set-pool.ts';
import { type CompiledPattern, compilePattern, type PatternSource } from './compile-pattern.ts';
import { LazyDfa } from './lazy-dfa.ts';
import { linkPatterns } from './link-patterns.ts';
import type { PatternCode } from './pattern-code.ts';
import type { PatternMatch } from './pattern-match.ts';
import type { PatternMatcher, PatternStream } from './pattern-stream.ts';
import { type Engine, SegmentReader } from './segment-reader.ts';
import { TrackerScratch } from './thread-tracker.ts';

export type { CompiledPattern, PatternCode, PatternSource } from './compile-pattern.ts';
export type { PatternMatch } from './pattern-match.ts';
export type { PatternMatcher, PatternStream } from './pattern-stream.ts';
export { PatternSyntaxError } from './pattern-syntax-error.ts';

export interface PatternSetOptions {
  readonly maxMatchLength?: number;
  /** States that the DFA holds before it starts over; each takes 4 bytes a class of characters. */
  readonly maxStates?: number;
}

const DEFAULT_MAX_MATCH_LENGTH = 8192;
const DEFAULT_MAX_STATES = 10_000;

/**
 * Many patterns matched in one pass, in time linear in the text: per pattern the leftmost, then longest matches that do
 * not overlap. Matches of different patterns may overlap, and no pattern has an effect on another's matches.
 *
 * Syntax: literals, `.` (all but \n), classes, \d \w \s \D \W \S, \p{Name} and \P{Name} of characters that are one code
 * unit, \t \n \r \f \v \xHH \uHHHH, escaped punctuation, (...), (?:...), (?<name>...), (?i) and (?s), |,
 * ? * + {n} {n,} {n,m}, \b \B, ^ \A and $ \z for the start and end of the text. A pattern that uses anything else, matches
 * the empty string or expands too far throws PatternSyntaxError.
 *
 * A match has at most `maxMatchLength` characters. A start whose partial match reaches that length is given up there: if
 * it has matched, the longest match so far stands, and what waits for a \b, \B or $ counts as not matched. Where later
 * starts have come to the same point of the pattern, the latest of them goes on in its place. So fewer than
 * `maxMatchLength` characters are ever unsettled, and every match shorter than that is reported or overlaps a reported
 * match of its pattern. What is given up depends on the text alone, never on its pieces.
 */
export class PatternSet {
  readonly size: number;
  readonly #codes: readonly PatternCode[];
  readonly #automaton: Automaton;
  readonly #maxStates: number;
  readonly #maxMatchLength: number;
  /** Of single patterns, as they are asked for. */
  readonly #alone: Engine[] = [];
  #all: Engine | undefined;

  constructor(patterns: readonly (PatternSource | CompiledPattern)[], options: PatternSetOptions = {}) {
    const { maxStates = DEFAULT_MAX_STATES, maxMatchLength = DEFAULT_MAX_MATCH_LENGTH } = options;
    const pool = new CharSetPool();
    this.size = patterns.length;
    this.#codes = patterns.map((pattern) => ('code' in pattern ? pattern.code : compilePattern(pattern, pool)));
    this.#automaton = linkPatterns(this.#codes);
    this.#maxStates = maxStates;
    this.#maxMatchLength = maxMatchLength;
  }

  /** The matches in a whole text, in order of start, end and pattern. */
  scan(text: string): PatternMatch[] {
    return new SegmentReader(this.#engine).end(text);
  }

  /** A matcher for a text that comes in pieces; what it finds does not depend on where they are cut. */
  stream(): PatternStream {
    return new SegmentReader(this.#engine);
  }

  /** Finds only these patterns, which keep their numbers, with a DFA of its own; nothing is compiled again. */
  only(patterns: ReadonlySet<number>): PatternMatcher {
    const engine = this.#engineOf(startingWith(this.#automaton, patterns));
    return { stream: () => new SegmentReader(engine) };
  }

  get #engine(): Engine {
    this.#all ??= this.#engineOf(this.#automaton);
    return this.#all;
  }

  #engineOf(automaton: Automaton): Engine {
    const alone = (pattern: number): Engine => {
      // Linked anew: a DFA over one pattern's own classes of characters has far shorter rows.
      this.#alone[pattern] ??= this.#engineOf(linkPatterns([this.#codes[pattern] as PatternCode]));
      return this.#alone[pattern];
    };
    return {
      dfa: new LazyDfa(automaton, this.#maxStates),
      scratch: new TrackerScratch(automaton),
      maxMatchLength: this.#maxMatchLength,
      alone: automaton.patternCount < 2 ? undefined : alone,
    };
  }
}
