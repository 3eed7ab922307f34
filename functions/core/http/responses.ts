import type { GatewayError } from '../base/errors.ts';

export function jsonResponse(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): OutgoingResponse<string> {
  return {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  };
}

/** How an API tells an error, in a body or in the event that ends a stream. */
export type ErrorShape = (error: GatewayError, requestId: string) => object;

/** The answer to a failed request. */
export function errorResponse(
  error: GatewayError,
  requestId: string,
  headers: Readonly<Record<string, string>>,
  shape: ErrorShape = openAiError,
): OutgoingResponse<string> {
  return jsonResponse(error.status, shape(error, requestId), { ...headers, ...error.headers });
}

/** OpenAI's error shape. */
export const openAiError: ErrorShape = (error, requestId) => ({
  error: { ...error.toBody(), message: messageOf(error, requestId) },
  ...(error.svc && { svc: error.svc }),
});

/** An error's message, with the request id where a fault of ours has to be looked up. */
export function messageOf({ code, message }: GatewayError, requestId: string): string {
  return code === 'internal_error' ? `${message} Request id: ${requestId}.` : message;
}

/**
 * What an app answers, which an entry sends as its platform does. The web's own `Response` takes many times as long to make
 * and to take apart again.
 */
export interface OutgoingResponse<Body extends OutgoingBody = OutgoingBody> {
  readonly status: number;
  /** By names in lower case. The answer's own: whoever passes it on may add some. */
  readonly headers: Record<string, string>;
  /** Each a `Set-Cookie`; none where absent. */
  readonly cookies?: readonly string[];
  readonly body: Body;
}

/** Text is UTF-8. */
export type OutgoingBody = string | Uint8Array | BodyStream;

/** A body that comes piece by piece. */
export interface BodyStream extends AsyncIterable<string> {
  /** Its reader leaves, be it while he awaits a piece; once it is over, nothing happens. */
  return(): Promise<unknown>;
}

/** Whether a body comes piece by piece. */
export function isStream(body: OutgoingBody): body is BodyStream {
  return typeof body !== 'string' && !(body instanceof Uint8Array);
}
