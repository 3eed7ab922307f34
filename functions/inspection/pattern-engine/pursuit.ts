import type { Side } from './context.ts';
import { type Engine, type HeldText, sideBefore } from './engine.ts';
import { FIRST_EVENT, LAST_ROOT, type LazyDfa, type Lead, UNKNOWN } from './lazy-dfa.ts';
import type { PatternMatch } from './pattern-match.ts';
import type { ThreadSetIndex } from './thread-set-index.ts';
import type { ThreadTracker } from './thread-tracker.ts';

/** A match that may grow is followed this much further than its length; then its threads are tracked along with later ones. */
const PATIENCE_UNITS = 64;
const NOWHERE = -1;
/** The result for a match that may still grow beyond an open text. */
const GROWS = -2;

/** The DFA follows again once all tracked threads are at most so old. */
const YOUNG_UNITS = 512;
/** Threads are checked after each character, and after so many characters less often: each time so many further ones. */
const CHECK_UNITS = 64;

/** Results of following by the DFA. */
const DEAD = 0;
const MATCHED = 1;
const OPEN = 2;

/** A special offset: the pattern is live at the end of the text so far. */
export const OPEN_END = 0x7fff_ffff;

/** Returns an index at or before `index` at which no thread of a pattern was live. */
export interface DeadPlaces {
  deadBefore(text: HeldText, pattern: number, index: number): number;
}

/**
 * Follows one pattern through a text, from a lead until none of its threads is live: by its DFA, and after a match by its threads, which
 * know their starts.
 */
export class Pursuit {
  private readonly engine: Engine;
  private readonly pattern: number;
  private readonly dfa: LazyDfa;
  /** Set while the pattern is followed by its threads; text that they have read is not needed any more. */
  private tracker: ThreadTracker | undefined;
  /** Current index and its row. */
  private at = 0;
  private row = 0;
  /** The sets of its rows, while it is open. */
  private sets: ThreadSetIndex | undefined;
  /** Offset of the last position without live threads. */
  private deadAt = NOWHERE;
  /** Offset up to which a match was followed without a result; its end by then, and its row. */
  private triedTo = 0;
  private triedEnd = 0;
  private triedRow = 0;
  /** The match that grows, if no other thread can be live; its text is held. */
  private growing: GrowingMatch | undefined;

  constructor(engine: Engine, pattern: number) {
    this.engine = engine;
    this.pattern = pattern;
    this.dfa = engine.following(pattern);
  }

  /** While it is open, the offset from which text is needed again; OPEN_END for none. */
  get needsFrom(): number {
    if (this.growing !== undefined) return this.growing.start;
    return this.tracker === undefined ? this.deadAt : OPEN_END;
  }

  get isGrowing(): boolean {
    return this.growing !== undefined;
  }

  /** While it is open, an offset before which no later match starts. */
  get openFrom(): number {
    return this.growing?.start ?? this.tracker?.earliestStart(OPEN_END) ?? this.deadAt;
  }

  /**
   * Follows a lead that was found on the character at `index`. Like `goOn` and `trackFrom`, it returns the offset up to which the pattern was
   * followed, where no thread of it is live, or OPEN_END.
   */
  follow(text: HeldText, lead: Lead, index: number, dead: DeadPlaces, matches: PatternMatch[]): number {
    this.at = index + 1;
    this.row = lead.row;
    this.deadAt = NOWHERE;
    const status = lead.matched ? MATCHED : this.run(text, index + 1);
    return this.conclude(text, status, index + 1, dead, matches);
  }

  /** Continues at `index`, in a text that has grown. */
  goOn(text: HeldText, index: number, dead: DeadPlaces, matches: PatternMatch[]): number {
    if (this.growing !== undefined) {
      if (!this.growOn(text, this.growing, index, matches)) return OPEN_END;
    } else if (this.tracker !== undefined) {
      if (!this.track(text, index, index, matches)) return OPEN_END;
    } else {
      this.at = index;
      this.row = this.dfa.renewed(this.row, this.sets as ThreadSetIndex);
    }
    return this.conclude(text, this.run(text, index), index, dead, matches);
  }

  /** Follows the pattern by its threads up to the end of the text, from an index without live threads. */
  trackFrom(text: HeldText, index: number, dead: DeadPlaces, matches: PatternMatch[]): number {
    const { length } = text;
    if (!this.track(text, index, length, matches)) return OPEN_END;
    return this.conclude(text, this.run(text, length), length, dead, matches);
  }

  /**
   * Whether text before index `later` is not needed any more: whether all threads that are live there end before the end of the text. None has
   * matched since index `from`, where no thread was live. If so, the pattern is followed as if none were live at `later` either.
   */
  canReadFrom(text: HeldText, later: number, from: number): boolean {
    const { units, length, base } = text;
    const { automaton } = this.engine;
    const row = this.dfa.rowAt(units, from, later, this.dfa.rootRow(sideBefore(text, from, automaton)));
    const states = this.dfa.statesOf(row);
    const anchored = this.engine.anchored(this.pattern);
    const old = anchored.rowOf(states, states.length, sideBefore(text, later, automaton));
    if (old > LAST_ROOT && anchored.lastDead(units, later, length, old) === later) return false;
    this.deadAt = base + later;
    return true;
  }

