import type { Automaton } from './automaton.ts';
import { type DfaEvent, LazyDfa } from './lazy-dfa.ts';
import { type Lead, leadsTo } from './lead.ts';
import { rareStates } from './rare-states.ts';
import { ThreadTracker, TrackerScratch } from './thread-tracker.ts';

/** States of the DFA of one pattern; few patterns need more than some hundred. */
const MOST_STATES_ALONE = 4096;
/** Trackers that are kept, since making one costs more than most of them do. */
const MOST_IDLE = 8;

/** What a set of patterns is matched with; its readers share it. */
export class Engine {
  readonly automaton: Automaton;
  readonly scratch: TrackerScratch;
  readonly maxMatchLength: number;
  /** Follows all patterns at once through their common states; its events are leads. */
  readonly common: LazyDfa;
  readonly #maxStates: number;
  /** By pattern. */
  readonly #following: (LazyDfa | undefined)[] = [];
  readonly #anchored: (LazyDfa | undefined)[] = [];
  readonly #idle: ThreadTracker[] = [];
  /** The first state of each pattern, and the number of all. */
  readonly #firsts: readonly number[];

  constructor(automaton: Automaton, maxStates: number, maxMatchLength: number) {
    const { stateCount, fresh } = automaton;
    this.automaton = automaton;
    this.scratch = new TrackerScratch(automaton);
    this.maxMatchLength = maxMatchLength;
    this.#maxStates = maxStates;
    this.#firsts = firstStates(automaton);
    this.common = new LazyDfa(automaton, { first: 0, end: stateCount, fresh, rare: rareStates(automaton) }, maxStates);
  }

  /** Follows one pattern, wherever it may begin. */
  following(pattern: number): LazyDfa {
    this.#following[pattern] ??= this.#alone(pattern, false);
    return this.#following[pattern];
  }

  /** Follows one pattern from one place on: no match begins in another one. */
  anchored(pattern: number): LazyDfa {
    this.#anchored[pattern] ??= this.#alone(pattern, true);
    return this.#anchored[pattern];
  }

  /** A tracker without threads, to be taken back when it has none again. */
  lendTracker(): ThreadTracker {
    return this.#idle.pop() ?? new ThreadTracker(this.automaton, this.scratch, this.maxMatchLength);
  }

  takeBack(tracker: ThreadTracker): void {
    if (this.#idle.length < MOST_IDLE) this.#idle.push(tracker);
  }

  /** The leads of an event that `common` has just told. */
  leadsOf(event: DfaEvent): readonly Lead[] {
    const { row, entered, side } = event;
    const dfaOf = (pattern: number) => this.following(pattern);
    event.leads ??= leadsTo(this.automaton, dfaOf, this.common.statesOf(row), entered, side);
    return event.leads;
  }

  #alone(pattern: number, isAnchored: boolean): LazyDfa {
    const [first, end] = [this.#firsts[pattern] as number, this.#firsts[pattern + 1] as number];
    const part = { first, end, fresh: this.scratch.freshOf(pattern), isAnchored };
    return new LazyDfa(this.automaton, part, Math.min(this.#maxStates, MOST_STATES_ALONE));
  }
}

/** Where the states of each pattern begin; behind them, where all end. */
function firstStates({ patternOf, patternCount, stateCount }: Automaton): number[] {
  const firsts = new Array<number>(patternCount + 1).fill(stateCount);
  for (let state = stateCount - 1; state >= 0; state--) firsts[patternOf[state] as number] = state;
  return firsts;
}
