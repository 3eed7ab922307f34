import { randomInt, timingSafeEqual } from 'node:crypto';
import { BASE62, base62Checksum, endsWithChecksum } from '../../kernel/crypto/index.ts';

const PREFIX = 'svc_sk_';
const RANDOM_CHARS = 32;
/** The last of the random characters are the seal, where the deployment created the key; the others have 143 bits. */
const SEAL_CHARS = 8;
const UNSEALED_CHARS = RANDOM_CHARS - SEAL_CHARS;
const FORM = /^svc_sk_[0-9A-Za-z]{38}$/;

/** Returns `length` base62 characters that follow from the text and the pepper. */
export type Seal = (text: string, length: number) => string;

/**
 * A new key: `svc_sk_`, 32 characters and 6 of checksum. Without a seal all 32 are random (190 bits); with one the last
 * 8 follow from the others and the pepper.
 */
export function mintApiKey(seal?: Seal): string {
  const random = (length: number) => Array.from({ length }, () => BASE62[randomInt(BASE62.length)] as string).join('');
  if (seal === undefined) return withChecksum(random(RANDOM_CHARS));
  const text = random(UNSEALED_CHARS);
  return withChecksum(text + seal(text, SEAL_CHARS));
}

function withChecksum(random: string): string {
  return `${PREFIX}${random}${base62Checksum(random)}`;
}

/** Whether a text has a key's form and checksum, so that a typo causes no look-up. */
export function isApiKeyForm(text: string): boolean {
  return FORM.test(text) && endsWithChecksum(text.slice(PREFIX.length));
}

/** Whether the key carries this seal, so that an invented key causes no look-up. */
export function isSealedBy(key: string, seal: Seal): boolean {
  const text = key.slice(PREFIX.length, PREFIX.length + UNSEALED_CHARS);
  const written = key.slice(PREFIX.length + UNSEALED_CHARS, PREFIX.length + RANDOM_CHARS);
  const [given, made] = [Buffer.from(written), Buffer.from(seal(text, SEAL_CHARS))];
  // In constant time, so that the response time does not reveal how many characters are right.
  return key.startsWith(PREFIX) && given.length === made.length && timingSafeEqual(given, made);
}
