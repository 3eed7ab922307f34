import { afterAll, beforeAll } from '@jest/globals';
import { createDynamoClient, type DynamoClient } from '../../functions/adapters/aws/clients.ts';
import { DynamoAggregates } from '../../functions/adapters/dynamo/dynamo-aggregates.ts';
import {
  DynamoRecordReader,
  DynamoRequestRecords,
  type RecordSettings,
} from '../../functions/adapters/dynamo/dynamo-request-records.ts';
import { countRecords, DAY_MS, floorTo } from '../../functions/control/analytics/index.ts';
import { T0 } from '../../functions/control/analytics/record.fixture.ts';
import type { RecordedFinding, RequestRecord } from '../../functions/kernel/model/index.ts';
import { embeddedAccess } from '../../lib/local/create-resources.ts';
import type { Engine } from './engines.ts';

export const clock = { now: () => T0, monotonic: () => 0 };
export const SETTINGS: RecordSettings = { keptDays: 30, lingerMs: 0, pendingIndex: false };
export const PATIENT = { idleMs: 1_800_000, readWaitMs: 20_000, joinWaitMs: 20_000 };
export const FINDING: RecordedFinding = {
  type: 'jailbreak',
  rule: 'jailbreak/persona',
  severity: 'high',
  score: 0.9,
  action: 'flag',
  location: { part: 'input', message: 0, field: 'messages[0].content', start: 0, end: 9 },
};
export const iso = (ms: number) => new Date(ms).toISOString();
export const idsOf = (records: readonly { id: string }[]) => records.map(({ id }) => id);

/** Names and times that no other test uses: lists and totals are of everybody. */
export let tests = 0;
export function ownWorld() {
  tests += 1;
  const name = `${process.pid}x${tests}`;
  const start = floorTo(T0, 'day') + tests * 10 * DAY_MS;
  return { key: `key_${name}`, user: `user ${name}`, session: `talk ${name}`, start };
}

/** Starts an engine for the tests of a file. @returns what writes, reads and counts records over it */
export function startAnalytics(engine: Engine) {
  let url = '';
  let stop = async () => {};
  let client: DynamoClient;
  beforeAll(async () => {
    ({ url, stop } = await engine.start());
    client = createDynamoClient(embeddedAccess(url));
  });
  afterAll(async () => {
    await stop();
  });

  const writer = (settings: Partial<RecordSettings> = {}) =>
    new DynamoRequestRecords({ together: client, alone: client }, 'records', { ...SETTINGS, ...settings });
  const reader = (now = T0) => new DynamoRecordReader(client, 'records', { ...clock, now: () => now });
  const aggregates = () => new DynamoAggregates(client, 'aggregates', clock);
  const writeAll = async (records: readonly RequestRecord[], settings: Partial<RecordSettings> = { lingerMs: 5 }) => {
    const log = writer(settings);
    await Promise.all(records.map((record) => log.write(record)));
  };
  const count = (records: readonly RequestRecord[], source = 'shard-1') => {
    const deliveries = records.map((record, at) => ({ position: String(at + 1), record }));
    const deps = { store: aggregates(), now: clock.now, aggregateDays: 4_000, sessionDays: 4_000 };
    return countRecords({ source, deliveries }, deps);
  };
  return { url: () => url, client: () => client, writer, reader, aggregates, writeAll, count };
}
