import { randomInt } from 'node:crypto';
import type { Rule } from '../rule.ts';
import type { RuleHit } from '../rules/view-reader.ts';
import type { AnswerDetector, AnswerReader } from './answer-detector.ts';
import { GAP, LetterStream, rot13 } from './letter-stream.ts';
import { PrefixTracker } from './prefix-tracker.ts';

export const CANARY_RULE: Rule = {
  id: 'system-prompt-leak/canary',
  type: 'system_prompt_leak',
  category: 'canary',
  severity: 'high',
  score: 1,
  view: 'folded',
  patterns: [],
  surfaces: ['output'],
  message: 'The answer holds the marker that was planted in the system prompt.',
  owasp: 'LLM07:2025',
  atlas: 'AML.T0056',
};

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz';
/** 75 bits. Letters only, so that it reads the same in any case and spacing. */
const MARKER_LETTERS = 16;

/** A marker that stands in no other text. */
export function createMarker(): string {
  return Array.from({ length: MARKER_LETTERS }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

/** How a marker stands in a system prompt: short, and nothing that a model would act upon. */
export function plantedText(marker: string): string {
  return `[ref ${marker}]`;
}

/** Finds a marker in an answer: plain, in any case and spacing, in ROT13 and backwards. */
export class Canary implements AnswerDetector {
  private readonly marker: string;
  private readonly holds: boolean;

  /** `holds`: whether text waits until it is sure not to be part of the marker. */
  constructor(marker: string, holds: boolean) {
    this.marker = marker;
    this.holds = holds;
  }

  open(): AnswerReader {
    return new CanaryReader(this.marker, this.holds);
  }
}

class CanaryReader implements AnswerReader {
  private readonly holds: boolean;
  private readonly stream = new LetterStream();
  private readonly trackers: readonly PrefixTracker[];
  private readonly hits: RuleHit[] = [];

  constructor(marker: string, holds: boolean) {
    this.holds = holds;
    const letters = Array.from(marker, (letter) => letter.charCodeAt(0));
    this.trackers = [letters, letters.map(rot13), letters.toReversed()].map((form) => new PrefixTracker(form));
  }

  read(piece: string, last: boolean): RuleHit[] {
    const { letters, places } = this.stream;
    this.stream.read(piece, last, (count) => {
      for (let index = 0; index < count; index++) this.take(letters[index] as number, places[index] as number);
    });
    this.stream.forget(this.firstOpen);
    return this.hits.splice(0);
  }

  get settled(): number {
    return this.holds ? this.seen : Number.POSITIVE_INFINITY;
  }

  get seen(): number {
    return this.stream.rawStart(this.firstOpen);
  }

  private get firstOpen(): number {
    return Math.min(this.stream.end, ...this.trackers.map(({ start }) => start));
  }

  private take(letter: number, at: number): void {
    for (const tracker of this.trackers) {
      if (letter === GAP) tracker.clear();
      else if (tracker.push(letter, at)) this.tell(tracker.start, at + 1);
    }
  }

  private tell(from: number, to: number): void {
    for (const tracker of this.trackers) tracker.clear();
    const [start, end] = [this.stream.rawStart(from), this.stream.rawEnd(to)];
    this.hits.push({ rule: CANARY_RULE, score: CANARY_RULE.score, start, end });
  }
}
