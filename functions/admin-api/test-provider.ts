import type { ProviderTest } from '../contract/index.ts';
import { referenceTo } from '../control/credentials/index.ts';
import type { StoredProvider } from '../kernel/configuration/index.ts';
import { toGatewayError } from '../kernel/errors/index.ts';
import { readJsonDocument } from '../kernel/json/index.ts';
import { type ChatRequest, toUsd, type Usage } from '../kernel/model/index.ts';
import type { Clock } from '../kernel/tasks/index.ts';
import {
  type ChatProvider,
  isCallable,
  LiveProviders,
  type ModelCatalog,
  type ProviderSettings,
  Translation,
} from '../translation/index.ts';
import type { ProvidersInForce, Upstream, UpstreamConfig } from './admin-deps.ts';

/** With the 5 s of a list of models, less than the admin function's 30 s. */
const DEADLINE_MS = 15_000;
const TEXT = 'Reply with the word OK.';
/** More than the text has with any tokenizer and chat template. */
const MAX_INPUT_TOKENS = 64;
/** The smallest limit that every provider accepts. */
const MAX_OUTPUT_TOKENS = 16;
/** Names in the price table that do not chat. */
const NO_CHAT =
  /embed|rerank|whisper|tts|audio|realtime|image|dall|sora|moderation|transcribe|search|ocr|guard|safety|live|codex|computer-use|robotics|turbo-instruct|^(?:text-)?(?:ada|babbage|curie|davinci)/i;

/** The highest list price of a test, in US dollars; null if the model has no known price. */
export function maxTestCostUsd(provider: string, model: string, models: ModelCatalog): number | null {
  const bound = models.costBound({ provider, model }, MAX_INPUT_TOKENS, MAX_OUTPUT_TOKENS);
  return bound === undefined ? null : toUsd(bound);
}

/** The first model that the deployment's routes name at a provider. */
export function routedModel(provider: string, { routes }: UpstreamConfig): string | undefined {
  const targets = routes.flatMap((route) => [...route.targets, ...(route.fallbacks ?? [])]);
  return targets.find((target) => target.provider === provider && target.model !== undefined)?.model;
}

/**
 * A model that the provider serves: the cheapest chat model that it lists, or of the table of prices if it returns no list. Of a list without
 * known prices, the first.
 */
export async function listedModel(
  name: string,
  settings: ProviderSettings,
  upstream: Upstream,
): Promise<string | undefined> {
  const { models } = upstream;
  const provider = await createProvider(name, settings, upstream);
  // A list that cannot be read is no result: the test itself reports why.
  const reported = await Promise.resolve(provider?.listModels?.()).catch(() => undefined);
  const served = reported?.filter(({ methods }) => methods?.includes('generateContent') ?? true);
  const names = served?.map((one) => one.name) ?? models.ofProvider(name).map(({ model }) => model);
  const chat = names.filter((model) => isCallable(provider?.protocol, model) && !NO_CHAT.test(model));
  const usdOf = (model: string) => maxTestCostUsd(name, model, models) ?? Number.POSITIVE_INFINITY;
  return chat.sort((a, b) => Math.sign(usdOf(a) - usdOf(b)) || 0)[0];
}

/** The provider with these settings; undefined if there is none. */
export async function createProvider(
  name: string,
  settings: ProviderSettings,
  { echo, signsBedrock, resolveKey, sharedCredentials, connections, stored }: ProvidersInForce,
): Promise<ChatProvider | undefined> {
  const options = {
    ...(await connections()),
    settings: async () => settings,
    resolveKey,
    credential: ({ credentialId }: { readonly credentialId: string }) => resolveKey(referenceTo(credentialId)),
    baseUrls: settings,
    echo,
    bedrock: signsBedrock,
    timeoutMs: DEADLINE_MS,
    // The result reports it.
    onFault: () => {},
  };
  const shared = await sharedCredentials();
  const credentialOf = ({ name: provider, credentialId }: StoredProvider) => credentialId ?? shared.get(provider);
  // A disabled one is tested before it is enabled.
  const all = stored.map((one) => ({ ...one, credentialId: credentialOf(one), state: 'active' as const }));
  const providers = new LiveProviders(options, async () => ({ providers: all }));
  await providers.refresh();
  return providers.get(name);
}

/**
 * Sends one short request to a provider, without the gateway's pipeline: it counts toward no limit and leaves no record.
 * The result has no text of the provider, which may quote its key.
 */
export async function testProvider(
  name: string,
  model: string,
  settings: ProviderSettings,
  upstream: Upstream,
  clock: Clock,
): Promise<ProviderTest> {
  const startedAt = clock.monotonic();
  const result = (rest: Omit<ProviderTest, 'object' | 'provider' | 'model' | 'durationMs'>): ProviderTest => ({
    object: 'provider.test',
    provider: name,
    model,
    durationMs: Math.round(clock.monotonic() - startedAt),
    ...rest,
  });
  try {
    const provider = await createProvider(name, settings, upstream);
    if (provider === undefined) throw new Error('a provider that is described is created');
    const response = await provider.complete({
      request: requestFor(model),
      // A protocol that the provider translates, so that the response has the same form for each provider.
      operation: provider.isNative?.('gemini', model) ? 'anthropic-messages' : 'gemini',
      source: readJsonDocument('{}'),
      model,
      translation: new Translation(name),
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
    const usage: Usage | null = response.kind === 'translated' ? response.completion.usage : null;
    const { nanoUsd } = upstream.models.costOf({ provider: name, model }, usage);
    return result({
      result: 'ok',
      code: null,
      status: null,
      message: 'The provider responded.',
      tokens: usage === null ? null : { input: usage.inputTokens ?? 0, output: usage.outputTokens ?? 0 },
      costUsd: nanoUsd === null ? null : toUsd(nanoUsd),
    });
  } catch (thrown) {
    const { code, status, passedOn, fallback } = toGatewayError(thrown);
    const message = fallback === 'after_new_credentials' ? CREDENTIALS_REFUSED : messageOf(code, status);
    const shown = passedOn?.code ?? code;
    return result({ result: 'failed', code: shown, status, message, tokens: null, costUsd: null });
  }
}

function requestFor(model: string): ChatRequest {
  return {
    model,
    messages: [{ role: 'user', parts: [{ type: 'text', text: TEXT }] }],
    stream: false,
    includeUsage: false,
    maxOutputTokens: MAX_OUTPUT_TOKENS,
    choiceCount: 1,
    others: [],
  };
}

/** The message of a test whose credentials are refused. */
export const CREDENTIALS_REFUSED = 'The provider refuses the credentials.';
const MESSAGES: Readonly<Record<string, string>> = {
  provider_timeout: 'The provider did not respond within 15 seconds.',
  provider_overloaded: 'The provider is overloaded.',
  rate_limit_exceeded: 'The provider limits the rate of requests.',
  insufficient_quota: 'The account at the provider has no quota left.',
  model_not_found: 'The provider does not know the model.',
  unavailable: 'The credentials cannot be read.',
  provider_error: 'The provider cannot be reached, or it failed.',
};

/** What happened, without any text of the provider. */
export function messageOf(code: string, status: number): string {
  const known = MESSAGES[code];
  if (known !== undefined) return known;
  return status < 500 ? `The provider refuses the request with status ${status}.` : 'The test failed.';
}
