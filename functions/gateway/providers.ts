import * as z from 'zod';
import { NodeHttpClient } from '../adapters/node-http-client.ts';
import { StoreUnavailable } from '../core/ports/key-store.ts';
import type { ChatProvider } from '../core/ports/provider.ts';
import { AnthropicProvider } from '../providers/anthropic/anthropic-provider.ts';
import { EchoProvider } from '../providers/echo/echo-provider.ts';
import { OpenAiProvider } from '../providers/openai/openai-provider.ts';

/** `<PROVIDER>_API_KEY` and `<PROVIDER>_BASE_URL`, from the environment or a secret. */
export type ProviderSettings = Readonly<Record<string, string | undefined>>;

export const OPENAI_ADDRESS = 'https://api.openai.com/v1';

/** Reads the providers' secret: a JSON object of texts. Throws StoreUnavailable where it is anything else. */
export function readProviderSettings(secret: string): ProviderSettings {
  try {
    return z.record(z.string(), z.string()).parse(JSON.parse(secret || '{}'));
  } catch {
    // The parser's own message would quote the secret.
    throw new StoreUnavailable('the providers secret is not a JSON object of texts');
  }
}

export interface ProvidersOptions {
  /** Asked on every call, so that rotated credentials are used without a restart. */
  readonly settings: () => Promise<ProviderSettings>;
  /** Addresses are read once. */
  readonly baseUrls: ProviderSettings;
  readonly echo: boolean;
  /** Longest wait for a provider's first byte, and for each next one, milliseconds. */
  readonly timeoutMs: number;
}

/** A provider's address, without a slash at its end. */
export function baseUrlOf(settings: ProviderSettings, name: string, standard: string): string {
  return (settings[name] || standard).replace(/\/+$/, '');
}

/** The providers by name. OpenAI's base address ends in `/v1`, Anthropic's does not. */
export function createProviders({
  settings,
  baseUrls,
  echo,
  timeoutMs,
}: ProvidersOptions): ReadonlyMap<string, ChatProvider> {
  const shared = { http: new NodeHttpClient(), headTimeoutMs: timeoutMs, idleTimeoutMs: timeoutMs };
  const baseUrl = (name: string, standard: string) => baseUrlOf(baseUrls, name, standard);
  const apiKey = (name: string) => async () => (await settings())[name];
  const providers: ChatProvider[] = [
    new OpenAiProvider({
      ...shared,
      name: 'openai',
      apiKey: apiKey('OPENAI_API_KEY'),
      baseUrl: baseUrl('OPENAI_BASE_URL', OPENAI_ADDRESS),
    }),
    new AnthropicProvider({
      ...shared,
      apiKey: apiKey('ANTHROPIC_API_KEY'),
      baseUrl: baseUrl('ANTHROPIC_BASE_URL', 'https://api.anthropic.com'),
    }),
    ...(echo ? [new EchoProvider()] : []),
  ];
  return new Map(providers.map((provider) => [provider.name, provider]));
}
