import type { KeyView, RequestRecord, ResponseOf, Threat } from '../../../functions/contract/index.ts';

/** A failed call of the API; `status` is 0 if no response arrived. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  readonly status: number;
  readonly code: string;
  /** The field that the message is about. */
  readonly param: string | undefined;
  readonly requestId: string | undefined;

  constructor(status: number, code: string, message: string, param?: string, requestId?: string) {
    super(message);
    this.status = status;
    this.code = code;
    this.param = param;
    this.requestId = requestId;
  }
}

export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** What a call may have besides what its operation declares. */
export interface Transport {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

interface Call extends Transport {
  readonly query?: Query;
  readonly body?: unknown;
}

export interface Answer<T> {
  readonly data: T;
  readonly headers: Headers;
}

const TIMEOUT_MS = 20_000;

/** The session's CSRF token. The server requires it with every change, so that no other site can make one. */
let csrfToken: string | undefined;

export function setCsrfToken(token: string | undefined): void {
  csrfToken = token;
}

/** Sends a request to this origin's API with the session cookie. Throws an ApiError; does not retry. */
export async function request<T>(method: string, path: string, options: Call = {}): Promise<Answer<T>> {
  const { query, body, headers, signal, timeoutMs = TIMEOUT_MS } = options;
  const timeout = AbortSignal.timeout(timeoutMs);
  const response = await send(`${path}${toSearch(query)}`, {
    method,
    credentials: 'same-origin',
    redirect: 'error',
    headers: {
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(method === 'GET' || csrfToken === undefined ? {} : { 'X-Svc-Csrf': csrfToken }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
  });
  if (!response.ok) throw await toApiError(response);
  return { data: (response.status === 204 ? undefined : await readJson(response)) as T, headers: response.headers };
}

/** `fetch` that throws an ApiError if no response arrived; an aborted call stays an AbortError. */
export async function send(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, init);
  } catch (error) {
    const { name } = error as { name?: string };
    if (name === 'AbortError') throw error;
    if (name === 'TimeoutError') throw new ApiError(0, 'timeout', 'The service did not respond in time.');
    throw new ApiError(0, 'unreachable', 'The service cannot be reached.');
  }
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    throw new ApiError(response.status, 'invalid_answer', 'The service returned a response that is not JSON.');
  }
}

export async function toApiError(response: Response): Promise<ApiError> {
  const requestId = response.headers.get('x-request-id') ?? undefined;
  const body: unknown = await response.json().catch(() => undefined);
  const error = (body as { error?: { message?: unknown; code?: unknown; param?: unknown } } | undefined)?.error;
  const message =
    typeof error?.message === 'string' ? error.message : `The service returned status ${response.status}.`;
  const code = typeof error?.code === 'string' ? error.code : 'unknown';
  return new ApiError(
    response.status,
    code,
    message,
    typeof error?.param === 'string' ? error.param : undefined,
    requestId,
  );
}

/** Returns `?a=1&b=2` for values that are set and not empty; an empty string if there are none. */
export function toSearch(query: Query = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value ?? []].flat()) if (one !== '') search.append(name, String(one));
  }
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}

const PAUSES_MS = [500, 1_500, 4_000];

/** Whether a retry may succeed: the service was unavailable, overloaded or failed. */
export function isPassing(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500);
}

/** Runs a read up to four times, so that one failure does not end work of many calls. */
export async function retrying<T>(
  work: () => Promise<T>,
  wait: (pauseMs: number) => Promise<void> = (pauseMs) => new Promise((resolve) => setTimeout(resolve, pauseMs)),
): Promise<T> {
  for (const pauseMs of PAUSES_MS) {
    try {
      return await work();
    } catch (error) {
      if (!isPassing(error)) throw error;
      await wait(pauseMs);
    }
  }
  return await work();
}

/** The contract's types under the names that the dashboard uses. */
export type DeliveryList = ResponseOf<'listDeliveries'>;
export type {
  AuditList,
  CreatedKey,
  CreatedWebhook,
  CreateKey,
  CreateWebhook,
  EffectivePolicy,
  Figures,
  Group,
  Interval,
  KeyList,
  KeyUsage,
  KeyView,
  Mark,
  ModelRoute,
  ModelRouteList,
  PolicyReplay,
  PolicyScores,
  PolicyVersionView,
  ProviderList,
  ProviderTest,
  ProviderView,
  RequestDetail,
  RequestRecord,
  Session,
  Settings,
  Summary,
  Threat,
  ThreatDetail,
  Timeseries,
  UpdateKey,
  UpdateWebhook,
  WebhookView,
} from '../../../functions/contract/index.ts';

export type Permission = KeyView['permissions'][number];
export type Environment = KeyView['environment'];
export type Action = RequestRecord['action'];
export type Severity = Threat['severity'];
export type ThreatType = Threat['type'];
