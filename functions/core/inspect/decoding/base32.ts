import { readBytes } from './read-bytes.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Text in RFC 4648 base32, upper or lower case; undefined where the run holds none. */
export function readBase32(run: string): string | undefined {
  // Of text about every fifth letter is a digit, and nobody mixes cases.
  if (!/[2-7]/.test(run.slice(0, 64)) || /[a-z]/.test(run) === /[A-Z]/.test(run)) return undefined;
  const letters = run.replace(/[\s=]/g, '').toUpperCase();
  const bytes = new Uint8Array(Math.floor((letters.length * 5) / 8));
  let bits = 0;
  let held = 0;
  let filled = 0;
  for (const letter of letters) {
    bits = ((bits << 5) | ALPHABET.indexOf(letter)) & 0xfff;
    held += 5;
    if (held < 8) continue;
    held -= 8;
    bytes[filled++] = bits >> held;
  }
  return readBytes(bytes);
}
