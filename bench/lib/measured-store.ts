import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { readRecordItem } from '../../functions/adapters/dynamo/record-item.ts';
import { type IndexDefinition, TABLES, type TableDefinition } from '../../functions/adapters/dynamo/tables.ts';
import type { RequestRecord } from '../../functions/kernel/model/index.ts';

type Value = Readonly<Record<string, unknown>>;
type Item = Readonly<Record<string, Value>>;

/** One call, and the units that it would be paid for. */
export interface Call {
  /** `admission`, `settlement`, or the operation and the table: `GetItem keys`. */
  readonly name: string;
  readonly table: string;
  readonly writeUnits: number;
  readonly readUnits: number;
  /** When it began and ended, counted in events of this store: the order of calls, whatever they take. */
  readonly cameAt: number;
  readonly answeredAt: number;
}

export interface WrittenRecord {
  readonly record: RequestRecord;
  /** In the table and its indexes. */
  readonly bytes: number;
  /** In one of them. */
  readonly itemBytes: number;
  /** Whether an event is in it. */
  readonly tells: boolean;
}

type Units = Pick<Call, 'writeUnits' | 'readUnits'>;

const QUIET_MS = 1_500;
const WRITE_BYTES = 1_024;
const READ_BYTES = 4_096;

/**
 * A proxy for an embedded DynamoDB (or SQS) that counts calls in the units of AWS's price list: a write unit
 * for each KB of an item, and as much again for each index that contains it; a read unit for each 4 KB of a consistent read.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html
 */
