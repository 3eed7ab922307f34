import type { StoredProvider } from '../../kernel/configuration/index.ts';
import { findAddressFault, type HttpClient } from '../../kernel/http/index.ts';
import type { BedrockRuntime, ChatCall, ChatProvider, ProviderResponse, Providers } from '../routing/index.ts';
import { EchoProvider } from './echo/echo-provider.ts';
import { wronglyConfigured } from './provider-failures.ts';
import { BY_MODEL, PROVIDERS, type ProviderContext, type ProviderEntry, toEntry } from './provider-list.ts';

/** `<PROVIDER>_API_KEY` and `<PROVIDER>_BASE_URL`, from the environment or a secret. */
export type ProviderSettings = Readonly<Record<string, string | undefined>>;

const OWN_NAME = /^[a-z][a-z0-9-]{0,31}$/;
const NOT_IN_HEADERS = /[^\x20-\x7e]/;

/** How a process reaches providers. */
interface ProviderConnections {
  readonly http: HttpClient;
  /** Connects to public addresses only: for the base URLs that the admin API stores. */
  readonly publicHttp: HttpClient;
  readonly bedrockRuntime: (options: BedrockRuntimeOptions) => BedrockRuntime;
}

export interface ProvidersOptions extends ProviderConnections {
  /** Called each time, so that rotated credentials are used without a restart. */
  readonly settings: () => Promise<ProviderSettings>;
  /** The key that a key setting refers to, or the setting itself. Absent: no setting refers to another place. */
  readonly resolveKey?: (setting: string) => Promise<string>;
  /** Base URLs are read once. */
  readonly baseUrls: ProviderSettings;
  readonly echo: boolean;
  /** Whether Amazon Bedrock may be called with this process's credentials. */
  readonly bedrock: boolean;
  /** The key of a stored provider that names a credential; such a provider fails if absent. Throws GatewayError. */
  readonly credential?: CredentialKey | undefined;
  /** Maximum wait for a provider's first byte, and for each next one, in milliseconds. */
  readonly timeoutMs: number;
  /** Called for each setting that cannot be used, which its message names. Unless it throws, only that provider's requests fail. */
  readonly onFault: (fault: Error) => void;
}

/**
 * The key that a stored provider's credential has for the host of its base URL. Called at each request.
 * @throws GatewayError if the credential cannot be used there
 */
export type CredentialKey = (
  provider: StoredProvider & { readonly credentialId: string },
  host: string,
) => Promise<string | undefined>;

export interface BedrockRuntimeOptions {
  readonly http: HttpClient;
  readonly headTimeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly region: string | undefined;
  readonly endpoint: string | undefined;
}

/** The base URL of a provider without a trailing slash; undefined if the settings have one that is no address. */
export function baseUrlOf(name: string, settings: ProviderSettings): string | undefined {
  const entry = PROVIDERS.find((one) => one.name === name);
  return entry && readBaseUrl(settings, entry).baseUrl;
}

/** The same with the fault of one that is no address. The fault names the setting only. */
export function readBaseUrl(
  settings: ProviderSettings,
  entry: ProviderEntry,
): { readonly baseUrl: string; readonly fault: null } | { readonly baseUrl: undefined; readonly fault: string } {
  const name = `${prefixOf(entry)}_BASE_URL`;
  // Files and secrets often end with a line end.
  const address = (settings[name] ?? '').trim() || (entry.address ?? '');
  const fault = address === '' ? undefined : findAddressFault(address, true);
  return fault === undefined
    ? { baseUrl: address.replace(/\/+$/, ''), fault: null }
    : { baseUrl: undefined, fault: `${name} ${fault}` };
}

/** The providers that can be called now: those with a key, and those that need none. */
export function availableProviders(
  providers: Pick<Providers, 'values'>,
  settings: ProviderSettings,
): ReadonlySet<string> {
  const entryOf = (name: string) => PROVIDERS.find((entry) => entry.name === name) ?? { name };
  const isCallable = (provider: ChatProvider) =>
    !(provider instanceof UnusableProvider) && (provider.keyless || hasKey(entryOf(provider.name), settings));
  return new Set([...providers.values()].filter(isCallable).map(({ name }) => name));
}

/** Whether the settings have its key. */
export function hasKey(entry: Pick<ProviderEntry, 'name' | 'prefix'>, settings: ProviderSettings): boolean {
  return Boolean(settings[`${prefixOf(entry)}_API_KEY`]);
}

/** The providers that the settings may set up: the built-in ones, and those that they name, also with the name of a built-in one. */
export function settingsEntries(settings: ProviderSettings): ProviderEntry[] {
  const own = ownProviders(settings);
  return [...PROVIDERS.filter(({ name }) => !own.some((one) => one.name === name)), ...own];
}

