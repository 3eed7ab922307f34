import { type Automaton, EXTENDS, LIVE, type LinkedPatterns, MATCHED, WAITS } from './automaton.ts';
import { EDGE, OTHER, type Side } from './context.ts';
import type { PatternMatch } from './pattern-match.ts';

const NONE = Number.POSITIVE_INFINITY;

/** Working memory that trackers of one automaton share; it holds no data between two calls. */
export class TrackerScratch {
  /** The position of a state in the current list, if it is in it. */
  readonly positions: Int32Array;
  /** For each pattern, the earliest start that matched at the current position. */
  readonly acceptedStart: Float64Array;
  readonly acceptedPatterns: number[] = [];
  /** For each pattern, the earliest live start. */
  readonly liveStart: Float64Array;

  constructor({ patternCount, stateCount }: LinkedPatterns) {
    this.positions = new Int32Array(stateCount);
    this.acceptedStart = new Float64Array(patternCount).fill(NONE);
    this.liveStart = new Float64Array(patternCount).fill(NONE);
  }
}

/**
 * Tracks every thread with its start, character by character, and so finds exact matches: for each pattern leftmost-longest, without overlap.
 * When a match is found, later starts of its pattern that it covers end.
 */
export class ThreadTracker {
  private readonly automaton: Automaton;
  private readonly scratch: TrackerScratch;
  private readonly maxMatchLength: number;
  private readonly candidates = new MatchCandidates();
  private threads = new ThreadList();
  private next = new ThreadList();
  /** Number of threads for which the next character decides whether they have matched. */
  private waiting = 0;
  /** Whether a later start took the place of one that grew too long, since the threads were cleared. */
  private hasReplaced = false;

  constructor(automaton: Automaton, scratch: TrackerScratch, maxMatchLength: number) {
    this.automaton = automaton;
    this.scratch = scratch;
    this.maxMatchLength = maxMatchLength;
  }

  /** Whether there is any thread or unreleased match. */
  get isOpen(): boolean {
    return this.threads.size > 0 || !this.candidates.isEmpty;
  }

  get threadCount(): number {
    return this.threads.size;
  }

  /** The states of the threads; only the first `threadCount` entries are valid. */
  get states(): Int32Array {
    return this.threads.states;
  }

  /** The start of the earliest live thread, or `otherwise`. */
  earliestStart(otherwise: number): number {
    const { size, earliest } = this.threads;
    let start = otherwise;
    for (let i = 0; i < size; i++) start = Math.min(start, earliest[i] as number);
    return start;
  }

  /**
   * Reads `units` from index `from` up to `to`, where index 0 is offset `base` of the stream; `before` is the side of the character before
   * `from`. Matches start in the states of `fresh`. Returns the side of the last character.
   */
  read(
    units: Uint16Array,
    from: number,
    to: number,
    base: number,
    before: Side,
    fresh: readonly Int32Array[] = this.automaton.fresh,
  ): Side {
    const { classCount, classOf, sideOf } = this.automaton.alphabet;
    let side = before;
    for (let i = from; i < to; i++) {
      const unitClass = classOf[units[i] as number] as number;
      const after = sideOf[unitClass] as Side;
      const column = side * classCount + unitClass;
      const entered = fresh[column] as Int32Array;
      if (this.threads.size > 0 || entered.length > 0) {
        if (this.waiting > 0) this.decideWaiting(side, after, base + i);
        this.step(entered, column, after, base + i);
      }
      side = after;
    }
    return side;
  }

  /**
   * The offset from which reading anew leads to the same threads at `position`, and so to the same later matches: the start of the earliest thread.
   * -1 if there is none, because a match is not released or a later start took the place of one that grew too long.
   */
  readableFrom(position: number): number {
    return this.hasReplaced || !this.candidates.isEmpty ? -1 : this.earliestStart(position);
  }

  /** Decides pending matches at the end of the text, at offset `end`. */
  readEnd(end: number, before: Side): void {
    if (this.waiting > 0) this.decideWaiting(before, EDGE, end);
  }

  /** Ends all threads, at a position that none survives. */
  clear(): void {
    this.threads.size = 0;
    this.waiting = 0;
    this.hasReplaced = false;
  }

