import { authenticate, authorize } from '../control/keys/index.ts';
import { limitExceeded, limitsOf, NO_NEED } from '../control/limits/index.ts';
import { GatewayError, toGatewayError } from '../kernel/errors/index.ts';
import { jsonResponse, type OutgoingResponse, type RoutedRequest } from '../kernel/http/index.ts';
import type { ApiKey } from '../kernel/model/index.ts';
import { inParallel } from '../kernel/tasks/index.ts';
import {
  type BatchDeps,
  type BatchState,
  batchResults,
  batchState,
  cancelBatch,
  createBatch,
  deleteBatch,
  failRequest,
  findBatch,
  hasEnded,
  type MediaPiece,
  stopFailure,
} from '../pipeline/index.ts';
import { loadApi, type Protocol } from '../translation/index.ts';
import { recordReads, respondOnce } from './idempotent-response.ts';
import { MediaStream } from './media-stream.ts';
import { errorResponseTo, type OpenRequest, openRequest, type RouteOptions, securityHeaders } from './open-request.ts';
import { becomesStream, beginWhole, type GenerationRouteDeps, keepInBounds } from './pipeline-routes.ts';

export interface BatchRouteDeps extends GenerationRouteDeps, BatchDeps {}

export const BATCHES_PATH = '/v1/messages/batches';
export const RESULTS_PATH = `${BATCHES_PATH}/{id}/results`;
/** Each batch of a list is asked for at its provider. */
export const MAX_LISTED = 100;
const ASKED_AT_ONCE = 8;
const NEVER_ABORTED = new AbortController().signal;
/** Results as Anthropic writes them. */
const MEDIA_TYPE = 'application/x-jsonl';

type Handler = (routed: RoutedRequest) => Promise<OutgoingResponse>;
/** How the operation writes errors. */
type Format = Pick<RouteOptions, 'errorShape'>;

/** `POST /v1/messages/batches` */
export function createMessageBatch({ errorShape }: Format): (deps: BatchRouteDeps) => Handler {
  return (deps) => async (received) => {
    const routed = recordReads(received);
    const options = { path: BATCHES_PATH, permission: 'batches', errorShape } as const;
    const opened = await openRequest(routed, options, deps);
    if ('status' in opened) return opened;
    const { running, document } = opened;
    const refused = await lackingMessages(opened, routed, deps);
    if (refused !== undefined) return refused;
    const protocol = await messagesProtocol(routed);
    return respondOnce(routed, opened, deps, async () => {
      keepInBounds(opened, routed, deps);
      const begun = beginWhole(running.lifetime, routed, deps);
      try {
        const state = await createBatch(running, document, protocol, deps);
        begun();
        return { response: jsonResponse(200, shown(state, deps), securityHeaders(running)), isFinal: true };
      } catch (thrown) {
        return { response: await errorResponseTo(running, toGatewayError(thrown), deps), isFinal: false };
      }
    });
  };
}

/** `GET /v1/messages/batches/{id}/results` */
export function readBatchResults({ errorShape }: Format): (deps: BatchRouteDeps) => Handler {
  return (deps) => async (routed) => {
    const options = { path: RESULTS_PATH, permission: 'batches', errorShape, body: 'none' } as const;
    const opened = await openRequest(routed, options, deps);
    if ('status' in opened) return opened;
    const { running } = opened;
    const refused = await lackingMessages(opened, routed, deps);
    if (refused !== undefined) return refused;
    const protocol = await messagesProtocol(routed);
    keepInBounds(opened, routed, deps);
    const begun = beginWhole(running.lifetime, routed, deps);
    let source: AsyncGenerator<MediaPiece, void>;
    let first: MediaPiece;
    try {
      const batch = await findBatch(running.context, routed.params.id ?? '', deps).catch((thrown) => {
        throw failRequest(running, thrown, deps);
      });
      source = inPieces(batchResults(running, batch, protocol, deps));
      const { value } = await source.next();
      begun();
      if (value === undefined) throw new GatewayError('internal_error', 'An internal error occurred.');
      first = value;
    } catch (thrown) {
      return errorResponseTo(running, toGatewayError(thrown), deps);
    }
    const onCancel = becomesStream(running, source, deps);
    const body = new MediaStream(first, source, { cutShort: () => stopFailure(running.lifetime), onCancel });
    const headers = { 'content-type': MEDIA_TYPE, 'cache-control': 'no-store', ...securityHeaders(running) };
    return { status: 200, headers, body };
  };
}

async function* inPieces(lines: AsyncGenerator<string, void>): AsyncGenerator<MediaPiece, void> {
  for await (const line of lines) yield { bytes: Buffer.from(line), mediaType: MEDIA_TYPE };
}

/** `GET /v1/messages/batches/{id}` */
export function getMessageBatch(deps: BatchRouteDeps): Handler {
  return (routed) =>
    admitted(routed, deps, async (key) => {
      const batch = await findBatch({ key }, routed.params.id ?? '', deps);
      return shown(await batchState({ key }, batch, signalOf(routed), deps), deps);
    });
}

