import type { Limiter } from '../control/limits/index.ts';
import type { GatewayErrorFields } from '../kernel/errors/errors.ts';
import { GatewayError } from '../kernel/errors/index.ts';
import { newTrace } from '../kernel/http/index.ts';
import { BackgroundTasks } from '../kernel/tasks/index.ts';
import {
  type ChatProvider,
  CircuitBreaker,
  type ProviderResponse,
  type Target,
  type Targets,
} from '../translation/index.ts';
import { type CallRules, callProvider } from './call-provider.ts';
import type { CredentialSource, PipelineDeps } from './pipeline-deps.ts';
import { RequestLifetime } from './request-lifetime.ts';
import { Outcome } from './request-outcome.ts';

export type ChatCall = Parameters<ChatProvider['complete']>[0];

export const FINE: ProviderResponse = { kind: 'native', body: '{}' };
export const A: Target = { provider: 'a', model: 'm' };
export const B: Target = { provider: 'b', model: 'n' };

export const failure = (fields: GatewayErrorFields, code: 'provider_error' | 'provider_timeout' = 'provider_error') =>
  new GatewayError(code, 'It failed.', fields);
export const PASSING = failure({ fallback: 'after_retry' });
export const REFUSED_US = failure({ fallback: 'after_new_credentials' });
export const SILENT = failure({ fallback: 'now' }, 'provider_timeout');
export const REFUSAL = failure({ passedOn: { status: 400, type: 'x', code: null } });
export const limited = (retryAfter: string) =>
  failure({
    fallback: 'after_retry',
    passedOn: { status: 429, type: 'x', code: null },
    headers: { 'retry-after': retryAfter },
  });

/** Calls providers that return these results in turn, and records calls and pauses. */
export function setUp(
  results: Readonly<Record<string, (ProviderResponse | GatewayError)[]>>,
  breaker?: CircuitBreaker,
  credentials?: CredentialSource,
  {
    route,
    limiter,
    storedCredentials,
    isSlow = false,
  }: {
    route?: CallRules;
    limiter?: Pick<Limiter, 'admit'>;
    storedCredentials?: PipelineDeps['storedCredentials'];
    isSlow?: boolean;
  } = {},
) {
  const asked: string[] = [];
  const pauses: number[] = [];
  const provider = (name: string): ChatProvider => ({
    name,
    serves: new Set(),
    complete: async ({ model, apiKey, onHead, signal }) => {
      asked.push(`${name}/${model}${apiKey === undefined ? '' : ` ${apiKey}`}`);
      if (isSlow && name === 'a')
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(SILENT)));
      const requestId = `${name}-${asked.length}`;
      if (name !== 'silent') onHead?.({ requestId, rateLimits: { 'x-upstream-ratelimit-limit-requests': '5' } });
      const next = results[name]?.shift() ?? FINE;
      if (next instanceof GatewayError) throw next;
      return next;
    },
  });
  const deps = {
    providers: new Map(['a', 'b', 'silent'].map((name) => [name, provider(name)])),
    ...(credentials && { credentials }),
    ...(storedCredentials && { storedCredentials }),
    breaker: breaker ?? new CircuitBreaker({ now: () => 0, monotonic: () => 0 }),
    random: () => 0.5,
    clock: { now: () => 1_000, monotonic: () => 0 },
    sleep: async (milliseconds: number) => void pauses.push(milliseconds),
    limiter,
    backgroundTasks: new BackgroundTasks(),
  } as unknown as PipelineDeps;
  return { asked, pauses, ...requestWith(deps, { credentialId: 'cred_own', route }) };
}

/** A request that calls targets. */
export function requestWith(
  deps: PipelineDeps,
  { credentialId = null, route }: { credentialId?: string | null; route?: CallRules | undefined } = {},
) {
  const outcome = new Outcome(deps.clock, 0);
  const lifetime = new RequestLifetime();
  const { calls, inspection } = outcome;
  const calling = { calls, inspection, trace: newTrace(), credentialId, lifetime, route };
  const call = (targets: Targets) =>
    callProvider(calling, targets, ({ model }) => ({ model, signal: lifetime.signal }) as ChatCall, deps).then(
      ({ response }) => response,
    );
  return { lifetime, outcome, call, tried: () => calls.triedRoute?.join(', ') };
}
