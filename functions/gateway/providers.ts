import * as z from 'zod';
import { BedrockGuardrails } from '../adapters/aws/bedrock-guardrails.ts';
import { SdkBedrockRuntime } from '../adapters/aws/sdk-bedrock-runtime.ts';
import { HttpDetector } from '../adapters/http/http-detector.ts';
import { ModelJudge, type ModelJudgeOptions } from '../adapters/http/model-judge.ts';
import { OpenAiModeration } from '../adapters/http/openai-moderation.ts';
import { UndiciHttpClient } from '../adapters/http/undici-http-client.ts';
import { systemClock } from '../adapters/node/process-time.ts';
import { StoreUnavailable } from '../core/base/errors.ts';
import type { OutsideDetector } from '../core/inspect/outside/outside-detector.ts';
import { OutsideDetectors, type ScoreRange } from '../core/inspect/outside/outside-detectors.ts';
import type { ModelCatalog } from '../core/routing/model-catalog.ts';
import type { ChatProvider } from '../core/routing/provider.ts';
import { EchoProvider } from '../providers/echo/echo-provider.ts';
import { OPENAI_ADDRESS, PROVIDERS, type ProviderContext, type ProviderEntry, toEntry } from '../providers/index.ts';
import { type GatewaySettings, targetOf, UNCERTAIN } from './env.ts';

/** `<PROVIDER>_API_KEY` and `<PROVIDER>_BASE_URL`, from the environment or a secret. */
export type ProviderSettings = Readonly<Record<string, string | undefined>>;

const OWN_NAME = /^[a-z][a-z0-9-]{0,31}$/;

export interface ProvidersOptions {
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

/** A provider's base URL without a trailing slash. */
export function baseUrlOf(settings: ProviderSettings, name: string, standard: string): string {
  return (settings[name] || standard).replace(/\/+$/, '');
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
      return toEntry({ name, address: undefined, keyless: true });
    });
}

function prefixOf({ name, prefix }: Pick<ProviderEntry, 'name' | 'prefix'>): string {
  return prefix ?? name.toUpperCase().replaceAll('-', '_');
}

/** The providers by name: the built-in ones that have a base URL, and those that the settings name. */
export function createProviders({
  settings,
  baseUrls,
  echo,
  bedrock,
  timeoutMs,
}: ProvidersOptions): ReadonlyMap<string, ChatProvider> {
  const shared = { http: new UndiciHttpClient(), headTimeoutMs: timeoutMs, idleTimeoutMs: timeoutMs };
  const region = baseUrls.BEDROCK_REGION || undefined;
  const runtime = (endpoint: string) => new SdkBedrockRuntime({ ...shared, region, endpoint: endpoint || undefined });
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

/** What outside detectors are made with. */
export interface OutsideDetectorsOptions
  extends Pick<ProvidersOptions, 'settings' | 'baseUrls'>,
    Pick<ModelJudgeOptions, 'limiter' | 'backgroundTasks'> {
  readonly providers: ReadonlyMap<string, ChatProvider>;
  readonly models: ModelCatalog;
}

/** The outside detectors in the settings; undefined if there are none. @throws StoreUnavailable for a detector model that cannot be called */
export function createOutsideDetectors(
  config: GatewaySettings,
  options: OutsideDetectorsOptions,
): OutsideDetectors | undefined {
  const { settings, baseUrls } = options;
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
  for (const own of config.httpDetectors) {
    const secret = async () => (own.secret === undefined ? undefined : (await settings())[own.secret]);
    detectors.push(new HttpDetector({ ...shared, settings: own, secret, uncertain: uncertainIn(config) }));
  }
  if (config.judgeModel !== undefined) detectors.push(createJudge(config.judgeModel, config, options));
  if (detectors.length === 0) return undefined;
  return new OutsideDetectors({ detectors, deadlineMs: timeoutMs, when: config.outsideWhen, clock: systemClock });
}

/** The scores for which detectors of attacks are called. */
function uncertainIn({ outsideWhen }: Pick<GatewaySettings, 'outsideWhen'>): ScoreRange {
  return outsideWhen === 'always' ? UNCERTAIN : outsideWhen;
}

function createJudge(
  name: string,
  { judgeScore: score, judgeBudgetUsd: budgetUsdPerDay, outsideWhen }: GatewaySettings,
  { providers, models, limiter, backgroundTasks }: OutsideDetectorsOptions,
): ModelJudge {
  const target = targetOf(name);
  const provider = providers.get(target.provider);
  // The log shows only messages of this error.
  if (provider === undefined) throw new StoreUnavailable(`SVC_JUDGE_MODEL: no provider '${target.provider}' is set up`);
  const facts = models.find(target.provider, target.model);
  if (facts.prices === undefined) {
    throw new StoreUnavailable(
      `SVC_JUDGE_MODEL: '${name}' has no price, so no budget can hold: add it to the model prices`,
    );
  }
  const range = uncertainIn({ outsideWhen });
  return new ModelJudge({
    provider,
    model: target.model,
    facts,
    range,
    score,
    budgetUsdPerDay,
    limiter,
    backgroundTasks,
  });
}
