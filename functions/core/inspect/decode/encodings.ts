import { readBase32 } from './base32.ts';
import { readMorse } from './morse.ts';
import { readBytes } from './read-bytes.ts';

/** A way of writing text so that patterns cannot read it. */
export interface Encoding {
  /** Public: stands in a finding's `decodedFrom`. */
  readonly name: string;
  /** Finds runs that are long enough to carry an instruction; case does not matter to it. */
  readonly pattern: string;
  /** The text of a run, or undefined where it holds none. */
  readonly decode: (run: string) => string | undefined;
}

export const ENCODINGS: readonly Encoding[] = [
  {
    name: 'base64',
    // Lines of one block belong together; the last may be short, and says so by its padding.
    pattern: '\\b[a-z0-9+/_-]{20,}(?:\\r?\\n[a-z0-9+/]{20,})*={0,2}(?:\\r?\\n[a-z0-9+/]+={1,2})?',
    decode: (run) => decodeBase64(run) ?? decodeDisguisedBase64(run),
  },
  {
    name: 'hex',
    pattern:
      '(?:[0-9a-f]{2}){10,}|[0-9a-f]{2}(?:[ :,-][0-9a-f]{2}){7,}|(?:0x[0-9a-f]{2}[ ,;]{0,2}){6,}|(?:\\\\x[0-9a-f]{2}){6,}',
    decode: (run) => {
      const digits = run.replace(/0x|\\x|[^0-9a-f]/gi, '');
      return readBytes(Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)));
    },
  },
  {
    name: 'percent',
    pattern: "[a-z0-9._~+!*'(),;:@&=/?$-]*(?:%[0-9a-f]{2}[a-z0-9._~+!*'(),;:@&=/?$-]*){3,}",
    decode: (run) => {
      const bytes: number[] = [];
      for (let at = 0; at < run.length; at++) {
        const pair = run.slice(at + 1, at + 3);
        const escaped = run[at] === '%' && /^[0-9a-f]{2}$/i.test(pair);
        bytes.push(escaped ? Number.parseInt(pair, 16) : run[at] === '+' ? 0x20 : run.charCodeAt(at));
        if (escaped) at += 2;
      }
      return readBytes(Uint8Array.from(bytes));
    },
  },
  {
    name: 'escapes',
    pattern: '(?:\\\\u[0-9a-f]{4}){4,}|(?:&#[0-9]{2,6};){4,}|(?:&#x[0-9a-f]{2,5};){4,}',
    decode: (run) =>
      run
        .replace(/\\u([0-9a-f]{4})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
        .replace(/&#x([0-9a-f]{2,5});/gi, (_, digits: string) => String.fromCodePoint(Number.parseInt(digits, 16)))
        .replace(/&#([0-9]{2,6});/g, (_, digits: string) => String.fromCodePoint(Number.parseInt(digits, 10))),
  },
  {
    name: 'base32',
    pattern: '\\b(?:[a-z2-7]{24,}|[a-z2-7]{16,}(?:\\r?\\n[a-z2-7]{16,})+)={0,6}',
    decode: readBase32,
  },
  {
    name: 'binary',
    pattern: '(?:[01]{8}[ ,_|/-]{0,2}){10,}|(?:[01]{7}[ ,_|/-]{1,2}){10,}',
    decode: (run) => {
      const width = /^[01]{7}[^01]/.test(run) ? 7 : 8;
      return readNumbers(run.replace(/[^01]/g, '').match(width === 7 ? /.{7}/g : /.{8}/g), 2);
    },
  },
  {
    name: 'decimal',
    // Octets as numbers, and in octal, as programs list them.
    pattern: '\\b(?:[0-9]{2,3}[ ,;]{1,2}){12,}[0-9]{2,3}\\b',
    decode: (run) => readNumbers(run.match(/[0-9]+/g), 10) ?? readNumbers(run.match(/[0-9]+/g), 8),
  },
  {
    name: 'morse',
    pattern: '[.-]{1,6}(?:(?:[ |/\\n]|\\r\\n){1,5}[.-]{1,6}){8,}',
    decode: readMorse,
  },
];

const BASE64_VALUES = base64Values();

/**
 * Reads both alphabets, with or without padding. A run may begin with characters that are not the payload's (the path in
 * front of it, a letter glued to it), so that each of the four alignments is tried.
 */
function decodeBase64(run: string): string | undefined {
  const values = new Uint8Array(run.length);
  let count = 0;
  for (let at = 0; at < run.length; at++) {
    const value = BASE64_VALUES[run.charCodeAt(at)] ?? -1;
    if (value >= 0) values[count++] = value;
  }
  for (let skipped = 0; skipped < 4; skipped++) {
    const text = readBytes(toBytes(values.subarray(0, count), skipped));
    if (text !== undefined) return text;
  }
  return undefined;
}

/** Numbers as the bytes of a text; undefined where one is none. */
function readNumbers(numbers: readonly string[] | null, radix: number): string | undefined {
  const values = (numbers ?? []).map((number) => Number.parseInt(number, radix));
  return values.every((value) => value < 256) ? readBytes(Uint8Array.from(values)) : undefined;
}

/** Turned round or shifted it is no text any more, but its letters still are those of base64, unlike those of a name. */
function decodeDisguisedBase64(run: string): string | undefined {
  const isName = run.length < 28 || !/[0-9]/.test(run) || !/[A-Z]/.test(run) || !/[a-z]/.test(run);
  return isName ? undefined : (decodeBase64([...run].reverse().join('')) ?? decodeBase64(rot13(run)));
}

function rot13(run: string): string {
  return run.replace(/[a-z]/gi, (letter) => {
    const code = letter.charCodeAt(0);
    return String.fromCharCode((code & 0x1f) > 13 ? code - 13 : code + 13);
  });
}

function toBytes(values: Uint8Array, skipped: number): Uint8Array {
  const bytes = new Uint8Array(((values.length - skipped) * 6) >> 3);
  let bits = 0;
  let held = 0;
  let filled = 0;
  for (let at = skipped; at < values.length && filled < bytes.length; at++) {
    bits = ((bits << 6) | (values[at] ?? 0)) & 0xffff;
    held += 6;
    if (held >= 8) {
      held -= 8;
      bytes[filled++] = bits >> held;
    }
  }
  return bytes;
}

function base64Values(): Int8Array {
  const values = new Int8Array(128).fill(-1);
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  for (let value = 0; value < 64; value++) values[alphabet.charCodeAt(value)] = value;
  values['-'.charCodeAt(0)] = 62;
  values['_'.charCodeAt(0)] = 63;
  return values;
}