  /** Continues after a run of the DFA, until no thread is live after index `least`. */
  private conclude(text: HeldText, status: number, least: number, dead: DeadPlaces, matches: PatternMatch[]): number {
    let reached = status;
    while (reached === MATCHED) {
      const from = this.deadAt === NOWHERE ? this.lastDead(text, least, dead) : this.deadAt - text.base;
      if (!this.findMatch(text, from, matches)) return OPEN_END;
      reached = this.run(text, least);
    }
    if (reached === DEAD) return text.base + this.at;
    this.sets = this.dfa.sets;
    if (this.deadAt === NOWHERE) this.deadAt = text.base + this.lastDead(text, least, dead);
    return OPEN_END;
  }

  /**
   * Finds the match that was noticed at index `at`, from an index without live threads.
   * @returns whether it reached an index without live threads before the end of an open text
   */
  private findMatch(text: HeldText, from: number, matches: PatternMatch[]): boolean {
    const noticedAt = this.at;
    const row = this.engine.anchored(this.pattern).rootRow(sideBefore(text, from, this.engine.automaton));
    // No match can start earlier, so a match that starts there is always reported.
    return this.grow(text, { start: from, at: from, row, end: NOWHERE, before: noticedAt }, noticedAt, matches);
  }

  /** Follows a match to its end; by its threads, from its start to an index from `least` on, if that takes too long. */
  private grow(text: HeldText, begun: Begun, least: number, matches: PatternMatch[]): boolean {
    const { base } = text;
    const start = base + begun.start;
    const end = this.endOfMatch(text, begun);
    if (end === NOWHERE) return this.track(text, begun.start, least, matches);
    if (end === GROWS) {
      const { sets } = this.engine.anchored(this.pattern);
      this.growing = { start, end: this.triedEnd, row: this.triedRow, sets };
      return false;
    }
    matches.push({ pattern: this.pattern, start, end: base + end });
    this.restart(text, end);
    return true;
  }

  private growOn(text: HeldText, growing: GrowingMatch, index: number, matches: PatternMatch[]): boolean {
    const row = this.engine.anchored(this.pattern).renewed(growing.row, growing.sets);
    const [start, end] = [growing.start - text.base, growing.end - text.base];
    this.growing = undefined;
    return this.grow(text, { start, at: index, row, end, before: 2 * end - start }, index, matches);
  }

  /** The last index without live threads before the character before `least`, at which the lead was found. */
  private lastDead(text: HeldText, least: number, dead: DeadPlaces): number {
    const from = dead.deadBefore(text, this.pattern, least - 1);
    const row = this.dfa.rootRow(sideBefore(text, from, this.engine.automaton));
    return this.dfa.lastDead(text.units, from, least - 1, row);
  }

  /** Continues with the DFA at an index where no thread is live. */
  private restart(text: HeldText, at: number): void {
    this.at = at;
    this.row = this.dfa.rootRow(sideBefore(text, at, this.engine.automaton));
    this.deadAt = text.base + at;
  }

  /** Runs the DFA until there is a match, or no thread is live at an index from `least` on. */
  private run({ units, length, base, isEnd }: HeldText, least: number): number {
    const dfa = this.dfa;
    const { columnOf, rowBits } = dfa;
    const { classOf } = this.engine.automaton.alphabet;
    let { transitions } = dfa;
    let row = this.row;
    let deadAt = this.deadAt;
    let next = row;
    let i = this.at;
    for (; ; i++) {
      if (row <= LAST_ROOT) {
        deadAt = base + i;
        if (i >= least) break;
      }
      if (i === length) break;
      next = transitions[(row << rowBits) + (columnOf[classOf[units[i] as number] as number] as number)] as number;
      if (next < FIRST_EVENT) row = next;
      else if (next !== UNKNOWN) break;
      else {
        next = dfa.advance(row, columnOf[classOf[units[i] as number] as number] as number);
        transitions = dfa.transitions;
        if (next >= FIRST_EVENT) break;
        row = next;
      }
    }
    this.deadAt = deadAt;
    if (next >= FIRST_EVENT) return this.stop(MATCHED, i + 1, row);
    if (row <= LAST_ROOT) return this.stop(DEAD, i, row);
    if (!isEnd) return this.stop(OPEN, length, row);
    return this.stop(dfa.step(row, dfa.endColumn) >= FIRST_EVENT ? MATCHED : DEAD, length, row);
  }

  private stop(status: number, at: number, row: number): number {
    this.at = at;
    this.row = row;
    return status;
  }

