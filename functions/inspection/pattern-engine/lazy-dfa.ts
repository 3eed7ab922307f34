import { Partition } from './alphabet.ts';
import {
  type Automaton,
  type Classes,
  type Columns,
  LIVE,
  type LinkedPatterns,
  MATCHED,
  RARE,
  WAITS,
} from './automaton.ts';
import { OTHER, type Side } from './context.ts';
import { ThreadSetIndex } from './thread-set-index.ts';

/** A transition that was not computed yet. */
export const UNKNOWN = 0xffff;
/** Transitions from here to UNKNOWN are events, and lower ones rows. */
export const FIRST_EVENT = 0x8000;
const MOST_EVENTS = UNKNOWN - FIRST_EVENT;

/** Roots, one for each side of the last character, are the first three rows. */
const ROOTS = 3;
export const LAST_ROOT = ROOTS - 1;
const FIRST_CAPACITY = 64;

/** Automaton states held by all DFA states together, 4 bytes each. */
const LARGEST_POOL = 1 << 18;

/** The part of an automaton that a DFA follows. Matches start in the automaton's `fresh` states. */
export interface DfaPart {
  /** Its states: from `first` up to `end`. */
  readonly first: number;
  readonly end: number;
  /** Whether matches start only if no thread is live. */
  readonly isAnchored?: boolean;
  /** Whether only common states are followed; other states that are entered are reported. */
  readonly isCommon?: boolean;
}

/** A transition with an event. */
export interface DfaEvent {
  /** The row of the next state. */
  readonly row: number;
  /** The side of the character. */
  readonly side: Side;
  /** Whether a pattern matched before the character, which decided a waiting assertion, and whether it matched with it. */
  readonly matchedBefore: boolean;
  readonly matchedAfter: boolean;
  /** States that are not followed but were entered with the character; may contain duplicates. */
  readonly entered: readonly number[];
  /** The leads of `entered`; undefined until first needed. */
  leads: readonly Lead[] | undefined;
}

/**
 * A DFA over a part of an automaton, built on demand and discarded when it exceeds its limit.
 *
 * A state is the set of automaton states that threads may be in, with the side of the last character. It does not track starts and does
 * not end threads that a match covers, so it may contain threads that are no longer live, but never misses one.
 *
 * `transitions[(row << rowBits) + column]` is UNKNOWN, the row of the next state, or FIRST_EVENT and the index of an event. With two bytes for
 * each and the frequent columns first, most of a row's transitions are in one cache line: with four bytes and rows across lines a character
 * of new text takes three times as long. Rows up to LAST_ROOT are roots: no thread is live, so later text does not affect earlier text.
 */
export class LazyDfa {
  readonly automaton: Automaton;
  /** By class of the automaton. */
  readonly columnOf: Uint16Array;
  /** The column of the end of the text, the last one. */
  readonly endColumn: number;
  readonly rowBits: number;
  transitions: Uint16Array;
  events: DfaEvent[] = [];
  /** The sets of the rows; replaced when rows become invalid. */
  sets: ThreadSetIndex;

  private readonly part: DfaPart;
  private readonly classIn: Classes;
  private readonly maxStates: number;
  private readonly maxPool: number;

  constructor(automaton: Automaton, part: DfaPart, maxStates: number, columns = columnsOf(automaton, part)) {
    const { columnOf, classIn } = columns;
    this.automaton = automaton;
    this.columnOf = columnOf;
    this.endColumn = classIn.length;
    this.rowBits = 32 - Math.clz32(this.endColumn);
    this.part = part;
    this.classIn = classIn;
    this.maxStates = Math.min(FIRST_EVENT, Math.max(ROOTS + 1, maxStates));
    this.maxPool = Math.max(LARGEST_POOL, part.end - part.first);
    this.sets = this.emptySets();
    this.transitions = this.emptyTransitions();
  }

  /** The root row after a character on `side`, EDGE for the start of a text. */
  rootRow(side: Side): number {
    return side;
  }

  /** The row of the state with these threads; may invalidate all other rows. */
  rowOf(states: ArrayLike<number>, count: number, side: Side): number {
    this.sets.begin();
    for (let i = 0; i < count; i++) this.sets.insert((states[i] as number) - this.part.first);
    return this.currentRow(side);
  }

  /** The automaton states of a row. */
  statesOf(row: number): Int32Array {
    const { first, pool } = this.sets;
    return pool.slice(first[row], first[row + 1]).map((member) => this.part.first + member);
  }

