import { readBase32, readBase64, readBytes, readHex, readPercents } from './byte-encodings.ts';

/** An encoding of text that patterns cannot match. */
export interface Encoding {
  /** Public: reported in a finding's `decodedFrom`. */
  readonly name: string;
  /** Matches runs that are long enough to contain an instruction; case-insensitive. */
  readonly pattern: string;
  /** Decodes a run; undefined if it contains no text. */
  readonly decode: (run: string) => string | undefined;
}

export const ENCODINGS: readonly Encoding[] = [
  {
    name: 'base64',
    // Lines of one block belong together; the last may be short, with padding.
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
    // Other entities and escapes are undone by the views.
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
    // Octets in decimal or octal, as program source lists them.
    pattern: '\\b(?:[0-9]{2,3}[ ,;]{1,2}){12,}[0-9]{2,3}\\b',
    decode: (run) => readNumbers(run.match(/[0-9]+/g), 10) ?? readNumbers(run.match(/[0-9]+/g), 8),
  },
  {
    name: 'morse',
    pattern: '[.-]{1,6}(?:(?:[ |/\\n]|\\r\\n){1,5}[.-]{1,6}){8,}',
    decode: readMorse,
  },
];

/** Numbers as the bytes of a text; undefined if one is not a byte. */
function readNumbers(numbers: readonly string[] | null, radix: number): string | undefined {
  const values = (numbers ?? []).map((number) => Number.parseInt(number, radix));
  return values.every((value) => value < 256) ? readBytes(Uint8Array.from(values)) : undefined;
}

const TURNED = 'ɐqɔpǝɟƃɥᴉɾʞlɯuodbɹsʇnʌʍxʎz';
const UPRIGHT: ReadonlyMap<string, string> = new Map([
  ...[...TURNED].map((letter, at) => [letter, String.fromCharCode(0x61 + at)] as const),
  ...Object.entries({ ı: 'i', ᵷ: 'g', ɓ: 'g', ſ: 'j', '˙': '.', '¿': '?', '¡': '!', ʃ: 'l', ן: 'l', ʅ: 'l' }),
]);

/** Distinct turned letters: Turkish, Azerbaijani and other alphabets contain one or two of them. */
const FEWEST_TURNED = 3;

/** Encodings in characters that are invisible, or that show as an unusual script. */
export const INVISIBLE_ENCODINGS: readonly Encoding[] = [
  {
    name: 'variation-selectors',
    pattern: '(?:[\\uFE00-\\uFE0F]|\\uDB40[\\uDD00-\\uDDEF]){8,}',
    decode: readVariationSelectors,
  },
  {
    name: 'zero-width',
    pattern: '[\\u200B-\\u200F\\u2060-\\u2064\\uFEFF\\u180E\\u061C]{64,}',
    decode: readZeroWidth,
  },
  {
    name: 'upside-down',
    pattern:
      "[a-z]{0,8}(?:[\\u0250\\u0254\\u01DD\\u025F\\u0183\\u0265\\u1D09\\u027E\\u029E\\u026F\\u0279\\u0287\\u028C\\u028D\\u028E\\u0131\\u1D77][a-z0-9 .,'!?;:()\\u02D9\\u00BF\\u00A1\\n-]{0,16}){6,}",
    decode: (run) => {
      const letters = [...run.toLowerCase()];
      if (new Set(letters.filter((letter) => UPRIGHT.has(letter) && !/[a-z]/.test(letter))).size < FEWEST_TURNED)
        return undefined;
      return letters
        .reverse()
        .map((letter) => UPRIGHT.get(letter) ?? letter)
        .join('');
    },
  },
];

/** Text written as variation selectors or zero-width characters; undefined if the run contains none. */
export function readInvisible(run: string): string | undefined {
  return readVariationSelectors(run) ?? readZeroWidth(run);
}

/** Bytes written as variation selectors, 0..15 in one block and the others in another; undefined if they contain no text. */
function readVariationSelectors(run: string): string | undefined {
  const bytes = [...run].map((selector) => {
    const codePoint = selector.codePointAt(0) ?? 0;
    return codePoint < 0x10000 ? codePoint - 0xfe00 : codePoint - 0xe0100 + 16;
  });
  return readBytes(Uint8Array.from(bytes));
}

/** Bits written as two kinds of zero-width characters, in either role; other characters between bytes are skipped. */
function readZeroWidth(run: string): string | undefined {
  const counts = new Map<string, number>();
  for (const character of run) counts.set(character, (counts.get(character) ?? 0) + 1);
  const [zero, one] = [...counts].sort(([, a], [, b]) => b - a).map(([character]) => character);
  if (zero === undefined || one === undefined) return undefined;
  return readBits(run, zero, one) ?? readBits(run, one, zero);
}

function readBits(run: string, zero: string, one: string): string | undefined {
  const bits = [...run].filter((character) => character === zero || character === one);
  const bytes = new Uint8Array(bits.length >> 3);
  for (let at = 0; at < bytes.length * 8; at++) {
    if (bits[at] === one) bytes[at >> 3] = (bytes[at >> 3] as number) | (0x80 >> (at & 7));
  }
  return readBytes(bytes);
}

const MORSE_LETTERS: Readonly<Record<string, string>> = {
  '.-': 'a',
  '-...': 'b',
  '-.-.': 'c',
  '-..': 'd',
  '.': 'e',
  '..-.': 'f',
  '--.': 'g',
  '....': 'h',
  '..': 'i',
  '.---': 'j',
  '-.-': 'k',
  '.-..': 'l',
  '--': 'm',
  '-.': 'n',
  '---': 'o',
  '.--.': 'p',
  '--.-': 'q',
  '.-.': 'r',
  '...': 's',
  '-': 't',
  '..-': 'u',
  '...-': 'v',
  '.--': 'w',
  '-..-': 'x',
  '-.--': 'y',
  '--..': 'z',
  '-----': '0',
  '.----': '1',
  '..---': '2',
  '...--': '3',
  '....-': '4',
  '.....': '5',
  '-....': '6',
  '--...': '7',
  '---..': '8',
  '----.': '9',
  '.-.-.-': '.',
  '--..--': ',',
  '..--..': '?',
  '.----.': "'",
  '-.-.--': '!',
  '-..-.': '/',
  '---...': ':',
  '-....-': '-',
  '.-..-.': '"',
};
/** A ruler or a table has few distinct signs, or none of Morse code. */
const MIN_DISTINCT = 4;

/** Text in Morse code, words separated by a slash, a bar, a line or several spaces; undefined if the run contains none. */
export function readMorse(run: string): string | undefined {
  const spaced = run.replaceAll('\r', ' ').replace(/[|/\n]/g, '  ');
  const words = spaced.split(/ {2,}/).map((word) => word.split(' '));
  const signs = words.flat();
  const known = signs.filter((sign) => MORSE_LETTERS[sign] !== undefined);
  if (known.length * 8 < signs.length * 7 || new Set(known).size < MIN_DISTINCT) return undefined;
  return words.map((word) => word.map((sign) => MORSE_LETTERS[sign] ?? '').join('')).join(' ');
}
