import { setTimeout as pause } from 'node:timers/promises';
import {
  type AttributeValue,
  ConditionalCheckFailedException,
  PutItemCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import type { DynamoClient } from '../../functions/adapters/aws/clients.ts';
import { TABLES, type TableDefinition, type TableName } from '../../functions/adapters/dynamo/tables.ts';
import { RestoreProgress, type TableProgress } from './progress.ts';
import { deleteIfTemporary, type RestorePoint, sourceFor, startRestore, untilReadable } from './source-table.ts';

/** What a restore copies by default: what cannot be created again. */
export const RESTORED_TABLES = ['keys', 'policies', 'webhooks', 'audit', 'limits'] as const;
/** What it copies when asked to. The usage counter counts copied records again. */
export const OPTIONAL_TABLES = ['records', 'captures', 'aggregates'] as const;
export type RestorableTable = (typeof RESTORED_TABLES)[number] | (typeof OPTIONAL_TABLES)[number];

/** Of a table's parallel scan. A second run repeats those that were not complete. */
const SEGMENTS = 64;
const WORKERS = 8;
/** Writes of a worker at once. */
const WRITES = 16;
const THROTTLED = /Throttl|ThroughputExceeded|RequestLimitExceeded/;
/** Pauses after a write that DynamoDB refused for its rate, beyond those of the SDK. */
const PAUSES_MS = [1_000, 5_000, 15_000, 30_000, 60_000];

export interface RestoreOptions {
  readonly dynamo: DynamoClient;
  readonly from: Readonly<Record<TableName, string>>;
  readonly to: Readonly<Record<TableName, string>>;
  readonly tables: readonly RestorableTable[];
  readonly at: RestorePoint;
  /** Overwrites items that the target has; otherwise they stay. */
  readonly replaces: boolean;
  readonly progressFile: string;
  /** Gets a line for each step. */
  readonly report: (line: string) => void;
  /** Default: the clock. */
  readonly now?: () => number;
}

export type RestoreResult = Readonly<Record<string, Omit<TableProgress, 'done' | 'source'>>>;

/**
 * Copies tables at a point in time into those of a stage: in parallel, and from where an earlier run with the same progress file ended.
 * Events of items are left out, so none is sent twice, and items whose time to live is over. Temporary tables are deleted at the end.
 *
 * @throws Error with a sentence for the operator; the progress file then has what is done
 */
export async function restoreTables(options: RestoreOptions): Promise<RestoreResult> {
  const { dynamo, from, to, tables, at, report } = options;
  const of = [
    at instanceof Date ? at.toISOString() : (at ?? 'now'),
    ...tables.map((name) => `${from[name]}>${to[name]}`),
  ];
  const progress = await RestoreProgress.open(options.progressFile, of.join(' '), SEGMENTS);
  if (at === undefined && tables.some((name) => from[name] === to[name]))
    throw new Error('source and target are the same tables: name a time with --at, or another source with --from');
  if (tables.includes('records')) await checkTotals(options, progress);
  await Promise.all(tables.map((name) => untilReadable(dynamo, to[name])));

  const sources = await Promise.all(
    tables.map(async (name) => {
      // Noted first, so that no temporary table is left that nothing knows.
      const table = progress.table(name) ?? (await progress.begin(name, sourceFor(from[name], at)));
      if (at !== undefined && table.done.length < progress.segments) {
        await startRestore(dynamo, from[name], table.source, at);
        report(`${name}: DynamoDB restores ${from[name]} to ${table.source}`);
      }
      return table;
    }),
  );
  const open = sources.filter(({ done }) => done.length < progress.segments);
  await Promise.all(open.map(({ source }) => untilReadable(dynamo, source)));
  const jobs = tables.flatMap((name, at) => {
    const table = sources[at] as TableProgress;
    const open = Array.from({ length: progress.segments }, (_, segment) => segment).filter(
      (one) => !table.done.includes(one),
    );
    return open.map((segment) => ({ name, table, segment }));
  });
  await inParallel(jobs, async ({ name, table, segment }) => {
    const counted = await copySegment(options, { name, source: table.source, segment, of: progress.segments });
    for (const kind of ['copied', 'kept', 'expired'] as const) table[kind] += counted[kind];
    table.done.push(segment);
    await progress.save();
    if (table.done.length === progress.segments)
      report(`${name}: ${table.copied} items copied, ${table.kept} kept, ${table.expired} expired`);
  });
  await Promise.all(sources.map(({ source }) => deleteIfTemporary(dynamo, source)));
  return Object.fromEntries(
    tables.map((name, at) => {
      const { copied, kept, expired } = sources[at] as TableProgress;
      return [name, { copied, kept, expired }];
    }),
  );
}

/** Copied records are counted like new ones, so totals may neither exist nor be copied. What an interrupted run counted is no obstacle. */
async function checkTotals({ dynamo, tables, to }: RestoreOptions, progress: RestoreProgress): Promise<void> {
  if (tables.includes('aggregates'))
    throw new Error('copied records are counted again: leave out the table aggregates');
  if (progress.table('records') !== undefined) return;
  const { Items = [] } = await dynamo.send(new ScanCommand({ TableName: to.aggregates, Limit: 1 }));
  if (Items.length > 0)
    throw new Error(
      'the target has totals, in which copied records would be counted again: leave out the table records',
    );
}

type Counts = Record<'copied' | 'kept' | 'expired', number>;

async function copySegment(
  { dynamo, to, replaces, now = Date.now }: RestoreOptions,
  {
    name,
    source,
    segment,
    of,
  }: { readonly name: TableName; readonly source: string; readonly segment: number; readonly of: number },
): Promise<Counts> {
  const { partitionKey, timeToLive }: TableDefinition = TABLES[name];
  const counts: Counts = { copied: 0, kept: 0, expired: 0 };
  const condition = replaces
    ? {}
    : { ConditionExpression: 'attribute_not_exists(#pk)', ExpressionAttributeNames: { '#pk': partitionKey } };
  let ExclusiveStartKey: Record<string, AttributeValue> | undefined;
  do {
    const scan = new ScanCommand({ TableName: source, Segment: segment, TotalSegments: of, ExclusiveStartKey });
    const page = await unlessThrottled(() => dynamo.send(scan));
    const items = [...(page.Items ?? [])];
    const write = async (): Promise<void> => {
      for (let item = items.pop(); item !== undefined; item = items.pop()) {
        const { outbox: _, outboxPk: __, ...Item } = item;
        if (timeToLive !== undefined && Number(Item[timeToLive]?.N ?? Number.POSITIVE_INFINITY) * 1_000 < now()) {
          counts.expired += 1;
          continue;
        }
        const put = new PutItemCommand({ TableName: to[name], Item, ...condition });
        counts[(await unlessThrottled(() => putOrKeep(dynamo, put))) ? 'copied' : 'kept'] += 1;
      }
    };
    await Promise.all(Array.from({ length: WRITES }, write));
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey !== undefined);
  return counts;
}

/** @returns whether the item was written; false if the target has one with its key */
async function putOrKeep(dynamo: DynamoClient, put: PutItemCommand): Promise<boolean> {
  try {
    await dynamo.send(put);
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}

/** An on-demand table doubles its capacity within minutes. */
async function unlessThrottled<Result>(call: () => Promise<Result>): Promise<Result> {
  for (const pauseMs of PAUSES_MS) {
    try {
      return await call();
    } catch (error) {
      if (!THROTTLED.test((error as Error).name)) throw error;
      await pause(pauseMs * (0.5 + Math.random() / 2));
    }
  }
  return await call();
}

/** The first failure ends all workers after their segments. */
async function inParallel<Job>(jobs: readonly Job[], run: (job: Job) => Promise<void>): Promise<void> {
  const open = [...jobs];
  let hasFailed = false;
  const work = async (): Promise<void> => {
    for (let job = open.shift(); job !== undefined && !hasFailed; job = open.shift()) {
      await run(job).catch((error: unknown) => {
        hasFailed = true;
        throw error;
      });
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: WORKERS }, work));
  for (const result of ended) if (result.status === 'rejected') throw result.reason;
}
