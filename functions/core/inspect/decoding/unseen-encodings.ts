import type { Encoding } from './encodings.ts';
import { readBytes } from './read-bytes.ts';

const TURNED = 'ɐqɔpǝɟƃɥᴉɾʞlɯuodbɹsʇnʌʍxʎz';
const UPRIGHT = new Map([...TURNED].map((letter, at) => [letter, String.fromCharCode(0x61 + at)] as const));
for (const [turned, letter] of Object.entries({
  ı: 'i',
  ᵷ: 'g',
  ɓ: 'g',
  ſ: 'j',
  '˙': '.',
  '¿': '?',
  '¡': '!',
  ʃ: 'l',
  ן: 'l',
  ʅ: 'l',
})) {
  UPRIGHT.set(turned, letter);
}

/** Different turned letters: Turkish, Azerbaijani and others have one or two of them in their alphabets. */
const FEWEST_TURNED = 3;

/** Encodings of characters that show as nothing, or only as a strange script. */
export const UNSEEN_ENCODINGS: readonly Encoding[] = [
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

/** Bytes written as variation selectors, 0..15 in one block and the others in another; undefined where they hold no text. */
export function readVariationSelectors(run: string): string | undefined {
  const bytes = [...run].map((selector) => {
    const codePoint = selector.codePointAt(0) ?? 0;
    return codePoint < 0x10000 ? codePoint - 0xfe00 : codePoint - 0xe0100 + 16;
  });
  return readBytes(Uint8Array.from(bytes));
}

/** Bits written as two kinds of zero-width characters, whichever is the one; others between bytes are passed over. */
export function readZeroWidth(run: string): string | undefined {
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
