import { describe, expect, test } from '@jest/globals';
import { type Contract, saying } from './contract.ts';
import { expectError, type Reply } from './reply.ts';

export function idempotencyContract(contract: Contract): void {
  let number = 0;
  const freshName = () => {
    number += 1;
    return `order ${number} of ${process.pid}`;
  };
  const ask = (name: string, body: object = saying('Hello'), headers: Record<string, string> = {}) =>
    contract.chat(body, { headers: { 'idempotency-key': name, ...headers } });
  const requestsNow = () => contract.upstream.requests.length;

  describe('an Idempotency-Key', () => {
    test('returns the first response to the same request again, without calling the provider', async () => {
      const name = freshName();
      const first = await ask(name);
      const before = requestsNow();
      const again = await ask(name);
      expect([first.status, again.status, again.text]).toEqual([200, 200, first.text]);
      expect([first, again].map(({ headers }) => headers.get('x-svc-idempotent-replay'))).toEqual([null, 'true']);
      expect(requestsNow()).toBe(before);
      expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
      expect(again.headers.get('x-svc-threat-score')).toBe(first.headers.get('x-svc-threat-score'));
      expect(again.headers.get('x-ratelimit-remaining-requests')).toMatch(/^\d+$/);
    });

    test('lets exactly one of many at once reach the provider', async () => {
      const name = freshName();
      const before = requestsNow();
      const replies = await Promise.all(Array.from({ length: 30 }, () => ask(name)));
      expect(requestsNow()).toBe(before + 1);
      const [first] = replies.filter(({ status }) => status === 200) as [Reply];
      for (const reply of replies) {
        if (reply.status === 200) expect(reply.text).toBe(first.text);
        else {
          expectError(reply, 'idempotency_conflict', 'Idempotency-Key');
          expect([reply.headers.get('retry-after'), reply.headers.get('x-should-retry')]).toEqual(['1', null]);
        }
      }
      expect((await ask(name)).text).toBe(first.text);
    });

    test('refuses another body, byte for byte', async () => {
      const name = freshName();
      await ask(name);
      for (const body of [saying('Hello!'), { ...saying('Hello'), temperature: 1 }]) {
        const reply = await ask(name, body);
        expectError(reply, 'idempotency_conflict', 'Idempotency-Key');
        expect([reply.headers.get('retry-after'), reply.headers.get('x-should-retry')]).toEqual([null, 'false']);
      }
    });

    test.each<[string, Record<string, string>]>([
      ['another end user', { 'x-end-user-id': 'bob' }],
      ['the same end user in another header', { 'x-end-user-id': '', 'x-user-id': 'bob' }],
      ['another session', { 'x-session-id': 's2' }],
      ['another translation mode', { 'x-svc-translation': 'strict' }],
      ['another organization', { 'openai-organization': 'org-2' }],
      ['another project', { 'openai-project': 'proj_2' }],
      ['other features under test', { 'openai-beta': 'assistants=v2' }],
      ['another environment', { 'x-environment': 'Staging' }],
    ])('refuses the same body for %s', async (_, headers) => {
      const name = freshName();
      const first = { 'x-end-user-id': 'alice', 'x-session-id': 's1' };
      await ask(name, saying('Hello'), first);
      const reply = await ask(name, saying('Hello'), { ...first, ...headers });
      expectError(reply, 'idempotency_conflict', 'Idempotency-Key');
      expect([reply.headers.get('retry-after'), reply.headers.get('x-should-retry')]).toEqual([null, 'false']);
    });

    test('refuses the same body for another path, query or version', async () => {
      const body = JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] });
      const messages = JSON.stringify({ ...saying('Hi', 'claude-haiku-4-5'), max_tokens: 5 });
      const name = freshName();
      const call = (path: string, sent: string, more: Record<string, string> = {}) =>
        contract.call(path, sent, { headers: { 'idempotency-key': name, ...more } });
      expect((await call('/models/echo:generateContent', body)).status).toBe(200);
      for (const path of ['/models/echo-2:generateContent', '/models/echo:generateContent?alt=json']) {
        expect([path, (await call(path, body)).status]).toEqual([path, 409]);
      }
      const version = { 'anthropic-version': '2023-06-01' };
      expect((await call('/messages', messages, version)).status).toBe(200);
      expect((await call('/messages?beta=true', messages, version)).status).toBe(409);
      expect((await call('/messages', messages, { 'anthropic-version': '2023-01-01' })).status).toBe(409);
      expect(
        (await call('/messages', messages, { ...version, 'anthropic-beta': 'context-1m-2025-08-07' })).status,
      ).toBe(409);
      expect((await call('/messages', messages, version)).headers.get('x-svc-idempotent-replay')).toBe('true');
    });

    test('replays to a retry of an SDK, whose count, time, trace and agent differ', async () => {
      const name = freshName();
      const first = await ask(name, saying('Hello'), { 'x-stainless-retry-count': '0', 'user-agent': 'a/1' });
      const retry = {
        ...{ 'x-stainless-retry-count': '1', 'x-stainless-timeout': '30', 'user-agent': 'a/2', accept: '*/*' },
        ...{
          traceparent: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`,
          'x-goog-api-client': 'gl-node gccl-attempt-count/2',
        },
        'content-type': 'application/json; charset=utf-8',
      };
      const again = await ask(name, saying('Hello'), retry);
      expect([again.text, again.headers.get('x-svc-idempotent-replay')]).toEqual([first.text, 'true']);
    });

    test('belongs to one key and one route', async () => {
      const name = freshName();
      const first = await ask(name);
      const key = await contract.newKey();
      const ofAnother = await contract.chat(saying('Hello'), { key, headers: { 'idempotency-key': name } });
      expect([ofAnother.status, ofAnother.headers.get('x-svc-idempotent-replay')]).toEqual([200, null]);
      expect(ofAnother.json.svc.request_id).not.toBe(first.json.svc.request_id);
      const guard = () =>
        contract.call('/guard', JSON.stringify({ input: 'Hello' }), { headers: { 'idempotency-key': name } });
      const judged = await guard();
      expect([judged.status, judged.json.object]).toEqual([200, 'guard.result']);
      expect((await guard()).text).toBe(judged.text);
    });

    test('blocks a blocked request again, with its findings', async () => {
      const name = freshName();
      const first = await ask(name, saying('SVC-TEST-BLOCK-7f3a'));
      const again = await ask(name, saying('SVC-TEST-BLOCK-7f3a'));
      expectError(again, 'content_filter', 'messages[0].content');
      expect([again.text, again.headers.get('x-should-retry')]).toEqual([first.text, 'false']);
      expect(again.headers.get('x-svc-idempotent-replay')).toBe('true');
    });

    test('stores no failure and no refusal: the next request runs', async () => {
      const name = freshName();
      contract.upstream.next({ status: 401 });
      expectError(await ask(name), 'provider_error');
      contract.upstream.next({ status: 429 });
      expect((await ask(name)).status).toBe(429);
      expectError(await ask(name, { ...saying('Hello'), temperature: 9 }), 'invalid_value', 'temperature');
      const served = await ask(name);
      expect([served.status, served.headers.get('x-svc-idempotent-replay')]).toEqual([200, null]);
    });

    test('does not count a repeated response against limits', async () => {
      const key = await contract.newKey({ rateLimit: { requests: 2, period: 'month' } });
      const headers = { 'idempotency-key': freshName() };
      for (let at = 0; at < 4; at += 1) {
        const reply = await contract.chat(saying('Hello', 'echo'), { key, headers });
        expect([reply.status, reply.headers.get('x-ratelimit-remaining-requests')]).toEqual([200, '1']);
      }
    });

    test('has no effect on a stream', async () => {
      const headers = { 'idempotency-key': freshName() };
      const streams = [
        await contract.stream(saying('Hello'), { headers }),
        await contract.stream(saying('Hello'), { headers }),
      ];
      for (const { status } of streams) expect(status).toBe(200);
    });

    test.each([['x'.repeat(257)], ['é']])('that is no name is refused: %j', async (name) => {
      expectError(await ask(name), 'invalid_value', 'Idempotency-Key');
    });

    test('is checked only after the key: a revoked key gets no stored response', async () => {
      const { id, key } = await contract.createKey();
      await contract.admin('DELETE', `/keys/${id}`);
      const headers = { 'idempotency-key': freshName() };
      expectError(await contract.chat(saying('Hello'), { key, headers }), 'invalid_api_key');
    });
  });
}
