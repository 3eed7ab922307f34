import { describe, expect, test } from '@jest/globals';
import type { Contract } from '../contract.ts';
import { BLOCK } from '../example-texts.ts';
import { expectMessagesError } from './messages-reply.ts';
import { CLAUDE, messagesCalls, saying } from './messages-requests.ts';

/** Errors of Anthropic's Messages API. */
export function messagesErrorContract(contract: Contract): void {
  const { ask } = messagesCalls(contract);

  describe("errors are in Anthropic's format", () => {
    test.each<[number, string, string, string | undefined, object | string]>([
      [
        400,
        'invalid_request_error',
        'missing_field',
        'max_tokens',
        { model: CLAUDE, messages: [{ role: 'user', content: 'Hi' }] },
      ],
      [400, 'invalid_request_error', 'invalid_json', undefined, '{"model": "a", "model": "b"}'],
      [400, 'invalid_request_error', 'unknown_provider', 'model', saying('Hi', 'nobody/x')],
      [404, 'not_found_error', 'model_not_found', 'model', saying('Hi', 'no-such-model')],
    ])('%i %s, %s', async (status, type, code, param, body) => {
      expectMessagesError(await ask(body), status, type, code, param);
    });

    test('a blocked request, with svc, and not to be repeated', async () => {
      const before = contract.upstream.requests.length;
      for (const more of [{}, { stream: true }]) {
        const body = saying(
          [{ type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: BLOCK }] }],
          CLAUDE,
          more,
        );
        const reply = await ask(body);
        expectMessagesError(
          reply,
          400,
          'invalid_request_error',
          'content_filter',
          'messages[0].content[0].content[0].text',
        );
        expect(reply.json.svc).toMatchObject({
          action: 'block',
          detected_threats: [{ location: { part: 'input', message: 0 } }],
        });
        expect(reply.headers.get('x-should-retry')).toBe('false');
      }
      expect(contract.upstream.requests).toHaveLength(before);
    });

    test('keys: missing, without the permission, for other models, used up', async () => {
      expectMessagesError(await ask(saying('Hi'), { key: '' }), 401, 'authentication_error', 'invalid_api_key');
      const other = await contract.newKey({ permissions: ['embeddings'] });
      expectMessagesError(await ask(saying('Hi'), { key: other }), 403, 'permission_error', 'insufficient_permissions');
      const limited = await contract.newKey({ allowedModels: ['gpt-*'] });
      expectMessagesError(
        await ask(saying('Hi'), { key: limited }),
        403,
        'permission_error',
        'insufficient_permissions',
        'model',
      );
      const spent = await contract.newKey({ rateLimit: { requests: 1, period: 'month' } });
      expect((await ask(saying('Hi', 'echo'), { key: spent })).status).toBe(200);
      const refused = await ask(saying('Hi', 'echo'), { key: spent });
      expectMessagesError(refused, 429, 'rate_limit_error', 'rate_limit_exceeded');
      expect(refused.json.error.details).toMatchObject({ limit: 1, remaining: 0 });
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    });

    test('paths and methods', async () => {
      const get = await contract.call('/messages', undefined);
      expectMessagesError(get, 405, 'invalid_request_error', 'method_not_allowed');
      expect(get.headers.get('allow')).toBe('POST');
      expectMessagesError(await contract.call('/messages/unknown', '{}'), 404, 'not_found_error', 'not_found');
      const form = await ask('a=b', { headers: { 'content-type': 'application/x-www-form-urlencoded' } });
      expectMessagesError(form, 415, 'invalid_request_error', 'unsupported_media_type');
    });

    contract.testOf('its own size limit', 'a body that is too large', async () => {
      const reply = await ask(saying('x'.repeat(6 * 1024 * 1024)));
      expectMessagesError(reply, 413, 'request_too_large', 'request_too_large');
    });
  });
}
