import { codeUnits } from './code-units.ts';
import { EDGE, type Side } from './context.ts';
import { type LazyDfa, UNKNOWN } from './lazy-dfa.ts';
import { compareMatches, type PatternMatch } from './pattern-match.ts';
import type { PatternStream } from './pattern-stream.ts';
import { ThreadTracker, type TrackerScratch } from './thread-tracker.ts';

/** What a set of patterns is matched with; its readers share it. */
export interface Engine {
  readonly dfa: LazyDfa;
  readonly scratch: TrackerScratch;
  readonly maxMatchLength: number;
  /** One of several patterns as a set of its own, made when it is first asked for. */
  readonly alone: ((pattern: number) => Engine) | undefined;
}

/** In a longer segment, what matched is looked for by a DFA of its own, which knows shorter segments. */
const LONG_SEGMENT_UNITS = 64;
const NO_GENERATION = -1;
/** Characters between two looks at whether the DFA is at a root. */
const BLOCK_UNITS = 64;

/**
 * Reads one text, whole or in pieces. The DFA passes over every character and cuts the text in segments, between which no
 * match can span; the tracker passes only over segments in which something matched, and over the one still open.
 */
export class SegmentReader implements PatternStream {
  readonly #engine: Engine;
  readonly #dfa: LazyDfa;
  readonly #tracker: ThreadTracker;
  #row: number;
  #generation: number;
  #side: Side = EDGE;
  #length = 0;
  /** Index in the text being read that the tracker has come to, or a root after it: nothing before it matters. */
  #tracked = 0;
  /** Whether something matched behind `tracked`. */
  #matched = false;
  /** What matched behind `tracked`; undefined where the DFA has not seen all of that text. */
  #suspects: Set<number> | undefined = new Set();
  #settled = 0;
  #ended = false;

  constructor(engine: Engine) {
    const { dfa, scratch, maxMatchLength } = engine;
    this.#engine = engine;
    this.#dfa = dfa;
    this.#tracker = new ThreadTracker(dfa.automaton, scratch, maxMatchLength);
    this.#row = dfa.rootRow(EDGE);
    this.#generation = dfa.generation;
  }

  get length(): number {
    return this.#length;
  }

  get settled(): number {
    return this.#settled;
  }

  push(text: string): PatternMatch[] {
    return this.#read(text, false);
  }

  end(text = ''): PatternMatch[] {
    const matches = this.#read(text, true);
    this.#ended = true;
    return matches;
  }

  #read(text: string, last: boolean): PatternMatch[] {
    if (this.#ended) throw new Error('The pattern stream has ended');
    const matches: PatternMatch[] = [];
    const units = codeUnits(text);
    const { length } = text;
    this.#tracked = 0;
    this.#matched = false;
    this.#suspects = this.#row <= this.#dfa.lastRoot && !this.#tracker.isOpen ? new Set() : undefined;
    for (let at = 0; at < length; ) {
      at = this.#dfa.pause > 0 ? this.#readDirectly(units, at, length) : this.#readByDfa(units, at, length, matches);
    }
    if (last) this.#finish(units, length, matches);
    else this.#follow(units, length);
    this.#length += length;
    this.#tracker.release(matches);
    this.#settled = this.#tracker.earliestStart(this.#length);
    return matches.length > 1 ? matches.sort(compareMatches) : matches;
  }

