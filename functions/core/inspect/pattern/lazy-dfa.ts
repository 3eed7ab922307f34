import { type Automaton, LIVE, MATCHED, WAITS } from './automaton.ts';
import { OTHER, type Side } from './context.ts';
import { ThreadSetIndex } from './thread-set-index.ts';

/** A transition not yet worked out. */
export const UNKNOWN = -1;

/** Roots, one for each side that the last character can have; their rows are the first three. */
const ROOTS = 3;
const FIRST_CAPACITY = 64;
/** A cache that fills before it has served this many characters a state costs more than it saves. */
const FEWEST_CHARS_A_STATE = 4;
/** How long, in characters a state, the DFA is then left alone, to spread the cost of trying again. */
const PAUSE_CHARS_A_STATE = 8;
/** Automaton states held by all DFA states together, 4 bytes each. */
const LARGEST_POOL = 1 << 20;

/**
 * A DFA over all patterns, built as texts need it and thrown away when it exceeds its cap.
 *
 * A state is the set of automaton states that threads may be in, with the side of the last character. It knows no
 * starts and never ends a thread because a match covers it, so it may hold threads that are no longer live, never fewer.
 *
 * `transitions[row + class]` is UNKNOWN, the row of the next state, or `-2 - row` if some pattern matched: either up to
 * and with the character, or, where the character decided a waiting assertion, up to it. The class `classCount` is the
 * end of the text. Rows up to `lastRoot` are roots: no thread is live, so nothing that follows touches what came before.
 */
export class LazyDfa {
  readonly automaton: Automaton;
  readonly stride: number;
  readonly lastRoot: number;
  transitions: Int32Array;
  /** Grows when all rows but the roots become void. */
  generation = 0;
  /** Characters to be read without the DFA, since its states were of too little use for the last ones. */
  pause = 0;

  readonly #maxStates: number;
  readonly #maxPool: number;
  readonly #sets: ThreadSetIndex;
  /** By transition, the patterns that matched on it, as far as anybody has asked. */
  readonly #matchedOn = new Map<number, readonly number[]>();
  #charsServed = 0;

