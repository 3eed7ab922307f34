import { looksBinary, readBytes, TELLING_BYTES } from './read-bytes.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const NO_VALUE = 64;
const VALUES = values();
/** So many values make TELLING_BYTES, whatever the alignment. */
const TELLING_VALUES = Math.ceil((TELLING_BYTES * 8) / 6) + 4;
/** Shorter runs are names too often for a second look. */
const MIN_DISGUISED = 28;
const LETTERS = 26;

/**
 * Text in base64, in both alphabets, with or without padding; undefined where the run holds none. Also where it is turned
 * round or shifted by 13 letters: it is no text then, but its letters still are those of base64, unlike those of a name.
 */
export function readBase64(run: string): string | undefined {
  const values = valuesOf(run);
  const text = readValues(values);
  if (text !== undefined) return text;
  const isName = run.length < MIN_DISGUISED || !/[0-9]/.test(run) || !/[A-Z]/.test(run) || !/[a-z]/.test(run);
  return isName ? undefined : (readValues(values.toReversed()) ?? readValues(values.map(shifted)));
}

/**
 * A run may begin with characters that are not the payload's (the path in front of it, a letter glued to it), so that each
 * of the four alignments is tried.
 */
function readValues(values: Uint8Array): string | undefined {
  const telling = values.subarray(0, TELLING_VALUES);
  for (let skipped = 0; skipped < 4; skipped++) {
    if (looksBinary(toBytes(telling, skipped))) continue;
    const text = readBytes(toBytes(values, skipped));
    if (text !== undefined) return text;
  }
  return undefined;
}

/** What the letters stand for; line ends and padding left out. */
function valuesOf(run: string): Uint8Array {
  const values = new Uint8Array(run.length);
  let count = 0;
  for (let at = 0; at < run.length; at++) {
    const value = VALUES[run.charCodeAt(at)] ?? NO_VALUE;
    if (value !== NO_VALUE) values[count++] = value;
  }
  return values.subarray(0, count);
}

/** ROT13 of the letter that a value stands for. */
function shifted(value: number): number {
  if (value >= 2 * LETTERS) return value;
  const first = value < LETTERS ? 0 : LETTERS;
  return first + ((value - first + LETTERS / 2) % LETTERS);
}

function toBytes(values: Uint8Array, skipped: number): Uint8Array {
  const bytes = new Uint8Array(Math.max(0, ((values.length - skipped) * 6) >> 3));
  let bits = 0;
  let held = 0;
  let filled = 0;
  for (let at = skipped; at < values.length && filled < bytes.length; at++) {
    bits = ((bits << 6) | (values[at] as number)) & 0xffff;
    held += 6;
    if (held >= 8) {
      held -= 8;
      bytes[filled++] = bits >> held;
    }
  }
  return bytes;
}

function values(): Uint8Array {
  const table = new Uint8Array(128).fill(NO_VALUE);
  for (let value = 0; value < ALPHABET.length; value++) table[ALPHABET.charCodeAt(value)] = value;
  table['-'.charCodeAt(0)] = 62;
  table['_'.charCodeAt(0)] = 63;
  return table;
}
