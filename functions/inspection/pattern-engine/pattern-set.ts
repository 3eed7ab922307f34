import { CharSetPool } from './char-set.ts';
import { Engine, EngineSet } from './engine.ts';
import { LeadReader } from './lead-reader.ts';
import { type CompiledPattern, compilePattern, linkPatterns, type PatternSource } from './link-patterns.ts';
import type { PatternCode } from './pattern-code.ts';
import type { PatternMatch, PatternMatcher, PatternStream } from './pattern-match.ts';
import { ThreadReader } from './thread-reader.ts';

export interface PatternSetOptions {
  readonly maxMatchLength?: number;
  /** States that the DFA holds before it restarts; each takes 4 bytes for each class of characters. */
  readonly maxStates?: number;
}

const DEFAULT_MAX_MATCH_LENGTH = 8192;
const DEFAULT_MAX_STATES = 10_000;

/**
 * Many patterns matched in one pass, in time linear in the text: for each pattern the leftmost-longest matches without overlap. Matches of
 * different patterns may overlap, and patterns do not affect each other's matches.
 *
 * Syntax: literals, `.` (all but \n), classes, \d \w \s \D \W \S, \p{Name} and \P{Name} of characters that are one code unit, \t \n \r
 * \f \v \xHH \uHHHH, escaped punctuation, (...), (?:...), (?<name>...), (?i) and (?s), |, ? * + {n} {n,} {n,m}, \b \B, ^ \A and $ \z for
 * the start and end of the text. A pattern that uses anything else, matches the empty string or expands too far throws PatternSyntaxError.
 *
 * A match has at most `maxMatchLength` characters. A start whose partial match reaches that length is dropped: if it has matched, the
 * longest match so far counts, and a pending \b, \B or $ counts as not matched. If later starts are in the same state of the pattern, the
 * latest of them continues. So fewer than `maxMatchLength` characters are ever unsettled, and every shorter match is reported or overlaps a
 * reported match of its pattern. What is dropped depends only on the text, never on its split.
 */
export class PatternSet implements PatternMatcher {
  readonly size: number;
  private readonly engines: EngineSet;
  private all: Engine | undefined;

  constructor(patterns: readonly (PatternSource | CompiledPattern)[], options: PatternSetOptions = {}) {
    const { maxStates = DEFAULT_MAX_STATES, maxMatchLength = DEFAULT_MAX_MATCH_LENGTH } = options;
    const linked = linkPatterns(codesOf(patterns));
    this.size = linked.patternCount;
    this.engines = new EngineSet(linked, { maxStates, maxMatchLength });
  }

  /** The matches in a whole text, in order of start, end and pattern. */
  scan(text: string): PatternMatch[] {
    return this.watch().end(text);
  }

  stream(): PatternStream {
    return new ThreadReader(this.engine);
  }

  watch(): PatternStream {
    return new LeadReader(this.engine);
  }

  /** Finds only these patterns, which keep their numbers; nothing is compiled again. */
  only(patterns: readonly number[]): PatternMatcher {
    const engine = new Engine(this.engines, patterns);
    return { stream: () => new ThreadReader(engine), watch: () => new LeadReader(engine) };
  }

  private get engine(): Engine {
    this.all ??= new Engine(this.engines, [...Array(this.size).keys()]);
    return this.all;
  }
}

function codesOf(patterns: readonly (PatternSource | CompiledPattern)[]): PatternCode[] {
  const pool = new CharSetPool();
  return patterns.map((pattern) => ('code' in pattern ? pattern.code : compilePattern(pattern, pool)));
}
