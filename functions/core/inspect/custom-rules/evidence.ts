/** Shortest texts, in characters, of which one and of which two are shown at either end. */
const SHOW_ONE_FROM = 8;
const SHOW_TWO_FROM = 16;
const CLASSES = [8, 16, 32, 64, 256] as const;
const UNPRINTABLE = /[\p{C}\p{Z}]/u;

/**
 * A masked excerpt: at most the first and last two characters and how long the text is, roughly. Of a short text nothing
 * is shown, so that what is hidden is always most of it.
 */
export function evidenceOf(text: string): string {
  const characters = [...text];
  const shown = characters.length >= SHOW_TWO_FROM ? 2 : characters.length >= SHOW_ONE_FROM ? 1 : 0;
  const first = characters.slice(0, shown).map(printable).join('');
  const last = characters
    .slice(characters.length - shown)
    .map(printable)
    .join('');
  return `${first}***${last} (${lengthClass(characters.length)} characters)`;
}

function printable(character: string): string {
  return UNPRINTABLE.test(character) ? ' ' : character;
}

function lengthClass(length: number): string {
  const above = CLASSES.findIndex((limit) => length < limit);
  if (above === -1) return `${CLASSES.at(-1)} or more`;
  return above === 0 ? `fewer than ${CLASSES[0]}` : `${CLASSES[above - 1]} to ${(CLASSES[above] as number) - 1}`;
}
