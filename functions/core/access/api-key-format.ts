import { randomInt } from 'node:crypto';
import { BASE62, base62Checksum, endsWithChecksum } from './base62-checksum.ts';

const PREFIX = 'svc_sk_';
const RANDOM_CHARS = 32;
const FORM = /^svc_sk_[0-9A-Za-z]{38}$/;

/** A new key: `svc_sk_`, 32 random base62 characters (190 bits) and 6 of checksum. */
export function mintApiKey(): string {
  return withChecksum(Array.from({ length: RANDOM_CHARS }, () => BASE62[randomInt(BASE62.length)]).join(''));
}

function withChecksum(random: string): string {
  return `${PREFIX}${random}${base62Checksum(random)}`;
}

/** Whether a text has a key's form and checksum, so that a typo or a fake costs no look-up. */
export function isApiKeyForm(text: string): boolean {
  return FORM.test(text) && endsWithChecksum(text.slice(PREFIX.length));
}
