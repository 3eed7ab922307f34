import { crc32 } from 'node:zlib';

/** The digits of base62 by their value. */
export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const CHECKSUM_LENGTH = 6;

/** CRC-32 (IEEE) of ASCII text in base62, most significant digit first, padded with 0 to 6 digits. */
export function base62Checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  while (digits.length < CHECKSUM_LENGTH) {
    digits = BASE62.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/** Whether the last 6 characters are the checksum of the others, as in tokens of GitHub and npm and in our keys. */
export function endsWithChecksum(text: string): boolean {
  return base62Checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);
}
