/**
 * Errors in the form of the API: `GatewayError` with a code of `ERRORS`, `StoreUnavailable`, and the first fault of a schema as such an error.
 */
export {
  CONTEXT_LENGTH_EXCEEDED,
  ERRORS,
  type ErrorCode,
  GatewayError,
  isProviderFailure,
  StoreUnavailable,
  toGatewayError,
} from './errors.ts';
export { deepestIssue, toParam, toValidationError } from './first-fault.ts';
