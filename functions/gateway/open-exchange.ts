import { type GatewayError, toGatewayError } from '../core/base/errors.ts';
import type { RequestDocument } from '../core/base/request-document.ts';
import { readFormBody, readJsonBody } from '../core/http/request-body.ts';
import { type ErrorShape, errorResponse, type OutgoingResponse } from '../core/http/responses.ts';
import type { RoutedRequest } from '../core/http/router.ts';
import { type Authenticator, authenticate, authorize } from '../core/keys/authenticate.ts';
import { limitHeaders } from '../core/limits/limit-headers.ts';
import { limitsOf } from '../core/limits/limits.ts';
import { tagLimitsOf } from '../core/limits/tag-budgets.ts';
import type { Permission } from '../core/model/permissions.ts';
import { Exchange, type PipelineDeps } from '../core/pipeline/exchange.ts';
import { failExchange } from '../core/pipeline/exchange-failure.ts';
import { readTracking } from '../core/pipeline/tracking-headers.ts';
import type { DefaultPolicy } from '../core/policy/default-policy.ts';
import { withEffectivePolicy } from '../core/policy/effective-policy.ts';

/** What every route that serves exchanges needs. */
export interface ExchangeRouteDeps extends PipelineDeps {
  readonly authenticator: Authenticator;
  readonly defaultPolicy: DefaultPolicy;
  readonly maxBodyBytes: number;
}

/** The options of a route that goes through the pipeline. */
export interface RouteOptions {
  readonly path: string;
  /** The permission that a key needs; undefined: any valid key. */
  readonly permission: Permission | undefined;
  /** The shape of errors; OpenAI's by default. */
  readonly errorShape?: ErrorShape | undefined;
  /** Whether the body is a form with a file; JSON by default. */
  readonly takesForm?: true;
}

/**
 * The way into every exchange: key, permission, address, tracking headers, body. Gives
 * the answer where one of them fails.
 * @throws GatewayError `invalid_api_key`: nobody's request leaves no record; StoreUnavailable
 */
export async function openExchange(
  { request, context, requestId, startedAt, trace, recorded }: RoutedRequest,
  { path, permission, errorShape, takesForm }: RouteOptions,
  deps: ExchangeRouteDeps,
): Promise<{ exchange: Exchange; document: RequestDocument } | OutgoingResponse> {
  const defaults = deps.defaultPolicy.settings();
  // Awaited below, where the key is one.
  defaults.catch(() => {});
  const known = await authenticate(request.headers, deps.authenticator);
  const policy = await defaults;
  const key = withEffectivePolicy(known, policy);
  const exchange = new Exchange({ requestId, route: path, key, clock: deps.clock, startedAt, errorShape, trace });
  recorded();
  exchange.tagLimits = tagLimitsOf(key.tags, policy.tagBudgets);
  try {
    authorize(key, permission, context.clientAddress);
    exchange.tracking = readTracking(request.headers);
    const { maxBodyBytes, scheduler } = deps;
    const document = takesForm
      ? await readFormBody(request, maxBodyBytes)
      : await readJsonBody(request, maxBodyBytes, scheduler);
    return { exchange, document };
  } catch (thrown) {
    if (toGatewayError(thrown).code === 'request_cancelled') exchange.stop('cancelled');
    return errorAnswer(exchange, failExchange(exchange, thrown, deps), deps);
  }
}

/** An error to a caller whose key is known: with the headers of any other answer. */
export async function errorAnswer(
  exchange: Exchange,
  error: GatewayError,
  deps: PipelineDeps,
): Promise<OutgoingResponse<string>> {
  const headers = {
    'x-request-id': exchange.requestId,
    ...(await missingLimitHeaders(exchange, error, deps)),
    ...securityHeaders(exchange),
  };
  return errorResponse(error, exchange.requestId, headers, exchange.errorShape);
}

/** The rate limit headers of a response that was made before admission. */
export async function missingLimitHeaders(
  exchange: Exchange,
  error: GatewayError | undefined,
  { limiter }: PipelineDeps,
): Promise<Record<string, string>> {
  const told = 'x-ratelimit-limit-requests' in { ...exchange.headers, ...error?.headers };
  // While the stores are out of reach, asking them would only delay the answer.
  if (told || error?.code === 'unavailable') return {};
  const { key } = exchange;
  const seen = await limiter.peek(key.id, limitsOf(key)).catch(() => undefined);
  return seen === undefined ? {} : limitHeaders(key, seen);
}

/** The headers of specification part 4.3, sessions and limits: what is known when the status is sent. */
export function securityHeaders(exchange: Exchange): Record<string, string> {
  const { sessionId } = exchange;
  return {
    'x-svc-threat-score': String(exchange.report.threatScore),
    'x-svc-processing-time': String(exchange.processingMs),
    'server-timing': exchange.serverTiming,
    ...(sessionId !== null && { 'x-svc-session-id': sessionId }),
    ...exchange.headers,
  };
}
