import * as z from 'zod';
import { findAddressFault } from '../core/base/address.ts';
import { StoreUnavailable } from '../core/base/errors.ts';
import type { HttpClient } from '../core/base/http-client.ts';
import { ProviderKeys } from '../core/inspect/output/provider-keys.ts';
import type { BedrockRuntime, ChatProvider } from '../core/routing/provider.ts';
import { EchoProvider } from './echo/echo-provider.ts';
import { PROVIDERS, type ProviderContext, type ProviderEntry, toEntry } from './index.ts';
import { placeByModel } from './openai/reasoning.ts';

/** `<PROVIDER>_API_KEY` and `<PROVIDER>_BASE_URL`, from the environment or a secret. */
export type ProviderSettings = Readonly<Record<string, string | undefined>>;

const KEY_SETTING = /_API_KEY$/;
const OWN_NAME = /^[a-z][a-z0-9-]{0,31}$/;

/** How a process reaches providers. */
export interface ProviderConnections {
  readonly http: HttpClient;
  readonly bedrockRuntime: (options: BedrockRuntimeOptions) => BedrockRuntime;
}

export interface ProvidersOptions extends ProviderConnections {
  /** Called each time, so that rotated credentials are used without a restart. */
  readonly settings: () => Promise<ProviderSettings>;
  /** Base URLs are read once. */
  readonly baseUrls: ProviderSettings;
  readonly echo: boolean;
  /** Whether Amazon Bedrock may be called with this process's credentials. */
  readonly bedrock: boolean;
  /** Maximum wait for a provider's first byte, and for each next one, in milliseconds. */
  readonly timeoutMs: number;
}

export interface BedrockRuntimeOptions {
  readonly http: HttpClient;
  readonly headTimeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly region: string | undefined;
  readonly endpoint: string | undefined;
}

/** A provider's base URL without a trailing slash. @throws Error for one that is no address, which names the setting only */
export function baseUrlOf(settings: ProviderSettings, name: string, standard: string): string {
  // Files and secrets often end with a line end.
  const address = (settings[name] ?? '').trim() || standard;
  const fault = address === '' ? undefined : findAddressFault(address, true);
  if (fault !== undefined) throw new Error(`${name} ${fault}`);
  return address.replace(/\/+$/, '');
}

/** The providers that can be called now: those with a key, and those that need none. */
export function availableProviders(
  providers: ReadonlyMap<string, ChatProvider>,
  settings: ProviderSettings,
): ReadonlySet<string> {
  const entryOf = (name: string) => PROVIDERS.find((entry) => entry.name === name) ?? { name };
  const callable = [...providers.values()].filter(({ name, keyless }) => keyless || hasKey(entryOf(name), settings));
  return new Set(callable.map(({ name }) => name));
}

/** The names of providers with a key or a base URL in the settings; `bedrock`: whether Amazon Bedrock may be called. */
export function configuredProviders(settings: ProviderSettings, bedrock: boolean): string[] {
  const isConfigured = (entry: ProviderEntry) =>
    (entry.name === 'bedrock' && bedrock) || hasKey(entry, settings) || settings[`${prefixOf(entry)}_BASE_URL`];
  return [...PROVIDERS.filter(isConfigured), ...ownProviders(settings)].map(({ name }) => name);
}

/** A provider's configuration without its credentials. */
export interface ProviderConfig {
  readonly name: string;
  /** Whether the gateway knows the provider's protocol; false for a server that the deployment named. */
  readonly isBuiltIn: boolean;
  /** Where an operator sets the key; null for a provider without keys. */
  readonly keyVariable: string | null;
  readonly hasKey: boolean;
  /** Host and port, without user info, path and query; null if there is none. */
  readonly host: string | null;
  readonly isConfigured: boolean;
}

