/** One function as a separate process: admits its parent's requests, all at once, and reports how many were admitted. */

import { BACKGROUND_ONCE, createDynamoClient } from '../../functions/adapters/aws/clients.ts';
import { DynamoLimitStore } from '../../functions/adapters/dynamo/dynamo-limit-store.ts';
import {
  LayeredAdmission,
  type Limits,
  limitsOf,
  type Need,
  type Reservation,
  SharedAdmission,
} from '../../functions/control/limits/index.ts';
import { tagLimitsOf } from '../../functions/control/limits/shared-limits.ts';
import type { TagBudget } from '../../functions/kernel/model/index.ts';
import { BackgroundTasks } from '../../functions/kernel/tasks/index.ts';
import { T0 } from './fake-clock.ts';

export interface ProcessJob {
  readonly keyId: string;
  readonly fields: Parameters<typeof limitsOf>[0];
  readonly need: Need;
  /** Budgets that the key shares with others. */
  readonly tagBudgets?: readonly TagBudget[];
  readonly count: number;
}

/** A fixed clock: the machine's speed must not decide which process leases allowance. */
const clock = { now: () => T0, monotonic: () => T0 };
/** Without the functions' short deadlines, so that a busy machine fails no test. */
const timeoutMs = 20_000;
const clients = {
  client: createDynamoClient({ timeoutMs }),
  settling: createDynamoClient({ timeoutMs, retries: BACKGROUND_ONCE }),
};
const keys = new SharedAdmission(new DynamoLimitStore(clients, 'limits', clock), clock, { onUnsettled: () => {} });
const backgroundTasks = new BackgroundTasks();
const admission = new LayeredAdmission(keys, backgroundTasks);
let held: Reservation[] = [];

process.on('message', async (job: ProcessJob | 'settle') => {
  if (job === 'settle') {
    await Promise.all(held.map((reservation) => reservation.settle({ tokens: 0, nanoUsd: 0 })));
    held = [];
    await backgroundTasks.idle();
    return process.send?.({ settled: true });
  }
  const limits: Limits = limitsOf(job.fields);
  const tags = (job.tagBudgets ?? []).flatMap((budget) => tagLimitsOf({ [budget.tag]: budget.value }, [budget]));
  const verdicts = await Promise.all(
    Array.from({ length: job.count }, () => admission.admit(job.keyId, limits, job.need, tags)),
  );
  held = verdicts.flatMap((verdict) => (verdict.admitted && verdict.reservation ? [verdict.reservation] : []));
  process.send?.({ admitted: verdicts.filter((verdict) => verdict.admitted).length });
});
process.send?.({ ready: true });