  /** The last index from `from` up to `to` at which no thread is live; `row` is the row at `from`. */
  lastDead(units: Uint16Array, from: number, to: number, row: number): number {
    const { columnOf, rowBits } = this;
    const { classOf } = this.automaton.alphabet;
    let { transitions } = this;
    let last = from;
    let at = row;
    for (let i = from; i < to; i++) {
      const column = columnOf[classOf[units[i] as number] as number] as number;
      let next = transitions[(at << rowBits) + column] as number;
      if (next >= FIRST_EVENT) {
        next = this.step(at, column);
        transitions = this.transitions;
        if (next >= FIRST_EVENT) next = this.eventOf(next).row;
      }
      at = next;
      if (at <= LAST_ROOT) last = i + 1;
    }
    return last;
  }

  /** The row at index `to`; `row` is the row at `from`. */
  rowAt(units: Uint16Array, from: number, to: number, row: number): number {
    const { columnOf } = this;
    const { classOf } = this.automaton.alphabet;
    let at = row;
    for (let i = from; i < to; i++) {
      const next = this.step(at, columnOf[classOf[units[i] as number] as number] as number);
      at = next < FIRST_EVENT ? next : this.eventOf(next).row;
    }
    return at;
  }

  /** The current row for a row of older sets. */
  renewed(row: number, sets: ThreadSetIndex): number {
    if (sets === this.sets) return row;
    const side = sets.tags[row] as Side;
    this.sets.begin();
    for (let at = sets.first[row] as number; at < (sets.first[row + 1] as number); at++) {
      this.sets.insert(sets.pool[at] as number);
    }
    return this.currentRow(side);
  }

  /** The transition, computed if needed: a row or an event. */
  step(row: number, column: number): number {
    const known = this.transitions[(row << this.rowBits) + column] as number;
    return known === UNKNOWN ? this.advance(row, column) : known;
  }

  eventOf(transition: number): DfaEvent {
    return this.events[transition - FIRST_EVENT] as DfaEvent;
  }

  /** Computes and stores an unknown transition; may replace `transitions` and invalidate all rows but the next. */
  advance(row: number, column: number): number {
    const { automaton, sets } = this;
    const { classCount, sideOf } = automaton.alphabet;
    const unitClass = this.classIn[column] ?? classCount;
    const before = sets.tags[row] as Side;
    const after = sideOf[unitClass] as Side;
    const matchedBefore = this.matchesWaiting(row, before, after);
    const entered: number[] = [];
    let matchedAfter = false;
    let next = 0;
    if (unitClass < classCount) {
      matchedAfter = this.collect(row, before, unitClass, after, entered);
      next = this.currentRow(after);
    }
    let transition = next;
    if (matchedBefore || matchedAfter || entered.length > 0) {
      const event = { row: next, side: after, matchedBefore, matchedAfter, entered, leads: undefined };
      transition = FIRST_EVENT - 1 + this.events.push(event);
    }
    if (sets === this.sets) this.transitions[(row << this.rowBits) + column] = transition;
    return transition;
  }

  private matchesWaiting(row: number, before: Side, after: Side): boolean {
    const { accepts, flags } = this.automaton;
    const { first, pool } = this.sets;
    const base = this.part.first;
    const waits = WAITS << (before - OTHER);
    for (let i = first[row] as number; i < (first[row + 1] as number); i++) {
      const member = base + (pool[i] as number);
      if ((flags[member] as number) & waits && ((accepts[member] as number) >> (before * 3 + after)) & 1) return true;
    }
    return false;
  }

  /** Collects the threads after one character, and entered states that are not followed; returns whether a thread has matched. */
  private collect(row: number, before: Side, unitClass: number, after: Side, entered: number[]): boolean {
    const { alphabet, allowed, firstStep, fresh, rowCount, stepRow, stepTarget } = this.automaton;
    const { first, pool } = this.sets;
    const base = this.part.first;
    const column = before * alphabet.classCount + unitClass;
    const allowedFrom = column * rowCount;
    let matched = false;
    this.sets.begin();
    for (let i = first[row] as number; i < (first[row + 1] as number); i++) {
      const member = base + (pool[i] as number);
      const end = firstStep[member + 1] as number;
      for (let step = firstStep[member] as number; step < end; step++) {
        if (allowed[allowedFrom + (stepRow[step] as number)] !== 1) continue;
        if (this.enter(stepTarget[step] as number, after, entered)) matched = true;
      }
    }
    if (this.part.isAnchored && row > LAST_ROOT) return matched;
    for (const target of fresh[column] as Int32Array) {
      if (this.enter(target, after, entered)) matched = true;
    }
    return matched;
  }

