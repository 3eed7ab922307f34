import type { GatewayError } from '../errors.ts';
import type { OutgoingResponse } from './outgoing-response.ts';

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
