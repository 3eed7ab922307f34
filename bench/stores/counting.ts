import { createDynamoClient } from '../../functions/adapters/aws/clients.ts';
import { DynamoAggregates } from '../../functions/adapters/dynamo/dynamo-aggregates.ts';
import { systemClock } from '../../functions/adapters/node/process-time.ts';
import { countRecords } from '../../functions/control/analytics/index.ts';
import { recordOf } from '../../functions/control/analytics/record.fixture.ts';
import { startEmbeddedStores } from '../../lib/local/embedded-stores.ts';
import { table } from '../detection/figures.ts';
import { PRICES_NOTE } from '../lib/list-prices.ts';
import { startMeasuredStore } from '../lib/measured-store.ts';
import { reachStoresAt } from './bench-gateway.ts';
import { dollarsOf, figure, perMillion } from './figures.ts';

const HOUR_MS = 3_600_000;
const SIZES = [1, 10, 100, 1_000];
const KINDS: readonly [string, (at: number) => object][] = [
  ['one key, three models', (at) => ({ keyId: 'key_1', model: `model-${at % 3}` })],
  ['50 keys, three models', (at) => ({ keyId: `key_${at % 50}`, model: `model-${at % 3}` })],
  [
    'one key, 500 end users with a session each',
    (at) => ({ keyId: 'key_1', endUserId: `user-${at % 500}`, sessionId: `ses-${at % 500}` }),
  ],
];

/** What adding records up takes, by how many come in one batch and by how alike they are. */
export async function countingSection(): Promise<string> {
  const stores = await startEmbeddedStores();
  const measured = await startMeasuredStore(stores.dynamodbUrl);
  reachStoresAt(measured.url, stores.sqsUrl);
  const store = new DynamoAggregates(createDynamoClient(), 'aggregates', systemClock);
  const rows: string[][] = [];
  for (const [kindAt, [name, fieldsOf]] of KINDS.entries()) {
    for (const [sizeAt, size] of SIZES.entries()) {
      // A separate hour for each row; its totals are full of latencies before anything is measured.
      const hour = Date.parse('2026-11-21T00:00:00Z') + (kindAt * 240 + sizeAt) * HOUR_MS;
      const count = async (source: string, records: number, batch: number) => {
        const deliveries = Array.from({ length: records }, (_, at) => ({
          position: String(at + 1),
          record: recordOf({
            time: new Date(hour + (at % 3_600) * 1000).toISOString(),
            latencyMs: 200 + ((at * 7919) % 5_000),
            ...fieldsOf(at),
          }),
        }));
        for (let at = 0; at < records; at += batch) {
          const part = { source, deliveries: deliveries.slice(at, at + batch) };
          await countRecords(part, { store, now: Date.now, aggregateDays: 400, sessionDays: 30 });
        }
      };
      await count('filling', 1_000, 1_000);
      measured.take();
      const records = Math.max(size, 500);
      await count('measured', records, size);
      const calls = measured.take();
      const units = (field: 'writeUnits' | 'readUnits') =>
        figure(calls.reduce((sum, call) => sum + call[field], 0) / records);
      const dollars = perMillion(dollarsOf(calls) / records);
      rows.push([name, String(size), units('writeUnits'), units('readUnits'), dollars]);
    }
  }
  measured.stop();
  await stores.stop();
  return `## Counting

The function that adds records up reads and writes each total once a batch: the busier a deployment is, the larger the
batches (up to 1,000 records, 2 s) and the less a request costs. ${PRICES_NOTE} Lambda's own price is not in it; its reading
of the stream is free.

${table(['Records of', 'in a batch', 'Write units a request', 'read units', '$ a million'], rows)}`;
}