  private enter(target: number, side: Side, entered: number[]): boolean {
    const flags = (this.automaton.flags[target] as number) >> (side - OTHER);
    if (this.part.isCommon === true && (flags & RARE) !== 0) {
      if (flags & (LIVE | MATCHED)) entered.push(target);
      return false;
    }
    if (flags & LIVE) this.sets.insert(target - this.part.first);
    return (flags & MATCHED) !== 0;
  }

  /** The row of the set just built. */
  private currentRow(side: Side): number {
    const { sets } = this;
    if (this.events.length >= MOST_EVENTS) return this.startOver(side);
    if (sets.size === 0) return this.rootRow(side);
    const known = sets.find(side);
    if (known >= 0) return known;
    if (sets.count >= this.maxStates || sets.used + sets.size > this.maxPool) return this.startOver(side);
    const added = sets.add(side);
    this.makeRoom();
    return added;
  }

  private makeRoom(): void {
    const { length } = this.transitions;
    const needed = this.sets.room << this.rowBits;
    if (length >= needed) return;
    const { transitions } = this;
    this.transitions = new Uint16Array(needed).fill(UNKNOWN, length);
    this.transitions.set(transitions);
  }

  /** Invalidates all rows; returns the new row of the set just built. Holders of the old sets can still read them. */
  private startOver(side: Side): number {
    const members = this.sets.members();
    this.sets = this.emptySets();
    this.transitions = this.emptyTransitions();
    this.events = [];
    this.sets.begin();
    for (const member of members) this.sets.insert(member);
    return this.currentRow(side);
  }

  private emptyTransitions(): Uint16Array {
    return new Uint16Array(this.sets.room << this.rowBits).fill(UNKNOWN);
  }

  /** Contains only the empty set, with each side as a tag. */
  private emptySets(): ThreadSetIndex {
    const { first, end } = this.part;
    const sets = new ThreadSetIndex(end - first, Math.min(FIRST_CAPACITY, this.maxStates), this.maxStates);
    for (let side = 0; side < ROOTS; side++) sets.add(side);
    return sets;
  }
}

/** A pattern to follow separately, from a character over which it entered states that are not common. */
export class Lead {
  readonly pattern: number;
  /** Whether the pattern has matched with the character. */
  readonly matched: boolean;
  private readonly dfa: LazyDfa;
  /** All states that its threads may be in. */
  private readonly states: readonly number[];
  private readonly side: Side;
  private currentRow = 0;
  private sets: ThreadSetIndex | undefined;

  constructor(pattern: number, dfa: LazyDfa, states: readonly number[], matched: boolean, side: Side) {
    this.pattern = pattern;
    this.matched = matched;
    this.dfa = dfa;
    this.states = states;
    this.side = side;
  }

  /** The row in the pattern's separate DFA. */
  get row(): number {
    const dfa = this.dfa;
    if (this.sets !== dfa.sets) {
      this.currentRow = dfa.rowOf(this.states, this.states.length, this.side);
      this.sets = dfa.sets;
    }
    return this.currentRow;
  }
}

/** One lead for each pattern of the entered states, given all other live states after the character. */
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

/** The fewest columns for a part: tables with few columns stay in the processor's cache. */
export function columnsOf(linked: LinkedPatterns, part: DfaPart): Columns {
  const { classCount, wordClasses } = linked.alphabet;
  const columns = new Partition(classCount);
  columns.split(wordClasses);
  for (const members of classListsOf(linked, part)) columns.split(members);
  columns.renumber([]);
  const classIn: number[] = [];
  columns.of.forEach((column, at) => {
    classIn[column] ??= at;
  });
  return { columnOf: Uint16Array.from(columns.of), classIn };
}

/** The class lists of steps from the part's followed states and from the starts of its patterns. */
function classListsOf(linked: LinkedPatterns, part: DfaPart): Set<Classes> {
  const lists = new Set<Classes>();
  // Steps over the same set share their lists, unless they depend on the previous side.
  for (const row of rowsOf(linked, part)) for (const list of linked.classesOfRow[row] ?? []) lists.add(list);
  return lists;
}

function rowsOf({ common, firstState, firstStep, stepRow }: LinkedPatterns, part: DfaPart): number[] {
  const { first, end, isCommon = false } = part;
  const rows = new Set<number>();
  const add = (from: number, to: number): void => {
    const last = firstStep[to] as number;
    for (let step = firstStep[from] as number; step < last; step++) rows.add(stepRow[step] as number);
  };
  if (!isCommon) add(first, end);
  else {
    for (const state of common) add(state, state + 1);
    for (const start of firstState.subarray(0, -1)) add(start, start + 1);
  }
  return [...rows];
}
