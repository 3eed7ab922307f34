import { BatchWriteCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { createDynamoClient, type DynamoClient } from '../../functions/adapters/aws/clients.ts';
import { DynamoKeyStore } from '../../functions/adapters/dynamo/dynamo-key-store.ts';
import { DynamoRequestRecords } from '../../functions/adapters/dynamo/dynamo-request-records.ts';
import { recordOf } from '../../functions/control/analytics/record.fixture.ts';
import { newRequestIdText } from '../../functions/kernel/http/request-id.ts';
import { createKeySchema, type RecordedFinding } from '../../functions/kernel/model/index.ts';
import { inParallel } from '../../functions/kernel/tasks/index.ts';
import { embeddedAccess } from '../../lib/local/create-resources.ts';
import { type EmbeddedStores, startEmbeddedStores } from '../../lib/local/embedded-stores.ts';

export const FINDINGS_A_RECORD = 2;
const AT_ONCE = 200;
/** Maximum items of a BatchWriteItem. */
const BATCH = 25;

/** Embedded stores with so many keys and blocked requests, the oldest first. */
export async function startSeededStores(keyCount: number, requestCount: number): Promise<EmbeddedStores> {
  const stores = await startEmbeddedStores();
  process.env.AWS_ENDPOINT_URL_DYNAMODB = stores.dynamodbUrl;
  const dynamo = createDynamoClient(embeddedAccess(stores.dynamodbUrl));
  await putKeys(keyCount, dynamo);
  await putRequests(requestCount, dynamo);
  return stores;
}

/** Copies the items of one key: creating each through the store takes two calls, and minutes for ten thousand. */
async function putKeys(count: number, dynamo: DynamoClient): Promise<void> {
  const begun = Date.now() - count * 1_000;
  const createdAt = (at: number) => new Date(begun + at * 1_000).toISOString();
  const first = {
    ...createKeySchema.parse({ name: 'The very first' }),
    id: idOf(0),
    state: 'active' as const,
    last4: '0000',
    createdAt: createdAt(0),
    secretHash: 'seeded.0.end',
  };
  await new DynamoKeyStore(dynamo, 'keys').create(first);
  const { Items = [] } = await dynamo.send(new ScanCommand({ TableName: 'keys' }));
  const written = JSON.stringify(Items);
  const copies = Array.from({ length: count - 1 }, (_, at) => at + 1).flatMap((at) => {
    const copy = written
      .replaceAll(first.id, idOf(at))
      .replaceAll(first.secretHash, `seeded.${at}.end`)
      .replaceAll(first.createdAt, createdAt(at))
      .replaceAll(first.name, `Application ${at}`);
    return JSON.parse(copy) as typeof Items;
  });
  const batches = Array.from({ length: Math.ceil(copies.length / BATCH) }, (_, at) =>
    copies.slice(at * BATCH, (at + 1) * BATCH),
  );
  await inParallel(batches, 8, async (batch) => {
    const puts = batch.map((Item) => ({ PutRequest: { Item } }));
    const command = new BatchWriteCommand({ RequestItems: { keys: puts } });
    const { UnprocessedItems = {} } = await dynamo.send(command);
    if (Object.keys(UnprocessedItems).length > 0) throw new Error('not all keys were written');
  });
}

function idOf(at: number): string {
  return `key_${at.toString(16).padStart(32, '0')}`;
}

async function putRequests(requests: number, dynamo: DynamoClient): Promise<void> {
  const records = new DynamoRequestRecords({ together: dynamo, alone: dynamo }, 'records', {
    keptDays: 30,
    lingerMs: 1,
    pendingIndex: false,
  });
  const begun = Date.now() - 3_600_000;
  await inParallel(
    Array.from({ length: requests }, (_, at) => at),
    AT_ONCE * 4,
    (at) => {
      const arrivedAt = begun + at * Math.floor(3_000_000 / requests);
      return records.write(
        recordOf({
          id: newRequestIdText(arrivedAt),
          time: new Date(arrivedAt).toISOString(),
          keyId: idOf(at % 50),
          state: 'blocked',
          action: 'block',
          findings: Array.from({ length: FINDINGS_A_RECORD }, (_, finding) => findingOf(at, finding)),
          threats: { prompt_injection: FINDINGS_A_RECORD },
        }),
      );
    },
  );
}

/** The oldest has a distinct rule. */
function findingOf(request: number, finding: number): RecordedFinding {
  return {
    type: 'prompt_injection',
    rule: request === 0 && finding === 0 ? 'seeded/oldest' : `seeded/rule-${finding}`,
    severity: 'high',
    score: 0.9,
    action: 'block',
    location: { part: 'input', message: 0, field: 'messages[0].content', start: finding * 10, end: finding * 10 + 5 },
  };
}
