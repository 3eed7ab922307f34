import { GatewayError, toGatewayError } from '../errors/index.ts';
import { HeaderList, type RequestHeaders } from './request-headers.ts';
import { newRequestIdText } from './request-id.ts';
import { beginTrace, type RequestRef, type RequestTrace } from './request-trace.ts';
import { type ErrorShape, errorResponse, type OutgoingResponse } from './responses.ts';

/** The part of a web `Request` that the core reads; an entry may pass a lighter object. */
export interface IncomingRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: RequestHeaders;
  /** The whole body. Throws GatewayError `request_too_large` if the entry limits it while it arrives. */
  bytes(): Promise<Uint8Array>;
}

/** What the entry knows about a request. */
export interface RequestContext {
  /** As the platform reports it; never from a header that a caller can set. */
  readonly clientAddress: string;
  /** The error of all routes but `open` ones, if the entry restricts the request. */
  readonly refusal?: GatewayError | undefined;
  /** The front door ends a request whose response has not begun after this time, milliseconds. */
  readonly firstByteMs?: number | undefined;
  /** Aborted when the caller hangs up, if the platform reports it. */
  readonly signal?: AbortSignal;
  /** X-Ray's header of the invocation, in Lambda. */
  readonly xrayHeader?: string | undefined;
}

/** A request with its path parameters and what the entry knows about it. */
export interface RoutedRequest {
  readonly request: IncomingRequest;
  readonly context: RequestContext;
  readonly requestId: string;
  /** The `{name}` parts of the route's path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** Monotonic milliseconds at which the request arrived. */
  readonly startedAt: number;
  readonly trace: RequestTrace;
  /** Must be called if the request writes its own record, so that it is reported once. */
  recorded(): void;
}

/** A request without a record: not a model or guard call, or without a valid key. */
export interface FinishedRequest extends RequestRef {
  readonly method: string;
  /** The route's path pattern, such as `/v1/models/{id}`; null if there is no route. */
  readonly route: string | null;
  readonly status: number;
  /** Our error code; null if there was no error. */
  readonly errorCode: string | null;
  readonly durationMs: number;
}

export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Such as `/v1/admin/keys/{id}` or `/v1beta/models/{model}:countTokens`. */
  readonly path: string;
  /** Its last parameter takes the rest of the path, such as a model with its provider: `openai/gpt-4o`. */
  readonly takesRest?: true | undefined;
  /** The error format; OpenAI's by default. */
  readonly errorShape?: ErrorShape | undefined;
  /** A further response header for the request id that the API's clients read. */
  readonly requestIdHeader?: string | undefined;
  /** Serves every caller, whichever front door they use. */
  readonly open?: true;
  /** Whether it serves a client of this API; all if absent. Such routes precede those for all clients. */
  readonly isFor?: (headers: RequestHeaders) => boolean;
  handle(routed: RoutedRequest): Promise<OutgoingResponse>;
}

export type App = (request: IncomingRequest, context: RequestContext) => Promise<OutgoingResponse>;

export interface AppOptions {
  readonly monotonic: () => number;
  /** Called for each request that failed on our side. */
  readonly onError: (request: RequestRef, error: GatewayError) => void;
  /** Called for each request without its own record. */
  readonly onAnswered: (answered: FinishedRequest) => void;
  /** How errors of unknown paths look; OpenAI's format if absent. */
  readonly errorsOf?: (request: IncomingRequest) => Pick<Route, 'errorShape' | 'requestIdHeader'>;
  /** Why the gateway does not serve a request that no route takes; undefined for an ordinary 404 or 405. */
  readonly reasonFor?: (request: IncomingRequest) => string | undefined;
  /** Whether to sample a trace that begins with a request; never if absent. */
  readonly keepsTrace?: () => boolean;
}

/** An app of routes: finds the route, formats errors for the API, and adds the request and trace ids to each response. */
export function createApp(routes: readonly Route[], options: AppOptions): App {
  const { monotonic, onError, onAnswered, errorsOf = () => ({}), reasonFor, keepsTrace = () => false } = options;
  const find = routeFinder(routes);
  return async (request, context) => {
    const startedAt = monotonic();
    const { xrayHeader } = context;
    const trace = beginTrace({ headers: request.headers, xrayHeader, keeps: keepsTrace });
    const { requestId, headers } = newRequestId(trace);
    const ref = { requestId, traceId: trace.traceId };
    let route: Route | undefined;
    let api: Pick<Route, 'errorShape' | 'requestIdHeader'> | undefined;
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
      api = route ?? errorsOf(request);
      if (api.requestIdHeader !== undefined) headers[api.requestIdHeader] = requestId;
      const { refusal } = context;
      if (refusal !== undefined && (found.fault !== undefined || route?.open !== true)) throw refusal;
      const reason = found.fault && reasonFor?.(request);
      if (reason !== undefined) throw new GatewayError('not_found', reason);
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
      return errorResponse(error, requestId, headers, api?.errorShape);
    }
  };
}

