import type { Authenticator } from '../../core/access/authenticate.ts';
import { authenticate, authorize } from '../../core/access/authenticate.ts';
import { rateLimitHeaders } from '../../core/admission/rate-limit-headers.ts';
import { toBucket } from '../../core/admission/token-bucket.ts';
import type { GatewayError } from '../../core/errors.ts';
import { readJsonBody } from '../../core/http/request-body.ts';
import { errorResponse, jsonResponse } from '../../core/http/responses.ts';
import type { Route, RoutedRequest } from '../../core/http/router.ts';
import { readTracking } from '../../core/http/tracking-headers.ts';
import type { JsonDocument } from '../../core/json/json-document.ts';
import { Exchange, type PipelineDeps } from '../../core/pipeline/exchange.ts';
import { failExchange, runChat } from '../../core/pipeline/run-chat.ts';
import { toGatewayError } from '../../core/pipeline/to-gateway-error.ts';
import { awaitFirst, eventStream } from '../stream-response.ts';

const PATH = '/v1/chat/completions';

export interface ChatRouteDeps extends PipelineDeps {
  readonly authenticator: Authenticator;
  readonly keepaliveMs: number;
  readonly maxBodyBytes: number;
  /** A stream that runs longer is ended. */
  readonly maxExchangeMs: number;
}

/** `POST /v1/chat/completions`: OpenAI's chat completions, JSON or an event stream. */
export function chatCompletionsRoute(deps: ChatRouteDeps): Route {
  return {
    method: 'POST',
    path: PATH,
    handle: (routed) => handle(routed, deps),
  };
}

async function handle(
  { request, context, requestId, startedAt }: RoutedRequest,
  deps: ChatRouteDeps,
): Promise<Response> {
  const key = await authenticate(request.headers, deps.authenticator);
  const exchange = new Exchange({ requestId, route: PATH, key, clock: deps.clock, startedAt });
  let document: JsonDocument;
  try {
    authorize(key, 'chat_completions', context.clientAddress);
    exchange.tracking = readTracking(request.headers);
    document = await readJsonBody(request, deps.maxBodyBytes);
  } catch (thrown) {
    return errorAnswer(exchange, await failExchange(exchange, thrown, deps), deps);
  }
  boundExchange(exchange, deps.maxExchangeMs, context.signal);
  const source = runChat(exchange, document, deps);
  const first = source.next();
  try {
    if (!wantsStream(document.value)) return await wholeResponse(exchange, source, first);
    await awaitFirst(first, deps.keepaliveMs);
  } catch (thrown) {
    return errorAnswer(exchange, toGatewayError(thrown), deps);
  }
  const body = eventStream(source, first, {
    requestId,
    keepaliveMs: deps.keepaliveMs,
    onCancel: () => exchange.stop('cancelled'),
  });
  return new Response(body, {
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache',
      'x-accel-buffering': 'no',
      ...securityHeaders(exchange),
    },
  });
}

/** An error to a caller whose key is known: with the headers of any other answer. */
async function errorAnswer(exchange: Exchange, error: GatewayError, deps: ChatRouteDeps): Promise<Response> {
  return errorResponse(error, {
    'x-request-id': exchange.requestId,
    ...(await limitHeaders(exchange, error, deps)),
    ...securityHeaders(exchange),
  });
}

/** The headers of its limit for a request that was refused before it could be admitted. */
async function limitHeaders(exchange: Exchange, error: GatewayError, { rateLimiter }: ChatRouteDeps) {
  const told = 'x-ratelimit-limit-requests' in { ...exchange.headers, ...error.headers };
  // While the stores are out of reach, asking them would only delay the answer.
  if (told || error.code === 'unavailable') return {};
  const { id, rateLimit } = exchange.key;
  const seen = await rateLimiter.peek(id, toBucket(rateLimit)).catch(() => undefined);
  return seen === undefined ? {} : rateLimitHeaders(rateLimit, seen);
}

/** No exchange outlives its caller, where the platform shows that he left, or the longest time. */
function boundExchange(exchange: Exchange, maxExchangeMs: number, callerLeft: AbortSignal | undefined): void {
  const cancel = () => exchange.stop('cancelled');
  const timer = setTimeout(() => exchange.stop('expired'), maxExchangeMs);
  callerLeft?.addEventListener('abort', cancel, { once: true });
  exchange.onOver = () => {
    clearTimeout(timer);
    callerLeft?.removeEventListener('abort', cancel);
  };
}

async function wholeResponse(
  exchange: Exchange,
  source: AsyncGenerator<string[], void>,
  first: Promise<IteratorResult<string[], void>>,
): Promise<Response> {
  const { value } = await first;
  await source.next();
  return jsonResponse(200, value?.[0] ?? '', securityHeaders(exchange));
}

function wantsStream(body: unknown): boolean {
  return (body as { stream?: unknown } | null)?.stream === true;
}

/** The headers of specification part 4.3, sessions and limits: what is known when the status is sent. */
function securityHeaders(exchange: Exchange): Record<string, string> {
  const { sessionId } = exchange.tracking;
  return {
    'x-svc-threat-score': String(exchange.report.threatScore),
    'x-svc-processing-time': String(exchange.processingMs),
    'server-timing': exchange.serverTiming,
    ...(sessionId !== null && { 'x-svc-session-id': sessionId }),
    ...exchange.headers,
  };
}
