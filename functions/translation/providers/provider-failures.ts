import { CONTEXT_LENGTH_EXCEEDED, GatewayError } from '../../kernel/errors/index.ts';
import { HttpFailure, type HttpFailureReason, SseOverflow } from '../../kernel/http/index.ts';
import { ERROR_BODY_MS, untilLate } from '../../kernel/tasks/index.ts';
import { MAX_ERROR_BYTES, type ProviderErrorBody } from './error-body.ts';

/** The same for a response that had begun, without a fallback: the provider bills it. */
export function toBrokenResponse(provider: string, error: unknown): GatewayError {
  return billed(toProviderFailure(provider, error));
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
  const message = `The provider ${provider} is not configured here: set ${variable}.`;
  return settingsAtFault(message, `${provider}: ${variable} is not set`);
}

/** A setting of the provider cannot be used; `fault` names it without its value. */
export function wronglyConfigured(provider: string, fault: string): GatewayError {
  return settingsAtFault(
    `The provider ${provider} is not configured correctly here: ${fault}.`,
    `${provider}: ${fault}`,
  );
}

function settingsAtFault(message: string, internal: string): GatewayError {
  const headers = { 'x-should-retry': 'false' };
  return new GatewayError('provider_error', message, { headers, internal, fallback: 'now' });
}

