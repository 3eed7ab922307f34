import { createHash, hkdfSync } from 'node:crypto';
import { KEY_BYTES, openBytes, sealBytes } from '../../kernel/crypto/index.ts';
import { StoreUnavailable } from '../../kernel/errors/index.ts';
import { finish } from '../../kernel/tasks/index.ts';

/** A sealed text that does not open: its key is unavailable, or it was changed or moved to another place. */
export class NotOpened extends StoreUnavailable {}

/** Purposes of derived keys: a text sealed for one purpose opens for no other. */
type Purpose =
  | 'svc sealing key'
  | 'svc dashboard session'
  | 'svc dashboard sign-in'
  | 'svc approval'
  | 'svc credential'
  | 'svc mcp test';

/** Encrypts values that must be readable later but not in their store. */
export interface SecretSealer {
  /** Seals with the current key; `name` binds the text to its place. */
  seal(text: string, name: string): Promise<string>;
  /** @throws NotOpened, and StoreUnavailable if there is no key at all */
  open(sealed: string, name: string): Promise<string>;
}

interface SealingKey {
  /** Identifies the key without revealing it. */
  readonly id: string;
  readonly bytes: Uint8Array;
}

/**
 * Seals with the keys in `secret`: one or several separated by white space, the current one first. All of them open. `secret` is called
 * each time and should cache.
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
      return `${current.id}.${Buffer.from(finish(sealBytes(text, current.bytes, name))).toString('base64')}`;
    },
    async open(sealed, name) {
      const [id = '', bytes = ''] = sealed.split('.');
      const key = (await keys()).find((one) => one.id === id);
      if (key === undefined) throw new NotOpened(`the sealing key ${id} is not available`);
      try {
        return finish(openBytes(Buffer.from(bytes, 'base64'), key.bytes, name));
      } catch {
        throw new NotOpened('the sealed text does not open');
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
