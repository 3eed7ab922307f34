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
