import type { GatewayError } from '../errors/index.ts';

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

/** An API's error body, also used for the event that ends a stream. */
export interface ErrorShape {
  (error: GatewayError, requestId: string): object;
  /** Headers that name the error, if the API has any. */
  readonly headers?: (error: GatewayError) => Readonly<Record<string, string>>;
}

/** The response to a failed request. */
export function errorResponse(
  error: GatewayError,
  requestId: string,
  headers: Readonly<Record<string, string>>,
  shape: ErrorShape = openAiError,
): OutgoingResponse<string> {
  return jsonResponse(error.status, shape(error, requestId), {
    ...headers,
    ...error.headers,
    ...shape.headers?.(error),
  });
}

/** OpenAI's error shape. Its SDKs expose only the object `error`, so `svc` is also in it. */
export const openAiError: ErrorShape = (error, requestId) => ({
  error: { ...error.toBody(), message: messageOf(error, requestId), ...(error.svc && { svc: error.svc }) },
  ...(error.svc && { svc: error.svc }),
});

/** An error's message, with the request id if it is an internal error. */
export function messageOf({ code, message }: GatewayError, requestId: string): string {
  return code === 'internal_error' ? `${message} Request id: ${requestId}.` : message;
}

/**
 * An app's response, which an entry sends over its platform. The web's `Response` takes many times as long to create and to read
 * (bench/notes/request-path.md).
 */
export interface OutgoingResponse<Body extends OutgoingBody = OutgoingBody> {
  readonly status: number;
  /** Lower-case names. Mutable: outer layers may add headers. */
  readonly headers: Record<string, string>;
  /** Values of `Set-Cookie`; none if absent. */
  readonly cookies?: readonly string[];
  readonly body: Body;
}

/** Text is UTF-8. */
export type OutgoingBody = string | Uint8Array | BodyStream;

/** A streamed body. If it throws, the connection is broken off. */
export interface BodyStream extends AsyncIterable<string | Uint8Array> {
  /** Cancels the stream, also while a piece is awaited; does nothing after its end. */
  return(): Promise<unknown>;
}

/** Whether a body is streamed. */
export function isStream(body: OutgoingBody): body is BodyStream {
  return typeof body !== 'string' && !(body instanceof Uint8Array);
}
