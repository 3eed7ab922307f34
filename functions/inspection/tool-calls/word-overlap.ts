const WORDS = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]{2}|[\p{L}\p{N}]{4,}/gu;
const PIECES = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]{2}|\p{L}{3,}|\d+/gu;
/** Words are compared by their first letters, since most languages inflect their ends. */
const STEM = 5;
const LONGEST_PIECE = 6;
/** Words of a text that are looked for. */
const MOST_WORDS = 400;

/** The share of items that pass a test; 0 of none. */
export function share<T>(items: readonly T[], test: (item: T) => boolean): number {
  return items.length === 0 ? 0 : items.filter(test).length / items.length;
}

/** The share of the words of a folded text that another one has too. */
export function overlap(text: string, other: string): number {
  const words = new Set<string>();
  for (const [word] of text.matchAll(WORDS)) if (words.add(word).size === MOST_WORDS) break;
  return share([...words], (word) => other.includes(word.slice(0, STEM)));
}

/** The starts of the words and the numbers of a folded text. */
export function piecesOf(text: string): string[] {
  return [...new Set((text.match(PIECES) ?? []).map((word) => word.slice(0, LONGEST_PIECE)))];
}
