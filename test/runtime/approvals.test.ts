import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type MockUpstream, startMockUpstream } from '../support/mock-upstream/start-mock-upstream.ts';
import { type Deployment, startDeployment } from './deployment.ts';
import { putAdminKey } from './put-admin-key.ts';

const USER = 'maria.lopez@example.org';

let upstream: MockUpstream;
let deployment: Deployment;
let adminKey: string;
let key: string;
beforeAll(async () => {
  upstream = await startMockUpstream();
  deployment = await startDeployment({ OPENAI_API_KEY: 'sk-planted', OPENAI_BASE_URL: `${upstream.url}/v1` });
  adminKey = await putAdminKey(deployment);
  const policy = { tools: { rules: [{ id: 'pay', tool: 'pay', action: 'ask' }] } };
  ({ key } = await admin('POST', '/admin/keys', { name: 'agent', policy }));
});
afterAll(async () => {
  await deployment?.stop();
  await upstream?.close();
});

async function admin(method: string, path: string, body?: object) {
  const response = await fetch(`${deployment.adminUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return JSON.parse((await response.text()) || 'null');
}

/** A turn of the session; the model pays an amount. */
async function turn(content: string, amount: number) {
  upstream.next({ toolCalls: [{ id: 'call_1', name: 'pay', arguments: JSON.stringify({ amount }) }] });
  const response = await fetch(`${deployment.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'x-session-id': 'a talk',
      'x-end-user-id': USER,
    },
    body: JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content }] }),
  });
  const { choices, svc } = JSON.parse(await response.text());
  return { message: choices[0].message, approvals: svc.approvals ?? [] };
}

const CODE = /\b[2-9A-Z]{4}-[2-9A-Z]{4}\b/;

test('a tool call waits in the deployed stores until an administrator or the user approves it, and passes once', async () => {
  const asked = await turn('Pay the invoice.', 90);
  expect(asked.message.tool_calls).toBeUndefined();
  const [{ id }] = asked.approvals;
  for (const query of ['', '?state=pending']) {
    expect((await admin('GET', `/approvals${query}`)).data).toEqual([expect.objectContaining({ id, tool: 'pay' })]);
  }
  expect((await admin('GET', `/approvals/${id}`)).call).toMatchObject({ arguments: '{"amount":90}' });
  expect(await admin('POST', `/approvals/${id}`, { decision: 'approve' })).toMatchObject({ state: 'approved' });
  expect((await turn('And now?', 90)).message.tool_calls).toHaveLength(1);

  const other = await turn('Pay the other one.', 50);
  const [code = ''] = CODE.exec(other.message.content) ?? [];
  expect((await turn(`No: ${code.replace(/.$/, '2')}`, 50)).approvals).toHaveLength(1);
  expect((await turn(`Yes: ${code}`, 50)).message.tool_calls).toHaveLength(1);
});

test("the approvals of an end user's calls are deleted with their data", async () => {
  await turn('Pay one more.', 10);
  await admin('DELETE', `/admin/end-users/${encodeURIComponent(USER)}`);
  expect((await admin('GET', '/approvals')).data).toEqual([]);
});
