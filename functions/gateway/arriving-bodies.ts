import { CONCURRENT_RETRY_MS, type Refusal } from '../control/limits/index.ts';
import type { ApiKey } from '../kernel/model/index.ts';
import type { Clock } from '../kernel/tasks/index.ts';

/** Bodies of a key that may arrive at once, even if fewer of its requests may run. */
const AT_LEAST = 50;

/**
 * Counts the bodies of each key that this process receives and parses. A request is admitted when its body is known, so without this a
 * key could fill the memory with bodies that never end, whatever its limits are.
 */
export class ArrivingBodies {
  private readonly clock: Clock;
  private readonly counts = new Map<string, number>();

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** Why a further body of this key is not read now; undefined if it may be. */
  refusalOf({ id, maxConcurrent }: ApiKey): Refusal | undefined {
    const most = Math.max(maxConcurrent ?? Infinity, AT_LEAST);
    if ((this.counts.get(id) ?? 0) < most) return undefined;
    const retryInMs = CONCURRENT_RETRY_MS;
    return { limit: 'concurrent', retryInMs, resetAtMs: this.clock.now() + retryInMs };
  }

  /** Counts a body until it is read. */
  async during<T>({ id }: ApiKey, read: () => Promise<T>): Promise<T> {
    this.counts.set(id, (this.counts.get(id) ?? 0) + 1);
    try {
      return await read();
    } finally {
      const left = (this.counts.get(id) ?? 0) - 1;
      if (left > 0) this.counts.set(id, left);
      else this.counts.delete(id);
    }
  }
}
