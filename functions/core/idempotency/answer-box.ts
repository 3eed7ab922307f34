import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { KEY_BYTES, openBytes, sealBytes } from '../crypto/sealed-bytes.ts';

const SALT_BYTES = 16;

/**
 * Encrypts what is kept for a caller with a key that follows from the caller's own API key (HKDF-SHA-256): it is nowhere
 * stored, so that nobody reads the text who does not hold that API key, whatever else he holds.
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
    return sealBytes(text, this.encryptionKey, this.name);
  }

  /** Throws where the bytes were changed, or sealed under another name or key. */
  open(bytes: Uint8Array): string {
    return openBytes(bytes, this.encryptionKey, this.name);
  }
}
