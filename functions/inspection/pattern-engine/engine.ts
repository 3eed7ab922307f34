import type { Automaton, Columns, LinkedPatterns } from './automaton.ts';
import type { Side } from './context.ts';
import { columnsOf, type DfaEvent, type DfaPart, LazyDfa, type Lead, leadsTo } from './lazy-dfa.ts';
import { choosePatterns } from './link-patterns.ts';
import { ThreadTracker, TrackerScratch } from './thread-tracker.ts';

/** States of the DFA of one pattern; few patterns need more than some hundred. */
const MOST_STATES_ALONE = 4096;

/** Trackers that are kept for reuse: without them inspection of prose takes 7 % more CPU. */
const MOST_IDLE = 8;

interface EngineOptions {
  /** States that a DFA holds before it restarts. */
  readonly maxStates: number;
  readonly maxMatchLength: number;
}

/** The matching machinery, shared by readers. */
export class Engine {
  /** The automaton for the selected patterns. */
  readonly automaton: Automaton;
  private readonly set: EngineSet;
  private commonDfa: LazyDfa | undefined;

  constructor(set: EngineSet, patterns: readonly number[]) {
    this.automaton = choosePatterns(set.linked, patterns);
    this.set = set;
  }

  get scratch(): TrackerScratch {
    return this.set.scratch;
  }

  get maxMatchLength(): number {
    return this.set.options.maxMatchLength;
  }

  /** Follows all patterns at once through their common states; its events are leads. */
  get common(): LazyDfa {
    this.commonDfa ??= this.set.common(this.automaton);
    return this.commonDfa;
  }

  /** Follows one pattern from any start. */
  following(pattern: number): LazyDfa {
    return this.set.following(pattern);
  }

  /** Follows one pattern from one start only. */
  anchored(pattern: number): LazyDfa {
    return this.set.anchored(pattern);
  }

  /** Lends a tracker without threads; `takeBack` accepts it when it has none again. */
  lendTracker(): ThreadTracker {
    return this.set.lendTracker();
  }

  takeBack(tracker: ThreadTracker): void {
    this.set.takeBack(tracker);
  }

  /** The leads of an event that `common` has just returned. */
  leadsOf(event: DfaEvent): readonly Lead[] {
    const { row, entered, side } = event;
    const dfaOf = (pattern: number) => this.following(pattern);
    event.leads ??= leadsTo(this.automaton, dfaOf, this.common.statesOf(row), entered, side);
    return event.leads;
  }
}

/** The parts that do not depend on the selected patterns. Each is created on first use. */
export class EngineSet {
  readonly linked: LinkedPatterns;
  readonly options: EngineOptions;
  readonly scratch: TrackerScratch;
  /** By pattern. */
  private readonly followingDfas: (LazyDfa | undefined)[] = [];
  private readonly anchoredDfas: (LazyDfa | undefined)[] = [];
  private readonly idle: ThreadTracker[] = [];
  /** The states that are common in ordinary text, for any selection of patterns, and their columns. */
  private commonPart: DfaPart | undefined;
  private commonColumns: Columns | undefined;

  constructor(linked: LinkedPatterns, options: EngineOptions) {
    this.linked = linked;
    this.options = options;
    this.scratch = new TrackerScratch(linked);
  }

  /** Follows all patterns of an automaton through their common states. */
  common(automaton: Automaton): LazyDfa {
    return new LazyDfa(automaton, this.part, this.options.maxStates, this.columns);
  }

  following(pattern: number): LazyDfa {
    this.followingDfas[pattern] ??= this.alone(pattern, false);
    return this.followingDfas[pattern];
  }

  anchored(pattern: number): LazyDfa {
    this.anchoredDfas[pattern] ??= this.alone(pattern, true);
    return this.anchoredDfas[pattern];
  }

  lendTracker(): ThreadTracker {
    const { linked, options, scratch } = this;
    return this.idle.pop() ?? new ThreadTracker(choosePatterns(linked, []), scratch, options.maxMatchLength);
  }

  takeBack(tracker: ThreadTracker): void {
    if (this.idle.length < MOST_IDLE) this.idle.push(tracker);
  }

  private get part(): DfaPart {
    this.commonPart ??= { first: 0, end: this.linked.stateCount, isCommon: true };
    return this.commonPart;
  }

  private get columns(): Columns {
    this.commonColumns ??= columnsOf(this.linked, this.part);
    return this.commonColumns;
  }

  private alone(pattern: number, isAnchored: boolean): LazyDfa {
    const { firstState } = this.linked;
    const part = { first: firstState[pattern] as number, end: firstState[pattern + 1] as number, isAnchored };
    const maxStates = Math.min(this.options.maxStates, MOST_STATES_ALONE);
    return new LazyDfa(choosePatterns(this.linked, [pattern]), part, maxStates);
  }
}

/** A text, or the end of one that grows. */
export interface HeldText {
  readonly units: Uint16Array;
  readonly length: number;
  /** Offset of the first unit in the whole text. */
  readonly base: number;
  /** The side of the character before it. */
  readonly before: Side;
  /** Whether the text ends here. */
  readonly isEnd: boolean;
}

/** The side of the character before an index. */
export function sideBefore({ units, before }: HeldText, index: number, { alphabet }: Automaton): Side {
  if (index === 0) return before;
  return alphabet.sideOf[alphabet.classOf[units[index - 1] as number] as number] as Side;
}
