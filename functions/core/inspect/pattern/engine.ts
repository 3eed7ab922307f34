import { type Automaton, startingWith } from './automaton.ts';
import { type Columns, columnsOf } from './columns.ts';
import { type DfaEvent, type DfaPart, LazyDfa } from './lazy-dfa.ts';
import { type Lead, leadsTo } from './lead.ts';
import { rareStates } from './rare-states.ts';
import { ThreadTracker, TrackerScratch } from './thread-tracker.ts';

/** States of the DFA of one pattern; few patterns need more than some hundred. */
const MOST_STATES_ALONE = 4096;
/** Trackers that are kept, since making one costs more than most of them do. */
const MOST_IDLE = 8;

export interface EngineOptions {
  /** States that a DFA holds before it starts over. */
  readonly maxStates: number;
  readonly maxMatchLength: number;
}

/** What patterns are matched with; their readers share it. */
export class Engine {
  /** Its matches begin with the patterns that are to be found. */
  readonly automaton: Automaton;
  readonly maxMatchLength: number;
  /** What does not depend on which patterns of a set are to be found. */
  readonly #set: SetEngine;
  readonly #maxStates: number;
  #common: LazyDfa | undefined;

  constructor(automaton: Automaton, options: EngineOptions, set = new SetEngine(automaton, options)) {
    this.automaton = automaton;
    this.maxMatchLength = options.maxMatchLength;
    this.#set = set;
    this.#maxStates = options.maxStates;
  }

  /** The engine for some of the patterns. */
  only(patterns: ReadonlySet<number>): Engine {
    const options = { maxStates: this.#maxStates, maxMatchLength: this.maxMatchLength };
    return new Engine(startingWith(this.automaton, patterns), options, this.#set);
  }

  get scratch(): TrackerScratch {
    return this.#set.scratch;
  }

  /** Follows all patterns at once through their common states; its events are leads. */
  get common(): LazyDfa {
    this.#common ??= new LazyDfa(
      this.automaton,
      this.#set.commonPart(this.automaton),
      this.#maxStates,
      this.#set.columns,
    );
    return this.#common;
  }

  /** Follows one pattern, wherever it may begin. */
  following(pattern: number): LazyDfa {
    return this.#set.following(pattern);
  }

  /** Follows one pattern from one place on: no match begins in another one. */
  anchored(pattern: number): LazyDfa {
    return this.#set.anchored(pattern);
  }

  /** A tracker without threads, to be taken back when it has none again. */
  lendTracker(): ThreadTracker {
    return this.#set.lendTracker();
  }

  takeBack(tracker: ThreadTracker): void {
    this.#set.takeBack(tracker);
  }

  /** The leads of an event that `common` has just told. */
  leadsOf(event: DfaEvent): readonly Lead[] {
    const { row, entered, side } = event;
    const dfaOf = (pattern: number) => this.following(pattern);
    event.leads ??= leadsTo(this.automaton, dfaOf, this.common.statesOf(row), entered, side);
    return event.leads;
  }
}

class SetEngine {
  readonly scratch: TrackerScratch;
  readonly #automaton: Automaton;
  readonly #options: EngineOptions;
  /** By pattern. */
  readonly #following: (LazyDfa | undefined)[] = [];
  readonly #anchored: (LazyDfa | undefined)[] = [];
  readonly #idle: ThreadTracker[] = [];
  #rare: Uint8Array | undefined;
  #columns: Columns | undefined;
  #firsts: readonly number[] | undefined;

  constructor(automaton: Automaton, options: EngineOptions) {
    this.scratch = new TrackerScratch(automaton);
    this.#automaton = automaton;
    this.#options = options;
  }

  /** The common states, for matches that begin as an automaton of the set says. */
  commonPart({ stateCount, fresh }: Automaton): DfaPart {
    this.#rare ??= rareStates(this.#automaton);
    return { first: 0, end: stateCount, fresh, rare: this.#rare };
  }

  get columns(): Columns {
    this.#columns ??= columnsOf(this.#automaton, this.commonPart(this.#automaton));
    return this.#columns;
  }

  following(pattern: number): LazyDfa {
    this.#following[pattern] ??= this.#alone(pattern, false);
    return this.#following[pattern];
  }

  anchored(pattern: number): LazyDfa {
    this.#anchored[pattern] ??= this.#alone(pattern, true);
    return this.#anchored[pattern];
  }

  lendTracker(): ThreadTracker {
    return this.#idle.pop() ?? new ThreadTracker(this.#automaton, this.scratch, this.#options.maxMatchLength);
  }

  takeBack(tracker: ThreadTracker): void {
    if (this.#idle.length < MOST_IDLE) this.#idle.push(tracker);
  }

  #alone(pattern: number, isAnchored: boolean): LazyDfa {
    this.#firsts ??= firstStates(this.#automaton);
    const [first, end] = [this.#firsts[pattern] as number, this.#firsts[pattern + 1] as number];
    const part = { first, end, fresh: this.scratch.freshOf(pattern), isAnchored };
    return new LazyDfa(this.#automaton, part, Math.min(this.#options.maxStates, MOST_STATES_ALONE));
  }
}

/** Where the states of each pattern begin; behind them, where all end. */
function firstStates({ patternOf, patternCount, stateCount }: Automaton): number[] {
  const firsts = new Array<number>(patternCount + 1).fill(stateCount);
  for (let state = stateCount - 1; state >= 0; state--) firsts[patternOf[state] as number] = state;
  return firsts;
}
