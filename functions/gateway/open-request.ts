import type { DocumentVersion, LiveDocument } from '../control/documents/index.ts';
import {
  type Authenticator,
  authenticate,
  authorize,
  isApiKeyForm,
  isStillAuthorized,
  presentedKey,
  reauthorize,
} from '../control/keys/index.ts';
import { limitExceeded, limitHeaders, limitsOf, sharedLimitsOf } from '../control/limits/index.ts';
import { type LiveOverride, observedPolicy } from '../control/override/index.ts';
import { withEffectivePolicy } from '../control/policy/index.ts';
import { takesSession, withCandidate } from '../control/rollout/index.ts';
import { ResponseSealer, type SealerFor } from '../kernel/crypto/index.ts';
import { GatewayError, toGatewayError } from '../kernel/errors/index.ts';
import {
  declaresForm,
  type ErrorShape,
  errorResponse,
  type OutgoingResponse,
  type RequestHeaders,
  type RoutedRequest,
  readFormBody,
  readJsonBody,
} from '../kernel/http/index.ts';
import { type RequestDocument, readJsonDocument } from '../kernel/json/index.ts';
import type { ApiKey, DeploymentPolicy, Permission, Warning } from '../kernel/model/index.ts';
import { runInSlices, type Steps } from '../kernel/tasks/index.ts';
import {
  createRequestContext,
  failRequest,
  type PipelineDeps,
  type RunningRequest,
  readCacheSeconds,
  readStrictTranslation,
  readTracking,
  sessionIdOf,
  startRequest,
} from '../pipeline/index.ts';
import type { ModelCatalog, OpenedRequest } from '../translation/index.ts';
import type { ArrivingBodies } from './arriving-bodies.ts';

export interface PipelineRouteDeps extends PipelineDeps {
  readonly authenticator: Authenticator;
  readonly defaultPolicy: Pick<LiveDocument<DeploymentPolicy>, 'current'>;
  readonly override: Pick<LiveOverride, 'current'>;
  /** Prices and limits of the providers' models that are in force. Throws StoreUnavailable if they were never read. */
  readonly models: () => Promise<ModelCatalog>;
  readonly arriving: ArrivingBodies;
}

export interface RouteOptions {
  readonly path: string;
  /** The permission that a key needs; undefined: any valid key. */
  readonly permission: Permission | undefined;
  /** The error format; OpenAI's by default. */
  readonly errorShape?: ErrorShape | undefined;
  /**
   * The body is a form with a file, or either, or ignored: the request is its path and query; or JSON that may be declared as bytes. JSON by
   * default.
   */
  readonly body?: 'form' | 'form or JSON' | 'none' | 'JSON or bytes' | undefined;
}

/** Reads a body of another API as one of the protocol. */
export type OpenBody = (document: RequestDocument) => Steps<Pick<OpenedRequest, 'document' | 'dropped'>>;

/** An authenticated request with its parsed body. */
export interface OpenRequest {
  readonly running: RunningRequest;
  readonly document: RequestDocument;
  /** Whether the request would still be let in. @throws StoreUnavailable */
  readonly isStillAuthorized: () => Promise<boolean>;
}

/**
 * Opens every request: key, permission, address, tracking headers, body. Returns the error response if one of them fails. @throws
 * GatewayError `invalid_api_key`: a request without a valid key leaves no record; StoreUnavailable
 */
