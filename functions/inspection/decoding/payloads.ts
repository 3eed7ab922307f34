import {
  compilePattern,
  type PatternCode,
  type PatternMatch,
  PatternSet,
  type PatternStream,
} from '../pattern-engine/index.ts';
import { type PositionMap, type TextViews, TextWindow, type View } from '../views/index.ts';
import { ENCODINGS, type Encoding, INVISIBLE_ENCODINGS } from './encodings.ts';
import codes from './patterns.generated.json' with { type: 'json' };

/** Decoded text of one encoding that is inspected per text; the rest stays encoded. */
export const MAX_DECODED_UNITS = 64 * 1024;
/** Units of other readings that are inspected per text. */
export const MAX_REREAD_UNITS = 128 * 1024;
/** Nested encodings that are decoded. */
export const MAX_DECODE_DEPTH = 3;

/** A run of encoded text in the view's text, not decoded yet. */
export interface EncodedRun {
  readonly encoding: Encoding;
  readonly start: number;
  readonly end: number;
}

/** Longer runs are found in parts of this length, a multiple of the block sizes of base64, base32 and hex. */
const MAX_RUN_UNITS = 128 * 1024;

/** The views in which runs are matched. */
type EncodedView = 'exact' | 'raw';

const CODES: Readonly<Record<string, PatternCode>> = codes;

/** The content of `patterns.generated.json`. */
export function compileEncodings(): Record<string, PatternCode> {
  return Object.fromEntries([...ENCODINGS, ...INVISIBLE_ENCODINGS].map(({ pattern }) => [pattern, compiled(pattern)]));
}

function compiled(pattern: string): PatternCode {
  return compilePattern({ source: pattern, ignoreCase: true });
}

/** The committed code of an encoding's pattern. A changed pattern has none until it is generated and is compiled here. */
function patternOf({ pattern }: Encoding) {
  const code = CODES[pattern];
  return { code: code ?? compiled(pattern) };
}

/** Encodings whose runs are matched in one pass over a view. */
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

export const VISIBLE_ENCODING_SET = new EncodingSet('exact', ENCODINGS);
/** Made of characters that the exact view drops or changes, never of ASCII alone. */
export const INVISIBLE_ENCODING_SET = new EncodingSet('raw', INVISIBLE_ENCODINGS);

/** Finds the runs of a text that arrives in pieces, each once it is complete. Runs of different encodings may overlap. */
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

  /** No later run covers text before this offset. */
  get settled(): number {
    return this.stream.settled;
  }
}

/**
 * Decodes the runs of one text within fixed limits. Each encoding has a separate limit, so that the result does not depend on the order
 * in which runs of different encodings complete.
 */
export class Decoder {
  private readonly left = new Map<Encoding, number>();
  private readable = MAX_REREAD_UNITS;

  /** Decodes the run; undefined if it is not text or the limit of its encoding is reached. */
  decode(encoding: Encoding, run: string): string | undefined {
    const left = this.left.get(encoding) ?? MAX_DECODED_UNITS;
    if (left <= 0) return undefined;
    // Encoded text is at most 8 times as long as its text (an escape of 6 units and its separators).
    const text = encoding.decode(run.slice(0, left * 8))?.slice(0, left);
    if (text !== undefined) this.left.set(encoding, left - text.length);
    return text;
  }

  /** Whether another reading of this length is within the limit; if so, it counts. */
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

/** Finds and decodes the encoded runs of a text that arrives in pieces. */
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

  /** The payloads of the runs that end within the next piece of the view's text. */
  read(text: string, last: boolean): Payload[] {
    this.window.push(text);
    const runs = last ? this.runs.end(text) : this.runs.push(text);
    const payloads = runs.flatMap((run) => this.decode(run));
    if (!last) this.window.forget(this.needed);
    return payloads;
  }

  /** View offset from which text and positions are still needed. */
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
