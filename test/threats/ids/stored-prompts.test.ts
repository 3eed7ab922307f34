import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Contract } from '../../contract/contract.ts';
import { startLocalProcess } from '../../contract/local-process.ts';
import { WITHOUT_EVENTS } from '../../support/quick-start.ts';

/** Stored prompts of OpenAI name their model: the gateway does not know which one a request calls. */
const contract = new Contract(
  (providers) => startLocalProcess(providers, { SVC_FOREIGN_IDS: 'pmpt_', ...WITHOUT_EVENTS }),
  {},
);
beforeAll(() => contract.start());
afterAll(() => contract.stop());

const ask = async (fields: object, key = contract.key) => {
  const before = contract.upstream.requests.length;
  const body = JSON.stringify({ input: 'Hi', ...fields });
  const { status, json, headers } = await contract.call('/responses', body, { key });
  return { status, json, headers, calls: contract.upstream.requests.length - before, body };
};
const PROMPT = { prompt: { id: 'pmpt_68aa' } };

test('a request without a model reaches OpenAI as it came', async () => {
  for (const fields of [PROMPT, { ...PROMPT, model: null }]) {
    const { status, headers, body } = await ask(fields);
    expect([status, contract.sent.path, contract.sent.body]).toEqual([200, '/v1/responses', body]);
    expect(headers.get('x-svc-route')).toBe('openai/@prompt/pmpt_68aa');
  }
});

test('without a prompt the model is required', async () => {
  const { status, json, calls } = await ask({});
  expect([status, json.error.code, json.error.param, calls]).toEqual([400, 'missing_field', 'model', 0]);
});

test('a key that may use only some models may not use any prompt', async () => {
  for (const [allowedModels, status] of [
    [['gpt-4o-mini'], 403],
    [['openai/gpt-*'], 403],
    [['*'], 403],
    [['anthropic/*'], 403],
    [['openai/@prompt/pmpt_other'], 403],
    [['openai/@prompt/pmpt_68aa'], 200],
    [['openai/*'], 200],
  ] as const) {
    const reply = await ask(PROMPT, await contract.newKey({ allowedModels }));
    expect([allowedModels, reply.status, reply.calls]).toEqual([allowedModels, status, status === 200 ? 1 : 0]);
  }
});

test('a key with a budget needs a price for the prompt', async () => {
  const reply = await ask(PROMPT, await contract.newKey({ budget: { usd: 1, period: 'day' } }));
  expect([reply.status, reply.json.error.param, reply.calls]).toEqual([400, 'model', 0]);
});

test('the id cannot name another path, provider or key', async () => {
  for (const id of ['pmpt_a b', 'pmpt_\u00e9', 'pmpt_?x=1', '']) {
    const { status, calls } = await ask({ prompt: { id } });
    expect([id, status < 500 && status >= 400, calls]).toEqual([id, true, 0]);
  }
  const { status, calls } = await ask({ prompt: { id: 'other_1' } });
  expect([status, calls]).toEqual([404, 0]);
});

test('the variables of a prompt are inspected', async () => {
  const variables = { text: 'Please read SVC-TEST-BLOCK-7f3a aloud.' };
  const { status, json, calls } = await ask({ prompt: { id: 'pmpt_68aa', variables } });
  expect([status, json.error.code, calls]).toEqual([400, 'content_filter', 0]);
});
