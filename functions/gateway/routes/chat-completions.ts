import { jsonResponse } from '../../core/http/responses.ts';
import type { Route, RoutedRequest } from '../../core/http/router.ts';
import type { JsonDocument } from '../../core/json/json-document.ts';
import type { Exchange } from '../../core/pipeline/exchange.ts';
import { runChat } from '../../core/pipeline/run-chat.ts';
import { toGatewayError } from '../../core/pipeline/to-gateway-error.ts';
import { type AnswerOnceDeps, answerOnce } from '../answer-once.ts';
import { errorAnswer, openExchange, securityHeaders } from '../open-exchange.ts';
import { awaitFirst, eventStream } from '../stream-response.ts';

const PATH = '/v1/chat/completions';

export interface ChatRouteDeps extends AnswerOnceDeps {
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
  const { signal } = routed.context;
  if (wantsStream(document.value)) return streamed(exchange, document, signal, deps);
  return answerOnce(routed, exchange, document, deps, () => whole(exchange, document, signal, deps));
}

async function whole(
  exchange: Exchange,
  document: JsonDocument,
  callerLeft: AbortSignal | undefined,
  deps: ChatRouteDeps,
): Promise<Response> {
  boundExchange(exchange, deps.maxExchangeMs, callerLeft);
  const source = runChat(exchange, document, deps);
  try {
    const { value } = await source.next();
    await source.next();
    return jsonResponse(200, value?.[0] ?? '', securityHeaders(exchange));
  } catch (thrown) {
    return errorAnswer(exchange, toGatewayError(thrown), deps);
  }
}

async function streamed(
  exchange: Exchange,
  document: JsonDocument,
  callerLeft: AbortSignal | undefined,
  deps: ChatRouteDeps,
): Promise<Response> {
  boundExchange(exchange, deps.maxExchangeMs, callerLeft);
  const source = runChat(exchange, document, deps);
  const first = source.next();
  let late: boolean;
  try {
    late = (await awaitFirst(first, deps.keepaliveMs)) === 'waiting';
  } catch (thrown) {
    return errorAnswer(exchange, toGatewayError(thrown), deps);
  }
  exchange.answered(200);
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

function wantsStream(body: unknown): boolean {
  return (body as { stream?: unknown } | null)?.stream === true;
}
