import { randomHex } from '../base/crypto.ts';
import { GatewayError, toGatewayError } from '../base/errors.ts';
import type { RequestHeaders } from '../base/request-headers.ts';
import { beginTrace, type RequestRef, type RequestTrace } from '../base/request-trace.ts';
import { type ErrorShape, errorResponse, type OutgoingResponse } from './responses.ts';

/** What the core reads of a web `Request`; an entry may hand over a lighter object than the platform's own. */
export interface IncomingRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: RequestHeaders;
  /** The whole body. Throws GatewayError `request_too_large` where the entry bounds it as it comes in. */
  bytes(): Promise<Uint8Array>;
}

/** What the entry knows of a request besides the request itself. */
export interface RequestContext {
  /** As the platform reports it; never from a header that a caller could write. */
  readonly clientAddress: string;
  /** Why the entry lets the request ask for nothing but what is `open`, where it does. */
  readonly refusal?: GatewayError | undefined;
  /** Aborted when the caller hangs up, where the platform shows it. */
  readonly signal?: AbortSignal;
  /** X-Ray's header of the invocation, where Lambda runs us. */
  readonly xrayHeader?: string | undefined;
}

/** A request with what the route's path and the entry tell of it. */
export interface RoutedRequest {
  readonly request: IncomingRequest;
  readonly context: RequestContext;
  readonly requestId: string;
  /** `{name}` segments of the route's path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** Monotonic milliseconds at which the request came in. */
  readonly startedAt: number;
  readonly trace: RequestTrace;
  /** To be called where the request leaves a record of its own, so that it is told of once. */
  recorded(): void;
}

/** A request that left no record: it was none of an exchange, or nobody's. */
export interface FinishedRequest extends RequestRef {
  readonly method: string;
  /** The route's path with its names, such as `/v1/models/{id}`; null where there is none. */
  readonly route: string | null;
  readonly status: number;
  /** Ours; null where it is no error. */
  readonly errorCode: string | null;
  readonly durationMs: number;
}

export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Such as `/v1/admin/keys/{id}`. */
  readonly path: string;
  /** How it tells errors; OpenAI's shape where it does not say. */
  readonly errorShape?: ErrorShape | undefined;
  /** A header in which the clients of its API look for the request's id, besides ours. */
  readonly requestIdHeader?: string | undefined;
  /** Answers whoever asks, whichever way they came. */
  readonly open?: true;
  handle(routed: RoutedRequest): Promise<OutgoingResponse>;
}

export type App = (request: IncomingRequest, context: RequestContext) => Promise<OutgoingResponse>;

export interface AppOptions {
  readonly monotonic: () => number;
  /** Told of every request that failed on our side. */
  readonly onError: (request: RequestRef, error: GatewayError) => void;
  /** Told of every request that leaves no record of its own. */
  readonly onAnswered: (answered: FinishedRequest) => void;
  /** Whether a trace that begins with a request is kept; none is where absent. */
  readonly keepsTrace?: () => boolean;
}

/**
 * An app of routes: finds the route, answers errors in the API's shape, and puts the ids of request and trace on every
 * answer.
 */
export function createApp(routes: readonly Route[], options: AppOptions): App {
  const { monotonic, onError, onAnswered, keepsTrace = () => false } = options;
  const find = routeFinder(routes);
  return async (request, context) => {
    const startedAt = monotonic();
    const { xrayHeader } = context;
    const trace = beginTrace({ headers: request.headers, xrayHeader, keeps: keepsTrace });
    const { requestId, headers } = newRequestId(trace);
    const ref = { requestId, traceId: trace.traceId };
    let route: Route | undefined;
    let isRecorded = false;
    const recorded = () => {
      isRecorded = true;
    };
    const answered = (status: number, errorCode: string | null) => {
      if (isRecorded) return;
      const durationMs = Math.round((monotonic() - startedAt) * 1000) / 1000;
      onAnswered({ ...ref, method: request.method, route: route?.path ?? null, status, errorCode, durationMs });
    };
    try {
      const found = find(request);
      route = found.route;
      if (route?.requestIdHeader !== undefined) headers[route.requestIdHeader] = requestId;
      const { refusal } = context;
      if (refusal !== undefined && (found.fault !== undefined || route?.open !== true)) throw refusal;
      if (found.fault !== undefined || route === undefined) throw found.fault;
      const params = found.params ?? {};
      const response = await route.handle({ request, context, requestId, params, startedAt, trace, recorded });
      Object.assign(response.headers, headers);
      answered(response.status, null);
      return response;
    } catch (thrown) {
      const error = toGatewayError(thrown);
      if (error.status >= 500) onError(ref, error);
      answered(error.status, error.code);
      return errorResponse(error, requestId, headers, route?.errorShape);
    }
  };
}

