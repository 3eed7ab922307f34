import type { Authenticator } from '../../core/access/authenticate.ts';
import { authenticate, authorize } from '../../core/access/authenticate.ts';
import { readJsonBody } from '../../core/http/request-body.ts';
import { errorResponse, jsonResponse } from '../../core/http/responses.ts';
import type { Route, RoutedRequest } from '../../core/http/router.ts';
import { readTracking } from '../../core/http/tracking-headers.ts';
import { Exchange, type PipelineDeps } from '../../core/pipeline/exchange.ts';
import { failExchange, runChat } from '../../core/pipeline/run-chat.ts';
import { toGatewayError } from '../../core/pipeline/to-gateway-error.ts';
import { awaitFirst, eventStream } from '../stream-response.ts';

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
    path: '/v1/chat/completions',
    handle: (routed) => handle(routed, deps),
  };
}

async function handle(
  { request, context, requestId, startedAt }: RoutedRequest,
  deps: ChatRouteDeps,
): Promise<Response> {
  const key = await authenticate(request.headers, deps.authenticator);
  authorize(key, 'chat_completions', context.clientAddress);
  const tracking = readTracking(request.headers);
  const exchange = new Exchange({
    requestId,
    route: '/v1/chat/completions',
    key,
    tracking,
    clock: deps.clock,
    startedAt,
  });
  const document = await readJsonBody(request, deps.maxBodyBytes).catch(async (error) => {
    throw await failExchange(exchange, error, deps);
  });
  boundExchange(exchange, deps.maxExchangeMs, context.signal);
  const source = runChat(exchange, document, deps);
  const first = source.next();
  try {
    if (!wantsStream(document.value)) return await wholeResponse(exchange, source, first);
    await awaitFirst(first, deps.keepaliveMs);
  } catch (thrown) {
    return errorResponse(toGatewayError(thrown), { 'x-request-id': requestId, ...securityHeaders(exchange) });
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