  /**
   * Tracks the threads from index `from`. Stops at an index from `least` on where no thread is live, where all threads belong to one match whose
   * end is known, or where the DFA can follow again.
   * @returns whether it reached one before or at the end of an open text
   */
  private track(text: HeldText, from: number, least: number, matches: PatternMatch[]): boolean {
    const { units, length, base, isEnd } = text;
    const tracker = this.tracker ?? this.engine.lendTracker();
    const { fresh } = this.dfa.automaton;
    let side = sideBefore(text, from, this.engine.automaton);
    this.tracker = tracker;
    for (let at = from; at < length; ) {
      const isOften = at < least + CHECK_UNITS;
      const to = isOften ? Math.max(least, at + 1) : Math.min(length, at + CHECK_UNITS);
      side = tracker.read(units, at, to, base, side, fresh);
      at = to;
      const end = tracker.threadCount === 0 ? at : this.conclusionOf(text, tracker, at, side);
      if (end !== NOWHERE) return this.leave(text, tracker, end, matches);
      if (!isOften && this.handOver(text, tracker, at, side, matches)) return true;
    }
    if (!isEnd) return this.handOver(text, tracker, length, side, matches);
    tracker.readEnd(base + length, side);
    tracker.clear();
    return this.leave(text, tracker, length, matches);
  }

  private leave(text: HeldText, tracker: ThreadTracker, at: number, matches: PatternMatch[]): boolean {
    tracker.release(matches);
    this.takeBack(tracker);
    this.restart(text, at);
    return true;
  }

  /** Continues with the DFA at an index where all threads are young. */
  private handOver(text: HeldText, tracker: ThreadTracker, at: number, side: Side, matches: PatternMatch[]): boolean {
    tracker.release(matches);
    const start = tracker.readableFrom(text.base + at) - text.base;
    if (start < Math.max(0, at - YOUNG_UNITS)) return false;
    this.at = at;
    this.row = this.dfa.rowOf(tracker.states, tracker.threadCount, side);
    this.deadAt = text.base + start;
    tracker.clear();
    this.takeBack(tracker);
    return true;
  }

  private takeBack(tracker: ThreadTracker): void {
    this.engine.takeBack(tracker);
    this.tracker = undefined;
  }

  /**
   * If all threads belong to one match that was found with the last character, the index of its final end, which the tracker records; NOWHERE
   * if there are others, or if it takes too long to determine.
   */
  private conclusionOf(text: HeldText, tracker: ThreadTracker, at: number, side: Side): number {
    const { base } = text;
    if (base + at < this.triedTo) return NOWHERE;
    const start = tracker.onlyMatch(this.pattern, base + at) - base;
    if (start < 0) return NOWHERE;
    const row = this.engine.anchored(this.pattern).rowOf(tracker.states, tracker.threadCount, side);
    const end = this.endOfMatch(text, { start, at, row, end: at, before: at });
    if (end < 0) return NOWHERE;
    tracker.conclude(this.pattern, base + start, base + end);
    return end;
  }

  /** The index at which a match from a given start ends; NOWHERE if there is none, or if it takes too long to determine; or GROWS. */
  private endOfMatch(
    { units, length, base, isEnd }: HeldText,
    { start, at, row: first, end: found, before }: Begun,
  ): number {
    const dfa = this.engine.anchored(this.pattern);
    const { columnOf, rowBits } = dfa;
    const { classOf } = this.engine.automaton.alphabet;
    const stop = Math.min(length, start + this.engine.maxMatchLength);
    let { transitions } = dfa;
    let row = first;
    let end = found;
    let patientTo = before + PATIENCE_UNITS;
    let i = at;
    while (i < stop) {
      const column = columnOf[classOf[units[i] as number] as number] as number;
      let next = transitions[(row << rowBits) + column] as number;
      if (next === UNKNOWN) {
        next = dfa.advance(row, column);
        transitions = dfa.transitions;
      }
      i++;
      if (next >= FIRST_EVENT) {
        const event = dfa.eventOf(next);
        end = event.matchedAfter ? i : event.matchedBefore ? i - 1 : end;
        patientTo = 2 * end - start + PATIENCE_UNITS;
        next = event.row;
      }
      row = next;
      if (row <= LAST_ROOT) return end;
      if (i > patientTo) break;
    }
    // A match that is as long as possible covers all later starts. If it ended before, its continuation depends on their threads.
    if (i === start + this.engine.maxMatchLength) return end === i ? end : this.stopTrying(base + i, NOWHERE);
    if (i < length) return this.stopTrying(base + i, NOWHERE);
    if (isEnd) return dfa.step(row, dfa.endColumn) >= FIRST_EVENT ? length : end;
    this.triedEnd = base + end;
    this.triedRow = row;
    return this.stopTrying(base + i, end === NOWHERE ? NOWHERE : GROWS);
  }

  private stopTrying(offset: number, result: number): number {
    this.triedTo = offset;
    return result;
  }
}

/** A match that grows at the end of an open text, in offsets, with its row and the sets of its rows. */
interface GrowingMatch {
  readonly start: number;
  readonly end: number;
  readonly row: number;
  readonly sets: ThreadSetIndex;
}

/** A match that starts at `start` and is read up to index `at`, where its DFA is at `row`. */
interface Begun {
  readonly start: number;
  readonly at: number;
  readonly row: number;
  /** Its current end; NOWHERE if it has not matched yet. */
  readonly end: number;
  /** The index by which it has matched, if it is the match that was noticed. */
  readonly before: number;
}
