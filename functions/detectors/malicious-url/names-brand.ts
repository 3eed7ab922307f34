import { BRANDS, EVERYDAY } from './names.ts';

/** Some times as many slots as there are names. */
const SLOT_BITS = 12;
const SLOTS = 1 << SLOT_BITS;
const LETTERS = 3;
const SHORTEST_LONG = 6;
/** By their first letters. */
const NAMES = Map.groupBy(
  [...BRANDS].filter((brand) => !EVERYDAY.has(brand)),
  slotOf,
);
/** 1 where a name may begin, by its first letters. */
const MAY_BEGIN = Uint8Array.from({ length: SLOTS }, (_, slot) => (NAMES.has(slot) ? 1 : 0));

/** Whether a brand's name stands in a text in lower case: as a word, or, if it is long, anywhere. One look at a table a character. */
export function namesBrand(text: string): boolean {
  const { length } = text;
  let slot = 0;
  for (let end = 0; end < length; end++) {
    slot = nextSlot(slot, text.charCodeAt(end));
    if (end + 1 < LETTERS || MAY_BEGIN[slot] === 0) continue;
    const at = end + 1 - LETTERS;
    if (NAMES.get(slot)?.some((name) => isNameAt(name, text, at))) return true;
  }
  return false;
}

function isNameAt(name: string, text: string, start: number): boolean {
  if (!text.startsWith(name, start)) return false;
  if (name.length >= SHORTEST_LONG) return true;
  const end = start + name.length;
  return !isOfWord(text.charCodeAt(start - 1)) && !isOfWord(text.charCodeAt(end));
}

function isOfWord(unit: number): boolean {
  return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39);
}

/** The slot of the last letters, so many that earlier ones do not tell. */
function nextSlot(slot: number, unit: number): number {
  return ((slot << (SLOT_BITS / LETTERS)) ^ unit) & (SLOTS - 1);
}

function slotOf(letters: string): number {
  let slot = 0;
  for (let at = 0; at < LETTERS; at++) slot = nextSlot(slot, letters.charCodeAt(at));
  return slot;
}
