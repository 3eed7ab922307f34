import { toGatewayError } from '../kernel/errors/index.ts';
import { jsonResponse, type OutgoingResponse, type Route, type RoutedRequest } from '../kernel/http/index.ts';
import type { RequestDocument } from '../kernel/json/index.ts';
import {
  type MediaPiece,
  type PipelineDeps,
  type RequestLifetime,
  type RunningRequest,
  type RunningStreams,
  runChat,
  runMedia,
  runStored,
  stopFailure,
} from '../pipeline/index.ts';
import type { loadApi, OpenedRequest, Protocol, StoredCall } from '../translation/index.ts';
import { awaitFirst, EventStream } from './event-stream.ts';
import {
  type EndedResponse,
  type IdempotentRouteDeps,
  type RecordedRequest,
  recordReads,
  respondOnce,
} from './idempotent-response.ts';
import { MediaStream } from './media-stream.ts';
import {
  errorResponseTo,
  type OpenBody,
  type OpenRequest,
  openRequest,
  type RouteOptions,
  securityHeaders,
} from './open-request.ts';

export interface GenerationRouteDeps extends IdempotentRouteDeps {
  readonly keepaliveMs: number;
  /** Maximum duration of a request in milliseconds. */
  readonly maxRequestMs: number;
  /** How often a running request checks that its key is still valid. */
  readonly keyCheckMs: number;
  readonly runningStreams: RunningStreams;
}

/** A route with a response from a model. */
export interface Generation extends RouteOptions {
  readonly method: Route['method'];
  readonly takesRest?: true | undefined;
  readonly requestIdHeader?: string | undefined;
  /** Called at the first request: most processes serve one or two protocols. */
  api(): ReturnType<typeof loadApi>;
}

/** A route with a response from a model, JSON, an event stream or bytes, in the protocol of its path. */
export function generationRoute(generation: Generation, deps: GenerationRouteDeps): Route {
  const { method, path, takesRest, errorShape, requestIdHeader } = generation;
  let api: ReturnType<typeof loadApi> | undefined;
  return {
    method,
    path,
    takesRest,
    errorShape,
    requestIdHeader,
    async handle(received) {
      api ??= generation.api();
      const apiOf = await api;
      const routed = recordReads(received);
      return handle(routed, generation, apiOf(routed), deps);
    },
  };
}

async function handle(
  routed: RecordedRequest,
  generation: Generation,
  chosen: Protocol<unknown> | StoredCall,
  deps: GenerationRouteDeps,
): Promise<OutgoingResponse> {
  let named: OpenedRequest['headers'];
  const envelope = isStoredCall(chosen) ? undefined : chosen.envelope;
  const openBody =
    envelope &&
    function* (body: RequestDocument): ReturnType<OpenBody> {
      const { headers, ...read } = yield* envelope.open(body);
      named = headers;
      return read;
    };
  const opened = await openRequest(routed, generation, deps, openBody);
  if ('status' in opened) return opened;
  const { running, document } = opened;
  const { lifetime } = running;
  const api = named === undefined ? chosen : { ...chosen, headers: named };
  const kind = api.responseKind(document.value);
  const isStored = isStoredCall(api);
  const begin = () => {
    keepInBounds(opened, routed, deps);
    return kind === 'events' ? () => {} : beginWhole(lifetime, routed, deps);
  };
  if (kind === 'bytes' && !isStored) {
    const begun = begin();
    return media(running, runMedia(running, document, api, deps), begun, deps);
  }
  const run = () => {
    begin();
    return isStored ? runStored(running, document, api, deps) : runChat(running, document, api, deps);
  };
  const latencyMs = () => deps.clock.monotonic() - routed.startedAt;
  if (kind === 'events') return streamed(running, run(), envelope?.framing(latencyMs) ?? api.framing, deps);
  const inApi = (body: string) => envelope?.whole(body, latencyMs()) ?? body;
  const respond = kind === 'text' ? plainResponse : wholeResponse(inApi);
  // A stored response changes: the same call returns its current state.
  if (isStored) return (await whole(running, run(), respond, deps)).response;
  return respondOnce(routed, opened, deps, () => whole(running, run(), respond, deps));
}

