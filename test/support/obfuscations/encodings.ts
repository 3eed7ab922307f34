/** Disguises that encode a text as a whole. Each is a pure function of the text. */

const bytesOf = (text: string) => [...new TextEncoder().encode(text)];

export const base64 = (text: string) => Buffer.from(text).toString('base64');
export const hex = (text: string) => Buffer.from(text).toString('hex');
export const binary = (text: string) =>
  bytesOf(text)
    .map((byte) => byte.toString(2).padStart(8, '0'))
    .join(' ');

export function base32(text: string): string {
  const bits = bytesOf(text).map((byte) => byte.toString(2).padStart(8, '0'));
  const letters = (bits.join('').match(/.{1,5}/g) ?? []).map((group) => Number.parseInt(group.padEnd(5, '0'), 2));
  const run = letters.map((value) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[value]).join('');
  return run.padEnd(Math.ceil(run.length / 8) * 8, '=');
}

/** The alphabet shifted by so many letters. */
export const caesar = (shift: number) => (text: string) =>
  text.replace(/[a-z]/gi, (letter) => {
    const first = letter < 'a' ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - first + shift) % 26) + first);
  });

const SIGNS =
  '.- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --..'.split(
    ' ',
  );
export const morse = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^a-z ]/g, '')
    .split(' ')
    .map((word) => [...word].map((letter) => SIGNS[letter.charCodeAt(0) - 97]).join(' '))
    .join(' / ');

export const percent = (text: string) =>
  bytesOf(text)
    .map((byte) => `%${byte.toString(16).padStart(2, '0')}`)
    .join('');
export const quotedPrintable = (text: string) =>
  text.replace(/[aeiou ]/gi, (letter) => `=${letter.charCodeAt(0).toString(16).toUpperCase()}`);
export const namedEntities = (text: string) =>
  text.replace(/[aeiou]/g, (letter) => `&${letter}acute;`).replaceAll(' ', '&nbsp;');
export const jsonString = (text: string) => JSON.stringify({ text: `"${text.replaceAll(' ', '\n')}"` });
export const dataUrl = (text: string) => `data:text/html;base64,${base64(`<p>${text}</p>`)}`;
