import { BoundHttpClient } from '../adapters/http/bound-http-client.ts';
import type { ResponseOf } from '../contract/index.ts';
import { GatewayError } from '../kernel/errors/index.ts';
import type { HttpClient } from '../kernel/http/index.ts';
import type { Clock } from '../kernel/tasks/index.ts';
import { describeProviders, type ProviderSettings } from '../translation/index.ts';
import type { Upstream } from './admin-deps.ts';
import { CREDENTIALS_REFUSED, createProvider, messageOf, routedModel, testProvider } from './test-provider.ts';

/** What a test shows. */
export type CredentialResult = Omit<ResponseOf<'testCredential'>, 'object' | 'id' | 'provider'>;

/** A value and where it may be sent. */
export interface TestedValue {
  readonly provider: string;
  readonly hosts: readonly string[];
  readonly value: string;
  /** Of an access token, milliseconds since 1970. */
  readonly expiresAt?: number;
}

type Outcome = Omit<CredentialResult, 'durationMs'>;
const ACCEPTED: Outcome = { result: 'ok', code: null, message: 'The provider accepts the credential.' };

/**
 * Whether a provider accepts a value, by its list of models, else by a short request for a model that a route names. The result has no text of
 * the provider, which may quote the value.
 */
export async function testValue(
  { provider, hosts, value, expiresAt }: TestedValue,
  upstream: Upstream,
  clock: Clock,
): Promise<CredentialResult> {
  const startedAt = clock.monotonic();
  const tested: Upstream = {
    ...upstream,
    // Whatever the provider would be called with, the test has this value.
    resolveKey: async () => value,
    stored: upstream.stored.map((one) => (one.name === provider ? { ...one, credentialId: TESTED } : one)),
    connections: async () => {
      const { http, publicHttp, ...others } = await upstream.connections();
      const own = { hosts: new Set(hosts), expiresAt };
      const bound = (client: HttpClient) => new BoundHttpClient(client, (text) => (text === value ? own : undefined));
      return { ...others, http: bound(http), publicHttp: bound(publicHttp) };
    },
  };
  const outcome = await tryProvider(provider, tested, clock);
  return { ...outcome, durationMs: Math.round(clock.monotonic() - startedAt) };
}

/** A setting instead of the value, which is stored nowhere yet. */
const TESTED = 'tested';

async function tryProvider(name: string, upstream: Upstream, clock: Clock): Promise<Outcome> {
  const settings = await upstream.settings();
  const config = describeProviders(settings, false, upstream.bedrock, upstream.stored).find((one) => one.name === name);
  if (config === undefined) return untested('unknown_provider', 'There is no such provider yet.');
  const own: ProviderSettings = config.keyVariable === null ? settings : { ...settings, [config.keyVariable]: TESTED };
  const provider = await createProvider(name, own, upstream);
  if (provider === undefined) return untested('unknown_provider', 'The provider has no address yet.');
  if (provider.listModels === undefined) return tryModel(name, own, upstream, clock);
  try {
    await provider.listModels();
    return ACCEPTED;
  } catch (thrown) {
    // Without a response it is no GatewayError.
    const { code, status, fallback } = thrown instanceof GatewayError ? thrown : NO_RESPONSE;
    if (fallback === 'after_new_credentials') return REFUSED;
    return untested(code, messageOf(code, status));
  }
}

async function tryModel(name: string, settings: ProviderSettings, upstream: Upstream, clock: Clock): Promise<Outcome> {
  const model = routedModel(name, upstream);
  if (model === undefined) {
    return untested('model_unknown', 'The provider has no list of models, and no route names a model of it.');
  }
  const { result, code, message } = await testProvider(name, model, settings, upstream, clock);
  if (result === 'ok') return ACCEPTED;
  return message === CREDENTIALS_REFUSED ? REFUSED : untested(code ?? 'provider_error', message);
}

const NO_RESPONSE = new GatewayError('provider_error', 'The provider cannot be reached.');
const REFUSED: Outcome = {
  result: 'refused',
  code: 'credential_refused',
  message: 'The provider refuses the credential.',
};

function untested(code: string, message: string): Outcome {
  return { result: 'failed', code, message };
}