export async function startMeasuredStore(target: string) {
  let calls: Call[] = [];
  let written: WrittenRecord[] = [];
  let events = 0;
  const delays = new Map<string, number>();
  // The store closes idle connections, which a busy process would notice too late.
  const agent = new http.Agent({ keepAlive: false });
  const server = http.createServer(async (request, response) => {
    events += 1;
    const cameAt = events;
    const { method = 'POST', headers, url = '/' } = request;
    const body = await buffer(request);
    const operation = String(headers['x-amz-target']).split('.').at(-1) ?? '';
    const input = JSON.parse(body.toString() || '{}');
    const name = nameOf(operation, input);
    await sleep(delays.get(name) ?? 0);
    // Embedded stores have a secret path.
    const call = http.request(target.replace(/\/$/, '') + url, { method, headers, agent }).end(body);
    const [answer] = (await once(call, 'response')) as [http.IncomingMessage];
    const answered = await buffer(answer);
    const output = JSON.parse(answered.toString() || '{}');
    events += 1;
    for (const [table, units] of unitsOf(operation, input, output)) {
      calls.push({ name, table, ...units, cameAt, answeredAt: events });
    }
    written.push(...recordsIn(operation, input));
    response.writeHead(answer.statusCode ?? 502, answer.headers).end(answered);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Calls that ended since the last call of this. */
    take(): readonly Call[] {
      const taken = calls;
      calls = [];
      return taken;
    },
    /** Resolves once nothing was asked for a while: what a busy machine had put off is over. */
    async quiet(): Promise<void> {
      for (let seen = -1; seen !== events; await sleep(QUIET_MS)) seen = events;
    },
    /** The request records that were written since this was last asked, with their size in the table and its indexes. */
    takeRecords(): readonly WrittenRecord[] {
      const taken = written;
      written = [];
      return taken;
    },
    /** Holds back calls of one name, to show who waits for them. */
    delay(name: string, milliseconds: number): void {
      delays.set(name, milliseconds);
    },
    stop(): void {
      agent.destroy();
      server.closeAllConnections();
      server.close();
    },
  };
}

/** How many of these calls began while none of them was under way: the round trips that a request waits for. */
export function roundTrips(calls: readonly Call[]): number {
  let [trips, busyUntil] = [0, 0];
  for (const { cameAt, answeredAt } of [...calls].sort((a, b) => a.cameAt - b.cameAt)) {
    if (cameAt > busyUntil) trips += 1;
    busyUntil = Math.max(busyUntil, answeredAt);
  }
  return trips;
}

// biome-ignore lint/suspicious/noExplicitAny: the protocol's JSON, of which a few fields are read
type Json = any;

function nameOf(operation: string, { TableName, RequestItems = {}, ExpressionAttributeNames = {} }: Json): string {
  const table = TableName ?? Object.keys(RequestItems).join(' ');
  if (operation !== 'UpdateItem' || table !== 'limits') return `${operation} ${table}`.trim();
  return '#fullAt' in ExpressionAttributeNames ? 'admission' : 'settlement';
}

function unitsOf(operation: string, input: Json, output: Json): [table: string, units: Units][] {
  const table: string = input.TableName ?? '';
  const writing = (writeUnits: number) => ({ writeUnits, readUnits: 0 });
  const reading = (readUnits: number) => ({ writeUnits: 0, readUnits });
  switch (operation) {
    case 'BatchWriteItem':
      return Object.entries<{ PutRequest: { Item: Item } }[]>(input.RequestItems).map(([name, requests]) => [
        name,
        writing(sum(requests.map(({ PutRequest }) => putUnits(name, PutRequest.Item)))),
      ]);
    case 'BatchGetItem':
      return Object.entries<{ Keys: Item[] }>(input.RequestItems).map(([name, { Keys }]) => {
        const found: Item[] = output.Responses?.[name] ?? [];
        const absent = Keys.length - found.length;
        return [name, reading(sum(found.map((item) => unitsIn(item, READ_BYTES))) + absent)];
      });
    case 'PutItem':
      return [[table, writing(putUnits(table, input.Item))]];
    case 'UpdateItem':
      // Items that are changed in place are below a KB (test/stores/limits.test.ts).
      return [[table, writing(1 + indexesNamed(table, Object.values(input.ExpressionAttributeNames ?? {})))]];
    case 'GetItem':
      return [[table, reading(output.Item === undefined ? 1 : unitsIn(output.Item, READ_BYTES))]];
    case 'Query':
      // Read eventually consistent, in which a unit reaches twice as far.
      return [[table, reading(Math.max(0.5, Math.ceil(sum((output.Items ?? []).map(bytesOf)) / READ_BYTES) / 2))]];
    default:
      return [['', reading(0)]];
  }
}

function recordsIn(operation: string, input: Json): WrittenRecord[] {
  const items: Item[] =
    operation === 'PutItem' && input.TableName === 'records'
      ? [input.Item]
      : (input.RequestItems?.records ?? []).flatMap((request: Json) => request.PutRequest?.Item ?? []);
  return items.map((item) => ({
    record: readRecordItem(unmarshall(item as unknown as Record<string, AttributeValue>)),
    tells: item.outboxPk !== undefined,
    itemBytes: bytesOf(item),
    bytes: bytesOf(item) * (1 + indexesOf('records').filter((index) => item[index.partitionKey]).length),
  }));
}

function indexesOf(table: string): readonly IndexDefinition[] {
  return (TABLES as Readonly<Record<string, TableDefinition>>)[table]?.indexes ?? [];
}

function indexesNamed(table: string, names: readonly unknown[]): number {
  return indexesOf(table).filter((index) => names.includes(index.partitionKey)).length;
}

function putUnits(table: string, item: Item): number {
  const within = indexesOf(table).filter((index) => item[index.partitionKey] !== undefined);
  return unitsIn(item, WRITE_BYTES) + sum(within.map((index) => unitsIn(projected(table, item, index), WRITE_BYTES)));
}

function projected(table: string, item: Item, { keysOnly, partitionKey, sortKey }: IndexDefinition): Item {
  if (!keysOnly) return item;
  const definition = (TABLES as Readonly<Record<string, TableDefinition>>)[table];
  const names = new Set([partitionKey, sortKey, definition?.partitionKey, definition?.sortKey]);
  return Object.fromEntries(Object.entries(item).filter(([name]) => names.has(name)));
}

function unitsIn(item: Item, unitBytes: number): number {
  return Math.max(1, Math.ceil(bytesOf(item) / unitBytes));
}

/** Names and values count, in UTF-8; a number as half its digits and one or two bytes. */
function bytesOf(item: Item): number {
  return sum(Object.entries(item).map(([name, value]) => name.length + valueBytes(value)));
}

function valueBytes(value: Value): number {
  const [text] = Object.values(value);
  return 'N' in value ? Math.ceil(String(text).length / 2) + 1 : Buffer.byteLength(String(text));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
