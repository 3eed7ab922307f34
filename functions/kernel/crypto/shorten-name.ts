import { sha256 } from './crypto.ts';

const DIGEST_CHARS = 8;

/** A name of at most `maxChars` that ends in a digest of `of`: the same for the same name, and another for another. */
export function nameWithDigest(name: string, maxChars: number, of: string = name): string {
  const digest = sha256(Buffer.from(of)).toString('hex').slice(0, DIGEST_CHARS);
  return `${name.slice(0, maxChars - DIGEST_CHARS - 1)}_${digest}`;
}
