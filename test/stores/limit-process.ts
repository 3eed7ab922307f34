/** One function as a process of its own: admits what its parent sends it, all at once, and tells how many were let in. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoLimitStore } from '../../functions/adapters/dynamo-limit-store.ts';
import { NodeHttpClient } from '../../functions/adapters/node-http-client.ts';
import { type Limits, limitsOf, type Need } from '../../functions/core/admission/limits.ts';
import { SharedAdmission } from '../../functions/core/admission/shared-admission.ts';
import type { Reservation } from '../../functions/core/ports/limiter.ts';

export interface ProcessJob {
  readonly keyId: string;
  readonly fields: Parameters<typeof limitsOf>[0];
  readonly need: Need;
  readonly count: number;
}

const http = new NodeHttpClient();
const clock = { now: () => Date.now(), monotonic: () => performance.now() };
const patient = {
  send: (request: Parameters<typeof http.send>[0]) =>
    http.send({ ...request, headTimeoutMs: 20_000, idleTimeoutMs: 20_000 }),
};
const admission = new SharedAdmission(new DynamoLimitStore(new DynamoDBClient({}), 'limits', clock, patient), clock, {
  onUnsettled: () => {},
});
let held: Reservation[] = [];

process.on('message', async (job: ProcessJob | 'settle') => {
  if (job === 'settle') {
    await Promise.all(held.map((reservation) => reservation.settle({ tokens: 0, nanoUsd: 0 })));
    held = [];
    return process.send?.({ settled: true });
  }
  const limits: Limits = limitsOf(job.fields);
  const verdicts = await Promise.all(
    Array.from({ length: job.count }, () => admission.admit(job.keyId, limits, job.need)),
  );
  held = verdicts.flatMap((verdict) => (verdict.admitted && verdict.reservation ? [verdict.reservation] : []));
  process.send?.({ admitted: verdicts.filter((verdict) => verdict.admitted).length });
});
process.send?.({ ready: true });
