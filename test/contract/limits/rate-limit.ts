import { describe, expect, test } from '@jest/globals';
import { type Contract, saying } from '../contract.ts';
import { expectError, type Reply } from '../reply.ts';

const HELLO = saying('Hello', 'echo');
/** Refilled so slowly that nothing comes back during a test. */
const SLOW = { requests: 10, period: 'month' } as const;

export function rateLimitContract(contract: Contract): void {
  const times = (count: number, key: string, body: object = HELLO): Promise<Reply[]> =>
    Promise.all(Array.from({ length: count }, () => contract.chat(body, { key })));
  const statuses = (replies: readonly Reply[]) => replies.map(({ status }) => status);

  describe('a rate limit', () => {
    test('admits its burst of 200 requests at once and not one more', async () => {
      const key = await contract.newKey({ rateLimit: { ...SLOW, burst: 7 } });
      const counts = { 200: 0, 429: 0, 503: 0 } as Record<number, number> & Record<200 | 429 | 503, number>;
      for (const status of statuses(await times(200, key))) counts[status] = (counts[status] ?? 0) + 1;
      // On a busy machine a store may be late: such a request gets 503, and may have used one of the burst. And the requests may arrive so
      // slowly that leases are taken, of at most a quarter of what is left, and are lost unused.
      const missing = 7 - counts[200];
      expect([counts, missing >= 0 && missing <= counts[503] + 2]).toEqual([
        { 200: counts[200], 429: 200 - counts[200] - counts[503], 503: counts[503] },
        true,
      ]);
    });

    test('without a burst admits its requests at once', async () => {
      const key = await contract.newKey({ rateLimit: { requests: 3, period: 'month' } });
      expect(statuses(await times(6, key)).sort()).toEqual([200, 200, 200, 429, 429, 429]);
    });

    test('counts down in the headers, and its 429 has Retry-After', async () => {
      const key = await contract.newKey({ rateLimit: { ...SLOW, burst: 2 } });
      const remaining = [];
      for (const _ of [1, 2])
        remaining.push((await contract.chat(HELLO, { key })).headers.get('x-ratelimit-remaining-requests'));
      expect(remaining).toEqual(['1', '0']);
      const sentAt = Date.now();
      const reply = await contract.chat(HELLO, { key });
      const receivedAt = Date.now();
      expectError(reply, 'rate_limit_exceeded');
      const { details } = reply.json.error;
      expect(details).toEqual({
        limit: 10,
        remaining: 0,
        resetTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      });
      const seconds = Number(reply.headers.get('retry-after'));
      // A tenth of 30 days.
      expect(seconds).toBeGreaterThan(3 * 86_400 - 60);
      expect(seconds).toBeLessThanOrEqual(3 * 86_400);
      const resetAt = Date.parse(details.resetTime) - seconds * 1000;
      expect(resetAt).toBeGreaterThan(sentAt - 5_000);
      expect(resetAt).toBeLessThan(receivedAt + 5_000);
      expect(Object.fromEntries(reply.headers)).toMatchObject({
        'x-ratelimit-limit-requests': '10',
        'x-ratelimit-remaining-requests': '0',
        'x-ratelimit-reset-requests': expect.stringMatching(/^\d+h\d+m\d+s$/),
      });
    });

    test('is not used up by refused requests', async () => {
      const key = await contract.newKey({ rateLimit: { requests: 3600, period: 'hour', burst: 1 } });
      expect(statuses(await times(1, key))).toEqual([200]);
      await times(10, key);
      await new Promise((resolve) => setTimeout(resolve, 1_050));
      expect(statuses(await times(1, key))).toEqual([200]);
    });

    test('counts blocked requests', async () => {
      const key = await contract.newKey({ rateLimit: { ...SLOW, burst: 1 } });
      expect(statuses(await times(1, key, saying('SVC-TEST-BLOCK-7f3a', 'echo')))).toEqual([400]);
      expect(statuses(await times(1, key))).toEqual([429]);
    });

    test('counts no request that could not be parsed, routed or permitted', async () => {
      const key = await contract.newKey({
        rateLimit: { ...SLOW, burst: 1 },
        allowedModels: ['echo', 'nobody/*', 'no-such'],
      });
      const bodies = [
        { ...HELLO, temperature: 9 },
        { model: 'echo' },
        saying('Hi', 'no-such'),
        saying('Hi', 'nobody/x'),
        saying('Hi'),
      ];
      for (const body of bodies) expect((await contract.chat(body, { key })).status).not.toBe(200);
      expect((await contract.chat('{', { key })).status).toBe(400);
      expect(statuses(await times(2, key)).sort()).toEqual([200, 429]);
    });

    test('applies to streams, and is separate for each key', async () => {
      const [one, other] = await Promise.all([1, 2].map(() => contract.newKey({ rateLimit: { ...SLOW, burst: 1 } })));
      const first = await contract.stream(HELLO, { key: one as string });
      expect(first.headers.get('x-ratelimit-remaining-requests')).toBe('0');
      expectError(await contract.chat({ ...HELLO, stream: true }, { key: one as string }), 'rate_limit_exceeded');
      expect(statuses(await times(1, other as string))).toEqual([200]);
    });
  });
}
