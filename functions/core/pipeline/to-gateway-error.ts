import { GatewayError } from '../errors.ts';
import { StoreUnavailable } from '../ports/key-store.ts';

/** The error that a caller may see for whatever was thrown. */
export function toGatewayError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error;
  if (error instanceof StoreUnavailable) {
    return new GatewayError('unavailable', 'The service is temporarily unavailable. Try again shortly.', {
      headers: { 'retry-after': '1' },
      internal: error.message,
      cause: error,
    });
  }
  const internal =
    error instanceof Error ? `${error.name} at ${error.stack?.split('\n')[1]?.trim() ?? 'unknown'}` : typeof error;
  return new GatewayError('internal_error', 'An internal error occurred.', { internal, cause: error });
}
