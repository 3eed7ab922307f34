import type { KeyView, RequestRecord, Threat } from '../../../functions/admin-api/contract.ts';

/** What the API refused or could not do; `status` is 0 where no answer came. */
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

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

interface Call {
  readonly query?: Query;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

export interface Answer<T> {
  readonly data: T;
  readonly headers: Headers;
}

const TIMEOUT_MS = 20_000;

/** Of the session; the server asks for it back with every change, so that no other site can make one. */
let csrfToken: string | undefined;

export function setCsrfToken(token: string | undefined): void {
  csrfToken = token;
}

/** One call of this origin's API, by the session's cookie. Throws an ApiError; nothing is repeated here. */
export async function call<T>(method: string, path: string, options: Call = {}): Promise<T> {
  return (await callWithHeaders<T>(method, path, options)).data;
}

export async function callWithHeaders<T>(method: string, path: string, options: Call = {}): Promise<Answer<T>> {
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

/** `fetch` that throws an ApiError where no response came; a call that its caller aborted stays an AbortError. */
export async function send(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, init);
  } catch (error) {
    const { name } = error as { name?: string };
    if (name === 'AbortError') throw error;
    if (name === 'TimeoutError') throw new ApiError(0, 'timeout', 'The service did not answer in time.');
    throw new ApiError(0, 'unreachable', 'The service cannot be reached.');
  }
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    throw new ApiError(response.status, 'invalid_answer', 'The service gave an answer that is not JSON.');
  }
}

export async function toApiError(response: Response): Promise<ApiError> {
  const requestId = response.headers.get('x-request-id') ?? undefined;
  const body: unknown = await response.json().catch(() => undefined);
  const error = (body as { error?: { message?: unknown; code?: unknown; param?: unknown } } | undefined)?.error;
  const message = typeof error?.message === 'string' ? error.message : `The service answered ${response.status}.`;
  const code = typeof error?.code === 'string' ? error.code : 'unknown';
  return new ApiError(
    response.status,
    code,
    message,
    typeof error?.param === 'string' ? error.param : undefined,
    requestId,
  );
}

/** `?a=1&b=2` of what is set, empty texts aside; an empty text where nothing is. */
export function toSearch(query: Query = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') search.set(name, String(value));
  }
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}

const PAUSES_MS = [500, 1_500, 4_000];

/** Whether the same call may succeed a little later: the service was out of reach, overloaded or failed. */
export function isPassing(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500);
}

/** Does what changes nothing up to four times, for work of many calls that one failure should not undo. */
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

/** The types of the contract by the names that this page uses, and what it asks of them. */
export type {
  AuditList,
  CreatedKey,
  CreatedWebhook,
  CreateKey,
  CreateWebhook,
  DeliveryList,
  Figures,
  Group,
  KeyList,
  KeyUsage,
  KeyView,
  Mark,
  PolicyReplay,
  PolicyVersionList,
  PolicyVersionView,
  RequestDetail,
  RequestRecord,
  Session,
  Summary,
  Threat,
  Timeseries,
  UpdateKey,
  UpdateWebhook,
  WebhookList,
  WebhookTest,
  WebhookView,
} from '../../../functions/admin-api/contract.ts';

export interface Page<T> {
  readonly data: readonly T[];
  readonly nextCursor: string | null;
}

export type Permission = KeyView['permissions'][number];
export type Environment = KeyView['environment'];
export type Action = RequestRecord['action'];
export type Severity = Threat['severity'];
export type ThreatType = Threat['type'];