  /**
   * The start of the pattern's match that ends at `position`, if every thread belongs to it: it may grow, but no other match can replace it. -1
   * otherwise. For a tracker of one pattern.
   */
  onlyMatch(pattern: number, position: number): number {
    const { size, earliest } = this.threads;
    const start = this.candidates.startOfMatchTo(pattern, position);
    for (let i = 0; i < size; i++) if (earliest[i] !== start) return -1;
    return start;
  }

  /** Records that the match from `start` ends at `end`, and ends all threads. */
  conclude(pattern: number, start: number, end: number): void {
    this.candidates.accept(pattern, start, end);
    this.clear();
  }

  /** Moves the final matches to `into`. */
  release(into: PatternMatch[]): void {
    if (this.candidates.isEmpty) return;
    const { patternOf } = this.automaton;
    const { liveStart } = this.scratch;
    const { size, states, earliest } = this.threads;
    for (let i = 0; i < size; i++) {
      const pattern = patternOf[states[i] as number] as number;
      if ((earliest[i] as number) < (liveStart[pattern] as number)) liveStart[pattern] = earliest[i] as number;
    }
    this.candidates.release(into, (pattern) => liveStart[pattern] as number);
    for (let i = 0; i < size; i++) liveStart[patternOf[states[i] as number] as number] = NONE;
  }

  private decideWaiting(before: Side, after: Side, position: number): void {
    const { accepts, flags, patternOf } = this.automaton;
    const { size, states, earliest } = this.threads;
    const waits = WAITS << (before - OTHER);
    for (let i = 0; i < size; i++) {
      const state = states[i] as number;
      if ((flags[state] as number) & waits && ((accepts[state] as number) >> (before * 3 + after)) & 1) {
        this.accept(patternOf[state] as number, earliest[i] as number);
      }
    }
    if (this.scratch.acceptedPatterns.length > 0) this.settleAccepted(position, before);
  }

  private step(entered: Int32Array, column: number, after: Side, position: number): void {
    const { allowed, firstStep, rowCount, stepRow, stepTarget } = this.automaton;
    const from = column * rowCount;
    const { size, states, earliest, latest } = this.threads;
    this.next.size = 0;
    this.waiting = 0;
    for (let i = 0; i < size; i++) {
      const state = states[i] as number;
      const end = firstStep[state + 1] as number;
      for (let step = firstStep[state] as number; step < end; step++) {
        if (allowed[from + (stepRow[step] as number)] === 1) {
          this.enter(stepTarget[step] as number, earliest[i] as number, latest[i] as number, after, position + 1);
        }
      }
    }
    for (let i = 0; i < entered.length; i++) {
      this.enter(entered[i] as number, position, position, after, position + 1);
    }
    const read = this.threads;
    this.threads = this.next;
    this.next = read;
    if (this.scratch.acceptedPatterns.length > 0) this.settleAccepted(position + 1, after);
  }

  private enter(state: number, earliest: number, latest: number, side: Side, position: number): void {
    const flags = (this.automaton.flags[state] as number) >> (side - OTHER);
    if (flags & MATCHED) this.accept(this.automaton.patternOf[state] as number, earliest);
    if ((flags & LIVE) === 0) return;
    const tooEarly = position - this.maxMatchLength;
    const start = earliest > tooEarly ? earliest : latest;
    if (start !== earliest) this.hasReplaced = true;
    if (start <= tooEarly) return;
    const { positions } = this.scratch;
    const next = this.next;
    const known = positions[state] as number;
    if (known < next.size && next.states[known] === state) {
      if (start < (next.earliest[known] as number)) next.earliest[known] = start;
      if (latest > (next.latest[known] as number)) next.latest[known] = latest;
      return;
    }
    positions[state] = next.size;
    next.append(state, start, latest);
    if (flags & WAITS) this.waiting += 1;
  }

  private accept(pattern: number, start: number): void {
    const { acceptedStart, acceptedPatterns } = this.scratch;
    const known = acceptedStart[pattern] as number;
    if (known === NONE) acceptedPatterns.push(pattern);
    if (start < known) acceptedStart[pattern] = start;
  }

