import { expect } from '@jest/globals';
import type { ErrorCode } from '../../functions/kernel/errors/index.ts';

/** A complete response. `json` is untyped on purpose: tests check its shape. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly json: any;
}

export async function toReply(response: Response): Promise<Reply> {
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: parsed(text) };
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A threat score far from the thresholds: that of text without a finding is the classifier's, which is seldom quite 0. */
export const UNSUSPICIOUS = expect.closeTo(0, 0);

/** The error shape of decisions, section 11: exactly these fields, `details` on our own 429 only, and a repeated `svc`. */
export function expectErrorShape(body: unknown): void {
  const { error } = (body ?? {}) as { error?: Record<string, unknown> };
  expect(error).toEqual({
    message: expect.stringMatching(/\S/),
    type: expect.stringMatching(/\S/),
    param: error?.param === null ? null : expect.stringMatching(/\S/),
    code: error?.code === null ? null : expect.stringMatching(/\S/),
    ...(error?.details !== undefined && { details: expect.any(Object) }),
    ...(error?.svc !== undefined && { svc: (body as { svc?: unknown }).svc ?? expect.any(Object) }),
  });
}

/** Status and `type` of each error code, as a client may rely on them: written out, not read from the product. */
const CATALOGUE: Record<ErrorCode, readonly [status: number, type: string]> = {
  invalid_json: [400, 'invalid_request_error'],
  invalid_value: [400, 'invalid_request_error'],
  missing_field: [400, 'invalid_request_error'],
  unknown_provider: [400, 'invalid_request_error'],
  content_filter: [400, 'security_error'],
  invalid_api_key: [401, 'authentication_error'],
  insufficient_permissions: [403, 'permission_error'],
  not_found: [404, 'invalid_request_error'],
  model_not_found: [404, 'invalid_request_error'],
  method_not_allowed: [405, 'invalid_request_error'],
  request_timeout: [408, 'invalid_request_error'],
  idempotency_conflict: [409, 'invalid_request_error'],
  conflict: [409, 'invalid_request_error'],
  version_conflict: [412, 'invalid_request_error'],
  request_too_large: [413, 'invalid_request_error'],
  unsupported_media_type: [415, 'invalid_request_error'],
  headers_too_large: [431, 'invalid_request_error'],
  rate_limit_exceeded: [429, 'rate_limit_error'],
  insufficient_quota: [429, 'insufficient_quota'],
  request_cancelled: [499, 'cancelled_error'],
  internal_error: [500, 'server_error'],
  provider_error: [502, 'provider_error'],
  provider_overloaded: [529, 'overloaded_error'],
  provider_timeout: [504, 'provider_error'],
  unavailable: [503, 'server_error'],
};

/** An error of the catalogue, whole: status, body and request id. */
export function expectError(reply: Reply, code: ErrorCode, param: string | null = null): void {
  const [status, type] = CATALOGUE[code];
  expect({ status: reply.status, error: reply.json?.error }).toMatchObject({ status, error: { type, code, param } });
  expectErrorShape(reply.json);
  expect(reply.headers.get('content-type')).toMatch(/^application\/json/);
  expect(reply.headers.get('x-request-id')).toMatch(/^req_[0-9a-f]{32}$/);
}
