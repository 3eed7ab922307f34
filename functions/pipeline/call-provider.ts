import type { UsedCredential } from '../control/credentials/index.ts';
import { GatewayError, isProviderFailure, toGatewayError } from '../kernel/errors/index.ts';
import { traceHeaders } from '../kernel/http/index.ts';
import type { ApiKey } from '../kernel/model/index.ts';
import type { ChatProvider, CircuitBreaker, ProviderResponse, Target, Targets } from '../translation/index.ts';
import type { PipelineDeps } from './pipeline-deps.ts';
import type { RequestContext } from './request-context.ts';
import type { RequestLifetime } from './request-lifetime.ts';
import type { Outcome, Routed } from './request-outcome.ts';
import type { UpstreamHead } from './request-times.ts';
import { BUSY, busy, takeSlot } from './target-slots.ts';

type ChatCall = Parameters<ChatProvider['complete']>[0];
type CircuitDecision = ReturnType<CircuitBreaker['decide']>;
/** A response that is bytes, such as audio. */
export type MediaResponse = Extract<ProviderResponse, { kind: 'media' }>;
/** A response whose text is inspected. */
export type TextResponse = Exclude<ProviderResponse, MediaResponse>;

export type CallDeps = Pick<
  PipelineDeps,
  | 'providers'
  | 'breaker'
  | 'credentials'
  | 'storedCredentials'
  | 'providerKeys'
  | 'propagatesTraces'
  | 'random'
  | 'sleep'
  | 'clock'
  | 'limiter'
  | 'backgroundTasks'
>;

/** The request whose provider is called, and what its calls fill. */
export interface Calling extends Pick<Outcome, 'calls' | 'inspection'> {
  readonly trace: RequestContext['trace'];
  /** Whose stored credential is used. */
  readonly key: Pick<ApiKey, 'credentialId' | 'teamId'>;
  readonly lifetime: RequestLifetime;
  readonly route?: CallRules | undefined;
}

/** How the route's targets are called. */
export type CallRules = Pick<NonNullable<Routed['route']>, 'models' | 'attempts' | 'timeoutMs'>;

/** A provider's response. */
export interface Answer {
  readonly target: Target;
  readonly response: ProviderResponse;
}

/** Maximum calls of one target for one request, if its route has no other number. */
const ATTEMPTS = 3;
const FIRST_BACKOFF_MS = 250;
const LONGEST_BACKOFF_MS = 4_000;
/** Longer pauses that a provider asks for are not waited for. */
const LONGEST_WAIT_MS = 5_000;
/** How long a trial of a target that has failed before waits for the head of its response. */
const TRIAL_MS = 5_000;

/**
 * Calls the targets in order until one responds. A transient failure is retried at the same target, after the pause of the provider's
 * `Retry-After` or a random one that grows. Other failures go to the next target at once, and so does a request that a target's API cannot
 * express. If a provider rejects our credentials and they have changed since, the same target is called once more without a pause. Nothing is
 * retried after a response has started. `calls` lists all attempts and failures.
 * @param callFor builds the call for a target
 * @throws GatewayError of the last target that could take the request, or else of the first
 */
export async function callProvider(
  calling: Calling,
  targets: Targets,
  callFor: (target: Target) => ChatCall,
  deps: CallDeps,
): Promise<Answer> {
  const { calls, lifetime, route } = calling;
  const tried: string[] = [];
  let failure: GatewayError | undefined;
  for (const { target, decision, isLast } of inTurn(targets, deps.breaker)) {
    const name = `${target.provider}/${target.model}`;
    if (decision === 'skip' || decision === 'last') {
      tried.push(`${name};${decision === 'skip' ? 'open' : 'half_open'}`);
      calls.passedBy(target.provider, target.model, 'circuit_open');
      if (decision === 'skip') failure ??= circuitOpen(target.provider);
      continue;
    }
    const slot = await takeSlot(target, lifetime, deps);
    if (slot === undefined) {
      tried.push(`${name};busy`);
      calls.passedBy(target.provider, target.model, 'busy');
      failure ??= busy(target);
      continue;
    }
    const startedAt = deps.clock.monotonic();
    // A trial that nothing follows is an ordinary call.
    const isTrial = decision === 'trial' && !isLast;
    const outcome = await askRepeatedly(calling, target, callFor(target), deps, {
      isTrial,
      onFailure: (error) => tried.push(`${name};${reasonOf(error)}`),
    });
    if (!(outcome instanceof GatewayError)) {
      deps.breaker.succeeded(target);
      calls.tried([...tried, name]);
      return { target, response: outcome };
    }
    // The call of a silent trial goes on.
    if (outcome !== SILENT_TRIAL) slot.release();
    reportFailure(lifetime, target, outcome, startedAt, deps);
    const unable = cannotTake(outcome);
    // The failure of another target says more than that this one cannot take the request.
    if (!unable || failure === undefined) failure = outcome;
    if ((outcome.fallback === undefined && !unable) || lifetime.signal.aborted) break;
  }
  calls.tried(tried);
  throw naming(route, tried, failure as GatewayError);
}

