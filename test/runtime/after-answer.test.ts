import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { type Deployment, startDeployment } from './deployment.ts';
import { putAdminKey } from './put-admin-key.ts';

let deployment: Deployment;
let key = '';

beforeAll(async () => {
  deployment = await startDeployment({}, {}, { home: 'function-url' });
  key = await putAdminKey(deployment);
});
afterAll(() => deployment.stop());

const headers = () => ({ authorization: `Bearer ${key}`, 'content-type': 'application/json' });

async function recorded(id: string | null): Promise<boolean> {
  const answer = await fetch(`${deployment.adminUrl}/analytics/requests`, { headers: headers() });
  const { data } = (await answer.json()) as { data: { id: string }[] };
  return data.some((record) => record.id === id);
}

test.each([
  ['a whole answer', { model: 'echo', messages: [{ role: 'user', content: 'Hello' }] }],
  ['a stream', { model: 'echo', stream: true, messages: [{ role: 'user', content: 'Hello' }] }],
  ['a refusal', { model: 'echo', messages: [] }],
])(
  '%s reaches its caller to its end before its record is written, and the function stays awake until it is',
  async (_, body) => {
    const release = deployment.holdRecords();
    const answer = await fetch(`${deployment.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: headers(),
      body: JSON.stringify(body),
    });
    // To the end of the body: this hangs if the response waits.
    await answer.text();
    const id = answer.headers.get('x-request-id');
    expect(await recorded(id)).toBe(false);
    release();
    await eventually(() => recorded(id));
  },
);