/** A request's id, and the headers with it and its trace. */
export function newRequestId({ traceId }: Pick<RequestTrace, 'traceId'>): {
  readonly requestId: string;
  readonly headers: Record<string, string>;
} {
  const requestId = newRequestIdText(Date.now());
  return { requestId, headers: { 'x-request-id': requestId, 'x-svc-request-id': requestId, 'x-trace-id': traceId } };
}

/** The URL of a request, from its target as sent: its path and query. The host is ours, whatever the client names. */
export function toAddress(target: string): string {
  return `http://gateway${target.startsWith('/') ? '' : '/'}${target}`;
}

/** A path of characters that no parser changes and whole escapes (RFC 3986, `pchar`), and a query without white space. */
const LITERAL = /^https?:\/\/[^/?#\\]*(\/(?:[\w.~!$&'()*+,;=:@/-]|%[0-9a-f]{2})*)(?:\?[^\0-\x20\x7f#]*)?$/i;
/** What another parser would resolve: escaped controls, and dot segments, however often their characters are escaped. */
const ESCAPED_CONTROL = /%(?:25)*(?:[01][0-9a-f]|7f)/i;
const ESCAPED_SEPARATOR = /%(?:25)*(2e|2f|5c)/gi;
const DOT_SEGMENT = /[/\\]\.\.?(?:[;/\\]|$)/;

/** The unchanged path of a request; empty, which is no route, if two parsers could read it differently. */
export function pathOf(address: string): string {
  const [, path = ''] = LITERAL.exec(address) ?? [];
  if (ESCAPED_CONTROL.test(path)) return '';
  const resolved = path.replace(ESCAPED_SEPARATOR, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return DOT_SEGMENT.test(resolved) ? '' : path;
}

/** Longer than any name or id of the gateway; stores accept no longer keys. */
const MAX_PARAM_BYTES = 512;
const NO_HEADERS = new HeaderList([]);

interface Matcher {
  readonly route: Route;
  readonly segments: readonly string[];
}

interface Found {
  readonly route?: Route | undefined;
  readonly params?: Record<string, string>;
  readonly fault?: GatewayError;
}

/** Finds the routes of requests; a route without parameters is looked up by its path. */
function routeFinder(routes: readonly Route[]): (request: IncomingRequest) => Found {
  const matchers = routes.map((route) => ({ route, segments: route.path.split('/') }));
  const named = new Map<string, Found>();
  const forSome = new Set(routes.flatMap(({ path, isFor }) => (isFor === undefined ? [] : path)));
  for (const { method, path } of routes) {
    if (path.includes('{') || forSome.has(path)) continue;
    const found = findRoute(matchers, { method, url: `http://gateway${path}`, headers: NO_HEADERS });
    if (found.route?.path === path) named.set(`${method} ${path}`, found);
  }
  return (request) => named.get(`${request.method} ${pathOf(request.url)}`) ?? findRoute(matchers, request);
}

/** The route of a request; else the error, and the route of the path with another method. */
function findRoute(matchers: readonly Matcher[], request: Pick<IncomingRequest, 'method' | 'url' | 'headers'>): Found {
  const path = pathOf(request.url);
  // Some clients end a path with a slash.
  const segments = (path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path).split('/');
  const matching = matchers.flatMap(({ route, segments: pattern }) => {
    const params = route.isFor?.(request.headers) === false ? undefined : matchPath(pattern, segments, route);
    return params ? [{ route, params }] : [];
  });
  const found = matching.find(({ route }) => route.method === request.method);
  if (found) return found;
  if (matching.length === 0) {
    return { fault: new GatewayError('not_found', 'Unknown path. See /openapi.json for the available paths.') };
  }
  const allow = [...new Set(matching.map(({ route }) => route.method))].join(', ');
  const message = `Method not allowed here. Allowed: ${allow}.`;
  return {
    fault: new GatewayError('method_not_allowed', message, { headers: { allow } }),
    route: matching[0]?.route,
  };
}

function matchPath(
  pattern: readonly string[],
  all: readonly string[],
  { takesRest }: Pick<Route, 'takesRest'>,
): Record<string, string> | undefined {
  const before = pattern.length - 1;
  const segments = takesRest && all.length > before ? [...all.slice(0, before), all.slice(before).join('/')] : all;
  if (pattern.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [at, part] of pattern.entries()) {
    const segment = segments[at] as string;
    if (part.startsWith('{')) {
      const close = part.indexOf('}');
      const ending = part.slice(close + 1);
      const whole = decode(segment);
      if (whole === undefined || !whole.endsWith(ending)) return undefined;
      const value = whole.slice(0, whole.length - ending.length);
      if (value === '' || Buffer.byteLength(value) > MAX_PARAM_BYTES) return undefined;
      params[part.slice(1, close)] = value;
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
