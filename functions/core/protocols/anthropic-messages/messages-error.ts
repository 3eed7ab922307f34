import { type ErrorShape, messageOf } from '../../http/responses.ts';

/** https://platform.claude.com/docs/en/api/errors; 409 by its SDK 1.12.0 (`ErrorType`); 499 is ours; other 4xx are `invalid_request_error`, other 5xx `api_error`. */
const TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  409: 'conflict_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  499: 'api_error',
  503: 'overloaded_error',
  504: 'timeout_error',
};

/** Anthropic's error shape, with what ours tells besides: `code`, `param`, `details`, `svc`. */
export const anthropicError: ErrorShape = (error, requestId) => {
  const { code, param, details } = error.toBody();
  return {
    type: 'error',
    error: {
      type: messagesErrorType(error.status),
      message: messageOf(error, requestId),
      ...(code !== null && { code }),
      ...(param !== null && { param }),
      ...(details && { details }),
    },
    request_id: requestId,
    ...(error.svc && { svc: error.svc }),
  };
};

/** Anthropic's type of an error with a status. */
export function messagesErrorType(status: number): string {
  return TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error');
}