/** The failure of our calls, with the deployment's route and its attempts. A provider's refusal is passed on with its message. */
function naming(route: CallRules | undefined, tried: readonly string[], failure: GatewayError): GatewayError {
  const isOurs = failure.passedOn === undefined && (isProviderFailure(failure.code) || failure.code === BUSY);
  if (route === undefined || !isOurs) return failure;
  return failure.withMessage(`${failure.message} Attempts of the route '${route.models}': ${tried.join(', ')}.`);
}

interface Turn {
  readonly target: Target;
  readonly decision: CircuitDecision;
  /** No other target follows. */
  readonly isLast: boolean;
}

/** The targets in order. One that is half open, and not tried by this request, is called after the others. */
function* inTurn(targets: Targets, breaker: CallDeps['breaker']): Generator<Turn, void> {
  const postponed: Target[] = [];
  for (const [at, target] of targets.entries()) {
    const isLast = at === targets.length - 1 && postponed.length === 0;
    const decision = breaker.decide(target);
    if (decision === 'last' && isLast) {
      yield { target, decision: 'call', isLast };
      continue;
    }
    if (decision === 'last') postponed.push(target);
    yield { target, decision, isLast };
  }
  for (const [at, target] of postponed.entries()) {
    yield { target, decision: 'call', isLast: at === postponed.length - 1 };
  }
}

/** Reports a failure to the circuit breaker if other requests would fail too. A caller who left did not see the last attempt. */
function reportFailure(
  { signal }: RequestLifetime,
  target: Target,
  failure: GatewayError,
  startedAt: number,
  { breaker }: Pick<CallDeps, 'breaker'>,
): void {
  if (failure === SILENT_TRIAL) breaker.silent(target);
  else if (isProviderFault(failure) && !signal.aborted) breaker.failed(target, startedAt);
}

/** Also identifies that the target may still respond. */
const SILENT_TRIAL = new GatewayError('provider_timeout', 'The provider did not respond in time.', {
  internal: `no response head within ${TRIAL_MS} ms, in a trial after failures`,
  fallback: 'now',
});

/**
 * Calls a target that has failed before: without a response head in time, the request goes on to its fallbacks. The call itself goes on
 * until the request ends, since whole responses of slow models take longer: a late response closes the circuit.
 * @throws GatewayError `SILENT_TRIAL`
 */
async function askInTrial(
  lifetime: RequestLifetime,
  target: Target,
  call: ChatCall,
  provider: ChatProvider,
  { breaker, clock, sleep }: Pick<CallDeps, 'breaker' | 'clock' | 'sleep'>,
): Promise<ProviderResponse> {
  const startedAt = clock.monotonic();
  const { asked, isSilent, ended } = await askUntilHead(call, provider, TRIAL_MS, sleep);
  if (!isSilent) return asked;
  lifetime.onEnd(() => ended.abort());
  asked.then(
    () => {
      breaker.succeeded(target);
      ended.abort();
    },
    (error) => {
      if (!ended.signal.aborted && isProviderFault(toGatewayError(error))) breaker.failed(target, startedAt);
    },
  );
  throw SILENT_TRIAL;
}

/** Calls a target that must begin to respond in time. @throws GatewayError `provider_timeout` */
async function askInTime(
  call: ChatCall,
  provider: ChatProvider,
  timeoutMs: number | undefined,
  { sleep }: Pick<CallDeps, 'sleep'>,
): Promise<ProviderResponse> {
  if (timeoutMs === undefined) return provider.complete(call);
  const { asked, isSilent, ended } = await askUntilHead(call, provider, timeoutMs, sleep);
  if (!isSilent) return asked;
  ended.abort();
  throw new GatewayError('provider_timeout', 'The provider did not respond in time.', {
    internal: `no response head within ${timeoutMs} ms, the timeout of the route`,
    fallback: 'now',
  });
}

/** Calls a target, and waits for the head of its response or its failure, but no longer than this. `ended` ends a call that is silent. */
async function askUntilHead(call: ChatCall, provider: ChatProvider, waitMs: number, sleep: CallDeps['sleep']) {
  const ended = new AbortController();
  const heard = new AbortController();
  const onHead = (head: UpstreamHead) => {
    heard.abort();
    call.onHead?.(head);
  };
  const asked = provider.complete({ ...call, onHead, signal: AbortSignal.any([call.signal, ended.signal]) });
  asked.catch(() => {}).finally(() => heard.abort());
  await sleep(waitMs, heard.signal);
  return { asked, isSilent: !heard.signal.aborted, ended };
}

