/** Every error that a caller can get: status, OpenAI `type` and `code`. docs/reference/errors.md is generated from it. */
export const ERRORS = {
  invalid_json: { status: 400, type: 'invalid_request_error' },
  invalid_value: { status: 400, type: 'invalid_request_error' },
  missing_field: { status: 400, type: 'invalid_request_error' },
  unknown_provider: { status: 400, type: 'invalid_request_error' },
  content_filter: { status: 400, type: 'security_error' },
  invalid_api_key: { status: 401, type: 'authentication_error' },
  insufficient_permissions: { status: 403, type: 'permission_error' },
  not_found: { status: 404, type: 'invalid_request_error' },
  model_not_found: { status: 404, type: 'invalid_request_error' },
  method_not_allowed: { status: 405, type: 'invalid_request_error' },
  request_timeout: { status: 408, type: 'invalid_request_error' },
  idempotency_conflict: { status: 409, type: 'invalid_request_error' },
  conflict: { status: 409, type: 'invalid_request_error' },
  version_conflict: { status: 412, type: 'invalid_request_error' },
  request_too_large: { status: 413, type: 'invalid_request_error' },
  unsupported_media_type: { status: 415, type: 'invalid_request_error' },
  headers_too_large: { status: 431, type: 'invalid_request_error' },
  rate_limit_exceeded: { status: 429, type: 'rate_limit_error' },
  insufficient_quota: { status: 429, type: 'insufficient_quota' },
  request_cancelled: { status: 499, type: 'cancelled_error' },
  internal_error: { status: 500, type: 'server_error' },
  provider_error: { status: 502, type: 'provider_error' },
  provider_overloaded: { status: 529, type: 'overloaded_error' },
  provider_timeout: { status: 504, type: 'provider_error' },
  unavailable: { status: 503, type: 'server_error' },
} as const satisfies Record<string, { status: number; type: string }>;

export type ErrorCode = keyof typeof ERRORS;

/** OpenAI's code for an input that exceeds the model's context; errors of all providers that mean it get it. */
export const CONTEXT_LENGTH_EXCEEDED = 'context_length_exceeded';

export interface GatewayErrorFields {
  /** The request field at fault, such as `messages[2].content`. */
  readonly param?: string;
  /** Only for 429: limit, remaining, resetTime. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** Extra response headers, lower-case names. */
  readonly headers?: Readonly<Record<string, string>>;
  /** For a provider's error that is passed on: its status, type and code replace the catalogue's. */
  readonly passedOn?: { readonly status: number; readonly type: string; readonly code: string | null };
  /** Details for the log; never sent to the caller, and never text of a prompt or a key. */
  readonly internal?: string;
  /** For a failure of a provider: when the next target may be called. undefined: never. */
  readonly fallback?: 'after_retry' | 'after_new_credentials' | 'now' | undefined;
  /** The provider bills a part of the request: it counts by its estimate. */
  readonly isBilled?: boolean;
  readonly cause?: unknown;
  /** Security information beside `error` in the body. */
  readonly svc?: object;
}

/** An error for the caller: `message` is public, `internal` is for the log. */
export class GatewayError extends Error {
  readonly code: ErrorCode;
  readonly param: string | undefined;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly passedOn: GatewayErrorFields['passedOn'];
  readonly internal: string | undefined;
  readonly svc: object | undefined;
  /** undefined if the request is at fault or a response has begun: no other target is called. */
  readonly fallback: GatewayErrorFields['fallback'];
  readonly isBilled: boolean;

  constructor(code: ErrorCode, message: string, fields: GatewayErrorFields = {}) {
    super(message, fields.cause === undefined ? undefined : { cause: fields.cause });
    this.name = 'GatewayError';
    this.code = code;
    this.param = fields.param;
    this.details = fields.details;
    this.headers = fields.headers ?? {};
    this.passedOn = fields.passedOn;
    this.internal = fields.internal;
    this.svc = fields.svc;
    this.fallback = fields.fallback;
    this.isBilled = fields.isBilled ?? false;
  }

  /** The same error with another message. */
  withMessage(message: string): GatewayError {
    const { code, param, details, headers, passedOn, internal, svc, fallback, isBilled, cause } = this;
    const known = { ...(param !== undefined && { param }), ...(details && { details }), ...(passedOn && { passedOn }) };
    const more = {
      ...(internal !== undefined && { internal }),
      ...(svc && { svc }),
      headers,
      fallback,
      isBilled,
      cause,
    };
    return new GatewayError(code, message, { ...known, ...more });
  }

  get status(): number {
    return this.passedOn?.status ?? ERRORS[this.code].status;
  }

  /** The `error` object of the response body. */
  toBody(): { message: string; type: string; param: string | null; code: string | null; details?: object } {
    return {
      message: this.message,
      type: this.passedOn?.type ?? ERRORS[this.code].type,
      // The name of a body's member may be empty.
      param: this.param?.trim() ? this.param : null,
      code: this.passedOn ? this.passedOn.code : this.code,
      ...(this.details && { details: this.details }),
    };
  }
}

/** Whether the code reports that a provider failed, as opposed to refusing the request. */
export function isProviderFailure(code: ErrorCode): boolean {
  return code === 'provider_error' || code === 'provider_overloaded' || code === 'provider_timeout';
}

/** A store is unavailable, or did not respond in time. */
export class StoreUnavailable extends Error {}

/** The public error for any thrown value. */
export function toGatewayError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error;
  if (error instanceof StoreUnavailable) {
    return new GatewayError('unavailable', 'The service is temporarily unavailable. Try again shortly.', {
      headers: { 'retry-after': '1' },
      internal: error.message,
      cause: error,
    });
  }
  const internal =
    error instanceof Error ? `${error.name} at ${error.stack?.split('\n')[1]?.trim() ?? 'unknown'}` : typeof error;
  return new GatewayError('internal_error', 'An internal error occurred.', { internal, cause: error });
}
