import type { GatewayError } from '../../errors.ts';
import { type ErrorShape, messageOf } from '../../http/responses.ts';

/** https://platform.claude.com/docs/en/api/errors; every other status is an `api_error`. */
const TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
};

/** Anthropic's error shape, with what ours tells besides: `code`, `param`, `details`, `svc`. */
export const anthropicError: ErrorShape = (error, requestId) => {
  const { code, param, details } = error.toBody();
  return {
    type: 'error',
    error: {
      type: typeOf(error),
      message: messageOf(error, requestId),
      ...(code !== null && { code }),
      ...(param !== null && { param }),
      ...(details && { details }),
    },
    request_id: requestId,
    ...(error.svc && { svc: error.svc }),
  };
};

function typeOf({ status }: GatewayError): string {
  return TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error');
}