interface Asking {
  /** The target is called once, and must respond soon. */
  readonly isTrial: boolean;
  /** Called for each failure. */
  onFailure(error: GatewayError): void;
}

/** A head whose request id is left out if it spells a key of the gateway: it is logged, and sent to the client. */
function withoutKeys(head: UpstreamHead, { providerKeys }: Pick<CallDeps, 'providerKeys'>): UpstreamHead {
  const isKey = head.requestId !== null && providerKeys?.()?.isIn(head.requestId) === true;
  return isKey ? { ...head, requestId: null } : head;
}

/** The response of one target, or its final failure. */
async function askRepeatedly(
  { trace, key, lifetime, calls, inspection, route }: Calling,
  target: Target,
  call: ChatCall,
  deps: CallDeps,
  { isTrial, onFailure }: Asking,
): Promise<ProviderResponse | GatewayError> {
  const { provider: name, model } = target;
  const provider = deps.providers.get(name);
  if (provider === undefined) return providerGone(name);
  let renewed = false;
  let credential: UsedCredential | undefined;
  for (let attempt = 1; ; attempt += 1) {
    const made = calls.begin(name, model);
    const headers = deps.propagatesTraces ? { trace: traceHeaders(trace, made.spanId) } : {};
    const version = deps.credentials?.version ?? 0;
    try {
      const onHead = (head: UpstreamHead) => made.answered(withoutKeys(head, deps));
      const onKey = () => inspection.removedKey();
      credential ??= await deps.storedCredentials?.forCall(name, key);
      if (credential !== undefined) made.uses(credential.id);
      const traced = { ...call, ...headers, apiKey: credential?.value, onHead, onKey };
      return await (isTrial
        ? askInTrial(lifetime, target, traced, provider, deps)
        : askInTime(traced, provider, route?.timeoutMs, deps));
    } catch (thrown) {
      const failure = toGatewayError(thrown);
      made.failed(failure);
      onFailure(failure);
      if (lifetime.signal.aborted) return failure;
      if (failure.fallback === 'after_new_credentials' && !renewed) {
        renewed = true;
        if (credential === undefined) {
          if (await deps.credentials?.renewedSince(version, name)) continue;
        } else {
          credential = await deps.storedCredentials?.afterRefusal(credential);
          if (credential !== undefined) continue;
        }
      }
      const isFinal = failure.fallback !== 'after_retry' || failure.headers['x-should-retry'] === 'false';
      if (isFinal || isTrial || attempt >= (route?.attempts ?? ATTEMPTS)) return failure;
      const pause = pauseBefore(attempt, failure, deps);
      if (pause === undefined) return failure;
      await deps.sleep(pause, lifetime.signal);
      if (lifetime.signal.aborted) return failure;
    }
  }
}

/** An administrator removed or stopped it after the request had begun. */
function providerGone(provider: string): GatewayError {
  const message = `The provider ${provider} is not available any more.`;
  return new GatewayError('provider_error', message, { internal: `${provider}: removed or disabled`, fallback: 'now' });
}

/** Milliseconds; undefined if it would be too long. */
function pauseBefore(attempt: number, { headers }: GatewayError, { random, clock }: CallDeps): number | undefined {
  const exact = headers['retry-after-ms'];
  const asked = exact === undefined ? waitAsked(headers['retry-after'], clock.now()) : Number(exact);
  if (asked !== undefined) return asked <= LONGEST_WAIT_MS ? asked : undefined;
  return random() * Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** attempt);
}

/** Milliseconds, from seconds or a date (RFC 9110, 10.2.3); undefined for anything else. */
function waitAsked(retryAfter: string | undefined, nowMs: number): number | undefined {
  if (retryAfter === undefined) return undefined;
  const milliseconds = Number(retryAfter) * 1000;
  const wait = Number.isFinite(milliseconds) ? milliseconds : Date.parse(retryAfter) - nowMs;
  return Number.isFinite(wait) ? Math.max(0, wait) : undefined;
}

/** Whether the translation for the target refused the request. What a provider refuses is passed on. */
function cannotTake({ code, passedOn }: GatewayError): boolean {
  return code === 'invalid_value' && passedOn === undefined;
}

/** Whether other requests would fail too: not a refusal, an exceeded limit, or a missing key of ours. */
function isProviderFault({ code, fallback, passedOn }: GatewayError): boolean {
  return code === 'provider_timeout' || (fallback === 'after_retry' && passedOn === undefined);
}

function reasonOf({ code, passedOn }: GatewayError): string {
  return passedOn === undefined ? code : String(passedOn.status);
}

function circuitOpen(provider: string): GatewayError {
  return new GatewayError(
    'provider_error',
    `The provider ${provider} has failed repeatedly and is not called for a while.`,
    {
      headers: { 'retry-after': '15' },
      internal: `${provider}: circuit open`,
      fallback: 'now',
    },
  );
}
