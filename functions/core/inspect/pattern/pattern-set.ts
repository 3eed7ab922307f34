import { addPattern } from './add-pattern.ts';
import { automatonOf } from './automaton.ts';
import { CharSetPool } from './char-set-pool.ts';
import { LazyDfa } from './lazy-dfa.ts';
import type { PatternMatch } from './pattern-match.ts';
import type { PatternStream } from './pattern-stream.ts';
import { type Engine, SegmentReader } from './segment-reader.ts';
import { StateTable } from './state-table.ts';
import { TrackerScratch } from './thread-tracker.ts';

export type { PatternMatch } from './pattern-match.ts';
export type { PatternStream } from './pattern-stream.ts';
export { PatternSyntaxError } from './pattern-syntax-error.ts';

/** A pattern in the supported subset of JavaScript's syntax; matching is by UTF-16 code unit. */
export interface PatternSource {
  readonly source: string;
  /** Ignores the case of letters; so does `(?i)` in the pattern. */
  readonly ignoreCase?: boolean;
}

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
  readonly #engine: Engine;

  constructor(sources: readonly PatternSource[], options: PatternSetOptions = {}) {
    const { maxStates = DEFAULT_MAX_STATES, maxMatchLength = DEFAULT_MAX_MATCH_LENGTH } = options;
    this.size = sources.length;
    this.#engine = engineOf(sources, maxStates, maxMatchLength);
  }

  /** The matches in a whole text, in order of start, end and pattern. */
  scan(text: string): PatternMatch[] {
    return new SegmentReader(this.#engine).end(text);
  }

  /** A matcher for a text that comes in pieces; what it finds does not depend on where they are cut. */
  stream(): PatternStream {
    return new SegmentReader(this.#engine);
  }
}

function engineOf(sources: readonly PatternSource[], maxStates: number, maxMatchLength: number): Engine {
  const table = new StateTable();
  const pool = new CharSetPool();
  for (const { source, ignoreCase = false } of sources) addPattern(table, pool, source, ignoreCase);
  const automaton = automatonOf(table, pool);
  const alone: Engine[] = [];
  const makeAlone = (pattern: number) => engineOf([sources[pattern] as PatternSource], maxStates, maxMatchLength);
  return {
    dfa: new LazyDfa(automaton, maxStates),
    scratch: new TrackerScratch(automaton),
    maxMatchLength,
    alone:
      sources.length < 2
        ? undefined
        : (pattern) => {
            alone[pattern] ??= makeAlone(pattern);
            return alone[pattern];
          },
  };
}
