import { ApiError } from './client.ts';

const PAUSES_MS = [500, 1_500, 4_000];

/** Whether the same call may succeed a little later: the service was out of reach, overloaded or failed. */
export function isPassing(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500);
}

/** Does what changes nothing up to four times, for work of many calls that one failure should not undo. */
export async function retrying<T>(
  work: () => Promise<T>,
  wait: (pauseMs: number) => Promise<void> = (pauseMs) => new Promise((resolve) => setTimeout(resolve, pauseMs)),
): Promise<T> {
  for (const pauseMs of PAUSES_MS) {
    try {
      return await work();
    } catch (error) {
      if (!isPassing(error)) throw error;
      await wait(pauseMs);
    }
  }
  return await work();
}
