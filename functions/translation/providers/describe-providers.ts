import type { StoredProvider } from '../../kernel/configuration/index.ts';
import { hasKey, type ProviderSettings, prefixOf, readBaseUrl, settingsEntries } from './configured-providers.ts';
import { PROVIDERS, type ProviderEntry } from './provider-list.ts';
import { resolveStored } from './stored-providers.ts';

/** A provider's configuration without its credentials. */
export interface ProviderConfig {
  readonly name: string;
  /** Whether the gateway knows the provider; false for a server that the settings or the admin API named. */
  readonly isBuiltIn: boolean;
  /** Null for `echo`. */
  readonly protocol: StoredProvider['protocol'] | null;
  /** Where an operator sets the key; null for a provider that the settings have no key for. */
  readonly keyVariable: string | null;
  readonly hasKey: boolean;
  /** Whether it is called only with a key, or signed. */
  readonly needsKey: boolean;
  /** Host and port, without user info, path and query; null if there is none. */
  readonly host: string | null;
  /** Why the base URL cannot be used, without its value; null if it can. */
  readonly fault: string | null;
  readonly isConfigured: boolean;
  /** As the admin API stores it. */
  readonly stored?: StoredProvider;
  /** Whether the settings have it too. */
  readonly isOverridden?: boolean;
}

/** Every provider that the gateway knows, without any secret. */
export function describeProviders(
  settings: ProviderSettings,
  echo: boolean,
  bedrock: boolean,
  stored: readonly StoredProvider[] = [],
): ProviderConfig[] {
  const ofSettings = settingsEntries(settings).map((entry) => describeEntry(entry, settings, bedrock));
  const known = new Set(ofSettings.map(({ name }) => name));
  const described = ofSettings.map((config) => {
    const override = stored.find(({ name }) => name === config.name);
    return override === undefined ? config : describeStored(override, settings, config);
  });
  const added = stored.filter(({ name }) => !known.has(name)).map((one) => describeStored(one, settings));
  const local = { name: 'echo', isBuiltIn: true, protocol: null, keyVariable: null, hasKey: false, needsKey: false };
  const echoConfig = { ...local, host: null, fault: null, isConfigured: true };
  return [...(echo ? [echoConfig] : []), ...described, ...added];
}

function describeEntry(entry: ProviderEntry, settings: ProviderSettings, bedrock: boolean): ProviderConfig {
  const { name, protocol, keyless } = entry;
  const prefix = prefixOf(entry);
  const isBuiltIn = PROVIDERS.includes(entry);
  const { baseUrl = '', fault } = readBaseUrl(settings, entry);
  return {
    ...{ name, protocol, isBuiltIn, fault },
    keyVariable: `${prefix}_API_KEY`,
    hasKey: hasKey(entry, settings),
    needsKey: keyless !== true,
    host: hostOf(baseUrl),
    isConfigured:
      !isBuiltIn ||
      (name === 'bedrock' && bedrock) ||
      hasKey(entry, settings) ||
      Boolean(settings[`${prefix}_BASE_URL`]),
  };
}

function describeStored(stored: StoredProvider, settings: ProviderSettings, config?: ProviderConfig): ProviderConfig {
  const { baseUrl, fault, isSettingsHost } = resolveStored(stored, settings);
  const hasCredential = stored.credentialId !== undefined;
  const usesSettingsKey = isSettingsHost && !hasCredential;
  return {
    name: stored.name,
    isBuiltIn: config?.isBuiltIn ?? false,
    protocol: stored.protocol,
    keyVariable: usesSettingsKey ? (config?.keyVariable ?? null) : null,
    hasKey: hasCredential || (usesSettingsKey && config?.hasKey === true),
    needsKey: (usesSettingsKey && config?.needsKey === true) || stored.protocol === 'bedrock',
    host: hostOf(baseUrl),
    fault,
    isConfigured: true,
    stored,
    isOverridden: config?.isConfigured === true,
  };
}

function hostOf(baseUrl: string): string | null {
  return URL.parse(baseUrl)?.host || null;
}
