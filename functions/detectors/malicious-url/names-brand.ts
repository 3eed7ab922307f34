import { BRANDS, EVERYDAY } from './names.ts';

/** A power of two, some times as many as there are names. */
const SLOTS = 1 << 12;
const LETTERS = 3;
const SHORTEST_LONG = 6;
const NAMES = [...BRANDS].filter((brand) => !EVERYDAY.has(brand));
/** Long names, found within words too. */
const LONG_NAMES = NAMES.filter((brand) => brand.length >= SHORTEST_LONG);
/** 1 where a name may begin, by its first letters. */
const MAY_BEGIN = new Uint8Array(SLOTS);
for (const name of NAMES) MAY_BEGIN[slotAt(name, 0)] = 1;

/** Whether a brand's name stands in a text in lower case: as a word, or, if it is long, anywhere. One look at a table a character. */
export function namesBrand(text: string): boolean {
  for (let at = 0; at + LETTERS <= text.length; at++) {
    if (
      MAY_BEGIN[slotAt(text, at)] === 1 &&
      (isWord(text, at) || LONG_NAMES.some((name) => text.startsWith(name, at)))
    ) {
      return true;
    }
  }
  return false;
}

/** Whether a word that begins here is a name. */
function isWord(text: string, start: number): boolean {
  if (start > 0 && isOfWord(text.charCodeAt(start - 1))) return false;
  let end = start;
  while (end < text.length && isOfWord(text.charCodeAt(end))) end++;
  const word = text.slice(start, end);
  return BRANDS.has(word) && !EVERYDAY.has(word);
}

function isOfWord(unit: number): boolean {
  return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39);
}

function slotAt(text: string, at: number): number {
  return ((text.charCodeAt(at) << 8) ^ (text.charCodeAt(at + 1) << 4) ^ text.charCodeAt(at + 2)) & (SLOTS - 1);
}
