import { describe, expect, test } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import type { Behaviour } from '../../support/mock-upstream/behaviour.ts';
import { type Contract, saying } from '../contract.ts';
import { expectError, type Reply } from '../reply.ts';
import { type Chunk, readUntil } from '../stream-reply.ts';

/** A minute of words: a test that reads to its end times out. */
const SLOW: Behaviour = { pieces: Array(600).fill('word '), delayMs: 100, usage: null };
const WORD = /word/;

/** Streaming protocols, and how each reports its end. */
const APIS: [api: string, path: string, body: object, last: Chunk][] = [
  [
    'chat completions',
    '/chat/completions',
    { ...saying('Go on'), max_tokens: 1_000, stream: true },
    {
      error: { type: 'cancelled_error', code: 'request_cancelled', message: 'The request was cancelled.', param: null },
    },
  ],
  [
    'messages',
    '/messages',
    { ...saying('Go on', 'claude-sonnet-4-5'), max_tokens: 1_000, stream: true },
    { type: 'error', error: { type: 'api_error', code: 'request_cancelled', message: 'The request was cancelled.' } },
  ],
  [
    'Gemini',
    '/models/gpt-4o-mini:streamGenerateContent?alt=sse',
    { contents: [{ role: 'user', parts: [{ text: 'Go on' }] }], generationConfig: { maxOutputTokens: 1_000 } },
    { error: { code: 499, status: 'CANCELLED', message: 'The request was cancelled.' } },
  ],
];

/** Streams that end before their response is complete: cancelled by id, or left by the caller. */
export function cancellationContract(contract: Contract): void {
  const cancel = (id: string, key?: string): Promise<Reply> =>
    contract.call(`/requests/${id}/cancel`, undefined, { method: 'POST', ...(key !== undefined && { key }) });
  const tokensLeft = async (key: string) =>
    Number((await contract.chat('{', { key })).headers.get('x-ratelimit-remaining-tokens'));
  const begin = (key: string, [, path, body] = APIS[0] as (typeof APIS)[number]) => {
    contract.upstream.next(SLOW);
    return contract.fetch(path, JSON.stringify(body), { key });
  };
  const idOf = ({ headers }: Response | Reply) => headers.get('x-request-id') ?? '';
  const recordOf = async (id: string) => {
    const find = ({ json }: Reply) => json?.data?.find((record: { id: string }) => record.id === id);
    return find(await contract.settled(() => contract.analytics('/requests'), find));
  };

  describe('a stream that is cancelled by its id', () => {
    test.each(APIS)("ends with its API's error, at the provider too, and is settled: %s", async (...api) => {
      const key = await contract.newKey({ tokenLimit: { tokens: 5_000, period: 'month' } });
      const response = await begin(key, api);
      const upstream = contract.sent;
      const id = idOf(response);
      let cancelled: Promise<Reply> | undefined;
      const stream = await readUntil(response, WORD, () => {
        cancelled = cancel(id, key);
      });
      const answer = (await cancelled) as Reply;
      expect([answer.status, answer.json]).toEqual([200, { id, object: 'request.cancellation', status: 'cancelled' }]);
      expect([stream.status, stream.done, stream.finishReason]).toEqual([200, false, undefined]);
      expect(stream.chunks.at(-1)).toMatchObject(api[3]);
      expect(stream.chunks.filter((chunk) => chunk?.error !== undefined)).toHaveLength(1);
      await eventually(() => upstream.closedEarly);
      const record = await recordOf(id);
      expect(record).toMatchObject({ state: 'cancelled', status: 200, errorCode: 'request_cancelled', stream: true });
      const { input, output } = record.tokens;
      expect([input > 0, output > 0, output < 600]).toEqual([true, true, true]);
      // What came is counted, and what was held besides is free again.
      await eventually(async () => (await tokensLeft(key)) === 5_000 - input - output);
      expect((await cancel(id, key)).status).toBe(200);
    });

    test('frees its slot, and can be cancelled by a key that has used up its limit', async () => {
      const key = await contract.newKey({ maxConcurrent: 1, rateLimit: { requests: 1, period: 'hour' } });
      const response = await begin(key);
      expectError(await contract.chat(saying('Hi', 'echo'), { key }), 'rate_limit_exceeded');
      const reading = response.text();
      expect((await cancel(idOf(response), key)).status).toBe(200);
      expect(await reading).toContain('request_cancelled');
    });

    test("is the same 404 for another key's stream, a finished one, and an unknown one", async () => {
      const { key: other } = await contract.createKey();
      const response = await begin(contract.key);
      const reading = response.text();
      const ended = idOf(await contract.chat(saying('Hi', 'echo')));
      const ids = [idOf(response), ended, `req_${'0'.repeat(32)}`, 'req_1', 'key_1%23x'];
      const replies = await Promise.all(ids.map((id) => cancel(id, other)));
      for (const reply of replies) expectError(reply, 'not_found');
      expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
      expectError(await cancel(idOf(response), ''), 'invalid_api_key');
      expectError(await cancel(ended), 'not_found');
      expect((await cancel(idOf(response))).status).toBe(200);
      expect(await reading).toContain('request_cancelled');
    });

    contract.testOf('requests at once', 'is the only one that ends of many, however many ask', async () => {
      const responses = await Promise.all(Array.from({ length: 8 }, () => begin(contract.key)));
      const readings = responses.map((response) => response.text());
      const [first, ...others] = responses.map(idOf) as [string, ...string[]];
      const replies = await Promise.all(Array.from({ length: 8 }, () => cancel(first)));
      expect(replies.map(({ status }) => status)).toEqual(Array(8).fill(200));
      expect(await readings[0]).toContain('request_cancelled');
      const open = await Promise.race([...readings.slice(1), Promise.resolve('still read')]);
      expect(open).toBe('still read');
      await Promise.all(others.map((id) => cancel(id)));
      for (const text of await Promise.all(readings)) expect(text).toContain('request_cancelled');
    });
  });

  contract.testOf('client disconnects', 'a stream whose caller has left is aborted at once, and settled', async () => {
    const key = await contract.newKey({ tokenLimit: { tokens: 5_000, period: 'month' } });
    contract.upstream.next(SLOW);
    const leaving = new AbortController();
    const response = await fetch(`${contract.service.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...saying('Go on'), max_tokens: 1_000, stream: true }),
      signal: leaving.signal,
    });
    const upstream = contract.sent;
    await response.body?.getReader().read();
    leaving.abort();
    await eventually(() => upstream.closedEarly);
    const record = await recordOf(idOf(response));
    expect(record).toMatchObject({ state: 'cancelled', errorCode: 'request_cancelled' });
    await eventually(async () => (await tokensLeft(key)) === 5_000 - record.tokens.input - record.tokens.output);
  });

  // Last: it reads the lines of all the tests above.
  contract.testOf(
    'client disconnects',
    'each request that was cancelled, or whose caller left, has one log line',
    async () => {
      const cancelled = contract.service
        .logs()
        .split('\n')
        .filter((line) => line.includes('"outcome":"cancelled"'))
        .map((line) => (JSON.parse(line) as { requestId: string }).requestId);
      expect(cancelled.length).toBeGreaterThan(0);
      expect(new Set(cancelled).size).toBe(cancelled.length);
    },
  );
}