  constructor(automaton: Automaton, maxStates: number) {
    this.automaton = automaton;
    this.stride = automaton.alphabet.classCount + 1;
    this.lastRoot = (ROOTS - 1) * this.stride;
    this.#maxStates = Math.max(ROOTS + 1, maxStates);
    this.#maxPool = Math.max(LARGEST_POOL, automaton.stateCount);
    const capacity = Math.min(FIRST_CAPACITY, this.#maxStates);
    this.transitions = new Int32Array(capacity * this.stride).fill(UNKNOWN);
    this.#sets = new ThreadSetIndex(automaton.stateCount, capacity, this.#maxStates);
    this.#addRoots();
  }

  /** The root row behind a character on `side`, EDGE for the start of a text. */
  rootRow(side: Side): number {
    return side * this.stride;
  }

  /** The row of the state with these threads; may void all other rows. */
  rowOf(states: Int32Array, count: number, side: Side): number {
    this.#sets.begin();
    for (let i = 0; i < count; i++) this.#sets.insert(states[i] as number);
    return this.#row(side);
  }

  /** Counts characters that were read with the DFA. */
  serve(chars: number): void {
    this.#charsServed += chars;
  }

  /** Works out and stores an unknown transition; may replace `transitions` and void all rows but the one returned. */
  advance(row: number, unitClass: number): number {
    const { automaton, generation } = this;
    const state = row / this.stride;
    const before = this.#sets.tags[state] as Side;
    const after = automaton.alphabet.sideOf[unitClass] as Side;
    let matched = this.#matchesWaiting(state, before, after);
    let target = 0;
    if (unitClass < automaton.alphabet.classCount) {
      matched = this.#collect(state, before, unitClass, after) || matched;
      target = this.#row(after);
    }
    const transition = matched ? -2 - target : target;
    if (generation === this.generation) this.transitions[row + unitClass] = transition;
    return transition;
  }

  /** The patterns that matched on a transition of a row that is not void; maybe some that a match of theirs has covered. */
  patternsMatchedOn(row: number, unitClass: number): readonly number[] {
    let patterns = this.#matchedOn.get(row + unitClass);
    if (patterns === undefined) {
      patterns = this.#findMatched(row / this.stride, unitClass);
      this.#matchedOn.set(row + unitClass, patterns);
    }
    return patterns;
  }

  #findMatched(state: number, unitClass: number): readonly number[] {
    const { alphabet, accepts, flags, patternOf } = this.automaton;
    const { first, pool, tags } = this.#sets;
    const before = tags[state] as Side;
    const after = alphabet.sideOf[unitClass] as Side;
    const patterns = new Set<number>();
    const waits = WAITS << (before - OTHER);
    for (let i = first[state] as number; i < (first[state + 1] as number); i++) {
      const member = pool[i] as number;
      const decided = ((accepts[member] as number) >> (before * 3 + after)) & 1;
      if ((flags[member] as number) & waits && decided) patterns.add(patternOf[member] as number);
    }
    if (unitClass < alphabet.classCount) {
      this.#eachTarget(state, before, unitClass, (target) => {
        if (((flags[target] as number) >> (after - OTHER)) & MATCHED) patterns.add(patternOf[target] as number);
      });
    }
    return [...patterns];
  }

  /** The states that threads enter over a character, some more than once. */
  #eachTarget(state: number, before: Side, unitClass: number, take: (target: number) => void): void {
    const { alphabet, allowed, firstStep, stepRow, stepTarget, fresh } = this.automaton;
    const { first, pool } = this.#sets;
    const column = before * alphabet.classCount + unitClass;
    for (let i = first[state] as number; i < (first[state + 1] as number); i++) {
      const member = pool[i] as number;
      const end = firstStep[member + 1] as number;
      for (let step = firstStep[member] as number; step < end; step++) {
        if (allowed[(stepRow[step] as number) + column] === 1) take(stepTarget[step] as number);
      }
    }
    for (const target of fresh[column] as Int32Array) take(target);
  }

  #matchesWaiting(state: number, before: Side, after: Side): boolean {
    const { accepts, flags } = this.automaton;
    const { first, pool } = this.#sets;
    const waits = WAITS << (before - OTHER);
    for (let i = first[state] as number; i < (first[state + 1] as number); i++) {
      const member = pool[i] as number;
      if ((flags[member] as number) & waits && ((accepts[member] as number) >> (before * 3 + after)) & 1) return true;
    }
    return false;
  }

  /** Gathers the threads after one character; whether one of them has matched. */
  #collect(state: number, before: Side, unitClass: number, after: Side): boolean {
    const shift = after - OTHER;
    let matched = false;
    this.#sets.begin();
    this.#eachTarget(state, before, unitClass, (target) => {
      matched = this.#enter(target, shift) || matched;
    });
    return matched;
  }

  #enter(target: number, shift: number): boolean {
    const flags = (this.automaton.flags[target] as number) >> shift;
    if (flags & LIVE) this.#sets.insert(target);
    return (flags & MATCHED) !== 0;
  }

  /** The row of the set just put together. */
  #row(side: Side): number {
    const sets = this.#sets;
    if (sets.size === 0) return this.rootRow(side);
    const known = sets.find(side);
    if (known >= 0) return known * this.stride;
    if (sets.count >= this.#maxStates || sets.used + sets.size > this.#maxPool) this.#flush();
    const added = sets.add(side);
    this.#makeRoom();
    return added * this.stride;
  }

  #makeRoom(): void {
    const { length } = this.transitions;
    const needed = this.#sets.room * this.stride;
    if (length >= needed) return;
    const { transitions } = this;
    this.transitions = new Int32Array(needed).fill(UNKNOWN, length);
    this.transitions.set(transitions);
  }

  #flush(): void {
    const states = this.#sets.count;
    if (this.#charsServed < FEWEST_CHARS_A_STATE * states) this.pause = PAUSE_CHARS_A_STATE * states;
    this.#charsServed = 0;
    this.generation += 1;
    this.transitions.fill(UNKNOWN);
    this.#matchedOn.clear();
    this.#sets.clear();
    this.#addRoots();
  }

  /** The empty set with each side for a tag. */
  #addRoots(): void {
    const { size } = this.#sets;
    this.#sets.size = 0;
    for (let side = 0; side < ROOTS; side++) this.#sets.add(side);
    this.#sets.size = size;
  }
}