/** A server of OpenAI's protocol of which nothing else is known. */
export function toOwnEntry(name: string): ProviderEntry {
  return toEntry({ name, address: undefined, keyless: true, dialect: BY_MODEL });
}

/** `SVC_PROVIDERS`: comma-separated names of OpenAI-compatible servers; each has its `<NAME>_BASE_URL`. Other names are left out. */
function ownProviders(settings: ProviderSettings, onFault: ProvidersOptions['onFault'] = () => {}): ProviderEntry[] {
  const names = (settings.SVC_PROVIDERS ?? '').split(',').map((name) => name.trim());
  const valid = names.filter((name) => OWN_NAME.test(name));
  if (names.some((name) => name !== '' && !OWN_NAME.test(name)))
    onFault(new Error('SVC_PROVIDERS: a name consists of lower-case letters, digits and -'));
  return valid.map(toOwnEntry);
}

/** What the names of its settings begin with. */
export function prefixOf({ name, prefix }: Pick<ProviderEntry, 'name' | 'prefix'>): string {
  return prefix ?? name.toUpperCase().replaceAll('-', '_');
}

/** The providers by name: the built-in ones that have a base URL, and those that the settings name. */
export function createProviders(options: ProvidersOptions): ReadonlyMap<string, ChatProvider> {
  const { baseUrls, echo, onFault } = options;
  const own = ownProviders(baseUrls, onFault);
  const isSetUp = (entry: ProviderEntry) =>
    entry.address !== undefined || own.includes(entry) || Boolean(baseUrls[`${prefixOf(entry)}_BASE_URL`]?.trim());
  const providers = [...PROVIDERS, ...own].filter(isSetUp).map((entry) => createProvider(entry, options));
  if (echo) providers.push(new EchoProvider());
  return new Map(providers.map((provider) => [provider.name, provider]));
}

function createProvider(entry: ProviderEntry, options: ProvidersOptions): ChatProvider {
  const { baseUrls, onFault } = options;
  const prefix = prefixOf(entry);
  try {
    const { baseUrl, fault } = readBaseUrl(baseUrls, entry);
    if (baseUrl === undefined) throw new Error(fault);
    if (entry.address === undefined && baseUrl === '')
      throw new Error(`SVC_PROVIDERS: '${entry.name}' needs ${prefix}_BASE_URL`);
    return entry.create(toContext(entry, baseUrl, (name) => baseUrls[`${prefix}_${name}`], options));
  } catch (fault) {
    onFault(fault as Error);
    const standard = entry.create(toContext(entry, entry.address ?? '', () => undefined, options));
    return new UnusableProvider(standard, (fault as Error).message);
  }
}

/** What a provider is created with; its key is that of the settings. */
export function toContext(
  entry: Pick<ProviderEntry, 'name' | 'prefix'>,
  baseUrl: string,
  setting: ProviderContext['setting'],
  { settings, resolveKey, baseUrls, bedrock, timeoutMs, http, bedrockRuntime }: ProvidersOptions,
): ProviderContext {
  const keyVariable = `${prefixOf(entry)}_API_KEY`;
  const shared = { http, headTimeoutMs: timeoutMs, idleTimeoutMs: timeoutMs };
  const region = baseUrls.BEDROCK_REGION?.trim() || undefined;
  const runtime = (endpoint: string) => bedrockRuntime({ ...shared, region, endpoint: endpoint || undefined });
  const ofSettings = async () => {
    const setting = (await settings())[keyVariable]?.trim();
    return setting === undefined || resolveKey === undefined ? setting : resolveKey(setting);
  };
  const apiKey = async (call?: Pick<ChatCall, 'apiKey'>) => {
    const key = call?.apiKey ?? (await ofSettings());
    if (key !== undefined && NOT_IN_HEADERS.test(key))
      throw wronglyConfigured(entry.name, `${keyVariable} must consist of printable ASCII characters`);
    return key;
  };
  return { ...shared, name: entry.name, apiKey, keyVariable, baseUrl, setting, bedrock: { keyless: bedrock, runtime } };
}

/** A provider whose settings cannot be used: its requests fail, and those of others do not. */
export class UnusableProvider implements ChatProvider {
  readonly name: string;
  readonly serves: ChatProvider['serves'];
  private readonly fault: string;

  constructor({ name, serves }: ChatProvider, fault: string) {
    this.name = name;
    this.serves = serves;
    this.fault = fault;
  }

  async complete(): Promise<ProviderResponse> {
    throw wronglyConfigured(this.name, this.fault);
  }
}
