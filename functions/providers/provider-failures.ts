import { GatewayError } from '../core/base/errors.ts';
import { HttpFailure, type HttpFailureReason } from '../core/base/http-client.ts';
import { SseOverflow } from '../core/base/sse-decoder.ts';

/** The same for a response that had begun, without a fallback: the provider bills it. */
export function toBrokenResponse(provider: string, error: unknown): GatewayError {
  const { code, message, headers, internal, cause } = toProviderFailure(provider, error);
  return new GatewayError(code, message, { headers, ...(internal !== undefined && { internal }), cause });
}

/**
 * The GatewayError for what a call to a provider threw. A GatewayError is returned unchanged; an unknown value becomes
 * `provider_error` with the value as `cause`. Never throws.
 */
export function toProviderFailure(provider: string, error: unknown): GatewayError {
  if (error instanceof GatewayError) return error;
  if (error instanceof HttpFailure) return fromHttpFailure(provider, error);
  if (error instanceof SseOverflow) {
    return new GatewayError('provider_error', unreadable(provider), {
      internal: `${provider}: event larger than the limit`,
      cause: error,
    });
  }
  return new GatewayError('provider_error', `The provider ${provider} failed.`, {
    internal: `${provider}: unexpected ${error instanceof Error ? error.name : typeof error}`,
    cause: error,
  });
}

/** The provider has no credentials; `variable` is where an operator sets them. */
export function notConfigured(provider: string, variable: string): GatewayError {
  return new GatewayError('provider_error', `The provider ${provider} is not configured here: set ${variable}.`, {
    headers: { 'x-should-retry': 'false' },
    internal: `${provider}: ${variable} is not set`,
    fallback: 'now',
  });
}

/** The provider's response is not in its own format. `what` is logged and must hold no content. */
export function unreadableResponse(provider: string, what: string): GatewayError {
  return new GatewayError('provider_error', unreadable(provider), { internal: `${provider}: ${what}` });
}

/** The provider ended its response with an error. `what` is logged and must hold no content. */
export function failedInResponse(provider: string, what: string): GatewayError {
  return new GatewayError('provider_error', `The provider ${provider} failed.`, { internal: `${provider}: ${what}` });
}

function unreadable(provider: string): string {
  return `The provider ${provider} returned a response that could not be read.`;
}

const REASON_TEXT: Readonly<Record<Exclude<HttpFailureReason, 'timeout'>, string>> = {
  connect: 'could not be reached',
  reset: 'closed the connection before its response was complete',
  aborted: 'was interrupted',
};

function fromHttpFailure(provider: string, failure: HttpFailure): GatewayError {
  if (failure.reason === 'timeout') {
    // The call may have been billed already, so SDKs must not retry it.
    return new GatewayError('provider_timeout', `The provider ${provider} did not respond in time.`, {
      headers: { 'x-should-retry': 'false' },
      internal: `${provider}: timeout, sent: ${failure.sent}`,
      fallback: 'now',
      cause: failure,
    });
  }
  const internal = failure.reason === 'aborted' ? 'aborted' : `${provider}: ${failure.reason}, sent: ${failure.sent}`;
  return new GatewayError('provider_error', `The provider ${provider} ${REASON_TEXT[failure.reason]}.`, {
    internal,
    ...(failure.reason !== 'aborted' && { fallback: 'after_retry' as const }),
    cause: failure,
  });
}

/**
 * The GatewayError for a provider's status other than 2xx. 401, 403, 5xx and redirects become `provider_error` without the
 * provider's text. 429 keeps its `retry-after`; every other 4xx keeps its status and message.
 */
export function providerStatusError(
  provider: string,
  status: number,
  headers: Readonly<Record<string, string>>,
  message: string | undefined,
): GatewayError {
  if (status === 401 || status === 403) {
    return new GatewayError('provider_error', `The provider ${provider} refused the gateway.`, {
      internal: `${provider} refused our credentials: status ${status}`,
      fallback: 'after_new_credentials',
    });
  }
  if (status < 400 || status >= 500) {
    return new GatewayError('provider_error', `The provider ${provider} failed.`, {
      internal: `${provider} returned status ${status}`,
      fallback: status >= 500 ? 'after_retry' : 'now',
      ...retryAfterOf(headers),
    });
  }
  const text = message || `The provider ${provider} refused the request with status ${status}.`;
  const internal = `${provider} returned status ${status}`;
  if (status === 429) {
    return new GatewayError('rate_limit_exceeded', text, {
      passedOn: { status, type: 'rate_limit_error', code: 'rate_limit_exceeded' },
      ...retryAfterOf(headers),
      internal,
      fallback: 'after_retry',
    });
  }
  return new GatewayError('invalid_value', text, {
    passedOn: { status, type: 'invalid_request_error', code: null },
    internal,
    ...(status === 408 && { fallback: 'after_retry' as const }),
  });
}

/** Seconds or a date (RFC 9110, 10.2.3). Anything else is the provider's text, which is not returned. */
const RETRY_AFTER = /^(?:\d{1,9}(?:\.\d{1,3})?|[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT)$/;

function retryAfterOf(headers: Readonly<Record<string, string>>): { headers?: Record<string, string> } {
  const retryAfter = headers['retry-after'] ?? '';
  return RETRY_AFTER.test(retryAfter) ? { headers: { 'retry-after': retryAfter } } : {};
}

const MAX_ERROR_BYTES = 64 * 1024;

/** The body of a provider's error response. */
export function readErrorBody(body: AsyncIterable<Uint8Array>): Promise<string> {
  return readBounded(body, MAX_ERROR_BYTES);
}

const UTF8 = new TextDecoder('utf-8');

/**
 * The first `maxBytes` of a body as UTF-8 text; a character cut at the limit becomes U+FFFD. The rest stays unread and the
 * connection is closed. Throws what the body throws.
 */
export async function readBounded(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> {
  const pieces: Uint8Array[] = [];
  let left = maxBytes;
  for await (const bytes of body) {
    const piece = bytes.length > left ? bytes.subarray(0, left) : bytes;
    pieces.push(piece);
    left -= piece.length;
    if (left === 0) break;
  }
  return UTF8.decode(pieces.length === 1 ? pieces[0] : Buffer.concat(pieces));
}