  /** Records the matches that end at `position`, and ends the threads that they cover. */
  private settleAccepted(position: number, side: Side): void {
    const { acceptedStart, acceptedPatterns } = this.scratch;
    for (const pattern of acceptedPatterns) {
      this.candidates.accept(pattern, acceptedStart[pattern] as number, position);
    }
    this.endCovered(side);
    for (const pattern of acceptedPatterns) acceptedStart[pattern] = NONE;
    acceptedPatterns.length = 0;
  }

  private endCovered(side: Side): void {
    const { flags, patternOf } = this.automaton;
    const { acceptedStart } = this.scratch;
    const { size, states, earliest, latest } = this.threads;
    const threads = this.threads;
    threads.size = 0;
    this.waiting = 0;
    for (let i = 0; i < size; i++) {
      const state = states[i] as number;
      const accepted = acceptedStart[patternOf[state] as number] as number;
      const start = earliest[i] as number;
      const flag = (flags[state] as number) >> (side - OTHER);
      // The match itself continues only if it can grow: another match at the same position would change nothing.
      if (start > accepted || (start === accepted && (flag & EXTENDS) === 0)) continue;
      threads.append(state, start, (latest[i] as number) > accepted ? start : (latest[i] as number));
      if (flag & WAITS) this.waiting += 1;
    }
  }
}

const FIRST_CAPACITY = 16;
/** Shared by streams without threads, which are most. */
const NO_STATES = new Int32Array(0);
const NO_STARTS = new Float64Array(0);

/**
 * The distinct states of threads, with the earliest and the latest start of the threads in each.
 *
 * Threads in one state have the same future, so only the earliest start can become a leftmost match; the latest continues if the earliest has
 * grown too long.
 */
class ThreadList {
  size = 0;
  states = NO_STATES;
  earliest = NO_STARTS;
  latest = NO_STARTS;

  append(state: number, earliest: number, latest: number): void {
    if (this.size === this.states.length) this.grow();
    this.states[this.size] = state;
    this.earliest[this.size] = earliest;
    this.latest[this.size] = latest;
    this.size += 1;
  }

  private grow(): void {
    const { states, earliest, latest } = this;
    const capacity = Math.max(FIRST_CAPACITY, 2 * this.size);
    this.states = new Int32Array(capacity);
    this.states.set(states);
    this.earliest = new Float64Array(capacity);
    this.earliest.set(earliest);
    this.latest = new Float64Array(capacity);
    this.latest.set(latest);
  }
}

/** Matches that may still grow, or that an earlier start may still replace: for each pattern in order, without overlap. */
class MatchCandidates {
  private readonly byPattern = new Map<number, PatternMatch[]>();

  get isEmpty(): boolean {
    return this.byPattern.size === 0;
  }

  /** The start of the last recorded match if it ends at `end`; else -1. */
  startOfMatchTo(pattern: number, end: number): number {
    const last = this.byPattern.get(pattern)?.at(-1);
    return last?.end === end ? last.start : -1;
  }

  /** Records a match with the latest end so far; it replaces those that start with it or inside it. */
  accept(pattern: number, start: number, end: number): void {
    const matches = this.byPattern.get(pattern);
    if (matches === undefined) {
      this.byPattern.set(pattern, [{ pattern, start, end }]);
      return;
    }
    while (matches.length > 0 && (matches[matches.length - 1] as PatternMatch).start >= start) matches.pop();
    matches.push({ pattern, start, end });
  }

  /** Moves matches that no thread can alter to `into`; `earliestLive` returns the earliest start of a pattern's threads. */
  release(into: PatternMatch[], earliestLive: (pattern: number) => number): void {
    for (const [pattern, matches] of this.byPattern) {
      const live = earliestLive(pattern);
      let released = 0;
      while (released < matches.length && (matches[released] as PatternMatch).start < live) {
        into.push(matches[released] as PatternMatch);
        released += 1;
      }
      if (released === matches.length) this.byPattern.delete(pattern);
      else if (released > 0) matches.splice(0, released);
    }
  }
}
