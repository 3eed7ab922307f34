import { hkdfSync, randomBytes } from 'node:crypto';
import { digestText, KEY_BYTES, openBytes, type Pausing, sealBytes } from './crypto.ts';

const SALT_BYTES = 16;

/** The sealer of one client for a name; `salt`: that of a text to open. */
export type SealerFor = (name: string, salt?: Uint8Array) => ResponseSealer;

/**
 * Encrypts what is stored for a client with a key derived from the client's API key (HKDF-SHA-256). The key is not
 * stored, so only a holder of that API key can read the text.
 */
export class ResponseSealer {
  readonly salt: Uint8Array;
  private readonly encryptionKey: Uint8Array;
  private readonly tagKey: Uint8Array;
  private readonly name: string;

  /** `name` binds the ciphertext to its place; `salt` is random and stored beside it. */
  constructor(secret: string, name: string, salt: Uint8Array = randomBytes(SALT_BYTES)) {
    const derive = (purpose: string) =>
      new Uint8Array(hkdfSync('sha256', secret, salt, `svc idempotency ${purpose}`, KEY_BYTES));
    this.salt = salt;
    this.name = name;
    this.encryptionKey = derive('answer');
    this.tagKey = derive('body');
  }

  /** A fingerprint of a text; without the client's key it cannot be compared with guesses. */
  tagOf(text: string): Pausing<string> {
    return digestText(text, this.tagKey);
  }

  seal(text: string): Pausing<Uint8Array> {
    return sealBytes(text, this.encryptionKey, this.name);
  }

  /** Throws where the bytes were changed, or encrypted under another name or key. */
  open(bytes: Uint8Array): Pausing<string> {
    return openBytes(bytes, this.encryptionKey, this.name);
  }
}
