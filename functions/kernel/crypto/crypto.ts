import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto';

/** Bytes for some hundred ids: drawing them takes as long as for one id. */
const POOL_BYTES = 4_096;
let pool = Buffer.alloc(0);
let used = 0;

/** Random hexadecimal digits of an id, an even number. */
export function randomHex(digits: number): string {
  const start = used + digits / 2 > pool.length ? 0 : used;
  if (start === 0) pool = randomBytes(POOL_BYTES);
  used = start + digits / 2;
  return pool.toString('hex', start, used);
}

export function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}

export const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Work on a long text that can pause: `Steps` of the tasks. */
export type Pausing<T> = Generator<void, T, unknown>;

/** Bytes, or UTF-16 units, between two pauses: about a millisecond. */
const SLICE_UNITS = 262_144;

/** The HMAC-SHA-256 of the text, as base64url. */
export function* digestText(text: string, key: Uint8Array): Pausing<string> {
  const hmac = createHmac('sha256', key);
  for (const slice of slicesOf(text)) {
    hmac.update(slice);
    yield;
  }
  return hmac.digest('base64url');
}

/** The text encrypted with AES-256-GCM under a key of 32 bytes; `name` is authenticated with it. */
export function* sealBytes(text: string, key: Uint8Array, name: string): Pausing<Uint8Array> {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(name));
  const sealed: Uint8Array[] = [];
  for (const slice of slicesOf(text)) {
    sealed.push(cipher.update(slice, 'utf8'));
    yield;
  }
  sealed.push(cipher.final());
  return Buffer.concat([iv, cipher.getAuthTag(), ...sealed]);
}

/** Throws if the bytes were changed, or sealed under another name or key. */
export function* openBytes(bytes: Uint8Array, key: Uint8Array, name: string): Pausing<string> {
  const iv = bytes.subarray(0, IV_BYTES);
  const tag = bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(name))
    .setAuthTag(tag);
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let text = '';
  for (let at = IV_BYTES + TAG_BYTES; at < bytes.length; at += SLICE_UNITS) {
    text += decoder.decode(decipher.update(bytes.subarray(at, at + SLICE_UNITS)), { stream: true });
    yield;
  }
  return text + decoder.decode(decipher.final());
}

/** The text in slices that cut no surrogate pair. */
function* slicesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const end = at + SLICE_UNITS;
    const isInPair = (text.charCodeAt(end - 1) & 0xfc00) === 0xd800;
    yield text.slice(at, isInPair ? end + 1 : end);
    at = isInPair ? end + 1 : end;
  }
}
