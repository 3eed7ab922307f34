import { codeUnits } from './code-units.ts';
import { EDGE, type Side } from './context.ts';
import { type Engine, type HeldText, sideBefore } from './engine.ts';
import { FIRST_EVENT, type LazyDfa, UNKNOWN } from './lazy-dfa.ts';
import { compareMatches, type PatternMatch, type PatternStream } from './pattern-match.ts';
import { OPEN_END, Pursuit } from './pursuit.ts';
import type { ThreadSetIndex } from './thread-set-index.ts';

/** Characters between two offsets at which the live threads are known. */
const MARK_UNITS = 64;
/** Limit of held text of a stream, except for a match that grows; threads that live longer are tracked. */
const MOST_HELD_UNITS = 1024;

/**
 * Reads a text, whole or in pieces. One DFA reads every character and only knows the states that ordinary text reaches; a pattern that gets
 * beyond them is followed separately. `settled` is approximate: nothing before it can change, but it may be lower than necessary.
 */
export class LeadReader implements PatternStream {
  private readonly engine: Engine;
  private readonly dfa: LazyDfa;
  private readonly pursuits: (Pursuit | undefined)[] = [];
  /** By pattern, if it was ever followed, the offset up to which it was followed, where no thread of it is live; or OPEN_END. */
  private readonly doneAt: (number | undefined)[] = [];
  /** The end of the text that is still needed, its offset, and the side of the character before it. */
  private held = '';
  private base = 0;
  private before: Side = EDGE;
  private row: number;
  private sets: ThreadSetIndex;
  /** Offsets in the held text with their rows, and the sets of these rows. */
  private markAt: number[] = [];
  private markRow: number[] = [];
  private markSets: ThreadSetIndex[] = [];
  private readLength = 0;
  private settledLength = 0;
  private ended = false;

  constructor(engine: Engine) {
    this.engine = engine;
    this.dfa = engine.common;
    this.row = this.dfa.rootRow(EDGE);
    this.sets = this.dfa.sets;
  }

  get length(): number {
    return this.readLength;
  }

  get settled(): number {
    return this.settledLength;
  }

  push(text: string): PatternMatch[] {
    return this.read(text, false);
  }

  end(text = ''): PatternMatch[] {
    return this.read(text, true);
  }

  /** The last known index at or before `index` at which no thread of the pattern was live. */
  deadBefore({ base }: HeldText, pattern: number, index: number): number {
    const doneAt = this.doneAt[pattern] ?? 0;
    const from = doneAt === OPEN_END ? 0 : Math.max(0, doneAt - base);
    for (let mark = this.markAt.length - 1; mark >= 0; mark--) {
      const at = (this.markAt[mark] as number) - base;
      if (at > index) continue;
      if (at <= from) break;
      if (!this.isLive(pattern, this.markRow[mark] as number, this.markSets[mark] as ThreadSetIndex)) return at;
    }
    return from;
  }

  private isLive(pattern: number, row: number, { first, pool }: ThreadSetIndex): boolean {
    const { patternOf } = this.engine.automaton;
    const end = first[row + 1] as number;
    for (let at = first[row] as number; at < end; at++) if (patternOf[pool[at] as number] === pattern) return true;
    return false;
  }

  private read(piece: string, isEnd: boolean): PatternMatch[] {
    if (this.ended) throw new Error('The pattern stream has ended');
    const matches: PatternMatch[] = [];
    const from = this.held.length;
    const held = this.held + piece;
    const text = { units: codeUnits(held), length: held.length, base: this.base, before: this.before, isEnd };
    if (this.readLength > 0) this.goOn(text, from, matches);
    this.pass(text, from, matches);
    this.readLength += piece.length;
    this.ended = isEnd;
    if (isEnd) this.settledLength = this.readLength;
    else this.hold(held, text, matches);
    return matches.length > 1 ? matches.sort(compareMatches) : matches;
  }

  private goOn(text: HeldText, from: number, matches: PatternMatch[]): void {
    for (const [pattern, pursuit] of this.pursuits.entries()) {
      if (pursuit === undefined || this.doneAt[pattern] !== OPEN_END) continue;
      this.doneAt[pattern] = pursuit.goOn(text, from, this, matches);
    }
  }

