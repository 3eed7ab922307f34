import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Contract, saying } from './contract.ts';
import { startLocalProcess } from './local-process.ts';

/** With a service of its own: what is put here counts for every key. */
const contract = new Contract(startLocalProcess, {});
beforeAll(() => contract.start(), 60_000);
afterAll(() => contract.stop());

const FLAGGED = 'SVC-TEST-FLAG-7f3a';
const actionFor = async (key: string, text: string) =>
  (await contract.chat(saying(text, 'echo'), { key })).json.svc?.action;
const block = (literal: string) => ({ rules: [{ id: 'word', literals: [literal], action: 'block' }] });

test("the deployment's policy counts for every key, under what the key has of its own", async () => {
  await contract.admin('PUT', '/policy', block('heliotrope'));
  const plain = await contract.newKey();
  const refusing = await contract.newKey({ policy: { onBlock: 'refusal' } });
  const own = await contract.newKey({ policy: block('marmalade') });
  expect(await actionFor(plain, 'A heliotrope hat')).toBe('block');
  const refused = await contract.chat(saying('A heliotrope hat', 'echo'), { key: refusing });
  expect([refused.status, refused.json.choices[0].finish_reason]).toEqual([200, 'content_filter']);
  expect([await actionFor(own, 'A heliotrope hat'), await actionFor(own, 'More marmalade')]).toEqual([
    'allow',
    'block',
  ]);
  expect(await actionFor(plain, FLAGGED)).toBe('flag');
});

test('the policy of a guard call takes the place of both', async () => {
  const body = JSON.stringify({ input: 'A heliotrope hat', policy: {} });
  expect((await contract.call('/guard', body)).json.action).toBe('allow');
  expect((await contract.call('/guard', JSON.stringify({ input: 'A heliotrope hat' }))).json.action).toBe('block');
});

test('another version counts within 30 s', async () => {
  const { headers } = await contract.admin('GET', '/policy');
  const key = await contract.newKey();
  const reply = await contract.call('/admin/policy', JSON.stringify(block('pistachio')), {
    method: 'PUT',
    key: contract.service.adminKey,
    headers: { 'if-match': headers.get('etag') ?? '' },
  });
  expect([reply.status, reply.json.version]).toEqual([200, 2]);
  const deadline = Date.now() + 30_000;
  while ((await actionFor(key, 'A pistachio cake')) !== 'block' && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  expect([await actionFor(key, 'A pistachio cake'), await actionFor(key, 'A heliotrope hat')]).toEqual([
    'block',
    'allow',
  ]);
}, 60_000);
