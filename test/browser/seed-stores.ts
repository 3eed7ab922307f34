import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoKeyStore } from '../../functions/adapters/dynamo-key-store.ts';
import { DynamoRequestRecords } from '../../functions/adapters/dynamo-request-records.ts';
import { systemClock } from '../../functions/adapters/system-clock.ts';
import { inParallel } from '../../functions/core/analytics/in-parallel.ts';
import { recordOf } from '../../functions/core/analytics/record.fixture.ts';
import type { RecordedFinding } from '../../functions/core/model/analytics.ts';
import { createKeySchema } from '../../functions/core/model/api-key.ts';
import { type EmbeddedStores, startEmbeddedStores } from '../../lib/local/embedded-stores.ts';

const FINDINGS_A_RECORD = 20;
const AT_ONCE = 50;

/** Embedded stores with so many keys and findings in them, as if they had come one by one: the oldest first. */
export async function startSeededStores(keyCount: number, findingCount: number): Promise<EmbeddedStores> {
  const stores = await startEmbeddedStores();
  process.env.AWS_ENDPOINT_URL_DYNAMODB = stores.dynamodbUrl;
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const dynamo = new DynamoDBClient({ endpoint: stores.dynamodbUrl, region: 'eu-central-1', credentials });
  await putKeys(keyCount, new DynamoKeyStore(dynamo, 'keys'));
  await putFindings(findingCount, dynamo);
  dynamo.destroy();
  return stores;
}

async function putKeys(count: number, keys: DynamoKeyStore): Promise<void> {
  const begun = Date.now() - count * 1_000;
  const fields = createKeySchema.parse({ name: 'x' });
  await inParallel(
    Array.from({ length: count }, (_, at) => at),
    AT_ONCE,
    (at) =>
      keys.create({
        ...fields,
        id: `key_${String(at).padStart(32, '0')}`,
        name: at === 0 ? 'The very first' : `Application ${at}`,
        state: 'active',
        last4: String(at).padStart(4, '0').slice(-4),
        createdAt: new Date(begun + at * 1_000).toISOString(),
        secretHash: `seeded.${at}`,
      }),
  );
}

async function putFindings(count: number, dynamo: DynamoDBClient): Promise<void> {
  const records = new DynamoRequestRecords(dynamo, 'records', systemClock, {
    keptDays: 30,
    lingerMs: 1,
    pendingIndex: false,
  });
  const requests = count / FINDINGS_A_RECORD;
  const begun = Date.now() - 3_600_000;
  await inParallel(
    Array.from({ length: requests }, (_, at) => at),
    AT_ONCE * 4,
    (at) =>
      records.write(
        recordOf({
          time: new Date(begun + at * Math.floor(3_000_000 / requests)).toISOString(),
          keyId: `key_${String(at % 50).padStart(32, '0')}`,
          state: 'blocked',
          action: 'block',
          findings: Array.from({ length: FINDINGS_A_RECORD }, (_, finding) => findingOf(at, finding)),
          threats: { prompt_injection: FINDINGS_A_RECORD },
        }),
      ),
  );
}

/** The oldest has a rule of its own. */
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
