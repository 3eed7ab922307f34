import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createDynamoClient, type DynamoClient } from '../../functions/adapters/aws/clients.ts';
import { DynamoAggregates } from '../../functions/adapters/dynamo/dynamo-aggregates.ts';
import { tableVariables } from '../../functions/adapters/dynamo/tables.ts';
import { systemClock } from '../../functions/adapters/node/process-time.ts';
import { cellsOf } from '../../functions/control/analytics/cells.ts';
import { recordOf } from '../../functions/control/analytics/record.fixture.ts';
import type { RequestRecord } from '../../functions/kernel/model/index.ts';
import { embeddedAccess } from '../../lib/local/create-resources.ts';
import { eventually } from '../support/eventually.ts';
import { type InvokedFunction, startInvokedFunction } from './invoked-function.ts';

const STREAM = 'arn:aws:dynamodb:eu-central-1:000000000000:table/records/stream/2026-11-21T09:00:00.000';

let counter: InvokedFunction;
let dynamo: DynamoClient;
beforeAll(async () => {
  counter = await startInvokedFunction({
    bundle: 'usage-counter',
    role: 'UsageCounterRole',
    env: () => tableVariables('usage-counter', (table) => table),
  });
  dynamo = createDynamoClient(embeddedAccess(counter.stores.dynamodbUrl));
});
afterAll(async () => {
  await counter?.stop();
});

const records = Array.from({ length: 8 }, () =>
  recordOf({ time: new Date().toISOString(), endUserId: 'ada', sessionId: 'ses_1' }),
);

/** One of a window's invocations: https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-windows.html */
function windowOf(from: number, to: number, rest: { shardId?: string; isFinalInvokeForWindow?: boolean } = {}) {
  const { shardId = 'shardId-00000001763712000000-a1b2c3d4', isFinalInvokeForWindow = false } = rest;
  return {
    Records: records.slice(from, to).map((record, at) => ({
      eventID: record.id,
      eventName: 'INSERT',
      eventVersion: '1.1',
      eventSource: 'aws:dynamodb',
      awsRegion: 'eu-central-1',
      dynamodb: {
        ApproximateCreationDateTime: 1_763_712_000,
        Keys: { pk: { S: 'records#1' }, sk: { S: `${record.time}#${record.id}` } },
        NewImage: { record: { S: JSON.stringify(record) } },
        SequenceNumber: String(from + at + 1).padStart(21, '0'),
        SizeBytes: 900,
        StreamViewType: 'NEW_IMAGE',
      },
      eventSourceARN: STREAM,
    })),
    window: { start: '2026-11-21T09:00:00Z', end: '2026-11-21T09:15:00Z' },
    state: {},
    shardId,
    eventSourceARN: STREAM,
    isFinalInvokeForWindow,
    isWindowTerminatedEarly: false,
  };
}

/** What the totals of all requests say. */
async function counted(): Promise<unknown[]> {
  const cells = cellsOf(records[0] as RequestRecord);
  const rows = await new DynamoAggregates(dynamo, 'aggregates', systemClock).read(cells);
  return rows.flatMap((row) => (row === undefined ? [] : [JSON.stringify(row.value)]));
}

/** The requests that the totals of all requests count. */
async function countedRequests(): Promise<number> {
  const cells = cellsOf(records[0] as RequestRecord).slice(0, 1);
  const rows = await new DynamoAggregates(dynamo, 'aggregates', systemClock).read(cells);
  return (rows[0]?.value as { totals?: { requests?: number } } | undefined)?.totals?.requests ?? 0;
}

