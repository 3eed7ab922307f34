import type { Side } from './context.ts';
import type { Engine } from './engine.ts';
import { type HeldText, sideBefore } from './held-text.ts';
import { type LazyDfa, UNKNOWN } from './lazy-dfa.ts';
import type { Lead } from './lead.ts';
import type { PatternMatch } from './pattern-match.ts';
import type { ThreadSetIndex } from './thread-set-index.ts';
import { ThreadTracker } from './thread-tracker.ts';

/** A match that may grow is followed so much further than it is long; then its threads are tracked along with later ones. */
const PATIENCE_UNITS = 64;
const NOWHERE = -1;

/** How following by the DFA ended. */
const DEAD = 0;
const MATCHED = 1;
const OPEN = 2;

/** In the place of an offset: the pattern is live at the end of the text so far. */
export const OPEN_END = 0x7fff_ffff;

/** Tells where at or before an index nothing of a pattern was live. */
export interface DeadPlaces {
  deadBefore(text: HeldText, pattern: number, index: number): number;
}

/**
 * Follows one pattern through a text, from a lead until none of its threads is live: by its own DFA, and where that says
 * that something matched, by its threads, which know where it began.
 */
export class Pursuit {
  readonly #engine: Engine;
  readonly #pattern: number;
  readonly #dfa: LazyDfa;
  /** Made where something has matched; until it is done, text that it has read is not needed any more. */
  #tracker: ThreadTracker | undefined;
  #isTracking = false;
  /** Index that it has come to, and the row there. */
  #at = 0;
  #row = 0;
  /** What rows stand for, while it is open. */
  #sets: ThreadSetIndex | undefined;
  /** Offset of the last place where nothing was live. */
  #deadAt = NOWHERE;
  /** Offset up to which a match was followed in vain. */
  #triedTo = 0;

  constructor(engine: Engine, pattern: number) {
    this.#engine = engine;
    this.#pattern = pattern;
    this.#dfa = engine.following(pattern);
  }

  /** While it is open, the offset from which on text that has been read is needed again; OPEN_END for none. */
  get needsFrom(): number {
    return this.#isTracking ? OPEN_END : this.#deadAt;
  }

  /** While it is open, an offset before which no later match begins. */
  get openFrom(): number {
    return this.#isTracking ? this.#threads.earliestStart(Number.POSITIVE_INFINITY) : this.#deadAt;
  }

  /**
   * Follows a lead that was found on the character at `index`. Like the others that follow, it gives the offset up to which
   * the pattern has been followed, where nothing of it is live, or OPEN_END.
   */
  follow(text: HeldText, lead: Lead, index: number, dead: DeadPlaces, matches: PatternMatch[]): number {
    this.#at = index + 1;
    this.#row = lead.row;
    this.#deadAt = NOWHERE;
    const status = lead.matched ? MATCHED : this.#run(text, index + 1);
    return this.#conclude(text, status, index + 1, dead, matches);
  }

  /** Goes on at `index`, in a text that has grown. */
  goOn(text: HeldText, index: number, dead: DeadPlaces, matches: PatternMatch[]): number {
    if (this.#isTracking) {
      if (!this.#track(text, index, index, matches)) return OPEN_END;
      this.#restart(text);
    } else {
      this.#at = index;
      this.#row = this.#dfa.renewed(this.#row, this.#sets as ThreadSetIndex);
    }
    return this.#conclude(text, this.#run(text, index), index, dead, matches);
  }

  /** Follows the pattern by its threads up to the end of the text, from an index where nothing was live. */
  trackFrom(text: HeldText, index: number, matches: PatternMatch[]): number {
    return this.#track(text, index, text.length, matches) ? text.base + text.length : OPEN_END;
  }

  /** Takes what following has come to, until nothing is live behind index `least`. */
  #conclude(text: HeldText, status: number, least: number, dead: DeadPlaces, matches: PatternMatch[]): number {
    let reached = status;
    while (reached === MATCHED) {
      const from = this.#deadAt === NOWHERE ? this.#lastDead(text, least, dead) : this.#deadAt - text.base;
      if (!this.#track(text, from, this.#at, matches)) return OPEN_END;
      this.#restart(text);
      reached = this.#run(text, least);
    }
    if (reached === DEAD) return text.base + this.#at;
    this.#sets = this.#dfa.sets;
    if (this.#deadAt === NOWHERE) this.#deadAt = text.base + this.#lastDead(text, least, dead);
    return OPEN_END;
  }

  /** The last index before the character in front of `least`, with which the lead was found, where nothing was live. */
  #lastDead(text: HeldText, least: number, dead: DeadPlaces): number {
    const dfa = this.#dfa;
    const { automaton } = this.#engine;
    let last = dead.deadBefore(text, this.#pattern, least - 1);
    let row = dfa.rootRow(sideBefore(text, last, automaton));
    for (let i = last; i < least - 1; i++) {
      const unitClass = automaton.alphabet.classOf[text.units[i] as number] as number;
      const next = dfa.step(row, dfa.columnOf[unitClass] as number);
      row = next < 0 ? dfa.eventOf(next).row : next;
      if (row <= dfa.lastRoot) last = i + 1;
    }
    return last;
  }

  /** Goes on by the DFA where nothing is live. */
  #restart(text: HeldText): void {
    this.#row = this.#dfa.rootRow(sideBefore(text, this.#at, this.#engine.automaton));
    this.#deadAt = text.base + this.#at;
  }

  /** Runs the DFA until something matches, or nothing is live at an index from `least` on. */
  #run({ units, length, base, isEnd }: HeldText, least: number): number {
    const dfa = this.#dfa;
    const { columnOf, lastRoot } = dfa;
    const { classOf } = this.#engine.automaton.alphabet;
    let { transitions } = dfa;
    let row = this.#row;
    for (let i = this.#at; ; i++) {
      if (row <= lastRoot) {
        this.#deadAt = base + i;
        if (i >= least) return this.#stop(DEAD, i, row);
      }
      if (i === length) break;
      const column = columnOf[classOf[units[i] as number] as number] as number;
      let next = transitions[row + column] as number;
      if (next === UNKNOWN) {
        next = dfa.advance(row, column);
        transitions = dfa.transitions;
      }
      if (next < 0) return this.#stop(MATCHED, i + 1, row);
      row = next;
    }
    if (!isEnd) return this.#stop(OPEN, length, row);
    return this.#stop(dfa.step(row, dfa.stride - 1) < 0 ? MATCHED : DEAD, length, row);
  }