function isStoredCall(api: Protocol<unknown> | StoredCall): api is StoredCall {
  return 'promptIn' in api;
}

async function whole(
  running: RunningRequest,
  source: AsyncGenerator<string[], void>,
  respond: (body: string, running: RunningRequest) => OutgoingResponse<string>,
  deps: GenerationRouteDeps,
): Promise<EndedResponse> {
  try {
    const { value } = await source.next();
    await source.next();
    return { response: respond(value?.[0] ?? '', running), isFinal: true };
  } catch (thrown) {
    return failed(running, thrown, deps);
  }
}

async function failed(running: RunningRequest, thrown: unknown, deps: IdempotentRouteDeps): Promise<EndedResponse> {
  const error = toGatewayError(thrown);
  return { response: await errorResponseTo(running, error, deps), isFinal: error.code === 'content_filter' };
}

/** @param inApi writes the protocol's JSON in the API of the route */
function wholeResponse(inApi: (body: string) => string) {
  return (body: string, running: RunningRequest): OutgoingResponse<string> =>
    jsonResponse(200, inApi(body), securityHeaders(running));
}

function plainResponse(body: string, running: RunningRequest): OutgoingResponse<string> {
  return { status: 200, headers: headersWithReport('text/plain; charset=utf-8', running), body };
}

/** The headers of a body without a place for `svc`. */
function headersWithReport(type: string, running: RunningRequest): Record<string, string> {
  const { action, counts } = running.outcome.inspection.findings;
  return {
    'content-type': type,
    'cache-control': 'no-store',
    ...securityHeaders(running),
    'x-svc-action': action,
    'x-svc-threats': Object.keys(counts).join(', '),
  };
}

/** A response of bytes, sent as they come. The status waits for the first ones, since no comment can be sent before them. */
async function media(
  running: RunningRequest,
  source: AsyncGenerator<MediaPiece, void>,
  begun: () => void,
  deps: GenerationRouteDeps,
): Promise<OutgoingResponse> {
  let first: MediaPiece;
  try {
    const { value } = await source.next();
    begun();
    if (value === undefined) throw stopFailure(running.lifetime);
    first = value;
  } catch (thrown) {
    return errorResponseTo(running, toGatewayError(thrown), deps);
  }
  const cancel = becomesStream(running, source, deps);
  const body = new MediaStream(first, source, { cutShort: () => stopFailure(running.lifetime), onCancel: cancel });
  return { status: 200, headers: headersWithReport(first.mediaType, running), body };
}

/** From here on the client knows the request id, and may cancel. @returns the cancellation */
export function becomesStream(
  { context: { key, requestId }, lifetime, outcome }: RunningRequest,
  source: AsyncGenerator<unknown, void>,
  { runningStreams }: Pick<GenerationRouteDeps, 'runningStreams'>,
): () => void {
  outcome.sentStatus(200);
  stopWhereNobodyReads(lifetime, source);
  const cancel = () => lifetime.stop('cancelled');
  lifetime.onEnd(runningStreams.add({ keyId: key.id, requestId, cancel }));
  return cancel;
}

async function streamed(
  running: RunningRequest,
  source: AsyncGenerator<string[], void>,
  framing: Protocol<unknown>['framing'],
  deps: GenerationRouteDeps,
): Promise<OutgoingResponse> {
  const { context, lifetime } = running;
  const first = source.next();
  let late: boolean;
  try {
    late = (await awaitFirst(first, deps.keepaliveMs)) === 'waiting';
  } catch (thrown) {
    return errorResponseTo(running, toGatewayError(thrown), deps);
  }
  const cancel = becomesStream(running, source, deps);
  const body = new EventStream(source, first, {
    framing,
    errorBody: (error) => context.errorShape(error, context.requestId),
    keepaliveMs: deps.keepaliveMs,
    late,
    cutShort: () => stopFailure(lifetime),
    onCancel: cancel,
  });
  const headers = {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    'x-accel-buffering': 'no',
    ...framing.headers,
    ...securityHeaders(running),
  };
  return { status: 200, headers, body };
}

