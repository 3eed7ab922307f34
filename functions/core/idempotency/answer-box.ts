import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const SALT_BYTES = 16;

/**
 * Encrypts what is kept for a caller with a key that follows from the caller's own API key (HKDF-SHA-256, AES-256-GCM): it
 * is nowhere stored, so that nobody reads the text who does not hold that API key, whatever else he holds.
 */
export class AnswerBox {
  readonly salt: Uint8Array;
  private readonly encryptionKey: Uint8Array;
  private readonly tagKey: Uint8Array;
  private readonly name: string;

  /** `name` binds what is encrypted to its place; `salt` is random and kept beside it. */
  constructor(secret: string, name: string, salt: Uint8Array = randomBytes(SALT_BYTES)) {
    const derive = (purpose: string) =>
      new Uint8Array(hkdfSync('sha256', secret, salt, `svc idempotency ${purpose}`, KEY_BYTES));
    this.salt = salt;
    this.name = name;
    this.encryptionKey = derive('answer');
    this.tagKey = derive('body');
  }

  /** A fingerprint of a text, which nobody can try texts against without the caller's key. */
  tagOf(text: string): string {
    return createHmac('sha256', this.tagKey).update(text).digest('base64url');
  }

  seal(text: string): Uint8Array {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.encryptionKey, iv).setAAD(Buffer.from(this.name));
    const sealed = [cipher.update(text, 'utf8'), cipher.final()];
    return Buffer.concat([iv, cipher.getAuthTag(), ...sealed]);
  }

  /** Throws where the bytes were changed, or sealed under another name or key. */
  open(bytes: Uint8Array): string {
    const iv = bytes.subarray(0, IV_BYTES);
    const tag = bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES);
    const decipher = createDecipheriv('aes-256-gcm', this.encryptionKey, iv, { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(this.name))
      .setAuthTag(tag);
    const opened = [decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()];
    return Buffer.concat(opened).toString('utf8');
  }
}
