/** Disguises that swap or add characters; the words stay where they are. Each is a pure function of the text. */

export const swap = (table: Readonly<Record<string, string>>) => (text: string) =>
  [...text].map((letter) => table[letter] ?? table[letter.toLowerCase()] ?? letter).join('');

export const simpleLeet = swap({ a: '4', e: '3', i: '1', o: '0', s: '5', t: '7' });
export const signedLeet = swap({ a: '@', e: '3', i: '!', o: '0', s: '$', l: '1', b: '8', g: '9' });

const CYRILLIC = { a: 'а', c: 'с', e: 'е', i: 'і', j: 'ј', o: 'о', p: 'р', s: 'ѕ', x: 'х', y: 'у' };
export const homoglyphs = swap(CYRILLIC);

/** A zero-width character of changing kind between all letters of a word. */
export function zeroWidth(text: string): string {
  const kinds = ['\u200b', '\u200c', '\u200d', '\u2060'];
  return [...text].map((letter, at) => (/[a-z]/i.test(letter) ? letter + kinds[at % kinds.length] : letter)).join('');
}

export function mathematicalBold(text: string): string {
  return text.replace(/[a-z]/g, (letter) => String.fromCodePoint(0x1d41a + letter.charCodeAt(0) - 97));
}

/** Marks above and below every letter, as in "zalgo" text. */
export function zalgo(text: string): string {
  return text.replace(/[a-z]/gi, (letter, at: number) => `${letter}${String.fromCodePoint(0x300 + (at % 16))}\u0323`);
}

const TURNED = 'ɐqɔpǝɟƃɥᴉɾʞlɯuodbɹsʇnʌʍxʎz';
/** As if the page were turned upside down: letters turned, and read from the end. */
export function upsideDown(text: string): string {
  return [...text.toLowerCase()]
    .map((letter) => (/[a-z]/.test(letter) ? (TURNED[letter.charCodeAt(0) - 97] as string) : letter))
    .reverse()
    .join('');
}

/** Behind an emoji, each byte as a variation selector, which shows as nothing. */
export function variationSelectors(text: string): string {
  const selector = (byte: number) => String.fromCodePoint(byte < 16 ? 0xfe00 + byte : 0xe0100 + byte - 16);
  return `Nice to see you 😊${[...new TextEncoder().encode(text)].map(selector).join('')} today`;
}
