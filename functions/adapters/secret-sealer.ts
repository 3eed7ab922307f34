import { createHash, hkdfSync } from 'node:crypto';
import { KEY_BYTES, openBytes, sealBytes } from '../core/crypto/sealed-bytes.ts';
import { StoreUnavailable } from '../core/ports/key-store.ts';

/** Encrypts what has to be read again and must not be readable where it is stored. */
export interface SecretSealer {
  /** Under the current key; `name` binds the text to its place. */
  seal(text: string, name: string): Promise<string>;
  /** Throws StoreUnavailable where the key that it was sealed under is not at hand, or it was changed or moved. */
  open(sealed: string, name: string): Promise<string>;
}

interface SealingKey {
  /** Tells keys apart, and says nothing of them. */
  readonly id: string;
  readonly bytes: Uint8Array;
}

/**
 * Seals under the keys that `secret` gives: one, or several with white space between, the current one first; what was sealed
 * under any of them opens. It is asked on every call, and whoever gives it caches it.
 */
export function createSecretSealer(secret: () => Promise<string>): SecretSealer {
  let known: { readonly text: string; readonly keys: readonly SealingKey[] } | undefined;
  const keys = async (): Promise<readonly SealingKey[]> => {
    const text = await secret();
    if (known?.text !== text) known = { text, keys: readKeys(text) };
    return known.keys;
  };
  return {
    async seal(text, name) {
      const [current] = await keys();
      if (current === undefined) throw new StoreUnavailable('the sealing key is empty');
      return `${current.id}.${Buffer.from(sealBytes(text, current.bytes, name)).toString('base64')}`;
    },
    async open(sealed, name) {
      const [id = '', bytes = ''] = sealed.split('.');
      const key = (await keys()).find((one) => one.id === id);
      if (key === undefined) throw new StoreUnavailable(`the sealing key ${id} is not at hand`);
      try {
        return openBytes(Buffer.from(bytes, 'base64'), key.bytes, name);
      } catch {
        throw new StoreUnavailable('what was sealed does not open');
      }
    },
  };
}

function readKeys(text: string): SealingKey[] {
  return text
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => {
      const bytes = new Uint8Array(hkdfSync('sha256', word, '', 'svc sealing key', KEY_BYTES));
      return { id: createHash('sha256').update(bytes).digest('hex').slice(0, 8), bytes };
    });
}