/** The provider's response is not in its own format; it was written, and is billed. `what` is logged and must hold no content. */
export function unreadableResponse(provider: string, what: string): GatewayError {
  return new GatewayError('provider_error', unreadable(provider), { internal: `${provider}: ${what}`, isBilled: true });
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
 * The GatewayError for a provider's status other than 2xx. 401, 403, 5xx and redirects become an error of the gateway without the
 * provider's text. Every other 4xx keeps its status, message, type, code and param, and its headers about retries.
 */
export function providerStatusError(
  provider: string,
  status: number,
  headers: Readonly<Record<string, string>>,
  error?: ProviderErrorBody,
): GatewayError {
  if (status === 401 || status === 403) {
    return new GatewayError('provider_error', `The provider ${provider} refused the gateway.`, {
      internal: `${provider} refused our credentials: status ${status}`,
      fallback: 'after_new_credentials',
    });
  }
  const internal = `${provider} returned status ${status}`;
  if (status === OVERLOADED) {
    return new GatewayError('provider_overloaded', `The provider ${provider} is overloaded. Try again later.`, {
      internal,
      fallback: 'after_retry',
      headers: retryHeaders(headers),
    });
  }
  if (status < 400 || status >= 500) {
    return new GatewayError('provider_error', `The provider ${provider} failed.`, {
      internal,
      fallback: status >= 500 ? 'after_retry' : 'now',
      headers: retryHeaders(headers),
    });
  }
  const { code, ...meaning } = refusalOf(status, error);
  return new GatewayError(
    code,
    error?.message || `The provider ${provider} refused the request with status ${status}.`,
    {
      ...(error?.param && { param: error.param }),
      ...meaning,
      headers: { ...retryHeaders(headers), ...meaning.headers },
      internal,
    },
  );
}

/** Anthropic's status for an overload: https://platform.claude.com/docs/en/api/errors */
const OVERLOADED = 529;
const NO_RETRY = { 'x-should-retry': 'false' };

/** What a refusal with a 4xx status means for the caller, and whether another target may be called. */
function refusalOf(status: number, error: ProviderErrorBody | undefined) {
  const { type, code } = error ?? {};
  const passedOn = (usualType: string, usualCode: string | null) => ({
    status,
    type: type ?? usualType,
    code: code ?? usualCode,
  });
  const isUnpaid = status === 402 || code === 'insufficient_quota' || type === 'insufficient_quota';
  if (isUnpaid) {
    const usual = passedOn('insufficient_quota', 'insufficient_quota');
    // The gateway's account is at fault, not the caller's budget: the record must not show it as one.
    return { code: 'provider_error' as const, passedOn: usual, headers: NO_RETRY, fallback: 'now' as const };
  }
  if (status === 429) {
    const usual = passedOn('rate_limit_error', 'rate_limit_exceeded');
    return { code: 'rate_limit_exceeded' as const, passedOn: usual, fallback: 'after_retry' as const };
  }
  const usual = passedOn('invalid_request_error', null);
  const isTooLong = CONTEXT_STATUSES.has(status) && exceedsContext(error);
  return {
    code: 'invalid_value' as const,
    passedOn: isTooLong ? { ...usual, code: CONTEXT_LENGTH_EXCEEDED } : usual,
    ...(status === 408 && { fallback: 'after_retry' as const }),
  };
}

const CONTEXT_STATUSES: ReadonlySet<number> = new Set([400, 413, 422]);
/**
 * How providers report an input that exceeds the model's context: Anthropic, Bedrock, OpenAI, Google, xAI, Groq, vLLM and OpenRouter,
 * Mistral, Cohere, llama.cpp. Source: the list of the coding agents pi and opencode
 * (https://github.com/badlogic/pi-mono/blob/main/packages/ai/src/utils/overflow.ts).
 */
const CONTEXT_TEXT =
  /prompt is too long|exceed context limit|input is too long for requested model|exceeds? the context window|input token count.{0,80}exceeds the maximum|maximum prompt length is \d|reduce the length of the (?:messages|prompt)|maximum context length|context[_ ]length[_ ]exceeded|available context size|greater than the context length|too many tokens/i;
const MAX_SEARCHED_CHARS = 2_000;

function exceedsContext(error: ProviderErrorBody | undefined): boolean {
  if (error === undefined) return false;
  return error.code === CONTEXT_LENGTH_EXCEEDED || CONTEXT_TEXT.test(error.message.slice(0, MAX_SEARCHED_CHARS));
}

/** The statuses that error types and codes mean: Anthropic's and OpenAI's, in errors within a response. All others mean 500. */
const STATUSES_MEANT: ReadonlyMap<string, number> = new Map([
  ['invalid_request_error', 400],
  ['invalid_prompt', 400],
  [CONTEXT_LENGTH_EXCEEDED, 400],
  ['authentication_error', 401],
  ['billing_error', 402],
  ['permission_error', 403],
  ['not_found_error', 404],
  ['request_too_large', 413],
  ['rate_limit_error', 429],
  ['rate_limit_exceeded', 429],
  ['insufficient_quota', 429],
  ['timeout_error', 504],
  ['overloaded_error', OVERLOADED],
]);

/**
 * The GatewayError for an error that a provider sent instead of a response, or within one: what its type or code means as a status.
 * Nothing is retried: the response had begun.
 */
export function errorInResponse(provider: string, error: ProviderErrorBody): GatewayError {
  const { type = '', code = '' } = error;
  // OpenRouter and Google write the status as the code.
  const numeric = /^[45]\d\d$/.test(code) ? Number(code) : undefined;
  const status = numeric ?? STATUSES_MEANT.get(code) ?? STATUSES_MEANT.get(type) ?? 500;
  const failure = providerStatusError(
    provider,
    status,
    {},
    numeric === undefined ? error : { ...error, code: undefined },
  );
  const named = [type, code].find((name) => /^[a-z_]{1,64}$/.test(name)) ?? 'unknown type';
  return inResponse(failure, `${provider}: error in the response, ${numeric ?? named}`);
}

/** The error after a response that the provider bills: it counts for the key, and is not tried again. */
export function billed(error: GatewayError): GatewayError {
  return inResponse(error, error.internal, true);
}

/** The same error for a response that had begun: no other target is called. */
export function inResponse(error: GatewayError, internal = error.internal, isBilled = false): GatewayError {
  const { code, message, headers, passedOn, param, cause } = error;
  return new GatewayError(code, message, {
    ...{ headers, isBilled, cause },
    ...(param !== undefined && { param }),
    ...(passedOn !== undefined && { passedOn }),
    ...(internal !== undefined && { internal }),
  });
}

/** Seconds or a date (RFC 9110, 10.2.3). Anything else is the provider's text, which is not returned. */
const RETRY_AFTER = /^(?:\d{1,9}(?:\.\d{1,3})?|[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT)$/;
/** Headers about retries that OpenAI's and Anthropic's SDKs read, and their formats. */
const RETRY_HEADERS: Readonly<Record<string, RegExp>> = {
  'retry-after': RETRY_AFTER,
  'retry-after-ms': /^\d{1,9}(?:\.\d{1,3})?$/,
  'x-should-retry': /^(?:true|false)$/,
};

function retryHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(RETRY_HEADERS).flatMap(([name, format]) => {
      const value = headers[name];
      return value !== undefined && format.test(value) ? [[name, value]] : [];
    }),
  );
}

/** The body of a provider's error response, as far as it comes in time. */
export function readErrorBody(body: AsyncIterable<Uint8Array>, waitMs = ERROR_BODY_MS): Promise<string> {
  return readBounded(untilLate(body, waitMs), MAX_ERROR_BYTES);
}

/**
 * The first `maxBytes` of a body as UTF-8 text; a character cut at the limit becomes U+FFFD. The rest stays unread and the
 * connection is closed. Throws what the body throws.
 */
export async function readBounded(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> {
  // Decoded as it comes: all at once would hold up other requests.
  const utf8 = new TextDecoder('utf-8');
  let text = '';
  let left = maxBytes;
  for await (const bytes of body) {
    const piece = bytes.length > left ? bytes.subarray(0, left) : bytes;
    text += utf8.decode(piece, { stream: true });
    left -= piece.length;
    if (left === 0) break;
  }
  return text + utf8.decode();
}