export async function openRequest(
  routed: RoutedRequest,
  { path, permission, errorShape, body }: RouteOptions,
  deps: PipelineRouteDeps,
  openBody?: OpenBody,
): Promise<OpenRequest | OutgoingResponse> {
  const { request, context, requestId, startedAt, trace, recorded } = routed;
  const documents = Promise.all([deps.defaultPolicy.current(), deps.override.current(), deps.models()]);
  // Awaited below, if the key is valid.
  documents.catch(() => {});
  deps.router.prepare();
  deps.breaker.prepare();
  const known = await authenticate(request.headers, context.clientAddress, deps.authenticator);
  const [policy, override, models] = await documents;
  const isObserved = override?.mode === 'observe';
  const rollout = isObserved ? undefined : rolloutOf(known, policy, sessionNameIn(request.headers) ?? requestId);
  const key = keyUnder(known, policy.settings, { isObserved, isCandidate: rollout !== undefined });
  const { tagBudgets } = rollout === undefined ? policy.settings : rollout.policy;
  const sharedLimits = sharedLimitsOf(key, tagBudgets);
  const { clock } = deps;
  const created = createRequestContext({
    ...{ requestId, route: path, key, clock, startedAt, errorShape, trace, sharedLimits, isObserved, models },
    rollout: rollout && policy.version,
  });
  let running = startRequest(created, clock, startedAt);
  if (isObserved) running.outcome.warningsOfRequest = [OBSERVED];
  recorded();
  try {
    authorize(key, permission, context.clientAddress);
    if (override?.mode === 'refuse') throw refusedByOverride();
    const { warnings, ...tracking } = readTracking(request.headers, key.tags);
    running.outcome.warningsOfRequest = [...running.outcome.warningsOfRequest, ...warnings];
    const asked = {
      tracking,
      sealerFor: await sealerOf(request.headers, known, deps),
      cacheSeconds: readCacheSeconds(request.headers),
      strictTranslation: readStrictTranslation(request.headers),
    };
    running = { ...running, context: { ...created, ...asked } };
    const presented = [request.headers, permission, context.clientAddress, deps.authenticator] as const;
    // Kept in a function, as in `sealerOf`.
    const checked = { running, isStillAuthorized: () => isStillAuthorized(...presented) };
    if (body === 'none') return { ...checked, document: readQuery(routed) };
    const document = await readBody(routed, running, body, deps);
    // A slow body would keep a revoked key in use.
    await reauthorize(...presented);
    if (openBody === undefined) return { ...checked, document };
    const { document: opened, dropped } = await runInSlices(openBody(document), deps.scheduler);
    running.outcome.warningsOfRequest = [...running.outcome.warningsOfRequest, ...warningsOf(dropped, asked)];
    return { ...checked, document: opened };
  } catch (thrown) {
    if (toGatewayError(thrown).code === 'request_cancelled') running.lifetime.stop('cancelled');
    return errorResponseTo(running, failRequest(running, thrown, deps), deps);
  }
}

/** @throws GatewayError `invalid_value` if the translation is strict */
function warningsOf(
  dropped: OpenedRequest['dropped'],
  { strictTranslation }: { readonly strictTranslation: boolean },
): Warning[] {
  return dropped.slice(0, MAX_WARNINGS).map(({ field, reason }) => {
    const message = `No provider gets \`${field}\`: ${reason}.`;
    if (!strictTranslation) return { code: 'field_dropped', field, message };
    throw new GatewayError('invalid_value', `${message} The header X-Svc-Translation is strict.`, { param: field });
  });
}

const MAX_WARNINGS = 50;

const OBSERVED: Warning = {
  code: 'policy_observed',
  field: '',
  message: 'An administrator has reduced every action of the security policy to flag for some time.',
};
/** An override may end at any moment, and most last longer than a client waits. */
const RETRY_REFUSED_S = 30;

function refusedByOverride(): GatewayError {
  return new GatewayError('unavailable', 'An administrator has stopped all requests for some time. Try again later.', {
    headers: { 'retry-after': String(RETRY_REFUSED_S) },
    internal: 'refused by an override',
  });
}

/** What the caller names as session, or as end user, whose requests share one, or as the same request again; not checked yet. */
function sessionNameIn(headers: RequestHeaders): string | undefined {
  const names = ['X-Session-ID', 'X-End-User-ID', 'X-User-ID', 'Idempotency-Key'];
  return names.map((name) => headers.get(name)).find((value) => value) ?? undefined;
}

/** The roll-out that takes the request; undefined if the policy in force decides. */
function rolloutOf(key: ApiKey, { settings: { rollout } }: DocumentVersion<DeploymentPolicy>, session: string) {
  return rollout !== undefined && takesSession(rollout, key, session) ? rollout : undefined;
}

function keyUnder(
  key: ApiKey,
  document: DeploymentPolicy,
  { isObserved, isCandidate }: { readonly isObserved: boolean; readonly isCandidate: boolean },
): ApiKey {
  if (isCandidate) return withCandidate(key, document);
  const effective = withEffectivePolicy(key, document);
  return isObserved ? { ...effective, policy: observedPolicy(effective.policy) } : effective;
}

