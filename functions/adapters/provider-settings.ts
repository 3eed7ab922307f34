import * as z from 'zod';
import { referenceTo } from '../control/credentials/index.ts';
import { StoreUnavailable } from '../kernel/errors/index.ts';
import { describeProviders, type ProviderSettings } from '../translation/index.ts';

const KEY_SETTING = /_API_KEY$/;

/**
 * Providers' settings in a secret that may change. A value that is not a JSON object of strings is reported once, and the last valid one
 * stays in use, so that a typing error does not stop the gateway. @throws StoreUnavailable if there was no valid one yet
 */
export function providerSettingsIn(
  secret: () => Promise<string>,
  onUnreadable: (error: Error) => void,
): () => Promise<ProviderSettings> {
  let last: { readonly text: string; readonly settings: ProviderSettings } | undefined;
  return async () => {
    const text = await secret();
    if (last?.text === text) return last.settings;
    try {
      last = { text, settings: readSettings(text) };
    } catch (error) {
      if (last === undefined) throw error;
      last = { text, settings: last.settings };
      onUnreadable(error as Error);
    }
    return last.settings;
  };
}

function readSettings(text: string): ProviderSettings {
  try {
    return z.record(z.string(), z.string()).parse(JSON.parse(text || '{}'));
  } catch {
    // The parser's message would quote the secret.
    throw new StoreUnavailable('the providers secret is not a JSON object of strings');
  }
}

/** Keys that were ever used: a running response may still contain a rotated one. */
interface RememberedKeys<Keys> {
  readonly settings: () => Promise<ProviderSettings>;
  /** What `make` makes of all keys; undefined while there are none. */
  readonly keys: () => Keys | undefined;
  readonly add: (key: string) => void;
  readonly remove: (key: string) => void;
}

/** The same settings, whose provider keys are remembered. */
export function rememberKeys<Keys>(
  settings: () => Promise<ProviderSettings>,
  make: (keys: ReadonlySet<string>) => Keys,
): RememberedKeys<Keys> {
  const seen = new Set<string>();
  let made: Keys | undefined;
  let last: ProviderSettings | undefined;
  const add = (key: string) => {
    if (!seen.has(key)) made = undefined;
    seen.add(key);
  };
  return {
    settings: async () => {
      const read = await settings();
      if (read === last) return read;
      last = read;
      for (const [name, value] of Object.entries(read)) if (value && KEY_SETTING.test(name)) add(value.trim());
      return read;
    },
    keys: () => {
      if (seen.size === 0) return undefined;
      made ??= make(seen);
      return made;
    },
    add,
    remove: (key) => {
      if (seen.delete(key)) made = undefined;
    },
  };
}

/** The credentials that the gateway keeps, as far as settings need them. */
interface StoredKeys {
  /** The same map while they are the same. */
  byProvider(): Promise<ReadonlyMap<string, string>>;
}

/** The settings, where the key of a provider with a stored credential is a reference to it. */
export function withStoredKeys(
  settings: () => Promise<ProviderSettings>,
  stored: StoredKeys,
): () => Promise<ProviderSettings> {
  let last:
    | { readonly read: ProviderSettings; readonly ids: ReadonlyMap<string, string>; readonly all: ProviderSettings }
    | undefined;
  return async () => {
    const [read, ids] = await Promise.all([settings(), stored.byProvider()]);
    if (ids.size === 0) return read;
    if (last?.read !== read || last.ids !== ids) last = { read, ids, all: { ...read, ...referencesTo(ids, read) } };
    return last.all;
  };
}

function referencesTo(ids: ReadonlyMap<string, string>, settings: ProviderSettings): ProviderSettings {
  const variables = new Map(
    describeProviders(settings, false, false).map(({ name, keyVariable }) => [name, keyVariable] as const),
  );
  const references = [...ids].flatMap(([provider, id]) => {
    const variable = variables.get(provider);
    return variable == null ? [] : [[variable, referenceTo(id)] as const];
  });
  return Object.fromEntries(references);
}
