import { expect } from '@jest/globals';
import { ERRORS, type ErrorCode } from '../../functions/core/base/errors.ts';

/** An answer that was read whole. `json` is untyped on purpose: its shape is what is tested. */
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

/** The error shape of decisions, section 11: exactly these fields, `details` on our own 429 only. */
export function expectErrorShape(body: unknown): void {
  const { error } = (body ?? {}) as { error?: Record<string, unknown> };
  expect(error).toEqual({
    message: expect.stringMatching(/\S/),
    type: expect.stringMatching(/\S/),
    param: error?.param === null ? null : expect.stringMatching(/\S/),
    code: error?.code === null ? null : expect.stringMatching(/\S/),
    ...(error?.details !== undefined && { details: expect.any(Object) }),
  });
}

/** An error of the catalogue, whole: status, body and request id. */
export function expectError(reply: Reply, code: ErrorCode, param: string | null = null): void {
  const { status, type } = ERRORS[code];
  expect({ status: reply.status, error: reply.json?.error }).toMatchObject({ status, error: { type, code, param } });
  expectErrorShape(reply.json);
  expect(reply.headers.get('content-type')).toMatch(/^application\/json/);
  expect(reply.headers.get('x-request-id')).toMatch(/^req_[0-9a-f]{32}$/);
}
