import { KINDS, SPACE } from '../classifiers/tokens.ts';
import type { RuleHit } from '../finding.ts';
import type { ResponseDetector, ResponseReader, TextClassifier } from '../text-inspector.ts';
import { TextWindow } from '../views/text-offsets.ts';
import { TextView } from '../views/text-view.ts';

/** What is judged at once: a stretch of sentences and the one before it. */
const STRETCHES = 2;
/** A stretch ends with the first sentence that ends behind so much, */
const MIN_UNITS = 120;
/** or at the next space behind so much, or at last without one. */
const LONG_UNITS = 400;
const MAX_UNITS = 600;
const SENTENCE_ENDS: ReadonlySet<number> = new Set(Array.from('.!?:;。！？', (mark) => mark.charCodeAt(0)));
const NEWLINE = 0x0a;
/**
 * Minimum score to report an answer. Of real answers of assistants (figures in docs/detection.md) at most
 * 0.5 % reach it.
 */
const REPORT_FROM = 0.65;

/**
 * Has a classifier judge an answer at the ends of its sentences, each stretch of them together with the one before: linear in
 * its length. Nothing waits for a judgement; one that blocks cuts the answer behind the stretch that was judged.
 */
export class SentenceScorer implements ResponseDetector {
  private readonly classifier: TextClassifier;
  private readonly cuts: boolean;

  /** `cuts`: whether a judgement may end the answer, so that no text behind a stretch leaves before it is judged. */
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
  /** Where the open stretch starts, and those that are judged with it. */
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
      if (this.endsBefore(text.charCodeAt(at), this.length + at)) hits.push(...this.judge(this.length + at));
    }
    this.length += text.length;
    if (last && this.start < this.length) hits.push(...this.judge(this.length));
    this.window.forget(this.firstOpen);
    this.view.positions.forget(this.firstOpen);
    return hits;
  }

  get settled(): number {
    // What the view has given is in no stretch that would have to end before it.
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

  /** Judges the stretch that ends here together with those before it, and opens the next. */
  private judge(end: number): RuleHit[] {
    const from = this.firstOpen;
    const reported = this.classifier
      .judge(this.window.slice(from, end), 'output')
      .filter(({ score }) => score >= REPORT_FROM);
    // Reported stretches are not judged again.
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
