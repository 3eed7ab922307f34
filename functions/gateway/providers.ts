import * as z from 'zod';
import { BedrockGuardrails } from '../adapters/aws/bedrock-guardrails.ts';
import { SdkBedrockRuntime } from '../adapters/aws/sdk-bedrock-runtime.ts';
import { OpenAiModeration } from '../adapters/http/openai-moderation.ts';
import { UndiciHttpClient } from '../adapters/http/undici-http-client.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { StoreUnavailable } from '../core/base/errors.ts';
import type { OutsideDetector } from '../core/inspect/outside/outside-detector.ts';
import { OutsideJudges } from '../core/inspect/outside/outside-judges.ts';
import type { ChatProvider } from '../core/routing/provider.ts';
import { AnthropicProvider } from '../providers/anthropic/anthropic-provider.ts';
import { BedrockProvider } from '../providers/bedrock/bedrock-provider.ts';
import { EchoProvider } from '../providers/echo/echo-provider.ts';
import { GeminiProvider } from '../providers/gemini/gemini-provider.ts';
import { readAzureApi } from '../providers/openai/azure.ts';
import {
  COMMON_DIALECT,
  COMPATIBLE_PROVIDERS,
  type CompatibleProvider,
  OPENAI_DIALECT,
} from '../providers/openai/compatible-providers.ts';
import { OpenAiProvider } from '../providers/openai/openai-provider.ts';
import type { GatewaySettings } from './env.ts';

/** `<PROVIDER>_API_KEY` and `<PROVIDER>_BASE_URL`, from the environment or a secret. */
export type ProviderSettings = Readonly<Record<string, string | undefined>>;

const OWN_NAME = /^[a-z][a-z0-9-]{0,31}$/;

export const OPENAI_ADDRESS = 'https://api.openai.com/v1';

export interface ProvidersOptions {
  /** Asked on every call, so that rotated credentials are used without a restart. */
  readonly settings: () => Promise<ProviderSettings>;
  /** Addresses are read once. */
  readonly baseUrls: ProviderSettings;
  readonly echo: boolean;
  /** Whether Amazon Bedrock may be called with the credentials of this process. */
  readonly bedrock: boolean;
  /** Longest wait for a provider's first byte, and for each next one, milliseconds. */
  readonly timeoutMs: number;
}

/** A provider's address, without a slash at its end. */
export function baseUrlOf(settings: ProviderSettings, name: string, standard: string): string {
  return (settings[name] || standard).replace(/\/+$/, '');
}

/** The providers that could be called now: those with a key, and those that need none. */
export function availableProviders(
  providers: ReadonlyMap<string, ChatProvider>,
  settings: ProviderSettings,
): ReadonlySet<string> {
  const callable = [...providers.values()].filter(({ name, keyless }) => keyless || hasKey(name, settings));
  return new Set(callable.map(({ name }) => name));
}

/** The names of the providers that have a key or an address in the settings; `bedrock`: whether Amazon Bedrock may be called. */
export function configuredProviders(settings: ProviderSettings, bedrock: boolean): string[] {
  const own = ownProviders(settings).map(({ name }) => name);
  const known = ['openai', 'anthropic', 'gemini', 'azure', 'bedrock', ...COMPATIBLE_PROVIDERS.map(({ name }) => name)];
  const isConfigured = (name: string) =>
    (name === 'bedrock' && bedrock) || hasKey(name, settings) || settings[`${settingOf(name)}_BASE_URL`];
  return [...known.filter(isConfigured), ...own];
}

function hasKey(provider: string, settings: ProviderSettings): boolean {
  return Boolean(settings[`${settingOf(provider)}_API_KEY`]);
}

/** `SVC_PROVIDERS`: names of servers of OpenAI's protocol, in a list with commas; each has its `<NAME>_BASE_URL`, where it is. */
function ownProviders(settings: ProviderSettings): CompatibleProvider[] {
  const names = (settings.SVC_PROVIDERS ?? '').split(',').map((name) => name.trim());
  return names
    .filter((name) => name !== '')
    .map((name) => {
      if (!OWN_NAME.test(name)) throw new Error('SVC_PROVIDERS: a name is a lower-case word of letters, digits and -');
      const address = `${settingOf(name)}_BASE_URL`;
      if (!settings[address]) throw new Error(`SVC_PROVIDERS: '${name}' needs ${address}`);
      return { name, address: undefined, keyless: true };
    });
}

