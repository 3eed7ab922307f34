import { readBase32 } from './base32.ts';
import { readBase64 } from './base64.ts';
import { readHex, readPercents } from './hex.ts';
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
    decode: readBase64,
  },
  {
    name: 'hex',
    pattern:
      '(?:[0-9a-f]{2}){10,}|[0-9a-f]{2}(?:[ :,-][0-9a-f]{2}){7,}|(?:0x[0-9a-f]{2}[ ,;]{0,2}){6,}|(?:\\\\x[0-9a-f]{2}){6,}',
    decode: readHex,
  },
  {
    name: 'percent',
    pattern: "[a-z0-9._~+!*'(),;:@&=/?$-]*(?:%[0-9a-f]{2}[a-z0-9._~+!*'(),;:@&=/?$-]*){3,}",
    decode: readPercents,
  },
  {
    name: 'escapes',
    // Those of JSON and programs no view shows.
    pattern: '(?:&#[0-9]{2,6};){4,}|(?:&#x[0-9a-f]{2,5};){4,}',
    decode: (run) =>
      run
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

/** Numbers as the bytes of a text; undefined where one is none. */
function readNumbers(numbers: readonly string[] | null, radix: number): string | undefined {
  const values = (numbers ?? []).map((number) => Number.parseInt(number, radix));
  return values.every((value) => value < 256) ? readBytes(Uint8Array.from(values)) : undefined;
}