test('the deployed bundle counts each record once, across windows, failures and split batches', async () => {
  const state = { state: {} };
  expect(await counter.invoke(windowOf(0, 3))).toEqual(state);
  const three = await counted();
  expect(three.length).toBeGreaterThan(0);

  // Delivered again, whole and in halves, as after a failure whose batch was bisected: nothing is counted twice.
  for (const [from, to] of [
    [0, 3],
    [0, 1],
    [1, 3],
  ] as const) {
    expect(await counter.invoke(windowOf(from, to))).toEqual(state);
  }
  expect(await counted()).toEqual(three);

  // The end of a window has no record, but needs a response.
  expect(await counter.invoke(windowOf(3, 3, { isFinalInvokeForWindow: true }))).toEqual(state);
  // What came meanwhile with what had come before.
  expect(await counter.invoke(windowOf(2, 8))).toEqual(state);
  const { stores, stop, invoke } = await startInvokedFunction({
    bundle: 'usage-counter',
    role: 'UsageCounterRole',
    env: () => tableVariables('usage-counter', (table) => table),
  });
  const once = createDynamoClient(embeddedAccess(stores.dynamodbUrl));
  try {
    await invoke(windowOf(0, 8));
    const read = new DynamoAggregates(once, 'aggregates', systemClock).read(cellsOf(records[0] as RequestRecord));
    expect(withoutSeen((await read).flatMap((row) => (row === undefined ? [] : [JSON.stringify(row.value)])))).toEqual(
      withoutSeen(await counted()),
    );
  } finally {
    await stop();
  }
});

const whole = JSON.stringify(recordOf({ time: new Date().toISOString() }));
/** What can never be counted: each would fail its batch at every retry, and those behind it in the shard would wait. */
const POISON: Readonly<Record<string, string>> = {
  'no JSON': '{"planted":',
  'no record': '7',
  'a record without tokens': whole.replace(/"tokens":\{[^}]*\}/, '"tokens":{"input":"planted"}'),
  'a record without a time': whole.replace(/"time":"[^"]*"/, '"time":"planted"'),
  'a record whose session has too long a name': whole.replace(
    '"sessionId":null',
    `"sessionId":"planted${'x'.repeat(2_100)}"`,
  ),
};

describe.each(Object.entries(POISON))('%s', (_name, poison) => {
  test.each([[[0]], [[4]], [[7]], [[0, 3, 4, 7]]])(
    'at %j of eight is skipped with a log line and a metric, and delays no other',
    async (places) => {
      // Positions of a shard are counted once.
      const event = windowOf(0, 8, { shardId: `shardId-${poison.length}-${places.join('-')}` });
      const before = { requests: await countedRequests(), lines: counter.logs().length };
      const Records = event.Records.map((record, at) =>
        places.includes(at)
          ? { ...record, dynamodb: { ...record.dynamodb, NewImage: { record: { S: poison } } } }
          : record,
      );
      expect(await counter.invoke({ ...event, Records })).toEqual({ state: {} });
      expect((await countedRequests()) - before.requests).toBe(8 - places.length);
      const skipped = await eventually(
        () => counter.logs().filter((line, at) => at >= before.lines && line.includes('"message":"record skipped"')),
        ({ length }) => length >= places.length,
      );
      expect(skipped.map((line) => JSON.parse(line))).toMatchObject(
        places.map((at) => ({ level: 'ERROR', position: String(at + 1).padStart(21, '0'), SkippedRecords: 1 })),
      );
      expect(counter.logs().join('\n')).not.toContain('planted');
    },
  );
});

test('a batch that cannot be counted fails, so that the stream delivers it again, and its content is in no log', async () => {
  const broken = await startInvokedFunction({
    bundle: 'usage-counter',
    role: 'UsageCounterRole',
    env: () => ({ SVC_AGGREGATES_TABLE: 'no-such-table' }),
  });
  await expect(broken.invoke(windowOf(0, 2))).rejects.toThrow();
  expect(broken.logs().join('\n')).not.toContain('ada');
  await broken.stop();
});

/** When a source was last counted differs. */
function withoutSeen(values: readonly unknown[]): unknown[] {
  return values.map((value) => ({ ...JSON.parse(String(value)), seen: null }));
}