/** A request's own id, and the headers that tell it and its trace. */
export function newRequestId({ traceId }: Pick<RequestTrace, 'traceId'>): {
  readonly requestId: string;
  readonly headers: Record<string, string>;
} {
  const requestId = `req_${randomHex(32)}`;
  return { requestId, headers: { 'x-request-id': requestId, 'x-svc-request-id': requestId, 'x-trace-id': traceId } };
}

/** The path of an address, as the web's `URL` reads it. */
export function pathOf(address: string): string {
  // Nearly all are plain, with nothing in them that a parser would change.
  return /^https?:\/\/[\w.:-]+(\/[\w/-]*)$/.exec(address)?.[1] ?? new URL(address).pathname;
}

/** More than any name or id that is given here has; a store takes no longer ones. */
const MAX_PARAM_BYTES = 512;

interface Matcher {
  readonly route: Route;
  readonly segments: readonly string[];
}

interface Found {
  readonly route?: Route | undefined;
  readonly params?: Record<string, string>;
  readonly fault?: GatewayError;
}

/** Finds the routes of requests; one that the path alone names is looked up. */
function routeFinder(routes: readonly Route[]): (request: IncomingRequest) => Found {
  const matchers = routes.map((route) => ({ route, segments: route.path.split('/') }));
  const named = new Map<string, Found>();
  for (const { method, path } of routes) {
    if (path.includes('{')) continue;
    const found = findRoute(matchers, { method, url: `http://gateway${path}` });
    if (found.route?.path === path) named.set(`${method} ${path}`, found);
  }
  return (request) => named.get(`${request.method} ${pathOf(request.url)}`) ?? findRoute(matchers, request);
}

/** The route of a request; where there is none, why, and the route whose API its caller seems to speak. */
function findRoute(matchers: readonly Matcher[], request: Pick<IncomingRequest, 'method' | 'url'>): Found {
  const segments = pathOf(request.url).split('/');
  const matching = matchers.flatMap(({ route, segments: pattern }) => {
    const params = matchPath(pattern, segments);
    return params ? [{ route, params }] : [];
  });
  const found = matching.find(({ route }) => route.method === request.method);
  if (found) return found;
  if (matching.length === 0) {
    const fault = new GatewayError('not_found', 'Unknown path. See /openapi.json for what is served here.');
    return { fault, route: matchers.find(({ segments: pattern }) => isBelow(pattern, segments))?.route };
  }
  const allow = matching.map(({ route }) => route.method).join(', ');
  const message = `Method not allowed here. Allowed: ${allow}.`;
  return {
    fault: new GatewayError('method_not_allowed', message, { headers: { allow } }),
    route: matching[0]?.route,
  };
}

/** Whether a path is below that of a route. */
function isBelow(pattern: readonly string[], segments: readonly string[]): boolean {
  return segments.length > pattern.length && matchPath(pattern, segments.slice(0, pattern.length)) !== undefined;
}

function matchPath(pattern: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
  if (pattern.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [at, part] of pattern.entries()) {
    const segment = segments[at] as string;
    if (part.startsWith('{')) {
      const value = decode(segment);
      if (!value || Buffer.byteLength(value) > MAX_PARAM_BYTES) return undefined;
      params[part.slice(1, -1)] = value;
    } else if (part !== segment) return undefined;
  }
  return params;
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
