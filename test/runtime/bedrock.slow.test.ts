import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { FakeBedrock, streamed, textEvents, whole } from '../support/fake-bedrock.ts';
import { type Deployment, startDeployment } from './deployment.ts';
import { putAdminKey } from './put-admin-key.ts';

const bedrock = new FakeBedrock();
let deployment: Deployment;
let adminKey: string;

beforeAll(async () => {
  await bedrock.start();
  deployment = await startDeployment({ BEDROCK_BASE_URL: bedrock.url });
  adminKey = await putAdminKey(deployment);
});
afterAll(async () => {
  await deployment?.stop();
  bedrock.stop();
});

async function ask(fields: object) {
  const response = await fetch(`${deployment.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'amazon.nova-pro-v1:0', messages: [{ role: 'user', content: 'Hello' }], ...fields }),
  });
  return { status: response.status, text: await response.text() };
}

test('the deployed bundle calls Amazon Bedrock with its role and no key, whole and streamed', async () => {
  bedrock.answer(whole([{ text: 'Hi there' }]));
  const answer = await ask({});
  expect([answer.status, JSON.parse(answer.text).choices[0].message.content]).toEqual([200, 'Hi there']);
  expect(bedrock.last.headers.authorization).toMatch(/^AWS4-HMAC-SHA256 .*\/bedrock\/aws4_request/);
  bedrock.answer(streamed(textEvents('Hi', ' there')));
  const stream = await ask({ stream: true });
  expect(stream.status).toBe(200);
  expect(stream.text).toMatch(/data: \[DONE\]\n\n$/);
});
