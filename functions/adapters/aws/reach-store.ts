import { StoreUnavailable } from '../../core/base/errors.ts';
import { HttpFailure } from '../../core/base/http-client.ts';

/**
 * Runs a call to a store; whatever it fails with, but for what `expected` names, becomes StoreUnavailable with the error's name alone:
 * messages of AWS may quote what was sent.
 */
export async function reachStore<T>(
  what: string,
  call: () => Promise<T>,
  expected: (error: unknown) => boolean = () => false,
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (expected(error)) throw error;
    throw new StoreUnavailable(`${what}: ${nameOf(error)}`);
  }
}

function nameOf(error: unknown): string {
  if (error instanceof HttpFailure) return error.reason;
  return error instanceof Error ? error.name : typeof error;
}
