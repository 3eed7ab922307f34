import { toGatewayError } from '../core/base/errors.ts';
import { jsonResponse, type OutgoingResponse } from '../core/http/responses.ts';
import type { Route, RoutedRequest } from '../core/http/router.ts';
import type { Exchange } from '../core/pipeline/exchange.ts';
import { stopFailure } from '../core/pipeline/exchange-failure.ts';
import { runChat } from '../core/pipeline/run-chat.ts';
import type { RunningStreams } from '../core/pipeline/running-streams.ts';
import type { StreamFraming } from '../core/protocols/answer-format.ts';
import type { Protocol } from '../core/protocols/protocol.ts';
import { type AnswerOnceDeps, answerOnce } from './answer-once.ts';
import { errorAnswer, openExchange, type RouteOptions, securityHeaders } from './open-exchange.ts';
import { awaitFirst, EventStream } from './stream-response.ts';

export interface GenerationRouteDeps extends AnswerOnceDeps {
  readonly keepaliveMs: number;
  /** What runs longer is ended. */
  readonly maxExchangeMs: number;
  readonly runningStreams: RunningStreams;
}

/** A route on which a model answers. */
export interface Generation<Body> extends RouteOptions {
  readonly requestIdHeader?: string | undefined;
  /** Called at the first request: most processes serve one or two protocols. */
  protocol(): Promise<Protocol<Body>>;
}

/** A POST route on which a model answers, JSON or an event stream, in the protocol of its path. */
export function generationRoute<Body>(generation: Generation<Body>, deps: GenerationRouteDeps): Route {
  const { path, errorShape, requestIdHeader } = generation;
  let protocol: Promise<Protocol<Body>> | undefined;
  return {
    method: 'POST',
    path,
    errorShape,
    requestIdHeader,
    async handle(routed) {
      protocol ??= generation.protocol();
      const api = await protocol;
      return handle(routed, generation, api.forRequest?.(routed) ?? api, deps);
    },
  };
}

async function handle<Body>(
  routed: RoutedRequest,
  generation: Generation<Body>,
  protocol: Protocol<Body>,
  deps: GenerationRouteDeps,
): Promise<OutgoingResponse> {
  const opened = await openExchange(routed, generation, deps);
  if ('status' in opened) return opened;
  const { exchange, document } = opened;
  const { signal } = routed.context;
  const begin = () => {
    boundExchange(exchange, deps.maxExchangeMs, signal);
    return runChat(exchange, document, protocol, deps);
  };
  if (protocol.wantsStream(document.value)) return streamed(exchange, begin(), protocol.framing, deps);
  const respond = protocol.isPlain?.(document.value) ? plainResponse : jsonAnswer;
  return answerOnce(routed, exchange, document, deps, () => whole(exchange, begin(), respond, deps));
}

async function whole(
  exchange: Exchange,
  source: AsyncGenerator<string[], void>,
  respond: (body: string, exchange: Exchange) => OutgoingResponse<string>,
  deps: GenerationRouteDeps,
): Promise<OutgoingResponse<string>> {
  try {
    const { value } = await source.next();
    await source.next();
    return respond(value?.[0] ?? '', exchange);
  } catch (thrown) {
    return errorAnswer(exchange, toGatewayError(thrown), deps);
  }
}

function jsonAnswer(body: string, exchange: Exchange): OutgoingResponse<string> {
  return jsonResponse(200, body, securityHeaders(exchange));
}

function plainResponse(body: string, exchange: Exchange): OutgoingResponse<string> {
  const { action, counts } = exchange.report;
  const headers = {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    ...securityHeaders(exchange),
    'x-svc-action': action,
    'x-svc-threats': Object.keys(counts).join(', '),
  };
  return { status: 200, headers, body };
}

async function streamed(
  exchange: Exchange,
  source: AsyncGenerator<string[], void>,
  framing: StreamFraming,
  deps: GenerationRouteDeps,
): Promise<OutgoingResponse> {
  const first = source.next();
  let late: boolean;
  try {
    late = (await awaitFirst(first, deps.keepaliveMs)) === 'waiting';
  } catch (thrown) {
    return errorAnswer(exchange, toGatewayError(thrown), deps);
  }
  exchange.answered(200);
  stopWhereNobodyReads(exchange, source);
  // Its caller knows its id from here on.
  const { key, requestId } = exchange;
  const cancel = () => exchange.stop('cancelled');
  exchange.onOver(deps.runningStreams.add({ keyId: key.id, requestId, cancel }));
  const body = new EventStream(source, first, {
    framing,
    errorBody: (error) => exchange.errorShape(error, exchange.requestId),
    keepaliveMs: deps.keepaliveMs,
    late,
    cutShort: () => stopFailure(exchange),
    onCancel: cancel,
  });
  const headers = {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    'x-accel-buffering': 'no',
    ...securityHeaders(exchange),
  };
  return { status: 200, headers, body };
}

/** No exchange outlives its caller, where the platform shows that he left, or the longest time. */
function boundExchange(exchange: Exchange, maxExchangeMs: number, callerLeft: AbortSignal | undefined): void {
  const cancel = () => exchange.stop('cancelled');
  const timer = setTimeout(() => exchange.stop('expired'), maxExchangeMs);
  callerLeft?.addEventListener('abort', cancel, { once: true });
  exchange.onOver(() => {
    clearTimeout(timer);
    callerLeft?.removeEventListener('abort', cancel);
  });
}

/** What waits for a reader who takes nothing more would never be settled. */
function stopWhereNobodyReads({ abort }: Exchange, source: AsyncGenerator<unknown, void>): void {
  abort.signal.addEventListener('abort', () => void source.return().catch(() => {}), { once: true });
}