/** `GET /v1/messages/batches` */
export function listMessageBatches(deps: BatchRouteDeps): Handler {
  return (routed) =>
    admitted(routed, deps, async (key) => {
      const query = new URL(routed.request.url).searchParams;
      const [after, before] = [query.get('after_id') ?? undefined, query.get('before_id') ?? undefined];
      const from = { ...(after !== undefined && { after }), ...(before !== undefined && { before }) };
      const { batches, hasMore } = await deps.batches.list(key.id, readLimit(query.get('limit')), from);
      const data: object[] = [];
      await inParallel([...batches.entries()], ASKED_AT_ONCE, async ([at, batch]) => {
        data[at] = shown(await batchState({ key }, batch, signalOf(routed), deps).catch(unlessGone(batch)), deps);
      });
      return { data, has_more: hasMore, first_id: batches[0]?.id ?? null, last_id: batches.at(-1)?.id ?? null };
    });
}

/** A batch that its provider does not know any more has ended. */
function unlessGone(batch: BatchState['batch']): (thrown: unknown) => BatchState {
  return (thrown) => {
    if (toGatewayError(thrown).code !== 'not_found') throw thrown;
    return { batch, atProvider: undefined };
  };
}

/** `POST /v1/messages/batches/{id}/cancel` */
export function cancelMessageBatch(deps: BatchRouteDeps): Handler {
  return (routed) =>
    admitted(routed, deps, async (key) => {
      const batch = await findBatch({ key }, routed.params.id ?? '', deps);
      return shown(await cancelBatch({ key }, batch, signalOf(routed), deps), deps);
    });
}

/** `DELETE /v1/messages/batches/{id}` */
export function deleteMessageBatch(deps: BatchRouteDeps): Handler {
  return (routed) =>
    admitted(routed, deps, async (key) => {
      const batch = await findBatch({ key }, routed.params.id ?? '', deps);
      await deleteBatch({ key }, batch, signalOf(routed), deps);
      return { id: batch.id, type: 'message_batch_deleted' };
    });
}

/** Each call counts as a request of the key: it may call a provider. */
async function admitted(
  { request, context }: RoutedRequest,
  deps: BatchRouteDeps,
  respond: (key: ApiKey) => Promise<object>,
): Promise<OutgoingResponse> {
  const key = await authenticate(request.headers, context.clientAddress, deps.authenticator);
  authorize(key, 'batches', context.clientAddress);
  const verdict = await deps.limiter.admit(key.id, limitsOf(key), NO_NEED, []);
  if (!verdict.admitted) throw limitExceeded(key, verdict);
  try {
    return jsonResponse(200, await respond(key));
  } finally {
    if (verdict.reservation !== undefined) deps.backgroundTasks.add(verdict.reservation.settle(NO_NEED));
  }
}

/** The lines of a batch are messages. @returns the error of a key that may not send them */
async function lackingMessages(
  { running }: OpenRequest,
  { context }: RoutedRequest,
  deps: BatchRouteDeps,
): Promise<OutgoingResponse | undefined> {
  try {
    authorize(running.context.key, 'chat_completions', context.clientAddress);
    return undefined;
  } catch (thrown) {
    return errorResponseTo(running, failRequest(running, thrown, deps), deps);
  }
}

async function messagesProtocol(routed: RoutedRequest): Promise<Protocol<unknown>> {
  const api = await loadApi('anthropic-messages');
  return api(routed) as Protocol<unknown>;
}

function signalOf({ context: { signal } }: RoutedRequest): AbortSignal {
  return signal ?? NEVER_ABORTED;
}

const DEFAULT_LISTED = 20;
const MOST_ASKED = 1_000;

/** As in Anthropic's API, but a page is shorter. @throws GatewayError `invalid_value` */
function readLimit(asked: string | null): number {
  if (asked === null) return DEFAULT_LISTED;
  const limit = /^\d{1,4}$/.test(asked) ? Number(asked) : 0;
  if (limit >= 1 && limit <= MOST_ASKED) return Math.min(limit, MAX_LISTED);
  throw new GatewayError('invalid_value', "'limit' must be a number from 1 to 1000.", { param: 'limit' });
}

/**
 * A batch in Anthropic's form, with our id and the lines that were never sent. The address of its results is a path, which Anthropic's SDKs
 * add to theirs: what a `Host` header names would get the key.
 */
function shown(state: BatchState, { clock }: Pick<BatchRouteDeps, 'clock'>): object {
  const { batch, atProvider } = state;
  const { sent, failed, answered } = batch.lines;
  const ended = hasEnded(state, clock.now());
  const none = { processing: 0, succeeded: 0, errored: 0, canceled: 0, expired: 0 };
  const unknown = ended ? { ...none, errored: sent } : { ...none, processing: sent };
  const counts = atProvider?.counts ?? unknown;
  const ours = ended
    ? { succeeded: counts.succeeded + answered, errored: counts.errored + failed }
    : { processing: counts.processing + answered + failed };
  const createdAt = new Date(batch.createdAt).toISOString();
  return {
    id: batch.id,
    type: 'message_batch',
    processing_status: ended ? 'ended' : (atProvider?.status ?? 'in_progress'),
    request_counts: { ...counts, ...ours },
    created_at: createdAt,
    expires_at: atProvider?.expiresAt ?? new Date(batch.createdAt + EXPIRES_MS).toISOString(),
    ended_at: ended ? (atProvider?.endedAt ?? createdAt) : null,
    archived_at: null,
    cancel_initiated_at: atProvider?.cancelledAt ?? null,
    results_url: ended ? RESULTS_PATH.replace('{id}', batch.id) : null,
  };
}

const EXPIRES_MS = 24 * 60 * 60_000;
