import { GatewayError, toGatewayError } from '../base/errors.ts';
import { traceHeaders } from '../base/request-trace.ts';
import type { ChatCall, ProviderResponse } from '../routing/provider.ts';
import type { Target, Targets } from '../routing/route-model.ts';
import type { PipelineDeps } from './pipeline-deps.ts';
import type { RequestContext } from './request-context.ts';

/** Maximum calls of one target for one request. */
const ATTEMPTS = 3;
const FIRST_BACKOFF_MS = 250;
const LONGEST_BACKOFF_MS = 4_000;
/** Longer pauses that a provider asks for are not waited for. */
const LONGEST_WAIT_MS = 5_000;

/**
 * Calls the targets in order until one responds. A transient failure is retried at the same target, after the pause of the provider's
 * `Retry-After` or a random one that grows. Other failures go to the next target at once, and so does a request that a target's API cannot
 * express. If a provider rejects our credentials and they have changed since, the same target is called once more without a pause. Nothing is
 * retried after a response has started. The record lists all attempts and failures.
 * @param callFor builds the call for a target
 * @throws GatewayError of the last target that could take the request, or else of the first
 */
export async function callProvider(
  context: RequestContext,
  targets: Targets,
  callFor: (target: Target) => ChatCall,
  deps: PipelineDeps,
): Promise<ProviderResponse> {
  const tried: string[] = [];
  let failure: GatewayError | undefined;
  for (const target of targets) {
    const name = `${target.provider}/${target.model}`;
    if (!deps.breaker.admits(target.provider)) {
      tried.push(`${name};open`);
      context.record.calls.passedBy(target.provider, target.model);
      failure ??= circuitOpen(target.provider);
      continue;
    }
    context.record.targeted(target);
    const outcome = await askRepeatedly(context, target, callFor(target), deps, (error) => {
      tried.push(`${name};${reasonOf(error)}`);
    });
    if (!(outcome instanceof GatewayError)) {
      deps.breaker.succeeded(target.provider);
      context.record.tried([...tried, name]);
      return outcome;
    }
    if (isProviderFault(outcome)) deps.breaker.failed(target.provider);
    else deps.breaker.released(target.provider);
    const unable = cannotTake(outcome);
    // The failure of another target says more than that this one cannot take the request.
    if (!unable || failure === undefined) failure = outcome;
    if ((outcome.fallback === undefined && !unable) || context.lifetime.signal.aborted) break;
  }
  context.record.tried(tried);
  throw failure as GatewayError;
}

/** The response of one target, or its final failure; `onFailure` is called for each failure. */
async function askRepeatedly(
  context: RequestContext,
  { provider: name, model }: Target,
  call: ChatCall,
  deps: PipelineDeps,
  onFailure: (error: GatewayError) => void,
): Promise<ProviderResponse | GatewayError> {
  const provider = deps.providers.get(name);
  if (provider === undefined) return new GatewayError('internal_error', 'An internal error occurred.');
  let renewed = false;
  for (let attempt = 1; ; attempt += 1) {
    const made = context.record.calls.begin(name, model);
    const trace = deps.propagatesTraces ? { trace: traceHeaders(context.trace, made.spanId) } : {};
    const version = deps.credentials?.version ?? 0;
    try {
      return await provider.complete({ ...call, ...trace, onHead: made.answered });
    } catch (thrown) {
      const failure = toGatewayError(thrown);
      made.failed(failure);
      onFailure(failure);
      if (context.lifetime.signal.aborted) return failure;
      if (failure.fallback === 'after_new_credentials' && !renewed) {
        renewed = true;
        if (await deps.credentials?.renewedSince(version, name)) continue;
      }
      const isFinal = failure.fallback !== 'after_retry' || failure.headers['x-should-retry'] === 'false';
      if (isFinal || attempt >= ATTEMPTS) return failure;
      const pause = pauseBefore(attempt, failure, deps);
      if (pause === undefined) return failure;
      await deps.sleep(pause, context.lifetime.signal);
      if (context.lifetime.signal.aborted) return failure;
    }
  }
}

/** Milliseconds; undefined if it would be too long. */
function pauseBefore(attempt: number, { headers }: GatewayError, { random, clock }: PipelineDeps): number | undefined {
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