  /** Runs the DFA of the common states from an index to the end, and follows each lead. */
  private pass(text: HeldText, from: number, matches: PatternMatch[]): void {
    const { units, length, base } = text;
    const dfa = this.dfa;
    const { columnOf, rowBits } = dfa;
    const { classOf } = this.engine.automaton.alphabet;
    if (this.sets !== dfa.sets) this.row = dfa.renewed(this.row, this.sets);
    let { transitions } = dfa;
    let row = this.row;
    for (let i = from, stop = from; i < length; ) {
      if (i === stop) {
        this.mark(base + i, row);
        stop = Math.min(length, i + MARK_UNITS);
      }
      let next = 0;
      while (i < stop) {
        next = transitions[(row << rowBits) + (columnOf[classOf[units[i] as number] as number] as number)] as number;
        if (next >= FIRST_EVENT) break;
        row = next;
        i++;
      }
      if (i === stop) continue;
      if (next === UNKNOWN) {
        next = dfa.advance(row, columnOf[classOf[units[i] as number] as number] as number);
        transitions = dfa.transitions;
      }
      row = next >= FIRST_EVENT ? this.followLeads(text, next, i, matches) : next;
      i++;
    }
    this.row = row;
    this.sets = dfa.sets;
  }

  private mark(offset: number, row: number): void {
    this.markAt.push(offset);
    this.markRow.push(row);
    this.markSets.push(this.dfa.sets);
  }

  /** Follows the leads of an event on a character; returns the next row. */
  private followLeads(text: HeldText, transition: number, index: number, matches: PatternMatch[]): number {
    const event = this.dfa.eventOf(transition);
    const offset = text.base + index;
    for (const lead of this.engine.leadsOf(event)) {
      const { pattern } = lead;
      if ((this.doneAt[pattern] ?? 0) > offset) continue;
      this.doneAt[pattern] = this.pursuitOf(pattern).follow(text, lead, index, this, matches);
    }
    return event.row;
  }

  /** Discards text that is not needed any more. */
  private hold(held: string, text: HeldText, matches: PatternMatch[]): void {
    const { base, length } = text;
    this.mark(base + length, this.row);
    let from = length;
    const { patternOf } = this.engine.automaton;
    const live = new Set(Array.from(this.dfa.statesOf(this.row), (state) => patternOf[state] as number));
    for (const pattern of live) {
      if (this.doneAt[pattern] === OPEN_END) continue;
      from = Math.min(from, this.keepFrom(text, pattern, this.deadBefore(text, pattern, length), matches));
    }
    let openFrom = Number.POSITIVE_INFINITY;
    for (const [pattern, pursuit] of this.pursuits.entries()) {
      if (pursuit === undefined || this.doneAt[pattern] !== OPEN_END) continue;
      const { needsFrom } = pursuit;
      if (needsFrom < OPEN_END) from = Math.min(from, this.keepFrom(text, pattern, needsFrom - base, matches));
      if (this.doneAt[pattern] === OPEN_END) openFrom = Math.min(openFrom, pursuit.openFrom);
    }
    this.settledLength = Math.min(base + from, openFrom);
    this.before = sideBefore(text, from, this.engine.automaton);
    this.held = held.slice(from);
    this.base = base + from;
    const stale = this.markAt.findIndex((at) => at >= this.base);
    for (const marks of [this.markAt, this.markRow, this.markSets]) marks.splice(0, stale);
  }

  /** The index from which text is held for a pattern without live threads at `index`; if that is too far back, the pattern is tracked. */
  private keepFrom(text: HeldText, pattern: number, index: number, matches: PatternMatch[]): number {
    if (text.length - index <= MOST_HELD_UNITS || this.pursuits[pattern]?.isGrowing === true) return index;
    const pursuit = this.pursuitOf(pattern);
    const later = text.length - MOST_HELD_UNITS / 2;
    if (pursuit.canReadFrom(text, later, index)) {
      if (this.doneAt[pattern] !== OPEN_END) this.doneAt[pattern] = text.base + later;
      return later;
    }
    this.doneAt[pattern] = pursuit.trackFrom(text, index, this, matches);
    return text.length;
  }

  private pursuitOf(pattern: number): Pursuit {
    this.pursuits[pattern] ??= new Pursuit(this.engine, pattern);
    return this.pursuits[pattern];
  }
}
