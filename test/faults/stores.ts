import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import { SetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { toLedger } from '../../functions/adapters/dynamo-limit-item.ts';
import { createResources, type StoreAddresses } from '../../lib/local/create-resources.ts';
import { TABLE_DEFINITIONS } from '../../lib/table-definitions.ts';

import { startDynamoDbLocal } from '../stores/dynamodb-local.ts';
import type { LimitItem, StoredRecord } from './ledger.ts';
import { PRELOAD } from './standstills.ts';

export const STORES = ['local', 'dynamodb-local'] as const;
export type StoreName = (typeof STORES)[number];

const ACCESS = { region: 'eu-central-1', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } };
/** A message that a killed process had taken comes again after it; in a deployment it is longer. */
const VISIBILITY_SECONDS = 6;

/** The real stores, behind whatever stands before them. */
export interface SoakStores {
  readonly dynamodbUrl: string;
  readonly sqsUrl: string;
  records(): Promise<StoredRecord[]>;
  limits(): Promise<Map<string, Omit<LimitItem, 'keyId'>>>;
  /** Everything in every table, as text, by table. */
  dump(): Promise<{ name: string; text: string }[]>;
  stop(): Promise<void>;
}

/** The embedded stores in a process of their own, or AWS's DynamoDB Local beside its queues. */
export async function startSoakStores(which: StoreName, standstillsFile: string): Promise<SoakStores> {
  const child = fork(path.resolve(import.meta.dirname, '../../lib/local/stores-process.ts'), [], {
    execArgv: ['--disable-warning=ExperimentalWarning', '--import', PRELOAD],
    env: { ...process.env, SVC_SOAK_STANDSTILLS: standstillsFile },
  });
  const [embedded] = (await once(child, 'message')) as [StoreAddresses];
  const engine = which === 'local' ? undefined : await startDynamoDbLocal();
  const { sqsUrl, eventsQueueUrl, deliveriesQueueUrl } = embedded;
  const dynamodbUrl = engine?.url ?? embedded.dynamodbUrl;
  if (engine !== undefined) await createResources(dynamodbUrl, sqsUrl);
  const sqs = new SQSClient({ ...ACCESS, endpoint: sqsUrl });
  for (const QueueUrl of [eventsQueueUrl, deliveriesQueueUrl]) {
    const Attributes = { VisibilityTimeout: String(VISIBILITY_SECONDS) };
    await sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes }));
  }
  sqs.destroy();
  const dynamo = new DynamoDBClient({ ...ACCESS, endpoint: dynamodbUrl });
  const scan = async (TableName: string) => {
    const items = [];
    for await (const { Items = [] } of paginateScan({ client: dynamo }, { TableName, ConsistentRead: true }))
      items.push(...Items);
    return items;
  };
  return {
    dynamodbUrl,
    sqsUrl,
    records: async () =>
      (await scan('records')).flatMap(({ record }) =>
        record?.S === undefined ? [] : [JSON.parse(record.S) as StoredRecord],
      ),
    limits: async () => {
      const items = await scan('limits');
      return new Map(items.map((item) => [item.pk?.S ?? '', toLimitItem(item)]));
    },
    dump: async () => {
      const names = Object.keys(TABLE_DEFINITIONS);
      const texts = await Promise.all(
        names.map(async (name) => ({ name: `table ${name}`, text: JSON.stringify(await scan(name)) })),
      );
      return texts;
    },
    stop: async () => {
      dynamo.destroy();
      await engine?.stop();
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
}

function toLimitItem(item: Parameters<typeof toLedger>[0]): Omit<LimitItem, 'keyId'> {
  const { spent, open, tokensHeld, slots, tokensFullAt, fullAtMicros } = toLedger(item);
  const held = [...slots.values()].flatMap(({ nanoUsd }) => [...nanoUsd.values()]);
  return {
    spent: sum([...spent.values()]),
    open,
    tokensHeld,
    held: sum(held),
    tokensAt: tokensFullAt,
    fullAt: fullAtMicros,
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0);
}
