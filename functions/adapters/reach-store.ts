import { StoreUnavailable } from '../core/ports/key-store.ts';

/** Runs a call to a store; whatever it fails with, but for what `expected` names, becomes StoreUnavailable. */
export async function reachStore<T>(
  what: string,
  call: () => Promise<T>,
  expected: (error: unknown) => boolean = () => false,
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (expected(error)) throw error;
    throw new StoreUnavailable(`${what}: ${error instanceof Error ? error.name : typeof error}`, { cause: error });
  }
}
