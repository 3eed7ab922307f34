import { GatewayError } from '../core/base/errors.ts';
import { identityOf, type RequestDocument } from '../core/base/request-document.ts';
import type { RequestRef } from '../core/base/request-trace.ts';
import type { OutgoingResponse } from '../core/http/responses.ts';
import type { RoutedRequest } from '../core/http/router.ts';
import type { IdempotentAnswers, KeptAnswer, Turn } from '../core/idempotency/idempotent-answers.ts';
import { presentedKey } from '../core/keys/authenticate.ts';
import { failRequest, storeRecord } from '../core/pipeline/finish-request.ts';
import { type RequestContext, readNameHeader, refOf } from '../core/pipeline/request-context.ts';
import {
  errorResponseTo,
  missingLimitHeaders,
  type OpenRequest,
  type PipelineRouteDeps,
  securityHeaders,
} from './open-request.ts';

/** Headers that tell of the answer; all others tell of the request that it was given to. */
const KEPT_HEADERS = [
  'content-type',
  'cache-control',
  'x-svc-threat-score',
  'x-svc-action',
  'x-svc-threats',
  'x-svc-session-id',
  'x-svc-route',
  'x-should-retry',
];

export interface AnswerOnceDeps extends PipelineRouteDeps {
  readonly idempotentAnswers: IdempotentAnswers;
  /** Told of an answer that left and could not be kept. */
  readonly onAnswerLost: (request: RequestRef, error: unknown) => void;
}

/**
 * Answers a request that carries an `Idempotency-Key` once: `run` is called for the first of its name, the same again gets
 * what that was answered with. Kept is what was served or blocked; after anything else a repetition runs. Without the header
 * it is `run` alone.
 */
export async function answerOnce(
  { request }: RoutedRequest,
  { context, document }: OpenRequest,
  deps: AnswerOnceDeps,
  run: () => Promise<OutgoingResponse<string>>,
): Promise<OutgoingResponse<string>> {
  let turn: Turn | KeptAnswer | undefined;
  try {
    turn = await beginTurn(request, context, document, deps);
  } catch (thrown) {
    return errorResponseTo(context, failRequest(context, thrown, deps), deps);
  }
  if (turn === undefined) return run();
  if ('body' in turn) return replay(turn, context, deps);
  return runAndKeep(turn, context, deps, run);
}

async function beginTurn(
  { headers }: RoutedRequest['request'],
  { key, route, tracking }: RequestContext,
  document: RequestDocument,
  { idempotentAnswers }: AnswerOnceDeps,
): Promise<Turn | KeptAnswer | undefined> {
  const idempotencyKey = readNameHeader(headers, 'Idempotency-Key');
  if (idempotencyKey === null) return undefined;
  const secret = presentedKey(headers);
  if (secret === undefined) throw new GatewayError('internal_error', 'An internal error occurred.');
  return idempotentAnswers.begin({
    keyId: key.id,
    route,
    secret,
    idempotencyKey,
    body: identityOf(document),
    endUserId: tracking.endUserId,
    rules: JSON.stringify([key.policy, key.allowedModels]),
  });
}

async function replay(
  { status, headers, body }: KeptAnswer,
  context: RequestContext,
  deps: AnswerOnceDeps,
): Promise<OutgoingResponse<string>> {
  context.record.ended('completed');
  context.record.note('answered again, by its Idempotency-Key');
  const fresh = { ...(await missingLimitHeaders(context, undefined, deps)), ...securityHeaders(context) };
  storeRecord(context, deps);
  return { status, headers: { ...fresh, ...headers, 'x-svc-idempotent-replay': 'true' }, body };
}

async function runAndKeep(
  turn: Turn,
  context: RequestContext,
  deps: AnswerOnceDeps,
  run: () => Promise<OutgoingResponse<string>>,
): Promise<OutgoingResponse<string>> {
  let ended = false;
  try {
    const response = await run();
    const { outcome } = context.record.known;
    const isServed = outcome === 'completed' || outcome === 'blocked';
    if (!isServed || context.lifetime.stopped !== undefined) return response;
    ended = true;
    const { status, headers, body } = response;
    // The answer stands where it cannot be kept; the name stays taken until its lock runs out.
    await turn.keep({ status, headers: kept(headers), body }).catch((error) => {
      deps.onAnswerLost(refOf(context), error);
    });
    return response;
  } finally {
    if (!ended) await turn.release().catch(() => {});
  }
}

function kept(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => KEPT_HEADERS.includes(name)));
}
