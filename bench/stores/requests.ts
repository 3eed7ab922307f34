import { setTimeout as sleep } from 'node:timers/promises';
import { createDynamoClient } from '../../functions/adapters/aws/clients.ts';
import { DynamoAggregates } from '../../functions/adapters/dynamo/dynamo-aggregates.ts';
import { systemClock } from '../../functions/adapters/node/process-time.ts';
import { countRecords } from '../../functions/control/analytics/index.ts';
import { createInspector } from '../../functions/inspection/index.ts';
import type { RequestRecord } from '../../functions/kernel/model/index.ts';
import { startEmbeddedStores } from '../../lib/local/embedded-stores.ts';
import { table } from '../detection/figures.ts';
import { countLog } from '../lib/count-log.ts';
import { GB, LIST_PRICES, PRICES_NOTE } from '../lib/list-prices.ts';
import { type Call, roundTrips, startMeasuredStore, type WrittenRecord } from '../lib/measured-store.ts';
import { BenchGateway, reachStoresAt } from './bench-gateway.ts';
import { dollarsOf, figure, median, perMillion } from './figures.ts';

const REPEATS = 50;
/** Slow enough that no allowance is put aside: as a function is asked that few use. */
const PAUSE_MS = 40;
const AT_ONCE = 64;
const HOT = 1_280;
const HELD_BACK_MS = 100;
/** Calls before the provider is called; all others are in background tasks. */
const BEFORE = /^(?:(?:Batch)?GetItem |Query |admission$)/;
const JOINS = 'UpdateItem sessions';

const RATE = { rateLimit: { requests: 1_000_000, period: 'minute' } };
/** As the admin API makes it: `defaultMaxConcurrent` is 50. */
const NEW_KEY = { ...RATE, maxConcurrent: 50 };
const EVERY_LIMIT = {
  ...RATE,
  tokenLimit: { tokens: 1_000_000_000, period: 'minute' },
  budget: { usd: 100_000, period: 'day' },
  maxConcurrent: 1_000,
};