function settingOf(provider: string): string {
  // As Azure's own libraries name it.
  return provider === 'azure' ? 'AZURE_OPENAI' : provider.toUpperCase().replaceAll('-', '_');
}

/** The providers by name. OpenAI's base address ends in `/v1`, Anthropic's does not. */
export function createProviders({
  settings,
  baseUrls,
  echo,
  bedrock,
  timeoutMs,
}: ProvidersOptions): ReadonlyMap<string, ChatProvider> {
  const shared = { http: new UndiciHttpClient(), headTimeoutMs: timeoutMs, idleTimeoutMs: timeoutMs };
  const baseUrl = (name: string, standard: string) => baseUrlOf(baseUrls, name, standard);
  const apiKey = (name: string) => async () => (await settings())[name];
  const azure = baseUrl('AZURE_OPENAI_BASE_URL', '');
  const providers: ChatProvider[] = [
    new OpenAiProvider({
      ...shared,
      name: 'openai',
      dialect: OPENAI_DIALECT,
      apiKey: apiKey('OPENAI_API_KEY'),
      baseUrl: baseUrl('OPENAI_BASE_URL', OPENAI_ADDRESS),
    }),
    new AnthropicProvider({
      ...shared,
      apiKey: apiKey('ANTHROPIC_API_KEY'),
      baseUrl: baseUrl('ANTHROPIC_BASE_URL', 'https://api.anthropic.com'),
    }),
    new GeminiProvider({
      ...shared,
      apiKey: apiKey('GEMINI_API_KEY'),
      baseUrl: baseUrl('GEMINI_BASE_URL', 'https://generativelanguage.googleapis.com'),
    }),
    ...(azure === ''
      ? []
      : [
          new OpenAiProvider({
            ...shared,
            name: 'azure',
            dialect: OPENAI_DIALECT,
            apiKey: apiKey('AZURE_OPENAI_API_KEY'),
            baseUrl: azure,
            azure: readAzureApi(baseUrls.AZURE_OPENAI_API_VERSION, 'AZURE_OPENAI_API_VERSION'),
          }),
        ]),
    new BedrockProvider({
      keyless: bedrock,
      apiKey: apiKey('BEDROCK_API_KEY'),
      runtime: new SdkBedrockRuntime({
        ...shared,
        region: baseUrls.BEDROCK_REGION || undefined,
        endpoint: baseUrl('BEDROCK_BASE_URL', '') || undefined,
      }),
    }),
    ...[...COMPATIBLE_PROVIDERS, ...ownProviders(baseUrls)].flatMap(({ name, address, keyless, dialect }) => {
      const prefix = settingOf(name);
      const url = baseUrl(`${prefix}_BASE_URL`, address ?? '');
      if (url === '') return [];
      const whole = { ...COMMON_DIALECT, ...dialect };
      const options = { ...shared, name, dialect: whole, apiKey: apiKey(`${prefix}_API_KEY`), baseUrl: url };
      return [new OpenAiProvider({ ...options, ...(keyless && { keyless }) })];
    }),
    ...(echo ? [new EchoProvider()] : []),
  ];
  return new Map(providers.map((provider) => [provider.name, provider]));
}

/**
 * The providers' settings in a secret that may change. A value that is not a JSON object of strings is reported once, and the last valid
 * one stays in use: a typing error must not stop the gateway.
 * @throws StoreUnavailable where there was no valid one yet
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

/** The outside detectors that the settings name; undefined where they name none. */
export function createOutsideJudges(
  config: GatewaySettings,
  { settings, baseUrls }: Pick<ProvidersOptions, 'settings' | 'baseUrls'>,
): OutsideJudges | undefined {
  const timeoutMs = config.outsideDeadlineMs;
  const shared = { http: new UndiciHttpClient(), timeoutMs };
  const detectors: OutsideDetector[] = [];
  if (config.guardrailId !== undefined) {
    detectors.push(
      new BedrockGuardrails({
        ...shared,
        guardrail: config.guardrailId,
        version: config.guardrailVersion,
      }),
    );
  }
  if (config.outsideModeration === 'openai') {
    const apiKey = async () => (await settings()).OPENAI_API_KEY;
    const baseUrl = baseUrlOf(baseUrls, 'OPENAI_BASE_URL', OPENAI_ADDRESS);
    detectors.push(new OpenAiModeration({ ...shared, apiKey, baseUrl }));
  }
  if (detectors.length === 0) return undefined;
  return new OutsideJudges({ detectors, deadlineMs: timeoutMs, when: config.outsideWhen, clock: systemClock });
}
