import {
  compilePattern,
  type PatternCode,
  type PatternMatch,
  PatternSet,
  type PatternStream,
} from '../../pattern-engine/index.ts';
import type { View } from '../rule.ts';
import { type PositionMap, TextWindow } from '../views/text-offsets.ts';
import type { TextViews } from '../views/text-view.ts';
import { ENCODINGS, type Encoding, UNSEEN_ENCODINGS } from './encodings.ts';
import codes from './patterns.generated.json' with { type: 'json' };

/** Decoded text of one encoding that is judged per text; what follows is left encoded. */
export const MAX_DECODED_UNITS = 64 * 1024;
/** Units of other readings that are judged per text. */
export const MAX_REREAD_UNITS = 128 * 1024;
/** Encodings within encodings that are undone. */
export const MAX_DECODE_DEPTH = 3;

/** A run of encoded text in the view's text, not yet decoded. */
export interface EncodedRun {
  readonly encoding: Encoding;
  readonly start: number;
  readonly end: number;
}

/** Longer runs are found in parts of this length, which suits every encoding's alignment. */
const MAX_RUN_UNITS = 128 * 1024;

/** The views in which runs are looked for. */
type EncodedView = 'exact' | 'raw';

const CODES: Readonly<Record<string, PatternCode>> = codes;

/** The content of `patterns.generated.json`. */
export function compileEncodings(): Record<string, PatternCode> {
  return Object.fromEntries([...ENCODINGS, ...UNSEEN_ENCODINGS].map(({ pattern }) => [pattern, compiled(pattern)]));
}

function compiled(pattern: string): PatternCode {
  return compilePattern({ source: pattern, ignoreCase: true });
}

/** The committed code of an encoding's pattern. A pattern that has changed since has none and is compiled here. */
function patternOf({ pattern }: Encoding) {
  const code = CODES[pattern];
  return { code: code ?? compiled(pattern) };
}

/** Encodings whose runs are found in one pass over a view. */
export class EncodingSet {
  readonly view: EncodedView;
  private readonly encodings: readonly Encoding[];
  private patterns: PatternSet | undefined;

  constructor(view: EncodedView, encodings: readonly Encoding[]) {
    this.view = view;
    this.encodings = encodings;
  }

  watch(): PatternStream {
    this.patterns ??= new PatternSet(this.encodings.map(patternOf), { maxMatchLength: MAX_RUN_UNITS });
    return this.patterns.watch();
  }

  toRun({ pattern, start, end }: PatternMatch): EncodedRun {
    const encoding = this.encodings[pattern];
    if (encoding === undefined) throw new RangeError(`no encoding ${pattern}`);
    return { encoding, start, end };
  }
}

export const SHOWN_ENCODINGS = new EncodingSet('exact', ENCODINGS);
/** Made of what the exact view drops or changes, and never of ASCII alone. */
export const RAW_ENCODINGS = new EncodingSet('raw', UNSEEN_ENCODINGS);

/** Finds the runs of a text that arrives in pieces: each once it cannot grow any more. Runs of different encodings may overlap. */
export class EncodedRunStream {
  private readonly encodings: EncodingSet;
  private readonly stream: PatternStream;

  constructor(encodings: EncodingSet) {
    this.encodings = encodings;
    this.stream = encodings.watch();
  }

  push(piece: string): EncodedRun[] {
    return this.stream.push(piece).map((match) => this.encodings.toRun(match));
  }

  end(text = ''): EncodedRun[] {
    return this.stream.end(text).map((match) => this.encodings.toRun(match));
  }

  /** No later run covers anything before this offset. */
  get settled(): number {
    return this.stream.settled;
  }
}

/**
 * Decodes the runs of one text within fixed bounds. Each encoding has a separate allowance, so that what is
 * decoded does not depend on the order in which runs of different encodings become known.
 */
export class Decoder {
  private readonly left = new Map<Encoding, number>();
  private readable = MAX_REREAD_UNITS;

  /** The decoded run, or undefined where it is not text or the allowance for its encoding is used up. */
  decode(encoding: Encoding, run: string): string | undefined {
    const left = this.left.get(encoding) ?? MAX_DECODED_UNITS;
    if (left <= 0) return undefined;
    // No encoding makes a text longer than 8 units for each decoded unit (an escape of 6 and its separators).
    const text = encoding.decode(run.slice(0, left * 8))?.slice(0, left);
    if (text !== undefined) this.left.set(encoding, left - text.length);
    return text;
  }

  /** Whether another reading of so many units may still be judged; it then counts. */
  mayRead(units: number): boolean {
    if (this.readable < units) return false;
    this.readable -= units;
    return true;
  }
}

/** A decoded run, with its range in the raw text. */
export interface Payload {
  readonly encoding: string;
  /** The run as its view shows it. */
  readonly run: string;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Finds and undoes the encoded runs of a text that arrives in pieces. */
export class PayloadReader {
  readonly view: View;
  private readonly positions: PositionMap;
  private readonly window = new TextWindow();
  private readonly runs: EncodedRunStream;
  private readonly decoder: Decoder;

  constructor(encodings: EncodingSet, views: TextViews, decoder: Decoder) {
    this.view = encodings.view;
    this.positions = views.positions(this.view);
    this.runs = new EncodedRunStream(encodings);
    this.decoder = decoder;
  }

  /** The payloads of the runs that have ended with the next piece of the view's text. */
  read(text: string, last: boolean): Payload[] {
    this.window.push(text);
    const runs = last ? this.runs.end(text) : this.runs.push(text);
    const payloads = runs.flatMap((run) => this.decode(run));
    if (!last) this.window.forget(this.needed);
    return payloads;
  }

  /** View offset from which on text and positions are still needed. */
  get needed(): number {
    return this.runs.settled;
  }

  private decode({ encoding, start, end }: EncodedRun): Payload[] {
    const run = this.window.slice(start, end);
    const text = this.decoder.decode(encoding, run);
    if (text === undefined) return [];
    const { positions } = this;
    return [{ encoding: encoding.name, run, text, start: positions.rawStart(start), end: positions.rawEnd(end) }];
  }
}
