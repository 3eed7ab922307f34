import { PatternSet, type PatternStream } from '../pattern/pattern-set.ts';
import { ENCODINGS, type Encoding } from './encodings.ts';

/** Decoded text of one encoding that is judged per text; what follows is left encoded. */
export const MAX_DECODED_UNITS = 64 * 1024;
/** Units of other readings that are judged per text. */
export const MAX_REREAD_UNITS = 128 * 1024;
/** Encodings within encodings that are undone. */
export const MAX_DECODE_DEPTH = 3;

/** A run of encoded text in the view's text, as found; what it says is not known yet. */
export interface EncodedRun {
  readonly encoding: Encoding;
  readonly start: number;
  readonly end: number;
}

/** Longer runs are found in parts of this length, which suits every encoding's alignment. */
const MAX_RUN_UNITS = 128 * 1024;

const runs = new PatternSet(
  ENCODINGS.map(({ pattern }) => ({ source: pattern, ignoreCase: true })),
  { maxMatchLength: MAX_RUN_UNITS },
);

/** Finds the runs of a text that arrives in pieces: each once it cannot grow any more. Runs of different encodings may overlap. */
export class EncodedRunStream {
  private readonly stream: PatternStream = runs.stream();

  push(piece: string): EncodedRun[] {
    return this.stream.push(piece).map(toRun);
  }

  end(text = ''): EncodedRun[] {
    return this.stream.end(text).map(toRun);
  }

  /** No later run covers anything before this offset. */
  get settled(): number {
    return this.stream.settled;
  }
}

function toRun(match: { readonly pattern: number; readonly start: number; readonly end: number }): EncodedRun {
  const encoding = ENCODINGS[match.pattern];
  if (encoding === undefined) throw new RangeError(`no encoding ${match.pattern}`);
  return { encoding, start: match.start, end: match.end };
}

/**
 * Undoes the encodings of one text within fixed bounds. Each encoding has an allowance of its own, so that what is
 * decoded does not depend on the order in which runs of different encodings become known.
 */
export class Decoder {
  private readonly left = new Map<Encoding, number>();
  private readable = MAX_REREAD_UNITS;

  /** What a run says, or undefined where it is not text or the allowance for its encoding is used up. */
  decode(encoding: Encoding, run: string): string | undefined {
    const left = this.left.get(encoding) ?? MAX_DECODED_UNITS;
    if (left <= 0) return undefined;
    // No encoding makes a text longer than 8 units for each unit that it says (an escape of 6 and its separators).
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
