import type { StoredProvider } from '../../kernel/configuration/index.ts';
import type { ChatProvider } from '../routing/index.ts';
import {
  type ProviderSettings,
  type ProvidersOptions,
  prefixOf,
  readBaseUrl,
  settingsEntries,
  toContext,
  toOwnEntry,
  UnusableProvider,
} from './configured-providers.ts';
import { wronglyConfigured } from './provider-failures.ts';
import { PROVIDERS, type ProviderContext, type ProviderEntry } from './provider-list.ts';

/** AWS's endpoints, whose region the signature names: calls to other hosts are not signed. */
const AWS_HOST = /^bedrock-runtime(?:-fips)?\.([a-z0-9-]+)\.(?:amazonaws\.com(?:\.cn)?|api\.aws)$/;

/** How a stored provider is called. */
export interface StoredTarget {
  readonly entry: ProviderEntry;
  /** The entry of the settings that it replaces. */
  readonly ofSettings: ProviderEntry | undefined;
  /** Without a trailing slash; empty for AWS's own endpoint. */
  readonly baseUrl: string;
  /** Why it cannot be called; null if it can. */
  readonly fault: string | null;
  /**
   * Whether its base URL leads to the host for which the settings have a key. An administrator who may change a base URL must not receive that
   * key, so it is sent to this host only, and only this host may have a private address.
   */
  readonly isSettingsHost: boolean;
}

/** Resolves what a stored provider lacks: from the settings, or from what is known about its name, its host or its protocol. */
export function resolveStored(stored: StoredProvider, settings: ProviderSettings): StoredTarget {
  const ofSettings = settingsEntries(settings).find(({ name }) => name === stored.name);
  const known = ofSettings?.protocol === stored.protocol ? ofSettings : undefined;
  const settingsUrl = ofSettings && readBaseUrl(settings, ofSettings).baseUrl;
  const entry = known ?? entryOf(stored);
  const found = stored.baseUrl?.replace(/\/+$/, '') ?? (known && (settingsUrl ?? ''));
  const baseUrl = found ?? entry.address ?? '';
  const isSettingsHost = settingsUrl !== undefined && originOf(baseUrl) === originOf(settingsUrl);
  return { entry, ofSettings, baseUrl, fault: faultOf(stored, baseUrl, isSettingsHost), isSettingsHost };
}

function faultOf({ protocol, credentialId }: StoredProvider, baseUrl: string, isSettingsHost: boolean): string | null {
  const isBedrock = protocol === 'bedrock';
  if (baseUrl === '' && (!isBedrock || credentialId !== undefined)) return 'it needs a base URL';
  if (!isBedrock || credentialId !== undefined || isSettingsHost || regionOf(baseUrl) !== undefined) return null;
  return 'it needs a credential: only calls to the hosts of AWS are signed';
}

function regionOf(baseUrl: string): string | undefined {
  return AWS_HOST.exec(URL.parse(baseUrl)?.hostname ?? '')?.[1];
}

/** What is known about the host, else about the protocol. */
function entryOf({ name, protocol, baseUrl }: StoredProvider): ProviderEntry {
  const alike = PROVIDERS.filter((entry) => entry.protocol === protocol);
  const ofHost = alike.find(({ address }) => baseUrl && address && originOf(address) === originOf(baseUrl));
  if (ofHost !== undefined || protocol === 'openai') return ofHost ?? toOwnEntry(name);
  return alike[0] as ProviderEntry;
}

function originOf(address: string): string {
  return URL.parse(address)?.origin ?? address;
}

/** The provider. One that cannot be called fails each of its requests. */
export function createStored(stored: StoredProvider, options: ProvidersOptions): ChatProvider {
  const { entry, ofSettings, baseUrl, fault, isSettingsHost } = resolveStored(stored, options.baseUrls);
  const { name, capabilities } = stored;
  const region = regionOf(baseUrl);
  const http = isSettingsHost ? options.http : options.publicHttp;
  const baseUrls = region === undefined ? options.baseUrls : { ...options.baseUrls, BEDROCK_REGION: region };
  // At the host of a known provider its other settings hold too, such as the accounts that callers may name.
  const known = ofSettings ?? (entry.address ? entry : undefined);
  const settingOf = (setting: string) => known && options.baseUrls[`${prefixOf(known)}_${setting}`];
  const ofKey = ofSettings ?? { name };
  const context = toContext(ofKey, baseUrl, settingOf, { ...options, http, baseUrls });
  const usesSettingsKey = isSettingsHost && stored.credentialId === undefined;
  const ownKey = { keyless: true, keyVariable: 'its credential', apiKey: keyOf(stored, baseUrl, options) };
  try {
    if (fault !== null) throw new Error(fault);
    return entry.create({ ...context, ...(usesSettingsKey ? {} : ownKey), capabilities });
  } catch (error) {
    const standard = entry.create({ ...context, setting: () => undefined });
    return new UnusableProvider(standard, (error as Error).message);
  }
}

/** The key of the credential, if it names one. */
function keyOf(stored: StoredProvider, baseUrl: string, { credential }: ProvidersOptions): ProviderContext['apiKey'] {
  const { name, credentialId } = stored;
  return async (call) => {
    if (call?.apiKey !== undefined) return call.apiKey;
    if (credentialId === undefined) return undefined;
    if (credential === undefined) throw wronglyConfigured(name, 'its credential cannot be read');
    return credential({ ...stored, credentialId }, new URL(baseUrl).host);
  };
}