/** Every provider that the gateway knows, without any secret. */
export function describeProviders(settings: ProviderSettings, echo: boolean, bedrock: boolean): ProviderConfig[] {
  const configured = new Set(configuredProviders(settings, bedrock));
  const own = ownProviders(settings);
  const described = [...PROVIDERS, ...own].map((entry) => {
    const prefix = prefixOf(entry);
    const baseUrl = baseUrlOf(settings, `${prefix}_BASE_URL`, entry.address ?? '');
    return {
      name: entry.name,
      isBuiltIn: !own.includes(entry),
      keyVariable: `${prefix}_API_KEY`,
      hasKey: hasKey(entry, settings),
      host: URL.canParse(baseUrl) ? new URL(baseUrl).host || null : null,
      isConfigured: configured.has(entry.name),
    };
  });
  const local = { name: 'echo', isBuiltIn: true, keyVariable: null, hasKey: false, host: null, isConfigured: true };
  return echo ? [local, ...described] : described;
}

function hasKey(entry: Pick<ProviderEntry, 'name' | 'prefix'>, settings: ProviderSettings): boolean {
  return Boolean(settings[`${prefixOf(entry)}_API_KEY`]);
}

/** `SVC_PROVIDERS`: comma-separated names of OpenAI-compatible servers; each has its `<NAME>_BASE_URL`. */
function ownProviders(settings: ProviderSettings): ProviderEntry[] {
  const names = (settings.SVC_PROVIDERS ?? '').split(',').map((name) => name.trim());
  return names
    .filter((name) => name !== '')
    .map((name) => {
      if (!OWN_NAME.test(name)) throw new Error('SVC_PROVIDERS: a name consists of lower-case letters, digits and -');
      const address = `${prefixOf({ name })}_BASE_URL`;
      if (!settings[address]) throw new Error(`SVC_PROVIDERS: '${name}' needs ${address}`);
      return toEntry({ name, address: undefined, keyless: true, dialect: { reasoningOf: placeByModel } });
    });
}

function prefixOf({ name, prefix }: Pick<ProviderEntry, 'name' | 'prefix'>): string {
  return prefix ?? name.toUpperCase().replaceAll('-', '_');
}

/** The same settings, and the provider keys that were ever read from them: a running response may still contain a rotated one. */
export function rememberKeys(settings: () => Promise<ProviderSettings>) {
  const seen = new Set<string>();
  let keys: ProviderKeys | undefined;
  let last: ProviderSettings | undefined;
  return {
    settings: async () => {
      const read = await settings();
      if (read === last) return read;
      last = read;
      const before = seen.size;
      for (const [name, value] of Object.entries(read)) if (value && KEY_SETTING.test(name)) seen.add(value);
      if (seen.size > before) keys = new ProviderKeys(seen);
      return read;
    },
    keys: () => keys,
  };
}

/** The providers by name: the built-in ones that have a base URL, and those that the settings name. */
export function createProviders({
  settings,
  baseUrls,
  echo,
  bedrock,
  timeoutMs,
  http,
  bedrockRuntime,
}: ProvidersOptions): ReadonlyMap<string, ChatProvider> {
  const shared = { http, headTimeoutMs: timeoutMs, idleTimeoutMs: timeoutMs };
  const region = baseUrls.BEDROCK_REGION || undefined;
  const runtime = (endpoint: string) => bedrockRuntime({ ...shared, region, endpoint: endpoint || undefined });
  const providers = [...PROVIDERS, ...ownProviders(baseUrls)].flatMap((entry) => {
    const prefix = prefixOf(entry);
    const baseUrl = baseUrlOf(baseUrls, `${prefix}_BASE_URL`, entry.address ?? '');
    if (entry.address === undefined && baseUrl === '') return [];
    const context: ProviderContext = {
      ...shared,
      apiKey: async () => (await settings())[`${prefix}_API_KEY`],
      keyVariable: `${prefix}_API_KEY`,
      baseUrl,
      setting: (name) => baseUrls[`${prefix}_${name}`],
      bedrock: { keyless: bedrock, runtime },
    };
    return [entry.create(context)];
  });
  if (echo) providers.push(new EchoProvider());
  return new Map(providers.map((provider) => [provider.name, provider]));
}

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
