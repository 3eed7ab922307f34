import * as z from 'zod';
import { StoreUnavailable } from '../kernel/errors/index.ts';
import type { ProviderSettings } from '../translation/index.ts';

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

/**
 * The same settings, and what `make` makes of the provider keys that were ever read from them: a running response may still contain a
 * rotated one.
 */
export function rememberKeys<Keys>(
  settings: () => Promise<ProviderSettings>,
  make: (keys: ReadonlySet<string>) => Keys,
): { readonly settings: () => Promise<ProviderSettings>; readonly keys: () => Keys | undefined } {
  const seen = new Set<string>();
  let keys: Keys | undefined;
  let last: ProviderSettings | undefined;
  return {
    settings: async () => {
      const read = await settings();
      if (read === last) return read;
      last = read;
      const before = seen.size;
      for (const [name, value] of Object.entries(read)) if (value && KEY_SETTING.test(name)) seen.add(value.trim());
      if (seen.size > before) keys = make(seen);
      return read;
    },
    keys: () => keys,
  };
}
