import { describe, expect, it } from '@jest/globals';
import type { RequestRecord } from '../../kernel/model/index.ts';
import { countRecords } from './count-records.ts';
import { MemoryAggregates } from './memory-aggregates.fixture.ts';
import { recordOf, T0 } from './record.fixture.ts';
import { readRollout } from './rollout-counts.ts';

const MINUTE_MS = 60_000;
const shadow = (action: RequestRecord['action']) => ({ action, threats: {} });
const taken = (fields: Partial<RequestRecord>, minutesAgo = 0) =>
  recordOf({
    rollout: 4,
    shadow: shadow('allow'),
    time: new Date(T0 - minutesAgo * MINUTE_MS).toISOString(),
    ...fields,
  });

async function counted(records: readonly RequestRecord[], times = 1) {
  const store = new MemoryAggregates();
  const batch = { source: 'shard', deliveries: records.map((record, at) => ({ position: String(at + 1), record })) };
  const deps = { store, now: () => T0, aggregateDays: 400, sessionDays: 30 };
  for (let time = 0; time < times; time += 1) await countRecords(batch, deps);
  return (minutes: number, version = 4) => readRollout({ version, minutes, nowMs: T0 }, store);
}

describe('the counts of a roll-out', () => {
  const records = [
    taken({ action: 'block', state: 'blocked', findings: [{} as never] }),
    taken({ action: 'redact', shadow: shadow('block') }),
    taken({ action: 'flag', shadow: shadow('flag') }, 3),
    taken({}, 90),
  ];

  it('have both decisions on the same requests, in all and of the last minutes', async () => {
    const read = await counted(records);
    const total = { requests: 4, blocked: 1, flagged: 2, blockedBefore: 1, flaggedBefore: 1 };
    expect(await read(60)).toEqual({ total, watched: { ...total, requests: 3 } });
    expect((await read(1)).watched).toEqual({
      ...{ requests: 2, blocked: 1, flagged: 1, blockedBefore: 1, flaggedBefore: 0 },
    });
  });

  it('have each request once, however often it is delivered', async () => {
    const [once, thrice] = [await counted(records), await counted(records, 3)];
    expect(await thrice(60)).toEqual(await once(60));
  });

  it('have no request of another version, under the policy in force, that failed, or whose inspection failed', async () => {
    const read = await counted([
      taken({ rollout: 3 }),
      recordOf({ shadow: shadow('block') }),
      taken({ state: 'failed', status: 503 }),
      taken({ state: 'blocked', action: 'block' }),
      taken({}),
    ]);
    expect((await read(60)).total.requests).toBe(1);
    expect((await read(60, 3)).total.requests).toBe(1);
    expect((await read(60, 5)).total.requests).toBe(0);
  });
});
