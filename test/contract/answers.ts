import { describe, expect, test } from '@jest/globals';
import { type Contract, saying } from './contract.ts';
import { expectError, UNSUSPICIOUS } from './reply.ts';
import type { Chunk } from './stream-reply.ts';

const SVC = {
  threat_score: UNSUSPICIOUS,
  detected_threats: [],
  processing_time_ms: expect.any(Number),
  action: 'allow',
  request_id: expect.stringMatching(/^req_/),
  session_id: null,
};

export function answerContract(contract: Contract): void {
  describe.each([['echo'], ['gpt-4o-mini'], ['claude-sonnet-4-5']])('a response of %s', (model) => {
    test('has the fields of specification parts 2.3 and 2.4', async () => {
      const reply = await contract.chat(saying('Good morning to you', model));
      expect(reply.status).toBe(200);
      expect(reply.json).toMatchObject({
        id: expect.stringMatching(/\S/),
        object: 'chat.completion',
        created: expect.any(Number),
        choices: [{ index: 0, message: { role: 'assistant', content: 'Good morning to you' }, finish_reason: 'stop' }],
        svc: SVC,
      });
      expect(Math.abs(reply.json.created - Date.now() / 1000)).toBeLessThan(60);
      const { prompt_tokens, completion_tokens, total_tokens } = reply.json.usage;
      expect([prompt_tokens, completion_tokens].every((count) => Number.isInteger(count) && count > 0)).toBe(true);
      expect(total_tokens).toBe(prompt_tokens + completion_tokens);
    });

    test('streamed has the chunks of specification part 2.5', async () => {
      const { status, headers, chunks, done, content, finishReason } = await contract.stream(
        saying('Good morning to you', model),
      );
      expect(status).toBe(200);
      expect(headers.get('content-type')).toMatch(/^text\/event-stream/);
      expect({ content, finishReason, done }).toEqual({
        content: 'Good morning to you',
        finishReason: 'stop',
        done: true,
      });
      expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
      for (const chunk of chunks) {
        expect(chunk).toMatchObject({
          object: 'chat.completion.chunk',
          created: expect.any(Number),
          model: expect.any(String),
        });
      }
      const choices: Chunk[] = chunks.map(({ choices }) => choices[0]);
      expect(choices[0]).toMatchObject({ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null });
      for (const { delta, finish_reason } of choices.slice(1, -1)) {
        expect(Object.keys(delta)).toEqual(['content']);
        expect(finish_reason).toBeNull();
      }
      expect(choices.at(-1)).toMatchObject({ delta: {}, finish_reason: 'stop' });
      expect(Object.keys(choices.at(-1).delta)).toEqual([]);
      expect(chunks.at(-1).svc).toMatchObject(SVC);
      expect(chunks.slice(0, -1).every((chunk) => chunk.svc === undefined)).toBe(true);
    });

    test('streamed reports the usage only on request, once and last', async () => {
      const asked = await contract.stream({ ...saying('Count me', model), stream_options: { include_usage: true } });
      expect(asked.chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: expect.any(Number) } });
      expect(asked.chunks.filter(({ choices }) => choices.length === 0)).toHaveLength(1);
      for (const body of [
        saying('Count me', model),
        { ...saying('Count me', model), stream_options: { include_usage: false } },
      ]) {
        const { chunks, done } = await contract.stream(body);
        expect(chunks.every(({ choices }) => choices.length === 1)).toBe(true);
        expect(done).toBe(true);
      }
    });

    test('carries the security, session and limit headers, streamed or not', async () => {
      const options = {
        headers: { 'x-session-id': 'trip to Rome', 'x-end-user-id': 'u-1', 'x-environment': 'staging' },
      };
      const json = await contract.chat(saying('Hello', model), options);
      const stream = await contract.stream(saying('Hello', model), options);
      for (const { headers } of [json, stream]) {
        expect(Number(headers.get('x-svc-threat-score'))).toEqual(UNSUSPICIOUS);
        expect(Number(headers.get('x-svc-processing-time'))).toBeGreaterThan(0);
        expect(headers.get('x-svc-request-id')).toMatch(/^req_[0-9a-f]{32}$/);
        expect(headers.get('x-request-id')).toBe(headers.get('x-svc-request-id'));
        expect(headers.get('x-svc-session-id')).toBe('trip to Rome');
        expectLimitHeaders(headers);
      }
      expect(json.json.svc.session_id).toBe('trip to Rome');
      expect(json.json.svc.request_id).toBe(json.headers.get('x-request-id'));
    });
  });

  test('a request id is never used twice', async () => {
    const replies = await Promise.all(Array.from({ length: 8 }, () => contract.chat(saying('Hi', 'echo'))));
    expect(new Set(replies.map(({ headers }) => headers.get('x-request-id'))).size).toBe(8);
  });

  test('errors carry the limit headers too, including those before admission', async () => {
    expectLimitHeaders((await contract.chat({ model: 'echo' })).headers);
    expectLimitHeaders((await contract.chat(saying('Hi', 'no-such-model'))).headers);
    expectLimitHeaders((await contract.chat(saying('Hi', 'echo'), { headers: { 'x-session-id': 'é' } })).headers);
    const blocked = await contract.chat(saying('SVC-TEST-BLOCK-7f3a', 'echo'));
    expectError(blocked, 'content_filter', 'messages[0].content');
    expectLimitHeaders(blocked.headers);
    contract.upstream.next({ status: 401 });
    const failed = await contract.chat(saying('Hi'));
    expectError(failed, 'provider_error');
    expectLimitHeaders(failed.headers);
  });

  test("a provider's ids and limits are not passed on", async () => {
    contract.upstream.next({ text: 'Hi', headers: { 'x-ratelimit-remaining-requests': '7', 'set-cookie': 'a=b' } });
    const { headers } = await contract.chat(saying('Hi'));
    expect(headers.get('x-ratelimit-remaining-requests')).not.toBe('7');
    expect(headers.get('set-cookie')).toBeNull();
    expect(headers.get('openai-organization')).toBeNull();
  });
}

function expectLimitHeaders(headers: Headers): void {
  expect(headers.get('x-ratelimit-limit-requests')).toBe('1000000');
  expect(Number(headers.get('x-ratelimit-remaining-requests'))).toBeGreaterThan(0);
  expect(headers.get('x-ratelimit-reset-requests')).toMatch(/^(\d+ms|(\d+h)?(\d+m)?\d+s)$/);
}
