import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { WITHOUT_EVENTS } from '../../support/quick-start.ts';
import { Contract, saying } from '../contract.ts';
import { startLocalProcess } from '../local-process.ts';
import { expectError, type Reply } from '../reply.ts';

/** With a separate service: this policy applies to every key. */
const contract = new Contract((providers) => startLocalProcess(providers, WITHOUT_EVENTS), {});
beforeAll(() => contract.start());
afterAll(() => contract.stop());

const FLAGGED = 'SVC-TEST-FLAG-7f3a';
const actionFor = async (key: string, text: string) =>
  (await contract.chat(saying(text, 'echo'), { key })).json.svc?.action;
/** Two requests of 210 millionths of a dollar, and nearly a third. */
const BUDGET = { tag: 'team', value: 'data', usd: 0.0005, period: 'month' };
const block = (literal: string) => ({ rules: [{ id: 'word', literals: [literal], action: 'block' }] });

test("the deployment's policy applies to every key, and the key's own settings override it", async () => {
  const put = await contract.admin('PUT', '/policy', { ...block('heliotrope'), tagBudgets: [BUDGET] });
  expect([put.status, put.json.tagBudgets]).toEqual([200, [BUDGET]]);
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

test("a tag's budget is shared only by keys with the tag", async () => {
  const ask = (key: string) => {
    contract.upstream.next({ text: 'Fine.', usage: { prompt_tokens: 1_000, completion_tokens: 100 } });
    return contract.chat({ ...saying('Hi'), max_tokens: 100 }, { key });
  };
  const tags = { team: 'data' };
  const made = [
    await contract.createKey({ tags }),
    await contract.createKey({ tags, budget: { usd: 1, period: 'day' } }),
  ] as const;
  const first = made[0].key;
  const other = await contract.newKey({ tags: { team: 'sales' } });
  const replies: Reply[] = [];
  for (const { id, key } of [...made, ...made]) {
    replies.push(await ask(key));
    // Settled in a background task.
    await contract.settledUsage(id);
  }
  // After two of them 80 millionths are left: room for one more, whose bound is lower than its real cost here.
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
  const refused = replies[3] as Reply;
  expectError(refused, 'insufficient_quota');
  expect(refused.json.error.message).toContain("the tag 'team: data'");
  expect(refused.json.error.details).toMatchObject({ limit: BUDGET.usd, remaining: 0 });
  expect(refused.headers.get('x-should-retry')).toBe('false');
  expect((await ask(first)).status).toBe(429);
  expect((await ask(other)).status).toBe(200);
  contract.upstream.reset();

  const large = await contract.chat({ ...saying('Hi'), max_tokens: 4_000 }, { key: first });
  expectError(large, 'invalid_value', 'max_tokens');
  expect(large.json.error.message).toContain("the budget of its tag 'team: data'");
  expectError(await contract.chat(saying('Hi', 'gpt-nobody-knows'), { key: first }), 'invalid_value', 'model');
  // What costs nothing is not refused.
  expect((await contract.chat(saying('Hi', 'echo'), { key: first })).status).toBe(200);
});

test.each([
  ['a tag twice', [BUDGET, { ...BUDGET, usd: 1 }], 'tagBudgets[1]'],
  ['no money', [{ ...BUDGET, usd: 0 }], 'tagBudgets[0].usd'],
  ['a period that is none', [{ ...BUDGET, period: 'fortnight' }], 'tagBudgets[0].period'],
])('a budget of a tag is refused with %s', async (_, tagBudgets, param) => {
  expectError(await contract.admin('PUT', '/policy', { tagBudgets }), 'invalid_value', param);
  const { status } = await contract.admin('POST', '/keys', { name: 'x', policy: { tagBudgets } });
  // It is the deployment's alone.
  expect(status).toBe(400);
});

test('the policy of a guard call replaces both', async () => {
  const body = JSON.stringify({ input: 'A heliotrope hat', policy: {} });
  expect((await contract.call('/guard', body)).json.action).toBe('allow');
  expect((await contract.call('/guard', JSON.stringify({ input: 'A heliotrope hat' }))).json.action).toBe('block');
});

test('a new version takes effect within 10 s', async () => {
  const { headers } = await contract.admin('GET', '/policy');
  const key = await contract.newKey();
  const reply = await contract.call('/admin/policy', JSON.stringify(block('pistachio')), {
    method: 'PUT',
    key: contract.service.adminKey,
    headers: { 'if-match': headers.get('etag') ?? '' },
  });
  expect([reply.status, reply.json.version]).toEqual([200, 2]);
  await eventually(async () => (await actionFor(key, 'A pistachio cake')) === 'block');
  expect(await actionFor(key, 'A heliotrope hat')).toBe('allow');
});
