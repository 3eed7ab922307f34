import { CONTEXT_LENGTH_EXCEEDED, type GatewayError } from '../../kernel/errors/index.ts';
import { type ErrorShape, messageOf, openAiError } from '../../kernel/http/index.ts';

/**
 * https://platform.claude.com/docs/en/api/errors; 409 from its SDK 1.12.0 (`ErrorType`); 499 is the gateway's; other 4xx are
 * `invalid_request_error`, other 5xx `api_error`.
 */
const TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  409: 'conflict_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  499: 'api_error',
  503: 'overloaded_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};

/** How an API without a code for it reports that the input exceeds the model's context. Agents then shorten the conversation. */
const ANTHROPIC_CONTEXT = 'prompt is too long';
/** https://docs.aws.amazon.com/bedrock/latest/userguide/troubleshooting-api-error-codes.html, as agents look for it. */
const BEDROCK_CONTEXT = 'Input is too long for requested model';
const GEMINI_CONTEXT = 'The input token count exceeds the maximum number of tokens allowed';

/** The message; for a context that is too long, with the words by which the API's clients recognize it. */
function inWordsOfApi(error: GatewayError, requestId: string, contextText: string): string {
  const message = messageOf(error, requestId);
  const isKnown = error.passedOn?.code !== CONTEXT_LENGTH_EXCEEDED || message.includes(contextText);
  return isKnown ? message : `${contextText}: ${message}`;
}

/** Anthropic's error format with the gateway's fields `code`, `param`, `details` and `svc`. */
const anthropicError: ErrorShape = (error, requestId) => {
  const { code, param, details } = error.toBody();
  return {
    type: 'error',
    error: {
      type: messagesErrorType(error.status),
      message: inWordsOfApi(error, requestId, ANTHROPIC_CONTEXT),
      ...(code !== null && { code }),
      ...(param !== null && { param }),
      ...(details && { details }),
      ...(error.svc && { svc: error.svc }),
    },
    request_id: requestId,
    ...(error.svc && { svc: error.svc }),
  };
};

/** APIs by the format of their errors and lists of models. */
export type ApiName = 'openai' | 'anthropic' | 'gemini';

/** How an API shows errors. */
export function errorShapeOf(api: ApiName | 'bedrock'): ErrorShape {
  if (api === 'anthropic') return anthropicError;
  if (api === 'bedrock') return bedrockError;
  return api === 'gemini' ? geminiError : openAiError;
}

/** Anthropic's error type for a status. */
export function messagesErrorType(status: number): string {
  return TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error');
}

/** https://cloud.google.com/apis/design/errors#handling_errors */
const STATUSES: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  402: 'FAILED_PRECONDITION',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  409: 'ABORTED',
  429: 'RESOURCE_EXHAUSTED',
  499: 'CANCELLED',
  502: 'UNAVAILABLE',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
  529: 'UNAVAILABLE',
};

/** Google's error format with the gateway's fields in `details`, and `svc` beside `error`. */
const geminiError: ErrorShape = (error, requestId) => {
  const { code, param, details } = error.toBody();
  const info = {
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    reason: code ?? 'provider',
    metadata: { requestId, ...(param !== null && { param }), ...(details && { details: JSON.stringify(details) }) },
  };
  return {
    error: {
      code: error.status,
      message: inWordsOfApi(error, requestId, GEMINI_CONTEXT),
      status: STATUSES[error.status] ?? (error.status < 500 ? 'INVALID_ARGUMENT' : 'INTERNAL'),
      details: [info],
      ...(error.svc && { svc: error.svc }),
    },
    ...(error.svc && { svc: error.svc }),
  };
};

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html#API_runtime_Converse_Errors */
const EXCEPTIONS: Readonly<Record<number, string>> = {
  401: 'AccessDeniedException',
  403: 'AccessDeniedException',
  404: 'ResourceNotFoundException',
  429: 'ThrottlingException',
  500: 'InternalServerException',
  504: 'ModelTimeoutException',
};

/** Bedrock's exception for a status. */
export function bedrockException(status: number): string {
  return EXCEPTIONS[status] ?? (status < 500 ? 'ValidationException' : 'ServiceUnavailableException');
}

/** Bedrock's error format with the gateway's fields. AWS's SDKs read the type in the header. */
const bedrockError: ErrorShape = Object.assign(
  (error: GatewayError, requestId: string) => {
    const { code, param, details } = error.toBody();
    return {
      __type: bedrockException(error.status),
      message: inWordsOfApi(error, requestId, BEDROCK_CONTEXT),
      ...(code !== null && { code }),
      ...(param !== null && { param }),
      ...(details && { details }),
      request_id: requestId,
      ...(error.svc && { svc: error.svc }),
    };
  },
  { headers: (error: GatewayError) => ({ 'x-amzn-errortype': bedrockException(error.status) }) },
);
