import type { ResponseDetector, ResponseReader, Rule, RuleHit } from '../matching/index.ts';
import { GAP, GRAM_LETTERS, LetterStream, LetterWindow } from './letter-stream.ts';
import { LANES, PromptIndex, STEP } from './prompt-index.ts';

export const PROMPT_OVERLAP_RULE: Rule = {
  id: 'system-prompt-leak/overlap',
  type: 'system_prompt_leak',
  category: 'prompt_repeated',
  severity: 'high',
  score: 0.8,
  view: 'folded',
  patterns: [],
  surfaces: ['output'],
  message: 'The response repeats a large part of the system prompt.',
  owasp: 'LLM07:2025',
  atlas: 'AML.T0056',
};

/** Fewer letters are a phrase, however short the prompt. */
const FEWEST_LETTERS = 40;
/** A leak repeats at least this part of the prompt, or this many letters (about 240 words). */
const SHARE = 0.3;
const MOST_LETTERS = 1200;

/** A stretch ends after this many letters without a match. */
const STRETCH_GAP = GRAM_LETTERS + STEP;
/** Longer stretches are reported in parts, so that no more than this is held back. */
const MAX_STRETCH_UNITS = 400;

/**
 * Finds repetitions of the system prompt in a response. Compares letters only, so that layout, numbering, order of sentences, case and spacing
 * do not matter, and also ROT13 and reversed text. Text that the caller already has does not count. Once enough is repeated, every
 * further repeated stretch is a hit.
 */
export class PromptOverlap implements ResponseDetector {
  private readonly prompts: readonly string[];
  private readonly known: readonly string[];
  private readonly holds: boolean;
  private built: PromptIndex | undefined;

  /** `holds`: whether text waits until it is certain not to be part of such a stretch. */
  constructor(prompts: readonly string[], known: readonly string[], holds: boolean) {
    this.prompts = prompts;
    this.known = known;
    this.holds = holds;
  }

  open(): ResponseReader {
    this.built ??= new PromptIndex(this.prompts, this.known);
    return new OverlapReader(this.built, this.holds);
  }
}

class OverlapReader implements ResponseReader {
  private readonly index: PromptIndex;
  private readonly holds: boolean;
  private readonly window = new LetterWindow();
  private readonly stream = new LetterStream();
  /** Repeated letters, by lane and letter of the prompt. Created on first use. */
  private repeated: Uint8Array | undefined;
  private readonly counts = new Int32Array(LANES);
  private leaking = false;
  /** Letters since the last match; the stretch is over beyond STRETCH_GAP. */
  private sinceMatch = STRETCH_GAP + 1;
  /** The open stretch, in view offsets: from its first letter to the end of its last match. */
  private from = 0;
  private to = 0;
  /** End of the reported text. */
  private reportedTo = 0;
  private hits: RuleHit[] = [];

  constructor(index: PromptIndex, holds: boolean) {
    this.index = index;
    this.holds = holds;
  }

  read(piece: string, last: boolean): RuleHit[] {
    if (this.isShort) return [];
    const { letters, places } = this.stream;
    this.stream.read(piece, last, (count) => {
      for (let index = 0; index < count; index++) this.take(letters[index] as number, places[index] as number);
    });
    if (last) this.close();
    this.stream.forget(this.firstOpen);
    const { hits } = this;
    this.hits = [];
    return hits;
  }

  get settled(): number {
    return this.holds ? this.seen : Number.POSITIVE_INFINITY;
  }

  get seen(): number {
    return this.isShort ? Number.POSITIVE_INFINITY : this.stream.rawStart(this.firstOpen);
  }

  /** Number of the prompt's letters that is a leak. */
  private get enough(): number {
    return Math.min(MOST_LETTERS, Math.max(FEWEST_LETTERS, SHARE * this.index.counted));
  }

  /** Whether the prompt is too short to be distinguished from a phrase. */
  private get isShort(): boolean {
    return this.index.counted < this.enough;
  }

  /** View offset before which no later hit starts. */
  private get firstOpen(): number {
    const start = this.isOpen ? this.from : (this.window.start ?? this.stream.end);
    return Math.max(this.reportedTo, start);
  }

  private get isOpen(): boolean {
    return this.sinceMatch <= STRETCH_GAP;
  }

  private take(letter: number, at: number): void {
    if (letter === GAP) {
      this.window.clear();
      this.close();
      return;
    }
    if (this.isOpen && ++this.sinceMatch > STRETCH_GAP) this.close();
    this.window.push(letter, at);
    const place = this.window.isFull ? this.index.find(this.window.hash) : -1;
    if (place >= 0) this.match(place, at + 1);
    if (this.isOpen && at - this.from >= MAX_STRETCH_UNITS) this.shorten(at);
  }

  private match(place: number, end: number): void {
    if (!this.isOpen) this.from = Math.max(this.reportedTo, this.window.start ?? 0);
    this.sinceMatch = 0;
    this.to = end;
    this.repeated ??= new Uint8Array(LANES * this.index.letters);
    const { repeated } = this;
    let added = 0;
    for (let at = place; at < place + GRAM_LETTERS; at++) {
      added += 1 - (repeated[at] as number);
      repeated[at] = 1;
    }
    const lane = Math.floor(place / this.index.letters);
    this.counts[lane] = (this.counts[lane] as number) + added;
    this.leaking ||= (this.counts[lane] as number) >= this.enough;
  }

  /** Ends the open stretch and reports it if the prompt leaks. */
  private close(): void {
    if (this.leaking && this.to > this.from) this.report();
    this.from = this.to;
    this.sinceMatch = STRETCH_GAP + 1;
  }

  /** Reports or drops the start of a long stretch. */
  private shorten(at: number): void {
    if (this.leaking) this.report();
    else this.from = at - MAX_STRETCH_UNITS + 1;
  }

  private report(): void {
    const { stream, from, to } = this;
    if (to <= from) return;
    this.hits.push({
      rule: PROMPT_OVERLAP_RULE,
      score: PROMPT_OVERLAP_RULE.score,
      start: stream.rawStart(from),
      end: stream.rawEnd(to),
    });
    this.from = to;
    this.reportedTo = to;
  }
}
