import { jsonResponse } from '../../core/http/responses.ts';
import type { Route, RoutedRequest } from '../../core/http/router.ts';
import type { Exchange } from '../../core/pipeline/exchange.ts';
import { runChat } from '../../core/pipeline/run-chat.ts';
import { toGatewayError } from '../../core/pipeline/to-gateway-error.ts';
import { type ExchangeRouteDeps, errorAnswer, openExchange, securityHeaders } from '../open-exchange.ts';
import { awaitFirst, eventStream } from '../stream-response.ts';

const PATH = '/v1/chat/completions';

export interface ChatRouteDeps extends ExchangeRouteDeps {
  readonly keepaliveMs: number;
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

async function handle(routed: RoutedRequest, deps: ChatRouteDeps): Promise<Response> {
  const opened = await openExchange(routed, PATH, 'chat_completions', deps);
  if (opened instanceof Response) return opened;
  const { exchange, document } = opened;
  boundExchange(exchange, deps.maxExchangeMs, routed.context.signal);
  const source = runChat(exchange, document, deps);
  const first = source.next();
  let late: boolean;
  try {
    if (!wantsStream(document.value)) return await wholeResponse(exchange, source, first);
    late = (await awaitFirst(first, deps.keepaliveMs)) === 'waiting';
  } catch (thrown) {
    return errorAnswer(exchange, toGatewayError(thrown), deps);
  }
  const body = eventStream(source, first, {
    requestId: exchange.requestId,
    keepaliveMs: deps.keepaliveMs,
    late,
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
