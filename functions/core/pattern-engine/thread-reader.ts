import { codeUnits } from './code-units.ts';
import { EDGE, type Side } from './context.ts';
import type { Engine } from './engine.ts';
import { LeadReader } from './lead-reader.ts';
import { compareMatches, type PatternMatch, type PatternStream } from './pattern-match.ts';
import { ThreadTracker } from './thread-tracker.ts';

/** Reads a text of which must be known after each piece up to where it is settled, to the character: follows every thread. */
export class ThreadReader implements PatternStream {
  readonly #engine: Engine;
  readonly #tracker: ThreadTracker;
  #side: Side = EDGE;
  #length = 0;
  #settled = 0;
  #ended = false;

  constructor(engine: Engine) {
    this.#engine = engine;
    this.#tracker = new ThreadTracker(engine.automaton, engine.scratch, engine.maxMatchLength);
  }

  get length(): number {
    return this.#length;
  }

  get settled(): number {
    return this.#settled;
  }

  push(text: string): PatternMatch[] {
    this.#read(text);
    this.#settled = this.#tracker.earliestStart(this.#length);
    return this.#release();
  }

  end(text = ''): PatternMatch[] {
    // Of a whole text nobody asks up to where it is settled.
    if (this.#length === 0) return this.#readWhole(text);
    this.#read(text);
    this.#ended = true;
    this.#settled = this.#length;
    this.#tracker.readEnd(this.#length, this.#side);
    this.#tracker.clear();
    return this.#release();
  }

  #readWhole(text: string): PatternMatch[] {
    this.#refuseMore();
    this.#ended = true;
    this.#length = text.length;
    this.#settled = text.length;
    return new LeadReader(this.#engine).end(text);
  }

  #read(text: string): void {
    this.#refuseMore();
    this.#side = this.#tracker.read(codeUnits(text), 0, text.length, this.#length, this.#side);
    this.#length += text.length;
  }

  #refuseMore(): void {
    if (this.#ended) throw new Error('The pattern stream has ended');
  }

  #release(): PatternMatch[] {
    const matches: PatternMatch[] = [];
    this.#tracker.release(matches);
    return matches.length > 1 ? matches.sort(compareMatches) : matches;
  }
}
