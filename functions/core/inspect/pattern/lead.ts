import type { Automaton } from './automaton.ts';
import { LIVE, MATCHED } from './automaton.ts';
import { OTHER, type Side } from './context.ts';
import type { LazyDfa } from './lazy-dfa.ts';
import type { ThreadSetIndex } from './thread-set-index.ts';

/** What became of a lead that was not followed to its end: it matched, or met what its DFA does not know yet. */
export const UNFOLLOWED = -1;

/** Where a pattern is to be followed by itself: behind a character over which it entered states that are not common. */
export class Lead {
  readonly pattern: number;
  /** Whether the pattern has matched with the character. */
  readonly matched: boolean;
  readonly #dfa: LazyDfa;
  /** All states that its threads may be in. */
  readonly #states: readonly number[];
  readonly #side: Side;
  #row = 0;
  #sets: ThreadSetIndex | undefined;

  constructor(pattern: number, dfa: LazyDfa, states: readonly number[], matched: boolean, side: Side) {
    this.pattern = pattern;
    this.matched = matched;
    this.#dfa = dfa;
    this.#states = states;
    this.#side = side;
  }

  /** The row in the pattern's own DFA. */
  get row(): number {
    const dfa = this.#dfa;
    if (this.#sets !== dfa.sets) {
      this.#row = dfa.rowOf(this.#states, this.#states.length, this.#side);
      this.#sets = dfa.sets;
    }
    return this.#row;
  }

  /** Where nothing of the pattern is live any more: most leads end after some characters, and this is the fast way to know. */
  deadAfter(units: Uint16Array, from: number, length: number): number {
    if (this.matched) return UNFOLLOWED;
    let { row } = this;
    const { automaton, columnOf, lastRoot, transitions } = this.#dfa;
    const { classOf } = automaton.alphabet;
    let at = from;
    for (; row > lastRoot; at++) {
      if (at === length) return UNFOLLOWED;
      row = transitions[row + (columnOf[classOf[units[at] as number] as number] as number)] as number;
    }
    return row < 0 ? UNFOLLOWED : at;
  }
}

/** One lead for each pattern of the states entered, given all others that are live behind the character. */
export function leadsTo(
  automaton: Automaton,
  dfaOf: (pattern: number) => LazyDfa,
  live: ArrayLike<number>,
  entered: readonly number[],
  side: Side,
): Lead[] {
  const { flags, patternOf } = automaton;
  const flagOf = (state: number) => (flags[state] as number) >> (side - OTHER);
  const patterns = new Set(entered.map((state) => patternOf[state] as number));
  return Array.from(patterns, (pattern) => {
    const isOwn = (state: number) => patternOf[state] === pattern;
    const own = entered.filter(isOwn);
    const states = [...Array.from(live).filter(isOwn), ...own.filter((state) => flagOf(state) & LIVE)];
    const matched = own.some((state) => flagOf(state) & MATCHED);
    return new Lead(pattern, dfaOf(pattern), states, matched, side);
  });
}