/** Ends a request when its client leaves, after the maximum duration, and once its key is no longer valid. */
export function keepInBounds(
  opened: OpenRequest,
  { context }: Pick<RoutedRequest, 'context'>,
  { maxRequestMs, keyCheckMs }: Pick<GenerationRouteDeps, 'maxRequestMs' | 'keyCheckMs'>,
): void {
  endInTime(opened.running.lifetime, maxRequestMs, context.signal);
  endWithKey(opened, keyCheckMs);
}

/** Ends a request when its client leaves, if the platform reports that, and after the maximum duration. */
function endInTime(lifetime: RequestLifetime, maxRequestMs: number, callerLeft: AbortSignal | undefined): void {
  const cancel = () => lifetime.stop('cancelled');
  const timer = setTimeout(() => lifetime.stop('expired'), maxRequestMs);
  callerLeft?.addEventListener('abort', cancel, { once: true });
  lifetime.onEnd(() => {
    clearTimeout(timer);
    callerLeft?.removeEventListener('abort', cancel);
  });
}

const KEY_INVALID = 'The request was cancelled: its API key is no longer valid for it.';

/** Ends a request that would no longer be let in. It goes on while the key cannot be read. */
function endWithKey({ running: { lifetime }, isStillAuthorized }: OpenRequest, everyMs: number): void {
  const check = async () => {
    if (!(await isStillAuthorized().catch(() => true))) lifetime.stop('cancelled', KEY_INVALID);
  };
  const timer = setInterval(() => void check(), everyMs);
  lifetime.onEnd(() => clearInterval(timer));
}

/** Time for the error to reach the front door, and for a start of the process before the request's own time. */
const FRONT_DOOR_MARGIN_MS = 5_000;

/**
 * Ends a request with an explanation, whose response has not begun when its front door would end it without one.
 * @returns the call for a response that has begun
 */
export function beginWhole(
  lifetime: RequestLifetime,
  { context: { firstByteMs }, startedAt }: RoutedRequest,
  { clock }: Pick<GenerationRouteDeps, 'clock'>,
): () => void {
  if (firstByteMs === undefined) return () => {};
  const message = `The response did not begin within ${firstByteMs / 1000} seconds, the limit of the CloudFront distribution. Send "stream": true, ask for fewer tokens, or use the REST API. An operator can raise the setting distribution.readTimeoutSeconds.`;
  const leftMs = firstByteMs - FRONT_DOOR_MARGIN_MS - (clock.monotonic() - startedAt);
  const timer = setTimeout(() => lifetime.stop('expired', message), Math.max(0, leftMs));
  const begun = () => clearTimeout(timer);
  lifetime.onEnd(begun);
  return begun;
}

/** A source that waits for a reader that has left would never be settled. */
function stopWhereNobodyReads({ signal }: RequestLifetime, source: AsyncGenerator<unknown, void>): void {
  signal.addEventListener('abort', () => void source.return().catch(() => {}), { once: true });
}

/** Inspects a request without a provider. @returns the body of its response */
export type Inspect = (request: RunningRequest, document: RequestDocument, deps: PipelineDeps) => Promise<object>;

/** A POST route that inspects and calls no provider. Any valid key may call it. */
export function inspectionRoute(path: string, inspect: Inspect, deps: IdempotentRouteDeps): Route {
  return {
    method: 'POST',
    path,
    async handle(received) {
      const routed = recordReads(received);
      const opened = await openRequest(routed, { path, permission: undefined }, deps);
      if ('status' in opened) return opened;
      const { running, document } = opened;
      return respondOnce(routed, opened, deps, async () => {
        try {
          const body = await inspect(running, document, deps);
          return { response: jsonResponse(200, body, securityHeaders(running)), isFinal: true };
        } catch (thrown) {
          return failed(running, thrown, deps);
        }
      });
    },
  };
}
