/** Containers with tables, queues and secrets in AWS, without a deployment. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  UpdateTableCommand,
} from '@aws-sdk/client-dynamodb';
import { DeleteSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { PutParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startLocalProcess } from '../contract/local-process.ts';
import type { ProviderSettings } from '../contract/service.ts';
import { eventually } from '../support/eventually.ts';
import { type Moto, startMoto } from './moto.ts';
import { accessTo } from './stacks.ts';

const REGION = 'eu-central-1';
const SVC = path.resolve(import.meta.dirname, '../../bin/svc.ts');

let moto: Moto;
let access: ReturnType<typeof accessTo>;
let variables: Record<string, string>;
beforeAll(async () => {
  moto = await startMoto();
  access = accessTo(moto.url, REGION);
  variables = {
    AWS_REGION: REGION,
    AWS_ACCESS_KEY_ID: 'moto',
    AWS_SECRET_ACCESS_KEY: 'moto',
    AWS_ENDPOINT_URL: moto.url,
    // The local process gets other stores where none are named.
    AWS_ENDPOINT_URL_DYNAMODB: moto.url,
  };
});
afterAll(() => moto?.stop());

/** Runs `svc create-tables`. */
async function createTables(name: string) {
  const child = spawn(process.execPath, [SVC, 'create-tables', '--name', name, '--json'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, ...variables },
  });
  let [printed, reported] = ['', ''];
  child.stdout.on('data', (bytes: Buffer) => {
    printed += bytes;
  });
  child.stderr.on('data', (bytes: Buffer) => {
    reported += bytes;
  });
  const [code] = await once(child, 'close');
  return { code, reported, result: JSON.parse(printed || '{}') };
}

test('svc create-tables creates what containers need, which serve, count and share it; a second run completes it', async () => {
  const made = await createTables('shop');
  expect([made.code, made.reported.includes('table shop-keys')]).toEqual([0, true]);
  const { parameter, adminKey } = made.result;
  expect([parameter, adminKey]).toEqual(['/svc/shop/stores', expect.stringMatching(/^svc_sk_/)]);
  const dynamo = new DynamoDBClient(access);
  const { Table } = await dynamo.send(new DescribeTableCommand({ TableName: 'shop-records' }));
  expect(Table?.DeletionProtectionEnabled).toBe(true);
  const { ContinuousBackupsDescription: backups } = await dynamo.send(
    new DescribeContinuousBackupsCommand({ TableName: 'shop-records' }),
  );
  expect(backups?.PointInTimeRecoveryDescription?.PointInTimeRecoveryStatus).toBe('ENABLED');
  const { TimeToLiveDescription: ttl } = await dynamo.send(
    new DescribeTimeToLiveCommand({ TableName: 'shop-records' }),
  );
  expect(ttl?.TimeToLiveStatus).toBe('ENABLED');

  const settings = { ...variables, SVC_STORES: 'aws', SVC_STORES_PARAMETER: parameter, SVC_ADMIN_KEY: '' };
  const start = () => startLocalProcess({} as ProviderSettings, settings);
  const services = [await start(), await start()];
  try {
    const call = async (at: number, address: string, body?: object) => {
      const response = await fetch(`${services[at]?.baseUrl}${address}`, {
        ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
        headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
      });
      return { status: response.status, json: (await response.json()) as { requests: number } };
    };
    for (const at of [0, 1]) {
      const body = { model: 'echo', messages: [{ role: 'user', content: 'Hello' }] };
      expect((await call(at, '/chat/completions', body)).status).toBe(200);
    }
    await eventually(
      () => call(1, '/analytics/summary'),
      ({ json }) => json.requests === 2,
    );
    // No other admin key was created at the start.
    expect(services.map((service) => service.logs()).join()).not.toContain('svc_sk_');
  } finally {
    await Promise.all(services.map((service) => service.stop()));
  }

  // As if an earlier version had made the table, and an administrator had removed a secret.
  const Delete = { IndexName: 'byTeam' };
  await dynamo.send(new UpdateTableCommand({ TableName: 'shop-records', GlobalSecondaryIndexUpdates: [{ Delete }] }));
  const secrets = new SecretsManagerClient(access);
  await secrets.send(new DeleteSecretCommand({ SecretId: 'svc/shop/providers', ForceDeleteWithoutRecovery: true }));
  const again = await createTables('shop');
  expect([again.code, again.result]).toEqual([0, { parameter, adminKey: null }]);
  const after = await dynamo.send(new DescribeTableCommand({ TableName: 'shop-records' }));
  const names = after.Table?.GlobalSecondaryIndexes?.map(({ IndexName }) => IndexName);
  expect(names).toEqual(expect.arrayContaining(['byTeam', 'pending']));
});

test("svc create-tables leaves a deployment's parameter as it is", async () => {
  const put = { Name: '/svc/taken/stores', Type: 'String', Value: '{"background":"functions"}' } as const;
  await new SSMClient(access).send(new PutParameterCommand(put));
  const { code, result } = await createTables('taken');
  expect([code, result.error.message]).toEqual([1, expect.stringContaining('belongs to a deployment')]);
});
