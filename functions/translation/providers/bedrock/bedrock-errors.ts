import { GatewayError } from '../../../kernel/errors/index.ts';
import type { BedrockFailure } from '../../routing/index.ts';
import { providerStatusError, toBrokenResponse, unreadableResponse } from '../provider-failures.ts';
import { withoutKey } from '../provider-responses.ts';

/**
 * The status that each exception means. Its HTTP status often differs, and a stream's first event has none. Source:
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html#API_runtime_Converse_Errors and
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/CommonErrors.html
 */
const STATUSES: Readonly<Record<string, number>> = {
  AccessDeniedException: 403,
  InternalServerException: 500,
  ServiceUnavailableException: 503,
  ThrottlingException: 429,
  ValidationException: 400,
  // Its HTTP status is 400, but it is a quota of the account.
  ServiceQuotaExceededException: 429,
  // Its HTTP status is 429, but the model is still loading.
  ModelNotReadyException: 503,
  // Their HTTP status is 424.
  ModelErrorException: 500,
  ModelStreamErrorException: 500,
  // Some of these have HTTP status 400.
  ExpiredTokenException: 403,
  IncompleteSignature: 403,
  IncompleteSignatureException: 403,
  InvalidClientTokenId: 403,
  InvalidSignatureException: 403,
  MissingAuthenticationTokenException: 403,
  UnrecognizedClientException: 403,
};
/** Errors of AWS's libraries for missing credentials. */
const NO_CREDENTIALS = /^(?:CredentialsProviderError|TokenProviderError)$/;

/** A call, as its response and its errors need it. */
export interface ConverseCall {
  /** The provider's name in the configuration. */
  readonly provider: string;
  /** Where an operator sets its key. */
  readonly keyVariable: string;
  readonly model: string;
  /** The key of the call, which ids and texts of errors must not contain. It may have changed since; a role's credentials renew themselves. */
  readonly apiKey: string | undefined;
}

/** The GatewayError for a call that Bedrock rejected, or that could not be made. */
export function toBedrockError(failure: BedrockFailure, call: ConverseCall): GatewayError {
  const { provider, model, apiKey } = call;
  const { exception, status, retryAfter } = failure;
  const message = withoutKey(failure.message, apiKey);
  if (NO_CREDENTIALS.test(exception)) return notConfigured(call, exception);
  if (failure.cause !== undefined) return toBrokenResponse(provider, failure.cause);
  const isUnknown = exception === 'ValidationException' && message.includes('model identifier is invalid');
  if (exception === 'ResourceNotFoundException' || isUnknown) return noSuchModel(provider, model, exception);
  if (exception === 'ModelTimeoutException') {
    return new GatewayError('provider_timeout', `The provider ${provider} did not respond in time.`, {
      headers: { 'x-should-retry': 'false' },
      internal: `${provider}: ${exception}`,
      fallback: 'now',
    });
  }
  const meant = Object.hasOwn(STATUSES, exception) ? STATUSES[exception] : status;
  if (meant === undefined || (meant >= 200 && meant <= 299)) return unreadableResponse(provider, exception);
  if (meant === 401 || meant === 403) {
    return new GatewayError('provider_error', `The provider ${provider} refused the gateway.`, {
      internal: `${provider} refused our credentials: ${exception}`,
      fallback: apiKey !== undefined ? 'after_new_credentials' : 'now',
    });
  }
  const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
  return providerStatusError(provider, meant, headers, message === '' ? undefined : { message });
}

export function notConfigured(
  { provider, keyVariable }: Pick<ConverseCall, 'provider' | 'keyVariable'>,
  why: string,
): GatewayError {
  const message = `The provider ${provider} is not configured here: set ${keyVariable}, or AWS_REGION and AWS credentials.`;
  return new GatewayError('provider_error', message, {
    headers: { 'x-should-retry': 'false' },
    internal: `${provider}: ${why}`,
    fallback: 'now',
  });
}

function noSuchModel(provider: string, model: string, why: string): GatewayError {
  return new GatewayError('model_not_found', `The provider ${provider} has no model \`${model}\`.`, {
    param: 'model',
    internal: `${provider}: ${why}`,
  });
}
