import type { IdempotentResponses, StoredResponse, Turn } from '../control/idempotency/index.ts';
import { GatewayError } from '../kernel/errors/index.ts';
import {
  type IncomingRequest,
  type OutgoingResponse,
  ReadHeaders,
  type RequestRef,
  type RoutedRequest,
} from '../kernel/http/index.ts';
import { identityOf, type RequestDocument } from '../kernel/json/index.ts';
import {
  failRequest,
  type RequestContext,
  type RunningRequest,
  readNameHeader,
  refOf,
  storeRecord,
} from '../pipeline/index.ts';
import {
  errorResponseTo,
  missingLimitHeaders,
  type OpenRequest,
  type PipelineRouteDeps,
  securityHeaders,
} from './open-request.ts';

/** Headers that belong to the response; all others describe the request that first got it. */
const STORED_HEADERS = [
  'content-type',
  'cache-control',
  'x-svc-threat-score',
  'x-svc-action',
  'x-svc-threats',
  'x-svc-session-id',
  'x-svc-route',
  'x-svc-warnings',
  'x-svc-upstream-request-id',
  'x-should-retry',
];

/**
 * Headers that are read and cannot change a response. Any other that is read makes the request another one.
 * Headers that change from one attempt of a client to the next, such as `X-Stainless-Retry-Count`, are not read.
 */
const HARMLESS_HEADERS = new Set([
  'authorization',
  'x-svc-api-key',
  'x-api-key',
  'x-goog-api-key',
  'content-length',
  'idempotency-key',
]);

/** A request that remembers which of its headers are read. */
export interface RecordedRequest extends RoutedRequest {
  readonly request: Omit<IncomingRequest, 'headers'> & { readonly headers: ReadHeaders };
}

/** The request as `respondOnce` needs it, before any of its headers is read. */
export function recordReads(routed: RoutedRequest): RecordedRequest {
  const { request } = routed;
  const { method, url } = request;
  return {
    ...routed,
    request: { method, url, headers: new ReadHeaders(request.headers), bytes: () => request.bytes() },
  };
}

/** What may change the response to a request, besides its body. */
function aroundBody({ request: { method, url, headers } }: RecordedRequest): string {
  const { pathname, search } = new URL(url);
  const read = headers.read.filter(([name]) => !HARMLESS_HEADERS.has(name));
  // Clients choose a new boundary for each attempt to send a form.
  const counted = read.map(([name, value]) => [name, name === 'content-type' ? value.split(';')[0] : value]);
  return JSON.stringify([method, pathname, search, counted]);
}

export interface IdempotentRouteDeps extends PipelineRouteDeps {
  readonly idempotentResponses: IdempotentResponses;
  /** Called for a response that was sent and could not be stored. */
  readonly onResponseLost: (request: RequestRef, error: unknown) => void;
}

/** A response, and how its request ended. */
export interface EndedResponse {
  readonly response: OutgoingResponse<string>;
  /** It was served, or blocked: a repetition gets the same response. */
  readonly isFinal: boolean;
}

/**
 * Runs requests with the same `Idempotency-Key` once: the first calls `run`, later ones get the stored response. Responses that were served
 * or blocked are stored; after any other end the next request runs. Without the header `run` is called.
 */
export async function respondOnce(
  routed: RecordedRequest,
  { running, document }: OpenRequest,
  deps: IdempotentRouteDeps,
  run: () => Promise<EndedResponse>,
): Promise<OutgoingResponse<string>> {
  let turn: Turn | StoredResponse | undefined;
  try {
    turn = await beginTurn(routed, running.context, document, deps);
  } catch (thrown) {
    return errorResponseTo(running, failRequest(running, thrown, deps), deps);
  }
  if (turn === undefined) return (await run()).response;
  if ('body' in turn) return replay(turn, running, deps);
  return runAndKeep(turn, running, deps, run);
}

async function beginTurn(
  routed: RecordedRequest,
  { key, route, tracking, sealerFor }: RequestContext,
  document: RequestDocument,
  { idempotentResponses }: IdempotentRouteDeps,
): Promise<Turn | StoredResponse | undefined> {
  const idempotencyKey = readNameHeader(routed.request.headers, 'Idempotency-Key');
  if (idempotencyKey === null) return undefined;
  if (sealerFor === undefined) throw new GatewayError('internal_error', 'An internal error occurred.');
  return idempotentResponses.begin({
    keyId: key.id,
    route,
    sealerFor,
    idempotencyKey,
    body: identityOf(document),
    around: aroundBody(routed),
    endUserId: tracking.endUserId ?? (key.identity === undefined ? null : key.id),
    rules: JSON.stringify([key.policy, key.allowedModels, ...(key.team?.allowedModels ?? [])]),
  });
}

async function replay(
  { status, headers, body }: StoredResponse,
  running: RunningRequest,
  deps: IdempotentRouteDeps,
): Promise<OutgoingResponse<string>> {
  running.outcome.endsAs('completed');
  running.outcome.note('response repeated by its Idempotency-Key');
  const fresh = { ...(await missingLimitHeaders(running, undefined, deps)), ...securityHeaders(running) };
  storeRecord(running, deps);
  return { status, headers: { ...fresh, ...headers, 'x-svc-idempotent-replay': 'true' }, body };
}

async function runAndKeep(
  turn: Turn,
  { context, lifetime }: RunningRequest,
  deps: IdempotentRouteDeps,
  run: () => Promise<EndedResponse>,
): Promise<OutgoingResponse<string>> {
  let ended = false;
  try {
    const { response, isFinal } = await run();
    if (!isFinal || lifetime.stopped !== undefined) return response;
    ended = true;
    const { status, headers, body } = response;
    // A response that cannot be stored is still sent; its key stays locked until the lock expires.
    await turn.keep({ status, headers: stored(headers), body }).catch((error) => {
      deps.onResponseLost(refOf(context), error);
    });
    return response;
  } finally {
    if (!ended) await turn.release().catch(() => {});
  }
}

function stored(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => STORED_HEADERS.includes(name)));
}
