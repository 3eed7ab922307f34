import { describe, expect, test } from '@jest/globals';
import type { Contract } from '../contract.ts';
import { BLOCK } from '../example-texts.ts';
import { expectMessagesError } from './messages-reply.ts';
import { CLAUDE, GPT, messagesCalls, ODD } from './messages-requests.ts';

/** Anthropic's count of the tokens of a message. */
export function messagesCountContract(contract: Contract): void {
  const { ask, count, recordOf } = messagesCalls(contract);

  describe('a count of tokens', () => {
    const counted = (content: string, model = CLAUDE, more: object = {}) => ({
      model,
      messages: [{ role: 'user', content }],
      ...more,
    });

    test('is requested from Anthropic with exactly the same body, and returned with svc', async () => {
      const { max_tokens: _, ...odd } = JSON.parse(ODD) as Record<string, unknown>;
      const body = JSON.stringify(odd, null, 1);
      const headers = { 'anthropic-beta': 'token-counting-2024-11-01' };
      const { status, json, headers: told } = await contract.call('/messages/count_tokens', body, { headers });
      expect(contract.sent).toMatchObject({ path: '/v1/messages/count_tokens', body, headers });
      expect([status, json]).toEqual([
        200,
        {
          input_tokens: Math.ceil(Buffer.byteLength(body) / 4),
          svc: expect.objectContaining({
            action: 'allow',
            coverage: { input: ['messages[0]'], output: [], skipped: [] },
          }),
        },
      ]);
      expect(told.get('request-id')).toBe(told.get('x-request-id'));
    });

    test('equals that of the message, from echo', async () => {
      const body = counted('Good morning, dear Anna!', 'echo', { system: 'Be brief.' });
      const { json } = await count(body);
      expect(json.input_tokens).toBe((await ask({ ...body, max_tokens: 5 })).json.usage.input_tokens);
      expect((await count(body)).json.input_tokens).toBe(json.input_tokens);
    });

    test('is refused for a provider without it, and for an invalid or blocked request', async () => {
      expectMessagesError(await count(counted('Hi', GPT)), 400, 'invalid_request_error', 'invalid_value', 'model');
      expectMessagesError(await count({ model: CLAUDE }), 400, 'invalid_request_error', 'missing_field', 'messages');
      // There are no words for a refusal in a count.
      const key = await contract.newKey({ policy: { onBlock: 'refusal' } });
      for (const options of [{}, { key }]) {
        const blocked = await count(counted(BLOCK), options);
        expectMessagesError(blocked, 400, 'invalid_request_error', 'content_filter', 'messages[0].content');
        expect(blocked.json.svc.action).toBe('block');
      }
      expectMessagesError(
        await contract.call('/messages/count_tokens', undefined),
        405,
        'invalid_request_error',
        'method_not_allowed',
      );
      expectMessagesError(await count(counted('Hi'), { key: '' }), 401, 'authentication_error', 'invalid_api_key');
      for (const raw of ['{}', '[]', '<html>']) {
        contract.upstream.next({ raw });
        expectMessagesError(await count(counted('Hi')), 502, 'api_error', 'provider_error');
      }
    });

    test('counts as a request, and uses no tokens', async () => {
      const tokenLimit = { tokens: 1_000, period: 'month' };
      const { id, key } = await contract.createKey({ rateLimit: { requests: 2, period: 'month' }, tokenLimit });
      const reply = await count(counted('far more than the limit '.repeat(2_000)), { key });
      expect(reply.status).toBe(200);
      expect(reply.headers.get('x-ratelimit-remaining-requests')).toBe('1');
      expect(await recordOf(reply, id)).toMatchObject({
        route: '/v1/messages/count_tokens',
        state: 'completed',
        tokens: { input: 0, output: 0 },
      });
      const next = await count(counted('Hi'), { key });
      expect(next.headers.get('x-ratelimit-remaining-tokens')).toBe('1000');
      expectMessagesError(await count(counted('Hi'), { key }), 429, 'rate_limit_error', 'rate_limit_exceeded');
    });
  });
}
