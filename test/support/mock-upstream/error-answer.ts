import { type Answer, jsonAnswer } from './answer.ts';
import { anthropicHeaders } from './anthropic-answer.ts';
import { openaiHeaders } from './openai-answer.ts';
import type { Provider } from './provider-request.ts';

/** What an error text quotes of the request. */
export interface ErrorContext {
  model: string;
  /** The credential of the request, which OpenAI's 401 quotes masked. */
  credential?: string | undefined;
}

/** The provider's own error body for a status; 429 comes with `retry-after: 7`. */
export function errorAnswer(provider: Provider, status: number, context: ErrorContext): Answer {
  const headers = provider === 'anthropic' ? anthropicHeaders() : openaiHeaders();
  if (status === 429) headers['retry-after'] = '7';
  const body = provider === 'anthropic' ? anthropicError(status, context, headers) : openaiError(status, context);
  return jsonAnswer(status, headers, body);
}

/** The event with which a provider breaks off a stream that has begun. */
export function errorEvent(provider: Provider): Buffer {
  if (provider === 'openai') return Buffer.from(`data: ${JSON.stringify(openaiError(500, { model: '' }))}\n\n`);
  if (provider === 'responses') {
    const failure = { type: 'error', sequence_number: 5, ...(openaiError(500, { model: '' }) as object) };
    return Buffer.from(`event: error\ndata: ${JSON.stringify(failure)}\n\n`);
  }
  const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
  return Buffer.from(`event: error\ndata: ${JSON.stringify(error)}\n\n`);
}

/** As in platform.openai.com/docs/guides/error-codes. */
function openaiError(status: number, { model, credential }: ErrorContext): unknown {
  const error = (message: string, type: string, code: string | null = null, param: string | null = null) => ({
    error: { message, type, param, code },
  });
  const invalid = 'invalid_request_error';
  switch (status) {
    case 400:
      return error(
        "Invalid 'temperature': decimal above maximum value. Expected a value <= 2, but got 3 instead.",
        invalid,
        'decimal_above_max_value',
        'temperature',
      );
    case 401:
      return error(
        `Incorrect API key provided: ${masked(credential)}. You can find your API key at https://platform.openai.com/account/api-keys.`,
        invalid,
        'invalid_api_key',
      );
    case 403:
      return error(
        'Country, region, or territory not supported',
        'request_forbidden',
        'unsupported_country_region_territory',
      );
    case 404:
      return error(
        `The model \`${model}\` does not exist or you do not have access to it.`,
        invalid,
        'model_not_found',
      );
    case 429:
      return error(
        `Rate limit reached for ${model} in organization org-mock on requests per min (RPM): Limit 500, Used 500, Requested 1. Please try again in 7s. Visit https://platform.openai.com/account/rate-limits to learn more.`,
        'requests',
        'rate_limit_exceeded',
      );
    case 503:
      return error('The engine is currently overloaded, please try again later.', 'server_error');
    default:
      if (status < 500) return error(`The request was refused with status ${status}.`, invalid);
      return error(
        'The server had an error while processing your request. Sorry about that! You can retry your request, or contact us through our help center at help.openai.com if you keep seeing this error.',
        'server_error',
      );
  }
}

function masked(credential = ''): string {
  const key = credential.replace(/^Bearer /i, '');
  return `${key.slice(0, 8)}${'*'.repeat(Math.max(key.length - 12, 4))}${key.slice(-4)}`;
}

/** As in docs.anthropic.com/en/api/errors. */
function anthropicError(status: number, { model }: ErrorContext, headers: Record<string, string>): unknown {
  const errors: Record<number, [type: string, message: string]> = {
    400: ['invalid_request_error', 'max_tokens: Field required'],
    401: ['authentication_error', 'invalid x-api-key'],
    403: ['permission_error', 'Your API key does not have permission to use the specified resource.'],
    404: ['not_found_error', `model: ${model}`],
    413: ['request_too_large', 'Request exceeds the maximum size'],
    429: [
      'rate_limit_error',
      "This request would exceed your organization's rate limit of 50 requests per minute (org: mock, model: " +
        `${model}). For details, refer to: https://docs.claude.com/en/api/rate-limits.`,
    ],
    500: ['api_error', 'Internal server error'],
    503: ['api_error', 'Service temporarily unavailable'],
    529: ['overloaded_error', 'Overloaded'],
  };
  const [type, message] = errors[status] ?? [status < 500 ? 'invalid_request_error' : 'api_error', `Status ${status}`];
  return { type: 'error', error: { type, message }, request_id: headers['request-id'] };
}
