import type { GatewayError } from '../errors.ts';

export function jsonResponse(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(typeof body === 'string' ? body : JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
  });
}

/** The answer to a failed request: OpenAI's error shape, with the request id where a server's fault has to be looked up. */
export function errorResponse(error: GatewayError, headers: Readonly<Record<string, string>> = {}): Response {
  return jsonResponse(error.status, errorBody(error, headers['x-request-id']), { ...headers, ...error.headers });
}

/** The error as it stands in a body, or in the event that ends a stream. */
export function errorBody(error: GatewayError, requestId: string | undefined): object {
  const body = error.toBody();
  if (error.code === 'internal_error' && requestId) body.message = `${body.message} Request id: ${requestId}.`;
  return { error: body, ...(error.svc && { svc: error.svc }) };
}
