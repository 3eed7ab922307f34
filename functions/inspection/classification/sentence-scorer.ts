import type { ResponseDetector, ResponseReader, RuleHit, TextClassifier } from '../matching/index.ts';
import { TextView, TextWindow } from '../views/index.ts';
import { KINDS, SPACE } from './tokens.ts';

/** Stretches that are scored together: a stretch of sentences and the one before it. */
const STRETCHES = 2;
/** A stretch ends after the first sentence that ends after MIN_UNITS, */
const MIN_UNITS = 120;
/** at the first space after LONG_UNITS, or at MAX_UNITS. */
const LONG_UNITS = 400;
const MAX_UNITS = 600;
const SENTENCE_ENDS: ReadonlySet<number> = new Set(Array.from('.!?:;。！？', (mark) => mark.charCodeAt(0)));
const NEWLINE = 0x0a;
/** Minimum score to report a response. At most 0.5 % of real responses of assistants reach it (docs/detection.md). */
const REPORT_FROM = 0.65;

/**
 * Scores a response with a classifier, each stretch of sentences together with the one before: time is linear in its length. Text does not
 * wait for a score. A finding that blocks cuts the response after the scored stretch.
 */
export class SentenceScorer implements ResponseDetector {
  private readonly classifier: TextClassifier;
  private readonly cuts: boolean;

  /** `cuts`: whether a finding may end the response, so that text after a stretch is held back until the stretch is scored. */
  constructor(classifier: TextClassifier, cuts: boolean) {
    this.classifier = classifier;
    this.cuts = cuts;
  }

  open(): ResponseReader {
    return new SentenceReader(this.classifier, this.cuts);
  }
}

class SentenceReader implements ResponseReader {
  private readonly classifier: TextClassifier;
  private readonly cuts: boolean;
  private readonly view = new TextView('folded');
  private readonly window = new TextWindow();
  private length = 0;
  /** Start of the open stretch, and of earlier stretches that are scored with it. */
  private start = 0;
  private earlier: number[] = [];
  private afterEnd = false;

  constructor(classifier: TextClassifier, cuts: boolean) {
    this.classifier = classifier;
    this.cuts = cuts;
  }

  read(piece: string, last: boolean): RuleHit[] {
    const text = last ? this.view.push(piece) + this.view.end() : this.view.push(piece);
    this.window.push(text);
    const hits: RuleHit[] = [];
    for (let at = 0; at < text.length; at++) {
      if (this.endsBefore(text.charCodeAt(at), this.length + at)) hits.push(...this.score(this.length + at));
    }
    this.length += text.length;
    if (last && this.start < this.length) hits.push(...this.score(this.length));
    this.window.forget(this.firstOpen);
    this.view.positions.forget(this.firstOpen);
    return hits;
  }

  get settled(): number {
    // The open stretch ends after all text read so far, so its cut does too.
    return this.cuts ? this.view.positions.rawStart(this.length) : Number.POSITIVE_INFINITY;
  }

  get seen(): number {
    return this.view.positions.rawStart(this.firstOpen);
  }

  private get firstOpen(): number {
    return this.earlier[0] ?? this.start;
  }

  /** Whether the open stretch ends before this character, at offset `at`. */
  private endsBefore(unit: number, at: number): boolean {
    const units = at - this.start;
    const { afterEnd } = this;
    this.afterEnd = SENTENCE_ENDS.has(unit);
    if (units < MIN_UNITS) return false;
    if (units >= MAX_UNITS) return true;
    return KINDS[unit] === SPACE && (afterEnd || unit === NEWLINE || units >= LONG_UNITS);
  }

  /** Scores the stretch that ends here together with earlier ones, and opens the next. */
  private score(end: number): RuleHit[] {
    const from = this.firstOpen;
    const reported = this.classifier
      .classify(this.window.slice(from, end), 'output')
      .filter(({ score }) => score >= REPORT_FROM);
    // Reported stretches are not scored again.
    this.earlier = reported.length > 0 ? [] : [...this.earlier, this.start].slice(1 - STRETCHES);
    this.start = end;
    const { positions } = this.view;
    return reported.map(({ rule, score, start, end: stop }) => ({
      rule,
      score,
      start: positions.rawStart(from + start),
      end: positions.rawEnd(from + stop),
      cutsAt: positions.rawStart(end),
    }));
  }
}
