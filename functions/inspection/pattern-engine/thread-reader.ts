import { codeUnits } from './code-units.ts';
import { EDGE, type Side } from './context.ts';
import type { Engine } from './engine.ts';
import { LeadReader } from './lead-reader.ts';
import { compareMatches, type PatternMatch, type PatternStream } from './pattern-match.ts';
import { ThreadTracker } from './thread-tracker.ts';

/** Reads a text by tracking every thread: `settled` is exact after each piece. */
export class ThreadReader implements PatternStream {
  private readonly engine: Engine;
  private readonly tracker: ThreadTracker;
  private side: Side = EDGE;
  private readLength = 0;
  private settledLength = 0;
  private ended = false;

  constructor(engine: Engine) {
    this.engine = engine;
    this.tracker = new ThreadTracker(engine.automaton, engine.scratch, engine.maxMatchLength);
  }

  get length(): number {
    return this.readLength;
  }

  get settled(): number {
    return this.settledLength;
  }

  push(text: string): PatternMatch[] {
    this.read(text);
    this.settledLength = this.tracker.earliestStart(this.readLength);
    return this.release();
  }

  end(text = ''): PatternMatch[] {
    // A whole text needs no `settled`.
    if (this.readLength === 0) return this.readWhole(text);
    this.read(text);
    this.ended = true;
    this.settledLength = this.readLength;
    this.tracker.readEnd(this.readLength, this.side);
    this.tracker.clear();
    return this.release();
  }

  private readWhole(text: string): PatternMatch[] {
    this.refuseMore();
    this.ended = true;
    this.readLength = text.length;
    this.settledLength = text.length;
    return new LeadReader(this.engine).end(text);
  }

  private read(text: string): void {
    this.refuseMore();
    this.side = this.tracker.read(codeUnits(text), 0, text.length, this.readLength, this.side);
    this.readLength += text.length;
  }

  private refuseMore(): void {
    if (this.ended) throw new Error('The pattern stream has ended');
  }

  private release(): PatternMatch[] {
    const matches: PatternMatch[] = [];
    this.tracker.release(matches);
    return matches.length > 1 ? matches.sort(compareMatches) : matches;
  }
}
