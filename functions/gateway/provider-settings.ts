import * as z from 'zod';
import { StoreUnavailable } from '../core/base/errors.ts';
import type { ProviderSettings } from './providers.ts';

/**
 * The providers' settings in a secret that may change. One that cannot be read as a JSON object of texts leaves the last one
 * that could in use, and is told of once: a slip of the hand must not stop the gateway.
 * @throws StoreUnavailable where there never was one
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
    // The parser's own message would quote the secret.
    throw new StoreUnavailable('the providers secret is not a JSON object of texts');
  }
}
