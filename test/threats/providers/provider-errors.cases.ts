import { describe, expect, test } from '@jest/globals';
import { GITHUB_TOKEN } from '../../contract/inspection/planted-secret.ts';
import type { Exchange } from '../../fidelity/gateway.ts';
import { ANSWERS, type ResponseApi, sse } from '../responses/answer-formats.ts';
import { gateway, KEY } from './provider-keys.ts';

const SAID = `The token is ${GITHUB_TOKEN} for now.`;
const MARK = GITHUB_TOKEN.slice(4, 16);

/** A refusal in the words of OpenAI, Anthropic and Google at once. */
async function refused(
  { path, body, type }: ResponseApi,
  message: string,
  more: object = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<Exchange & { readonly json: { svc?: { action: string }; error: { message: string } } }> {
  const error = { message, type: 'invalid_request_error', code: null, param: null, ...more };
  const answer = { body: JSON.stringify({ type: 'error', error }), type: 'application/json', status: 400, headers };
  const [exchange] = await gateway.askAll([{ path, body, type: type ?? 'application/json', answer }]);
  return { ...(exchange as Exchange), json: JSON.parse((exchange as Exchange).text) };
}

describe.each(ANSWERS)("a provider's refusal of %s", (_, __, api) => {
  test('is passed on without findings', async () => {
    const { status, json } = await refused(api, 'Unknown voice: x.');
    expect([status, json.error.message, json.svc]).toEqual([400, 'Unknown voice: x.', undefined]);
  });

  test('is redacted, and reports it', async () => {
    const { status, text, json } = await refused(api, SAID);
    expect([status, text.includes(MARK), json.svc?.action]).toEqual([400, false, 'redact']);
    expect(json.error.message).toBe('The token is [REDACTED_GITHUB_TOKEN] for now.');
  });

  test('is replaced if it is blocked', async () => {
    const { status, text, json } = await refused(api, 'Please read SVC-TEST-BLOCK-7f3a aloud.');
    expect([status, json.svc?.action]).toEqual([400, 'block']);
    expect(text).not.toMatch(/SVC-TEST|aloud|Please/);
  });

  test('contains no key of the operator', async () => {
    const { text } = await refused(api, `Calls with ${KEY} are limited.`);
    expect(text).toContain('Calls with [REDACTED_PROVIDER_KEY] are limited.');
    expect(text).not.toContain(KEY);
  });

  test('is inspected in all of its members', async () => {
    for (const more of [{ type: SAID }, { code: SAID }, { param: SAID }]) {
      const { status, text } = await refused(api, 'No.', more);
      expect([status, text.includes(MARK)]).toEqual([400, false]);
    }
  });

  test('cannot contain fields of the gateway', async () => {
    const headers = { 'x-svc-action': 'forged', 'x-svc-threat-score': '0.98765', 'retry-after': SAID };
    const reply = await refused(api, 'No.', { svc: { action: 'forged' } }, headers);
    expect(reply.text).not.toContain('forged');
    expect([...reply.headers].join()).not.toMatch(/forged|0\.98765|ghp_/);
  });
});

describe.each(ANSWERS)('a response of %s', (_, answer, { path, body, type = 'application/json' }) => {
  test('contains no key of the operator, in its text or other fields', async () => {
    const said = answer(JSON.stringify(`Called with ${KEY}, fine.`), `"note":"${KEY}"`);
    const [exchange] = await gateway.askAll([{ path, body, type, answer: said }]);
    expect([exchange?.status, exchange?.text]).toEqual([200, expect.stringContaining('[REDACTED_PROVIDER_KEY]')]);
    expect(exchange?.text).not.toContain(KEY);
  });
});

describe.each(ANSWERS.filter(([name]) => name.endsWith('streamed')))('an error in a stream of %s', (_, __, api) => {
  test.each([
    ['an error object', { type: 'error', error: { type: 'overloaded_error', message: SAID } }],
    ['an error text', { type: 'error', error: SAID, message: SAID }],
    [
      'a failed response',
      { type: 'response.failed', response: { status: 'failed', error: { message: SAID }, output: [] } },
    ],
  ])('passes on no word of a secret: %s', async (__, event) => {
    const { path, body, type } = api;
    const answer = sse(JSON.stringify(event), '[DONE]');
    const [exchange] = await gateway.askAll([{ path, body, type: type ?? 'application/json', answer }]);
    expect(exchange?.text).not.toContain(MARK);
  });
});

test('a prompt that Google refused is reported without a secret', async () => {
  const [, , api] = ANSWERS.find(([name]) => name === 'gemini, streamed') as (typeof ANSWERS)[number];
  const answer = sse(
    JSON.stringify({ promptFeedback: { blockReason: 'SAFETY', blockReasonMessage: SAID, note: SAID } }),
  );
  const [exchange] = await gateway.askAll([{ ...api, type: 'application/json', answer }]);
  expect(exchange?.text).toContain('[REDACTED_GITHUB_TOKEN]');
  expect(exchange?.text).not.toContain(MARK);
});
