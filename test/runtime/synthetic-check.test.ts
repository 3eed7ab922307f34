import { ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createDynamoClient, createSqsClient, type DynamoClient } from '../../functions/adapters/aws/clients.ts';
import { DynamoAuditLog } from '../../functions/adapters/dynamo/dynamo-audit-log.ts';
import { DynamoKeyStore } from '../../functions/adapters/dynamo/dynamo-key-store.ts';
import { createKeyHasher } from '../../functions/adapters/node/hmac-key-hasher.ts';
import { systemClock } from '../../functions/adapters/node/process-time.ts';
import { makeSyntheticCheckKey } from '../../functions/control/keys/index.ts';
import { SYNTHETIC_CHECK_KEY_ID } from '../../functions/kernel/model/index.ts';
import { embeddedAccess } from '../../lib/local/create-resources.ts';
import { eventually } from '../support/eventually.ts';
import { type Deployment, startDeployment } from './deployment.ts';
import { type InvokedFunction, startInvokedFunction } from './invoked-function.ts';

const KEY_ARN = 'arn:aws:secretsmanager:eu-central-1:000000000000:secret:synthetic-check-key';

let deployment: Deployment;
let dynamo: DynamoClient;
let secret = '';
const started: InvokedFunction[] = [];

beforeAll(async () => {
  // Without any provider.
  deployment = await startDeployment();
  dynamo = createDynamoClient(embeddedAccess(deployment.stores.dynamodbUrl));
  await makeSyntheticCheckKey('request', {
    keys: new DynamoKeyStore(dynamo, 'keys'),
    hasher: createKeyHasher(async () => deployment.pepper),
    keeper: {
      keep: async (_, text) => {
        secret = text;
        return text;
      },
    },
    clock: systemClock,
    audit: new DynamoAuditLog(dynamo, 'audit', 30),
    onAudited: () => {},
  });
});
afterAll(async () => {
  for (const one of started) await one.stop();
  await deployment?.stop();
});

/** A run of the deployed check, as EventBridge starts it. @returns its log line */
async function run(baseUrl: string, key: string) {
  const check = await startInvokedFunction({
    bundle: 'synthetic-check',
    role: 'SyntheticCheckRole',
    secrets: { [KEY_ARN]: key },
    env: () => ({ SVC_BASE_URL: baseUrl, SVC_SYNTHETIC_CHECK_KEY_SECRET_ARN: KEY_ARN }),
  });
  started.push(check);
  expect(await check.invoke({ source: 'aws.events', 'detail-type': 'Scheduled Event', detail: {} })).toBeNull();
  const logged = () => check.logs().filter((line) => line.includes('"synthetic check"'));
  const lines = await eventually(() => (logged().length > 0 ? logged() : undefined));
  expect(lines).toHaveLength(1);
  expect(check.logs().join('')).not.toContain(key.slice(7));
  return JSON.parse(lines[0] ?? '');
}

describe('the deployed synthetic check', () => {
  test('succeeds against the deployed gateway without a provider; its requests are recorded, but cause no events', async () => {
    const line = await run(deployment.baseUrl, secret);
    expect(line).toMatchObject({ level: 'INFO', failures: [], SyntheticCheckSucceeded: 1 });
    expect(line.SyntheticCheckDuration).toBeGreaterThan(0);
    const records = await eventually(async () => {
      const { Items = [] } = await dynamo.send(new ScanCommand({ TableName: 'records' }));
      return Items.length >= 2 ? Items : undefined;
    });
    expect(records.map(({ record }) => JSON.parse(record))).toEqual([
      expect.objectContaining({ keyId: SYNTHETIC_CHECK_KEY_ID }),
      expect.objectContaining({ keyId: SYNTHETIC_CHECK_KEY_ID }),
    ]);
    expect(JSON.stringify(records)).not.toContain('outbox');
    const sqs = createSqsClient(embeddedAccess(deployment.stores.sqsUrl));
    const events = await sqs.send(new ReceiveMessageCommand({ QueueUrl: deployment.stores.eventsQueueUrl }));
    expect(events.Messages ?? []).toEqual([]);
  });

  test('fails with the reason if the key is not accepted, and if there is no deployment at the address', async () => {
    const refused = await run(deployment.baseUrl, `${secret.slice(0, -4)}aaaa`);
    expect(refused).toMatchObject({
      level: 'ERROR',
      failures: ['harmless: status 401', 'blocked: status 401'],
      SyntheticCheckSucceeded: 0,
    });
    const absent = await run('http://127.0.0.1:9/v1', secret);
    expect(absent.failures).toEqual(['harmless: connect', 'blocked: connect']);
  });
});
