import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

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

/** The text encrypted with AES-256-GCM under a key of 32 bytes; `name` is authenticated with it. */
export function sealBytes(text: string, key: Uint8Array, name: string): Uint8Array {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(name));
  const sealed = [cipher.update(text, 'utf8'), cipher.final()];
  return Buffer.concat([iv, cipher.getAuthTag(), ...sealed]);
}

/** Throws if the bytes were changed, or sealed under another name or key. */
export function openBytes(bytes: Uint8Array, key: Uint8Array, name: string): string {
  const iv = bytes.subarray(0, IV_BYTES);
  const tag = bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(name))
    .setAuthTag(tag);
  const opened = [decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()];
  return Buffer.concat(opened).toString('utf8');
}