  #stop(status: number, at: number, row: number): number {
    this.#at = at;
    this.#row = row;
    return status;
  }

  /**
   * Tracks the threads from index `from`, where there are none, or there are some already. Stops at an index from `least`
   * on where none is live that matters. @returns whether it came to one before the end of a text that goes on
   */
  #track(text: HeldText, from: number, least: number, matches: PatternMatch[]): boolean {
    const { units, length, base, isEnd } = text;
    const tracker = this.#threads;
    const fresh = this.#engine.scratch.freshOf(this.#pattern);
    let side = sideBefore(text, from, this.#engine.automaton);
    this.#isTracking = true;
    for (let i = from; i < length; i++) {
      side = tracker.read(units, i, i + 1, base, side, fresh);
      if (i + 1 < least) continue;
      const end = tracker.threadCount === 0 ? i + 1 : this.#finish(text, tracker, i + 1, side);
      if (end !== NOWHERE) return this.#leave(end, matches);
    }
    if (!isEnd) {
      tracker.release(matches);
      return false;
    }
    tracker.readEnd(base + length, side);
    tracker.clear();
    return this.#leave(length, matches);
  }

  #leave(at: number, matches: PatternMatch[]): boolean {
    this.#threads.release(matches);
    this.#isTracking = false;
    this.#at = at;
    return true;
  }

  /**
   * Where all threads are of one match that was found with the last character, the index at which it ends in the end,
   * told to the tracker. NOWHERE where there are others, or it takes too long to say.
   */
  #finish({ units, length, base, isEnd }: HeldText, tracker: ThreadTracker, at: number, side: Side): number {
    const start = base + at < this.#triedTo ? NOWHERE : tracker.onlyMatch(this.#pattern, base + at) - base;
    if (start < 0) return NOWHERE;
    const dfa = this.#engine.finishing(this.#pattern);
    const { classOf } = this.#engine.automaton.alphabet;
    const limit = start + this.#engine.maxMatchLength;
    let row = dfa.rowOf(tracker.states, tracker.threadCount, side);
    let end = at;
    let i = at;
    for (; row > dfa.lastRoot && i < length && i < limit; i++) {
      if (i - end > PATIENCE_UNITS + end - start) return this.#giveUp(base + i);
      const next = dfa.step(row, dfa.columnOf[classOf[units[i] as number] as number] as number);
      if (next < 0) {
        const event = dfa.eventOf(next);
        end = event.matchedAfter ? i + 1 : event.matchedBefore ? i : end;
        row = event.row;
      } else row = next;
    }
    if (row > dfa.lastRoot) {
      // Where a match grows too long, what goes on in its place depends on the threads of later starts.
      if (!isEnd || i === limit) return this.#giveUp(base + i);
      if (dfa.step(row, dfa.stride - 1) < 0) end = length;
    }
    tracker.conclude(this.#pattern, base + start, base + end);
    return end;
  }

  #giveUp(offset: number): number {
    this.#triedTo = offset;
    return NOWHERE;
  }

  get #threads(): ThreadTracker {
    const { automaton, scratch, maxMatchLength } = this.#engine;
    this.#tracker ??= new ThreadTracker(automaton, scratch, maxMatchLength);
    return this.#tracker;
  }
}
