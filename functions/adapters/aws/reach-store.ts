import { StoreUnavailable } from '../../kernel/errors/index.ts';
import { HttpFailure } from '../../kernel/http/index.ts';

/**
 * Runs a call to a store. Any error not accepted by `expected` becomes StoreUnavailable with the error's name only, since AWS messages may
 * quote the input.
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