  /**
   * Runs the DFA from index `at` and the tracker over each segment between two roots in which something matched.
   * Returns where it stopped: the end of the text, or before it where the DFA asks for a pause.
   */
  #readByDfa(units: Uint16Array, at: number, length: number, matches: PatternMatch[]): number {
    this.#renewRow(units, at);
    const dfa = this.#dfa;
    const { lastRoot } = dfa;
    const { classOf } = dfa.automaton.alphabet;
    let { transitions } = dfa;
    let row = this.#row;
    let open = this.#tracker.isOpen;
    let i = at;
    while (i < length) {
      // Whether a character leads to a root is hard to predict, so in a segment without a match nobody asks until it counts.
      const blockStart = i;
      const blockRow = row;
      const stop = open ? i + 1 : Math.min(length, i + BLOCK_UNITS);
      let next = 0;
      while (i < stop) {
        next = transitions[row + (classOf[units[i] as number] as number)] as number;
        if (next < 0) break;
        row = next;
        i++;
      }
      if (!open && (i < stop || (i === length && row > lastRoot))) this.#findRoot(units, blockStart, blockRow, i);
      if (i < stop) {
        const unitClass = classOf[units[i++] as number] as number;
        const { generation } = dfa;
        if (next === UNKNOWN) {
          next = dfa.advance(row, unitClass);
          transitions = dfa.transitions;
        }
        if (next < 0) {
          next = -2 - next;
          this.#suspect(generation === dfa.generation ? dfa.patternsMatchedOn(row, unitClass) : undefined);
          open = true;
        }
        row = next;
      }
      if (row <= lastRoot) {
        if (open) this.#close(units, i, matches);
        open = false;
        this.#tracked = i;
        this.#suspects ??= new Set();
      } else if (dfa.pause > 0) break;
    }
    this.#row = row;
    this.#generation = dfa.generation;
    dfa.serve(i - at);
    return i;
  }

  #suspect(patterns: readonly number[] | undefined): void {
    this.#matched = true;
    if (patterns === undefined) this.#suspects = undefined;
    else if (this.#suspects !== undefined) for (const pattern of patterns) this.#suspects.add(pattern);
  }

  /** Moves `tracked` to the last root on the way from index `from`, at `row`, to index `to`, if there is one. */
  #findRoot(units: Uint16Array, from: number, row: number, to: number): void {
    const { lastRoot, transitions } = this.#dfa;
    const { classOf } = this.#dfa.automaton.alphabet;
    for (let i = from; i < to; i++) {
      row = transitions[row + (classOf[units[i] as number] as number)] as number;
      if (row <= lastRoot) this.#tracked = i + 1;
    }
  }

  /** Finds the row at index `at` again, from the tracker, after something else was read or the DFA has started over. */
  #renewRow(units: Uint16Array, at: number): void {
    if (this.#generation === this.#dfa.generation) return;
    this.#row = this.#dfa.rowOf(this.#tracker.states, this.#tracker.threadCount, this.#sideBefore(units, at));
    this.#generation = this.#dfa.generation;
  }

  /** Runs the tracker alone from index `at`, for as long as the DFA is to pause; returns where it stopped. */
  #readDirectly(units: Uint16Array, at: number, length: number): number {
    const end = Math.min(length, at + this.#dfa.pause);
    this.#dfa.pause -= end - at;
    this.#suspects = undefined;
    this.#track(units, end);
    this.#generation = NO_GENERATION;
    return end;
  }

  /** Resolves a segment that ends at index `to`; its text matters only if something matched in it. */
  #close(units: Uint16Array, to: number, matches: PatternMatch[]): void {
    if (this.#matched && !this.#searchAlone(units, to, false, matches)) this.#track(units, to);
    this.#matched = false;
    this.#suspects?.clear();
    this.#tracker.clear();
    this.#tracker.release(matches);
  }

  /** Finds the matches of a long segment pattern by pattern, if it is known which ones matched. @returns whether it did */
  #searchAlone(units: Uint16Array, to: number, isEnd: boolean, matches: PatternMatch[]): boolean {
    const suspects = this.#suspects;
    const from = this.#tracked;
    const { alone } = this.#engine;
    if (alone === undefined || suspects === undefined || this.#tracker.isOpen) return false;
    if (to - from < LONG_SEGMENT_UNITS) return false;
    for (const pattern of suspects) {
      const reader = new SegmentReader(alone(pattern));
      reader.#side = this.#side;
      reader.#length = this.#length;
      for (const match of reader.#readStretch(units, from, to, isEnd)) matches.push({ ...match, pattern });
    }
    return true;
  }

  /** The matches in a stretch of a text that nothing spans into, nor out of unless it is the text's end. */
  #readStretch(units: Uint16Array, from: number, to: number, isEnd: boolean): PatternMatch[] {
    const matches: PatternMatch[] = [];
    this.#tracked = from;
    this.#row = this.#dfa.rootRow(this.#sideBefore(units, from));
    for (let at = from; at < to; ) {
      at = this.#dfa.pause > 0 ? this.#readDirectly(units, at, to) : this.#readByDfa(units, at, to, matches);
    }
    if (isEnd) this.#finish(units, to, matches);
    this.#tracker.release(matches);
    return matches;
  }

  /** Brings the tracker up to index `to`. */
  #track(units: Uint16Array, to: number): void {
    const side = this.#sideBefore(units, this.#tracked);
    this.#tracker.read(units, this.#tracked, to, this.#length, side, this.#suspects);
    this.#tracked = to;
    this.#matched = false;
  }

  /** Brings the tracker to the end of the text, so that the stream knows its earliest live start. */
  #follow(units: Uint16Array, length: number): void {
    this.#suspects = undefined;
    if (this.#row > this.#dfa.lastRoot || this.#generation !== this.#dfa.generation) this.#track(units, length);
    this.#side = this.#sideBefore(units, length);
    if (this.#tracker.threadCount > 0) return;
    this.#row = this.#dfa.rootRow(this.#side);
    this.#generation = this.#dfa.generation;
  }

  #finish(units: Uint16Array, length: number, matches: PatternMatch[]): void {
    const dfa = this.#dfa;
    const { classCount } = dfa.automaton.alphabet;
    const inDfa = this.#generation === dfa.generation;
    if (!inDfa) this.#suspect(undefined);
    else if (dfa.advance(this.#row, classCount) < 0) this.#suspect(dfa.patternsMatchedOn(this.#row, classCount));
    if (this.#matched && !this.#searchAlone(units, length, true, matches)) {
      this.#track(units, length);
      this.#tracker.readEnd(this.#length + length, this.#sideBefore(units, length));
    }
    this.#tracker.clear();
  }

  #sideBefore(units: Uint16Array, index: number): Side {
    if (index === 0) return this.#side;
    const { classOf, sideOf } = this.#dfa.automaton.alphabet;
    return sideOf[classOf[units[index - 1] as number] as number] as Side;
  }
}