interface Scenario {
  readonly name: string;
  readonly fields: object;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const HELLO = 'Hello there';
const ABOUT_1_KB = [
  'Here are the notes of our meeting; please make a short list of what was decided and who does it.',
  'We began with the figures of the third quarter. Sales in the north grew by four percent, mostly in garden tools and paint.',
  'The new warehouse near the harbour opens in March. Peter talks to the builders about the floor, which is not level yet.',
  'The catalogue goes to print on the tenth; Maria wants the photographs of the lamps by Friday, and the prices a week later.',
  'Two customers asked for longer opening hours on Saturdays. We try it in two shops until summer and count the visitors.',
  'The delivery vans need new tyres before winter. The offer from last year still holds, so we take it.',
  'Anna leads the course for new colleagues in February. She needs a room for twelve people, a projector and lunch.',
  'The website shows old addresses for three shops; Tom corrects them this week and tells the map services as well.',
  'We meet again on the second Tuesday of next month at nine, in the small room on the first floor.',
].join(' ');
const SCENARIOS: readonly Scenario[] = [
  { name: 'a new key', fields: NEW_KEY, text: HELLO },
  { name: 'a rate limit alone', fields: RATE, text: HELLO },
  { name: 'every limit', fields: EVERY_LIMIT, text: HELLO },
  { name: 'a new key, `X-Session-ID`', fields: NEW_KEY, text: HELLO, headers: { 'x-session-id': 'a talk' } },
  { name: 'a new key, `X-End-User-ID`', fields: NEW_KEY, text: HELLO, headers: { 'x-end-user-id': 'customer-4711' } },
  { name: 'a new key, blocked', fields: NEW_KEY, text: 'SVC-TEST-BLOCK-7f3a' },
  {
    name: 'a new key, 1 KB captured each way',
    fields: { ...NEW_KEY, policy: { capture: 'redacted' } },
    text: ABOUT_1_KB,
  },
];

interface Measured {
  readonly scenario: Scenario;
  readonly firstOfProcess: readonly Call[];
  readonly firstOfKey: readonly Call[];
  readonly known: readonly (readonly Call[])[];
  readonly hot: readonly Call[];
  readonly logBytes: number;
  readonly records: readonly WrittenRecord[];
}

/** Dollars of one request, by scenario and part. */
export type RequestDollars = Readonly<Record<string, Readonly<Record<string, number>>>>;
export const COUNTED_ALONE = 'aggregates, where each record is counted alone';
export const COUNTED_TOGETHER = `aggregates, counted ${REPEATS} records at a time`;

/** Calls, round trips and dollars of a request; the last for other benches too. */
export async function requestsSection(): Promise<{ text: string; dollars: RequestDollars }> {
  const stores = await startEmbeddedStores();
  const measured = await startMeasuredStore(stores.dynamodbUrl);
  reachStoresAt(measured.url, stores.sqsUrl);
  const log = countLog();
  const inspector = createInspector();
  const rows: Measured[] = [];
  let waits: { free: number; held: number } | undefined;
  for (const scenario of SCENARIOS) {
    const gateway = new BenchGateway(inspector, stores.eventsQueueUrl);
    const { fields, text, headers } = scenario;
    const ask = (key: string) => gateway.ask(key, text, headers);
    const counted = async (work: () => Promise<unknown>) => {
      measured.take();
      await work();
      await gateway.idle();
      return measured.take();
    };
    const other = await gateway.newKey(fields);
    const firstOfProcess = await counted(() => ask(other));
    const key = await gateway.newKey(fields);
    const firstOfKey = await counted(() => ask(key));
    measured.takeRecords();
    const known: (readonly Call[])[] = [];
    log.take();
    for (let at = 0; at < REPEATS; at += 1) {
      known.push(await counted(() => ask(key)));
      await sleep(PAUSE_MS);
    }
    const logBytes = log.take() / REPEATS;
    const records = measured.takeRecords();
    const hot = await counted(async () => {
      const some = async () => {
        for (let at = 0; at < HOT / AT_ONCE; at += 1) await ask(key);
      };
      await Promise.all(Array.from({ length: AT_ONCE }, some));
    });
    await measured.quiet();
    if (fields === EVERY_LIMIT) {
      // In turn, so that what slows the machine slows both.
      const [free, held]: [number[], number[]] = [[], []];
      for (let at = 0; at < 2 * REPEATS; at += 1) {
        measured.delay('settlement', at % 2 === 0 ? 0 : HELD_BACK_MS);
        const startedAt = performance.now();
        await ask(key);
        (at % 2 === 0 ? free : held).push(performance.now() - startedAt);
        await gateway.idle();
      }
      measured.delay('settlement', 0);
      waits = { free: median(free), held: median(held) };
    }
    rows.push({ scenario, firstOfProcess, firstOfKey, known, hot, logBytes, records });
  }
  const aggregates = new Map<Measured, { alone: number; together: number }>();
  for (const row of rows) {
    const records = row.records.map(({ record }) => record);
    aggregates.set(row, {
      alone: await countingDollars(records, 1, measured),
      together: await countingDollars(records, REPEATS, measured),
    });
  }
  log.stop();
  measured.stop();
  await stores.stop();
  const parts = dollarParts(aggregates);
  const dollars = Object.fromEntries(
    rows.map((row) => [
      row.scenario.name,
      {
        ...Object.fromEntries(parts.map(([name, of]) => [name, of(row)])),
        [COUNTED_ALONE]: aggregates.get(row)?.alone ?? 0,
      },
    ]),
  );
  return { text: `${callsSection(rows, waits)}\n\n${dollarsSection(dollars)}`, dollars };
}

function callsSection(rows: readonly Measured[], waits: { free: number; held: number } | undefined): string {
  const cells = (calls: readonly Call[], requests: number, trips: string) => {
    const before = calls.filter(isBefore);
    return [trips, figure(before.length / requests), figure((calls.length - before.length) / requests)];
  };
  const tripsOf = (calls: readonly Call[]) => figure(roundTrips(calls.filter(isBefore)));
  const lines = rows.flatMap(({ scenario, firstOfProcess, firstOfKey, known, hot }) => {
    const most = Math.max(...known.map((calls) => roundTrips(calls.filter(isBefore))));
    return [
      [scenario.name, 'first of a process', ...cells(firstOfProcess, 1, tripsOf(firstOfProcess))],
      ['', 'key not cached', ...cells(firstOfKey, 1, tripsOf(firstOfKey))],
      ['', 'key cached', ...cells(known.flat(), known.length, `${most} at most`)],
      ['', `key cached, ${AT_ONCE} at a time`, ...cells(hot, HOT, '')],
    ];
  });
  return `## Calls of a request

Before: what the call of the provider waits for; calls that are under way at the same time are one round trip. After: behind
the response, for which no request waits. A process that serves many requests at once shares admissions and settlements and writes
up to 25 records in one call. "Key cached" is ${REPEATS} requests, one every ${PAUSE_MS} ms and more. An
end user's first request opens a session, and waits for one write more.

${table(['Request with', '', 'Round trips before', 'Calls before', 'Calls after'], lines)}

With each settlement held back by ${HELD_BACK_MS} ms, a response to a request with every limit takes ${waits?.held.toFixed(1)} ms, and
${waits?.free.toFixed(1)} ms without (medians of ${REPEATS}, in turn).`;
}

/** What a request is paid for, but for Lambda's time. */
function dollarParts(
  aggregates: ReadonlyMap<Measured, { readonly alone: number; readonly together: number }>,
): [string, (row: Measured) => number][] {
  const dynamo = (pick: (call: Call) => boolean) => (row: Measured) =>
    dollarsOf(row.known.flat().filter(pick)) / REPEATS;
  const bytes = ({ records }: Measured) => records.reduce((sum, record) => sum + record.bytes, 0) / records.length;
  const ownBytes = ({ records }: Measured) =>
    records.reduce((sum, { record }) => sum + JSON.stringify(record).length, 0) / records.length;
  const { tableGbMonth, pointInTimeRecoveryGbMonth } = LIST_PRICES;
  return [
    ['admission', dynamo(({ name }) => name === 'admission')],
    ['settlement', dynamo(({ name }) => name === 'settlement')],
    ['session', dynamo(({ table: of }) => of === 'sessions')],
    ['record', dynamo(({ table: of }) => of === 'records')],
    ['captured texts', dynamo(({ table: of }) => of === 'captures')],
    ['key: look-ups, last use', dynamo(({ table: of }) => of === 'keys' || of === 'policies')],
    [COUNTED_TOGETHER, (row) => aggregates.get(row)?.together ?? 0],
    [
      'event: the call of the relay, and the queue',
      ({ records }) =>
        (records.filter(({ tells }) => tells).length * (LIST_PRICES.lambdaRequest + LIST_PRICES.sqsRequest)) / REPEATS,
    ],
    [
      'record kept for 30 days, with recovery',
      (row) => (bytes(row) / GB) * (tableGbMonth + pointInTimeRecoveryGbMonth),
    ],
    [
      'record exported to S3, kept for 30 days',
      (row) => (ownBytes(row) / GB) * (LIST_PRICES.exportGb + LIST_PRICES.s3GbMonth),
    ],
    ['log line', ({ logBytes }) => (logBytes / GB) * LIST_PRICES.logGb],
    ['Lambda, invocation', () => LIST_PRICES.lambdaRequest],
  ];
}

function dollarsSection(dollars: RequestDollars): string {
  const columns = Object.values(dollars);
  const row = (name: string) => [name, ...columns.map((parts) => perMillion(parts[name] ?? 0))];
  const names = Object.keys(columns[0] ?? {}).filter((name) => name !== COUNTED_ALONE);
  const sums = columns.map((parts) => perMillion(names.reduce((sum, name) => sum + (parts[name] ?? 0), 0)));
  return `## Dollars a million requests

One request at a time, key cached. ${PRICES_NOTE} Besides comes the time of Lambda, $${(LIST_PRICES.lambdaGbSecond * 1e6).toFixed(2)} a million GB-seconds, and
the provider's own price.

${table(['Part', ...Object.keys(dollars)], [...names.map(row), ['**all of these**', ...sums], row(COUNTED_ALONE)])}

A record is written once per list that contains it: of all, of its key, of its end user, of those with findings.`;
}

/** What adding these records up takes a record, in batches of this size, where totals of the hour are there already. */
async function countingDollars(
  records: readonly RequestRecord[],
  batch: number,
  measured: Awaited<ReturnType<typeof startMeasuredStore>>,
): Promise<number> {
  const store = new DynamoAggregates(createDynamoClient(), 'aggregates', systemClock);
  const count = async (source: string, size: number) => {
    const deliveries = records.map((record, at) => ({ position: String(at + 1), record }));
    for (let at = 0; at < deliveries.length; at += size) {
      const part = { source, deliveries: deliveries.slice(at, at + size) };
      await countRecords(part, { store, now: Date.now, aggregateDays: 400, sessionDays: 30 });
    }
  };
  await count(`before ${batch}`, records.length);
  measured.take();
  await count(`measured ${batch}`, batch);
  return dollarsOf(measured.take()) / records.length;
}

function isBefore({ name }: Call): boolean {
  return BEFORE.test(name) || name === JOINS;
}
