import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { FakeEdge } from './fake-edge.ts';
import { type InvokedFunction, startFunction } from './invoke.ts';
import { type Endpoints, startEndpoints } from './recorded-endpoints.ts';

const ARN = 'arn:aws:secretsmanager:eu-central-1:000000000000:secret:origin-secret';
const STEPS = ['createSecret', 'setSecret', 'testSecret', 'finishSecret'];
const FIRST = 'a'.repeat(64);

const edge = new FakeEdge(JSON.stringify({ sent: FIRST }), FIRST);
let rotation: InvokedFunction;
let endpoints: Endpoints;
beforeAll(async () => {
  const url = await edge.start();
  endpoints = await startEndpoints('OriginSecretRotationRole', { secrets: url, cloudfront: url });
  rotation = await startFunction({
    bundleDir: path.resolve(import.meta.dirname, '../../dist/origin-secret'),
    env: {
      ...endpoints.env,
      SVC_ORIGIN_SECRET_ARN: ARN,
      SVC_DISTRIBUTION_ID: 'E1EXAMPLE',
      SVC_DISTRIBUTION_URL: url,
    },
  });
});
afterAll(async () => {
  await rotation?.stop();
  endpoints?.stop();
  edge.stop();
});

const step = (Step: string, ClientRequestToken: string) => rotation.invoke({ Step, SecretId: ARN, ClientRequestToken });

test('the deployed bundle rotates the secret step by step: first the accepted values, then the one that is sent', async () => {
  edge.begin('v1');
  for (const one of STEPS) await step(one, 'v1');
  expect([edge.sent, edge.changes]).toEqual([
    [FIRST, FIRST],
    ['PutSecretValue', 'UpdateSecretVersionStage'],
  ]);
  const { next } = JSON.parse(edge.current ?? '');

  edge.changes.length = 0;
  edge.begin('v2');
  for (const one of STEPS) await step(one, 'v2');
  expect([edge.sent, edge.changes]).toEqual([
    [next, next],
    ['PutSecretValue', 'UpdateDistribution', 'UpdateSecretVersionStage'],
  ]);
  expect(JSON.parse(edge.current ?? '')).toMatchObject({ sent: next, before: FIRST });

  edge.begin('v3');
  edge.healthy = false;
  const before = edge.current;
  for (const one of STEPS.slice(0, 2)) await step(one, 'v3');
  await expect(step('testSecret', 'v3')).rejects.toThrow('the gateway is not reached through the distribution');
  expect(edge.current).toBe(before);
  await expect(step('setSecret', 'v9')).rejects.toThrow('the version is not pending');
  for (const { text = 'none' } of edge.versions.values()) {
    for (const secret of text.match(/\w{64}/g) ?? []) expect(rotation.logs()).not.toContain(secret);
  }
});
