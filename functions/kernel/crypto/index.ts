/** Random and sealed bytes, digests, base62, and the sealer of stored responses. */
export { BASE62, base62Checksum, endsWithChecksum } from './base62.ts';
export { KEY_BYTES, openBytes, randomHex, sealBytes, sha256 } from './crypto.ts';
export { ResponseSealer, type SealerFor } from './response-sealer.ts';
export { nameWithDigest } from './shorten-name.ts';
