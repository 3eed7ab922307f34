import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { isSealedBy, type KeyHasher, mintApiKey, type Seal } from '../../control/keys/index.ts';
import { BASE62 } from '../../kernel/crypto/index.ts';
import { StoreUnavailable } from '../../kernel/errors/index.ts';

interface Pepper {
  /** Identifies the pepper without revealing it. */
  readonly id: string;
  readonly key: KeyObject;
  readonly seal: Seal;
}
type Peppers = readonly [Pepper, ...Pepper[]];

/**
 * Hashes with the peppers in `secret`: one or several separated by white space, the current one first. `secret` is called each time and
 * should cache.
 */
export function createKeyHasher(secret: () => Promise<string>): KeyHasher {
  let known: { readonly text: string; readonly peppers: Peppers } | undefined;
  const peppersIn = (text: string): Peppers => {
    if (known?.text !== text) known = { text, peppers: readPeppers(text) };
    return known.peppers;
  };
  return {
    async hashes(key) {
      const [current, ...others] = peppersIn(await secret());
      return [hashUnder(current, key), ...others.map((pepper) => hashUnder(pepper, key))];
    },
    async pepperId() {
      const [current] = peppersIn(await secret());
      return current.id;
    },
    async pseudonym(endUserId) {
      const [current] = peppersIn(await secret());
      return hashUnder(current, `end user ${endUserId}`);
    },
    async mint() {
      const [current] = peppersIn(await secret());
      return mintApiKey(current.seal);
    },
    async isSealed(key) {
      return peppersIn(await secret()).some(({ seal }) => isSealedBy(key, seal));
    },
  };
}

function readPeppers(text: string): Peppers {
  const [first, ...others] = text.split(/\s+/).filter((word) => word !== '');
  if (first === undefined) throw new StoreUnavailable('the pepper is empty');
  return [toPepper(first), ...others.map(toPepper)];
}

function toPepper(text: string): Pepper {
  const key = createSecretKey(text, 'utf8');
  const hmac = (message: string) => createHmac('sha256', key).update(message).digest();
  return { key, id: hmac('pepper id').toString('hex', 0, 4), seal: (of, length) => base62(hmac(`seal ${of}`), length) };
}

function hashUnder({ id, key }: Pepper, secret: string): string {
  return `${id}.${createHmac('sha256', key).update(secret).digest('hex')}`;
}

/** The last digits of the bytes as a base62 number. */
function base62(bytes: Buffer, length: number): string {
  let rest = BigInt(`0x${bytes.toString('hex')}`);
  let digits = '';
  while (digits.length < length) {
    digits += BASE62.charAt(Number(rest % 62n));
    rest /= 62n;
  }
  return digits;
}
