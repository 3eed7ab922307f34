import { createHash, hkdfSync } from 'node:crypto';
import { KEY_BYTES, openBytes, sealBytes } from '../../core/base/crypto.ts';
import { StoreUnavailable } from '../../core/base/errors.ts';

/** A text that is not opened: sealed under a key that is not at hand, changed, or moved to another place. */
export class NotOpened extends StoreUnavailable {}

/** What keys are derived for: a text that was sealed for one purpose opens for no other. */
type Purpose = 'svc sealing key' | 'svc dashboard session' | 'svc dashboard sign-in';

/** Encrypts what has to be read again and must not be readable where it is stored. */
export interface SecretSealer {
  /** Under the current key; `name` binds the text to its place. */
  seal(text: string, name: string): Promise<string>;
  /** Throws NotOpened, and StoreUnavailable where there is no key at all. */
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
export function createSecretSealer(secret: () => Promise<string>, purpose: Purpose = 'svc sealing key'): SecretSealer {
  let known: { readonly text: string; readonly keys: readonly SealingKey[] } | undefined;
  const keys = async (): Promise<readonly SealingKey[]> => {
    const text = await secret();
    if (known?.text !== text) known = { text, keys: readKeys(text, purpose) };
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
      if (key === undefined) throw new NotOpened(`the sealing key ${id} is not at hand`);
      try {
        return openBytes(Buffer.from(bytes, 'base64'), key.bytes, name);
      } catch {
        throw new NotOpened('what was sealed does not open');
      }
    },
  };
}

function readKeys(text: string, purpose: Purpose): SealingKey[] {
  return text
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => {
      const bytes = new Uint8Array(hkdfSync('sha256', word, '', purpose, KEY_BYTES));
      return { id: createHash('sha256').update(bytes).digest('hex').slice(0, 8), bytes };
    });
}
