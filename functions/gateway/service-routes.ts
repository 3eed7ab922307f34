import { type Authenticator, authenticate, authorize } from '../control/keys/index.ts';
import { GatewayError } from '../kernel/errors/index.ts';
import { jsonResponse, type OutgoingResponse, type RoutedRequest } from '../kernel/http/index.ts';
import { type IdentityDocument, mcpMetadata } from '../kernel/identity/index.ts';
import type { ApiKey } from '../kernel/model/index.ts';
import type { Clock } from '../kernel/tasks/index.ts';
import type { RequestCancellation, RunningStreams } from '../pipeline/index.ts';
import type { errorShapeOf, ModelList } from '../translation/index.ts';
import type { PipelineRouteDeps } from './open-request.ts';

type ApiName = Exclude<Parameters<typeof errorShapeOf>[0], 'bedrock'>;

type Handler = (routed: RoutedRequest) => Promise<OutgoingResponse>;

export interface ServiceRoutesDeps {
  readonly version: string;
  /** A check for each store, by name: rejects while the store is unavailable. */
  readonly storeChecks: Readonly<Record<string, () => Promise<unknown>>>;
  /** Helper processes of the local run. */
  readonly processStates?: (() => Readonly<Record<string, 'ok' | 'unavailable'>>) | undefined;
  readonly clock: Clock;
  /** The issuers in force. */
  readonly identity: { settings(): Promise<IdentityDocument> };
  readonly authenticator: Authenticator;
  readonly runningStreams: RunningStreams;
}

/** `GET /healthz`: the process responds; the stores are not checked. */
export function getHealth({ version }: Pick<ServiceRoutesDeps, 'version'>): Handler {
  return async () => jsonResponse(200, { status: 'ok', version });
}

/** The route is open to anyone, so the stores are checked at most once in this time. */
const FRESH_MS = 1_000;

/**
 * `GET /readyz`: 200 if every store responds and every helper process runs, 503 with the names of those that do not. Stores are as of the
 * last second.
 */
export function getReadiness({
  storeChecks,
  processStates,
  clock,
}: Pick<ServiceRoutesDeps, 'storeChecks' | 'processStates' | 'clock'>): Handler {
  let seen: { readonly at: number; readonly states: ReturnType<typeof statesOf> } | undefined;
  return async () => {
    const now = clock.monotonic();
    if (seen === undefined || now - seen.at >= FRESH_MS) seen = { at: now, states: statesOf(storeChecks) };
    const stores = await seen.states;
    const processes = processStates?.();
    const ready = Object.values({ ...stores, ...processes }).every((state) => state === 'ok');
    const body = { status: ready ? 'ok' : 'unavailable', stores, ...(processes !== undefined && { processes }) };
    return jsonResponse(ready ? 200 : 503, body);
  };
}

async function statesOf(checks: ServiceRoutesDeps['storeChecks']) {
  const states = Object.entries(checks).map(async ([store, check]) => {
    const state = await check().then(
      () => 'ok' as const,
      () => 'unavailable' as const,
    );
    return [store, state] as const;
  });
  return Object.fromEntries(await Promise.all(states));
}

/** `GET /openapi.json`: the document that `npm run generate openapi` creates from the schemas; loaded at its first request. */
export function getOpenapi(): Handler {
  return async () => {
    const { default: document } = await import('./openapi.generated.json', { with: { type: 'json' } });
    return jsonResponse(200, document);
  };
}

/**
 * `GET /v1/sign-in`: where people get a token in a terminal. It is open to anyone, so it has the issuers and public clients only, and no
 * audience, rule or issuer of machines.
 */
export function getSignIn({ identity }: Pick<ServiceRoutesDeps, 'identity'>): Handler {
  return async () => {
    const { issuers } = await identity.settings();
    const shown = issuers.flatMap(({ issuer, signIn }) => (signIn === undefined ? [] : [{ issuer, ...signIn }]));
    return jsonResponse(200, { object: 'sign_in', issuers: shown }, { 'cache-control': 'public, max-age=60' });
  };
}

/**
 * `GET /.well-known/oauth-protected-resource/v1/mcp/{server}`, and without a server for all: where clients get tokens for it. It is open to anyone, so it names
 * only issuers with an address of MCP servers as audience, and does not say which servers there are.
 */
export function getMcpMetadata({ identity }: Pick<ServiceRoutesDeps, 'identity'>): Handler {
  return async ({ params: { server } }) => {
    const { issuers } = await identity.settings();
    const metadata = mcpMetadata(server, issuers);
    if (metadata === undefined)
      throw new GatewayError('not_found', 'No issuer of tokens has the address of this MCP server as an audience.');
    return jsonResponse(200, metadata, { 'cache-control': 'public, max-age=60', 'access-control-allow-origin': '*' });
  };
}

const REQUEST_ID = /^req_[0-9a-f]{32}$/;
const NEVER_ABORTED = new AbortController().signal;

/**
 * `POST /v1/requests/{id}/cancel`: ends a running stream of the same key. Counts toward no limit: a client that has used up its limits must
 * still be able to end a stream. Returns the same 404 for a stream that has ended, never existed, or belongs to another key.
 */
export function cancelRequest({
  authenticator,
  runningStreams,
}: Pick<ServiceRoutesDeps, 'authenticator' | 'runningStreams'>): Handler {
  return async ({ request, context, params: { id = '' } }) => {
    const key = await anyKey({ request, context }, { authenticator });
    const stream = { keyId: key.id, requestId: id };
    const ended = REQUEST_ID.test(id) && (await runningStreams.cancel(stream, context.signal ?? NEVER_ABORTED));
    if (!ended) throw new GatewayError('not_found', 'This API key has no running stream with this id.');
    const cancellation: RequestCancellation = { id, object: 'request.cancellation', status: 'cancelled' };
    return jsonResponse(200, cancellation);
  };
}

export interface ModelRoutesDeps extends Pick<PipelineRouteDeps, 'authenticator'> {
  readonly modelList: ModelList;
}

/** `GET /v1/models`: the models that the key may use, as the API shows them. Any valid key may call it, and it counts toward no limit. */
export function listModels(api: ApiName): (deps: ModelRoutesDeps) => Handler {
  return (deps) => async (routed) => {
    const key = await anyKey(routed, deps);
    return jsonResponse(200, await deps.modelList.list(key, api, new URL(routed.request.url).searchParams));
  };
}

/** `GET /v1/models/{id}`, or `/v1/models/{provider}/{id}` if the slash of `provider/model` is not escaped. */
export function getModel(api: ApiName): (deps: ModelRoutesDeps) => Handler {
  return (deps) => async (routed) => {
    const { provider, id = '' } = routed.params;
    const key = await anyKey(routed, deps);
    return jsonResponse(200, await deps.modelList.get(key, api, provider === undefined ? id : `${provider}/${id}`));
  };
}

async function anyKey(
  { request, context }: Pick<RoutedRequest, 'request' | 'context'>,
  { authenticator }: Pick<ModelRoutesDeps, 'authenticator'>,
): Promise<ApiKey> {
  const key = await authenticate(request.headers, context.clientAddress, authenticator);
  authorize(key, undefined, context.clientAddress);
  return key;
}