/** @throws GatewayError `rate_limit_exceeded` if too many bodies of the key arrive */
async function readBody(
  { request }: RoutedRequest,
  { context: { key }, outcome }: RunningRequest,
  body: RouteOptions['body'],
  { arriving, limiter, maxBodyBytes, scheduler }: PipelineRouteDeps,
): Promise<RequestDocument> {
  const refusal = arriving.refusalOf(key);
  if (refusal !== undefined) {
    const verdict = { admitted: false, refusal, states: await limiter.peek(key.id, limitsOf(key)) } as const;
    outcome.admission = { verdict };
    throw limitExceeded(key, verdict);
  }
  const isForm = body === 'form' || (body === 'form or JSON' && declaresForm(request.headers));
  return arriving.during<RequestDocument>(key, () =>
    isForm
      ? readFormBody(request, maxBodyBytes)
      : readJsonBody(request, maxBodyBytes, scheduler, body === 'JSON or bytes'),
  );
}

/**
 * Kept in a function, so that the secret is no member of the context. An identity has a new token every hour: its hash, which is stored
 * nowhere, stays the same. People may have chosen an imported secret: its guesses cannot be tested without the pepper.
 */
async function sealerOf(
  headers: RequestHeaders,
  { identity, secretHash }: ApiKey,
  { digestKeys }: Pick<PipelineRouteDeps, 'digestKeys'>,
): Promise<SealerFor | undefined> {
  const presented = identity === undefined ? presentedKey(headers) : secretHash;
  if (presented === undefined) return undefined;
  const isImported = identity === undefined && !isApiKeyForm(presented);
  const [secret] = isImported ? await digestKeys.hashes(`svc sealer ${presented}`) : [presented];
  return secret === undefined ? undefined : (name, salt) => new ResponseSealer(secret, name, salt);
}

/** The path parameters and the query in the form of a body: `{"id": "resp_1", "query": [["stream", "true"]]}`. */
function readQuery({ request, params }: RoutedRequest): RequestDocument {
  return readJsonDocument(JSON.stringify({ ...params, query: [...new URL(request.url).searchParams] }));
}

/** An error response to an authenticated caller, with the headers of any other response. */
export async function errorResponseTo(
  running: RunningRequest,
  error: GatewayError,
  deps: Pick<PipelineDeps, 'limiter'>,
): Promise<OutgoingResponse<string>> {
  const { context } = running;
  const headers = {
    'x-request-id': context.requestId,
    ...(await missingLimitHeaders(running, error, deps)),
    ...securityHeaders(running),
  };
  return errorResponse(error, context.requestId, headers, context.errorShape);
}

/** The rate limit headers of a response before admission. */
export async function missingLimitHeaders(
  { context: { key }, outcome }: RunningRequest,
  error: GatewayError | undefined,
  { limiter }: Pick<PipelineDeps, 'limiter'>,
): Promise<Record<string, string>> {
  const isKnown = outcome.limitStates !== undefined || 'x-ratelimit-limit-requests' in (error?.headers ?? {});
  // While the stores are unavailable, reading them would only delay the response.
  if (isKnown || error?.code === 'unavailable') return {};
  const seen = await limiter.peek(key.id, limitsOf(key)).catch(() => undefined);
  return seen === undefined ? {} : limitHeaders(key, seen);
}

/** The documented `X-Svc-*` headers: what is known when the status is sent. */
export function securityHeaders({ context, outcome }: RunningRequest): Record<string, string> {
  const { limitStates, calls, times, warnings } = outcome;
  const { triedRoute, lastHead: upstream } = calls;
  const sessionId = sessionIdOf(context, outcome);
  return {
    'x-svc-threat-score': String(outcome.inspection.findings.threatScore),
    'x-svc-processing-time': String(times.ownMs),
    'server-timing': times.serverTiming,
    ...(sessionId !== null && { 'x-svc-session-id': sessionId }),
    ...(limitStates && limitHeaders(context.key, limitStates)),
    ...(context.cacheSeconds !== undefined && { 'x-svc-cache-status': outcome.cache ?? 'bypass' }),
    ...(warnings.length > 0 && { 'x-svc-warnings': String(warnings.length) }),
    ...(triedRoute && { 'x-svc-route': triedRoute.map(toHeaderValue).join(', ') }),
    ...(upstream?.requestId != null && { 'x-svc-upstream-request-id': upstream.requestId }),
    ...upstream?.rateLimits,
  };
}

/** Header values must be visible ASCII; a model name comes from the caller. */
function toHeaderValue(step: string): string {
  return step.replace(/[^\x21-\x7e]/g, '?').replaceAll(',', '?');
}
