import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Deployment, startDeployment } from './deployment.ts';
import { putAdminKey } from './put-admin-key.ts';
import { startWebEndpoint } from './web-endpoint.ts';

let deployment: Deployment;
let key = '';
beforeAll(async () => {
  deployment = await startDeployment({}, {}, { home: 'web-function' });
  key = await putAdminKey(deployment);
});
afterAll(() => deployment.stop());

const ask = (body: object) =>
  fetch(`${deployment.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'echo', messages: [{ role: 'user', content: 'Hello' }], ...body }),
  });

async function isRecorded(id: string | null): Promise<boolean> {
  const answer = await fetch(`${deployment.adminUrl}/analytics/requests`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const { data } = (await answer.json()) as { data: { id: string }[] };
  return data.some((record) => record.id === id);
}

test.each([
  ['a whole response', {}],
  ['a stream', { stream: true }],
  ['a refusal', { messages: [] }],
])('the last running request ends after its record is written: %s', async (_, body) => {
  const release = deployment.holdRecords();
  const text = ask(body).then((response) => response.text());
  const early = new Promise((resolve) => setTimeout(() => resolve('open'), 600));
  expect(await Promise.race([text, early])).toBe('open');
  release();
  // Otherwise it runs beside the next test's request, which then need not wait.
  await text;
});

test('the record exists when the response has ended', async () => {
  const response = await ask({ stream: true });
  await response.text();
  expect(await isRecorded(response.headers.get('x-request-id'))).toBe(true);
});

test('a bundle without the address of its endpoint does not start', async () => {
  const bundleDir = path.resolve(import.meta.dirname, '../../dist/web-function');
  await expect(startWebEndpoint({ bundleDir, env: { AWS_LAMBDA_HTTP_ENDPOINT: '' } })).rejects.toThrow();
});
