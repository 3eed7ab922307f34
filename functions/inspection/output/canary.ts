import { randomInt } from 'node:crypto';
import { MARKER_LETTERS } from '../../kernel/model/index.ts';
import type { ResponseDetector, ResponseReader, Rule, RuleHit } from '../matching/index.ts';
import { GAP, LetterStream, rot13 } from './letter-stream.ts';

export const CANARY_RULE: Rule = {
  id: 'system-prompt-leak/canary',
  type: 'system_prompt_leak',
  category: 'canary',
  severity: 'high',
  score: 1,
  view: 'folded',
  patterns: [],
  surfaces: ['output'],
  message: 'The response contains the marker that was planted in the system prompt.',
  owasp: 'LLM07:2025',
  atlas: 'AML.T0056',
};

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz';
/** Returns a random marker: letters only, so that case and spacing do not matter. */
export function createMarker(): string {
  return Array.from({ length: MARKER_LETTERS }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

/** Finds a marker in a response: plain, in any case and spacing, in ROT13, and backwards. */
export class Canary implements ResponseDetector {
  private readonly marker: string;
  private readonly holds: boolean;

  /** `holds`: whether text waits until it is certain not to be part of the marker. */
  constructor(marker: string, holds: boolean) {
    this.marker = marker;
    this.holds = holds;
  }

  open(): ResponseReader {
    return new CanaryReader(this.marker, this.holds);
  }
}

class CanaryReader implements ResponseReader {
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
      else if (tracker.push(letter, at)) this.addHit(tracker.start, at + 1);
    }
  }

  private addHit(from: number, to: number): void {
    for (const tracker of this.trackers) tracker.clear();
    const [start, end] = [this.stream.rawStart(from), this.stream.rawEnd(to)];
    this.hits.push({ rule: CANARY_RULE, score: CANARY_RULE.score, start, end });
  }
}

/** Tracks how much of one word a growing text ends with (Knuth, Morris and Pratt: one step a letter on average). */
class PrefixTracker {
  private readonly word: readonly number[];
  /** For each prefix length, the length of the longest shorter prefix that is also its suffix. */
  private readonly shorter: readonly number[];
  private readonly places: number[] = [];

  constructor(word: readonly number[]) {
    this.word = word;
    this.shorter = shorterBeginnings(word);
  }

  /** Takes the next letter, at `place`. @returns whether the text now ends with the whole word */
  push(letter: number, place: number): boolean {
    const { word, places } = this;
    let matched = places.length === word.length ? this.shorterThan(word.length) : places.length;
    while (matched > 0 && word[matched] !== letter) matched = this.shorterThan(matched);
    if (matched < places.length) places.splice(0, places.length - matched);
    if (word[matched] === letter) places.push(place);
    return places.length === word.length;
  }

  /** Start of the current partial match; Infinity if there is none. */
  get start(): number {
    return this.places[0] ?? Number.POSITIVE_INFINITY;
  }

  clear(): void {
    this.places.length = 0;
  }

  private shorterThan(length: number): number {
    return this.shorter[length] as number;
  }
}

function shorterBeginnings(word: readonly number[]): number[] {
  const shorter = [0, 0];
  for (let length = 2; length <= word.length; length++) {
    let matched = shorter[length - 1] as number;
    while (matched > 0 && word[matched] !== word[length - 1]) matched = shorter[matched] as number;
    shorter.push(word[matched] === word[length - 1] ? matched + 1 : 0);
  }
  return shorter;
}
