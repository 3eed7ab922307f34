import { createHash } from 'node:crypto';
import { type LimitStore, reservedFor, settlementOf } from './limit-store.ts';
import type { Limits, Need } from './limits.ts';
import { limitsWithoutRate } from './shared-limits.ts';

/** A sum of amounts of tool calls, by key and session or UTC day. */
export interface CallTotal {
  readonly keyId: string;
  readonly rule: string;
  readonly max: number;
  /** Null: the sum of the UTC day. */
  readonly sessionId: string | null;
}

/** An amount in a sum. */
export interface ReservedAmount {
  /** Whether the sum has room for it, so that it is reserved. */
  readonly fits: boolean;
  /** Counts the amount if its call was made, else gives it back; call it once. Never rejects. */
  settle(isMade: boolean): Promise<void>;
}

/** Sums are whole numbers of a millionth; beyond a billion, of one, since they must be exact. A smaller amount counts as one of these. */
const FINE_UP_TO = 1e9;
const MICRO = 1e-6;
const LARGEST = 9e15;

/**
 * Sums of tool calls, reserved and settled exactly as budgets are: an amount is money of a budget whose period is the UTC day, or one that
 * outlives the session (docs/decisions/0002-exact-admission.md).
 */
export class CallTotals {
  private readonly store: LimitStore;
  private readonly onUnsettled: (id: string, error: unknown) => void;

  constructor(store: LimitStore, onUnsettled: (id: string, error: unknown) => void) {
    this.store = store;
    this.onUnsettled = onUnsettled;
  }

  /** Throws StoreUnavailable. */
  async reserve(total: CallTotal, amount: number): Promise<ReservedAmount> {
    const { id, limits, need } = toBudget(total, amount);
    const taken = await this.store.take(id, limits, { needs: [need] });
    const fits = taken.granted === 1;
    const held = reservedFor(fits ? need : NOTHING, 1, limits, taken.nowMs);
    const settle = async (isMade: boolean) => {
      if (!fits && !isMade) return;
      try {
        await this.store.settle(id, settlementOf(held, taken, isMade ? need : NOTHING, limits));
      } catch (error) {
        this.onUnsettled(id, error);
      }
    };
    return { fits, settle };
  }
}

const NOTHING: Need = { tokens: 0, nanoUsd: 0 };

/** Where a sum is stored, its limit, and what an amount takes of it. */
function toBudget({ keyId, rule, max, sessionId }: CallTotal, amount: number) {
  const unit = max <= FINE_UP_TO ? MICRO : 1;
  const units = (value: number) => Math.min(LARGEST, Math.round(value / unit));
  const name = JSON.stringify([keyId, rule, sessionId, unit]);
  const limits: Limits = {
    ...limitsWithoutRate({ budget: { usd: 1, period: 'day' } }),
    budget: { nanoUsd: units(max), period: sessionId === null ? 'day' : 'session' },
  };
  // A session's name may be personal data.
  const id = `total_${createHash('sha256').update(name).digest('base64url')}`;
  return { id, limits, need: { tokens: 0, nanoUsd: Math.max(1, units(amount)) } };
}
