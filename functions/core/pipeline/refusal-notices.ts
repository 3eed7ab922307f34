import { LRUCache } from 'lru-cache';
import type { Refusal } from '../limits/ledger.ts';

const RATE_NOTICE_EVERY_MS = 60_000;
const MAX_KNOWN = 10_000;

interface Known {
  /** Until then nothing more is told. */
  readonly untilMs: number;
  /** Refusals since the last notice. */
  untold: number;
}

/**
 * Of which refusals this process tells: a key in a loop is refused thousands of times, and told of once a minute; that its
 * budget is spent, once until the budget's period is over.
 */
export class RefusalNotices {
  private readonly known = new LRUCache<string, Known>({ max: MAX_KNOWN });

  /** @returns how many refusals a notice stands for, this one among them; undefined where none is due */
  take(keyId: string, { limit, tagBudget, resetAtMs }: Refusal, nowMs: number): number | undefined {
    const isBudget = limit === 'budget';
    const name = JSON.stringify([keyId, isBudget, tagBudget?.tag, tagBudget?.value]);
    const before = this.known.get(name);
    if (before !== undefined && nowMs < before.untilMs) {
      before.untold += 1;
      return undefined;
    }
    const untilMs = isBudget ? Math.max(resetAtMs, nowMs + 1) : nowMs + RATE_NOTICE_EVERY_MS;
    this.known.set(name, { untilMs, untold: 0 });
    return (before?.untold ?? 0) + 1;
  }
}
