import { describe, expect, test } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import type { Behaviour } from '../../support/mock-upstream/behaviour.ts';
import { type Contract, saying } from '../contract.ts';
import { expectError, type Reply } from '../reply.ts';

const HI = { ...saying('Hi'), max_tokens: 100 };

export function keyLimitContract(contract: Contract): void {
  /** What is left of the key's tokens, by the headers of a request that takes none. */
  const tokensLeft = async (key: string) =>
    Number((await contract.chat('{', { key })).headers.get('x-ratelimit-remaining-tokens'));
  /** Settlements are background tasks. */
  const eventuallyIs = (check: () => Promise<unknown>, expected: unknown) =>
    eventually(check, (value) => value === expected);
  const answering = (behaviour: Behaviour, usage?: [input: number, output: number]) => {
    const counts = usage && { prompt_tokens: usage[0], completion_tokens: usage[1] };
    contract.upstream.next({ text: 'Fine, thanks.', ...(counts && { usage: counts }), ...behaviour });
  };
  const tokenKey = (tokens: number, fields = {}) =>
    contract.newKey({ tokenLimit: { tokens, period: 'month' }, ...fields });

  describe("a key's token limit", () => {
    test('is in the headers, is reserved while a request runs, and counts actual usage', async () => {
      const key = await tokenKey(5_000);
      answering({}, [30, 12]);
      const reply = await contract.chat(HI, { key });
      expect(reply.status).toBe(200);
      expect(reply.headers.get('x-ratelimit-limit-tokens')).toBe('5000');
      const held = 5_000 - Number(reply.headers.get('x-ratelimit-remaining-tokens'));
      // The longest response, and at least as many tokens as the input can have.
      expect(held).toBeGreaterThan(100);
      expect(held).toBeLessThan(300);
      expect(reply.headers.get('x-ratelimit-reset-tokens')).toMatch(/^\d+h\d+m\d+s$/);
      await eventuallyIs(() => tokensLeft(key), 5_000 - 42);
    });

    test.each<[string, Behaviour, object, [number, number] | undefined, number]>([
      ['a stream', {}, { stream: true }, [30, 12], 42],
      ['a provider that fails', { status: 401 }, {}, undefined, 0],
      ['a provider that refuses', { status: 400 }, {}, undefined, 0],
      ['a provider that tells no usage', { usage: null }, {}, undefined, Math.ceil(2 / 4) + Math.ceil(13 / 4)],
      ['an answer that is blocked', { text: 'SVC-TEST-BLOCK-7f3a' }, {}, [30, 12], 42],
    ])('is settled however the request ends: %s', async (_, behaviour, fields, usage, used) => {
      const key = await tokenKey(5_000);
      answering(behaviour, usage);
      await contract.chat({ ...HI, ...fields }, { key });
      await eventuallyIs(() => tokensLeft(key), 5_000 - used);
    });

    test('loses nothing to a request that is blocked', async () => {
      const key = await tokenKey(5_000);
      expectError(
        await contract.chat({ ...saying('SVC-TEST-BLOCK-7f3a'), max_tokens: 9 }, { key }),
        'content_filter',
        'messages[0].content',
      );
      await eventuallyIs(() => tokensLeft(key), 5_000);
    });

    test('counts an estimate if a stream is cut off', async () => {
      const key = await tokenKey(5_000);
      answering({ failure: 'reset-mid-stream', afterChunks: 4, pieces: ['12345678', '12345678', '12345678', '1'] });
      await contract.stream(HI, { key });
      await eventuallyIs(async () => (await tokensLeft(key)) < 5_000 && (await tokensLeft(key)) > 4_980, true);
    });

    test('refuses with 429 what does not fit now, with Retry-After', async () => {
      const key = await tokenKey(1_000);
      answering({}, [400, 400]);
      expect((await contract.chat({ ...HI, max_tokens: 900 }, { key })).status).toBe(200);
      await eventuallyIs(() => tokensLeft(key), 200);
      const reply = await contract.chat({ ...HI, max_tokens: 900 }, { key });
      expectError(reply, 'rate_limit_exceeded');
      expect(reply.json.error).toMatchObject({
        message: expect.stringContaining('Token limit'),
        details: { limit: 1_000, remaining: 0, resetTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) },
      });
      expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(86_400);
      expect(await tokensLeft(key)).toBe(200);
    });

    test.each([
      ['max_tokens', { max_tokens: 1_001 }],
      ['max_completion_tokens', { max_completion_tokens: 1_001 }],
      ['max_tokens', {}],
    ])('refuses with 400 what can never fit: %s', async (param, fields) => {
      const key = await tokenKey(1_000);
      expectError(await contract.chat({ ...saying('Hi'), ...fields }, { key }), 'invalid_value', param);
    });

    test('holds for all choices together', async () => {
      const key = await tokenKey(1_000);
      expectError(await contract.chat({ ...HI, n: 10 }, { key }), 'invalid_value', 'max_tokens');
    });
  });

  describe("the response limit of a key's policy", () => {
    test('is set if the caller sets none, and nothing else changes', async () => {
      const key = await contract.newKey({ policy: { maxOutputTokens: 77 } });
      const body = '{"messages":[{"role":"user","content":"Hi"}] , "model":"gpt-4o-mini"}';
      await contract.chat(body, { key });
      expect(contract.sent.body).toBe(body.replace('mini"}', 'mini","max_completion_tokens":77}'));
      await contract.chat({ ...saying('Hi', 'claude-sonnet-4-5') }, { key });
      expect(contract.sent.json).toMatchObject({ max_tokens: 77 });
    });

    test("keeps a caller's smaller limit and refuses a larger one", async () => {
      const key = await contract.newKey({ policy: { maxOutputTokens: 77 } });
      await contract.chat({ ...saying('Hi'), max_tokens: 7 }, { key });
      expect(contract.sent.json).toEqual({ ...saying('Hi'), max_tokens: 7 });
      expectError(await contract.chat({ ...saying('Hi'), max_tokens: 78 }, { key }), 'invalid_value', 'max_tokens');
    });

    test('is set for a model with an unknown maximum, so that a token limit holds', async () => {
      const key = await tokenKey(100_000);
      await contract.chat(saying('Hi', 'gpt-nobody-knows'), { key });
      expect(contract.sent.json).toEqual({ ...saying('Hi', 'gpt-nobody-knows'), max_completion_tokens: 4_096 });
      await contract.chat(saying('Hi'), { key });
      expect(contract.sent.json).toEqual(saying('Hi'));
    });
  });

  describe("a key's budget", () => {
    const ask = (key: string, fields = {}) => {
      // 1,000 x $0.15 + 100 x $0.60 a million: 210 millionths of a dollar.
      answering({}, [1_000, 100]);
      return contract.chat({ ...HI, ...fields }, { key });
    };

    test('is used up by the cost of requests; then they get a 429 that clients must not retry', async () => {
      const { id, key } = await contract.createKey({ budget: { usd: 0.0005, period: 'month' } });
      const millionthsLeft = async () =>
        Math.round((await contract.admin('GET', `/keys/${id}/usage`)).json.budget.remainingUsd * 1e6);
      const replies: Reply[] = [];
      for (const left of [290, 80, 0, 0]) {
        replies.push(await ask(key));
        await eventuallyIs(millionthsLeft, left);
      }
      contract.upstream.reset();
      // After two of them 80 millionths are left: room for one more, whose bound is lower than its real cost here.
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
      const refused = replies[3] as Reply;
      expectError(refused, 'insufficient_quota');
      expect(refused.json.error.details).toEqual({
        limit: 0.0005,
        remaining: 0,
        resetTime: expect.stringMatching(/T00:00:00\.000Z$/),
      });
      expect(refused.headers.get('x-should-retry')).toBe('false');
    });

    test('by calendar month begins and ends in its time zone', async () => {
      const budget = { usd: 0.00022, period: 'calendarMonth', timeZone: 'America/New_York' };
      const { id, key } = await contract.createKey({ budget });
      expect((await ask(key)).status).toBe(200);
      const { startAt, resetAt } = (await contract.settledUsage(id)).json.budget;
      contract.upstream.reset();
      const local = { timeZone: 'America/New_York', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const;
      const shown = (iso: string) =>
        new Intl.DateTimeFormat('en-GB', { ...local, hourCycle: 'h23' }).format(new Date(iso)).replace(', ', ' ');
      expect([startAt, resetAt].map(shown)).toEqual(['1 00:00', '1 00:00']);
      expect(Date.parse(startAt) <= Date.now() && Date.now() < Date.parse(resetAt)).toBe(true);
      const refused = await ask(key);
      contract.upstream.reset();
      expectError(refused, 'insufficient_quota');
      expect(refused.json.error.message).toContain('per calendar month (America/New_York)');
      expect(refused.json.error.details.resetTime).toBe(resetAt);
    });

    test('refuses models without a known price, and admits echo, which is free', async () => {
      const key = await contract.newKey({ budget: { usd: 0.0001, period: 'day' } });
      expectError(await contract.chat(saying('Hi', 'gpt-nobody-knows'), { key }), 'invalid_value', 'model');
      for (let i = 0; i < 3; i += 1) expect((await contract.chat(saying('Hi', 'echo'), { key })).status).toBe(200);
    });

    test('refuses with 400 what costs more than all of it', async () => {
      const key = await contract.newKey({ budget: { usd: 0.0001, period: 'day' } });
      expectError(await contract.chat({ ...HI, max_tokens: 10_000 }, { key }), 'invalid_value', 'max_tokens');
    });
  });

  describe("a key's limit of concurrent requests", () => {
    contract.testOf('requests at once', 'admits exactly so many at a time, and more when some have ended', async () => {
      const key = await contract.newKey({ maxConcurrent: 2 });
      const slow = () => {
        contract.upstream.next({ text: 'One two three', delayMs: 400 });
        return contract.stream(HI, { key });
      };
      const before = contract.upstream.requests.length;
      const running = [slow(), slow()];
      await eventuallyIs(async () => contract.upstream.requests.length - before, 2);
      const refused = await contract.chat(saying('Hi', 'echo'), { key });
      expectError(refused, 'rate_limit_exceeded');
      expect(refused.json.error).toMatchObject({
        message: expect.stringContaining('concurrent'),
        details: { limit: 2, remaining: 0 },
      });
      expect(refused.headers.get('retry-after')).toBe('1');
      await Promise.all(running);
      await eventuallyIs(async () => (await contract.chat(saying('Hi', 'echo'), { key })).status, 200);
    });

    test('is freed by requests that fail, are blocked or only guarded', async () => {
      const key = await contract.newKey({ maxConcurrent: 1 });
      const endings = [
        () => contract.chat(saying('Hi', 'openai/mock-status-500'), { key }),
        () => contract.chat(saying('SVC-TEST-BLOCK-7f3a', 'echo'), { key }),
        () => contract.call('/guard', JSON.stringify({ input: 'Hi' }), { key }),
        () => contract.chat(saying('Hi', 'echo'), { key }),
      ];
      for (const [at, end] of endings.entries()) await eventuallyIs(async () => (await end()).status !== 429 && at, at);
    });
  });

  describe('the fields of limits', () => {
    test('are unset by default but the concurrency, and can be set, changed and removed', async () => {
      const { id, tokenLimit, budget, maxConcurrent, onStoreFailure } = await contract.createKey();
      expect({ tokenLimit, budget, maxConcurrent, onStoreFailure }).toEqual({
        tokenLimit: null,
        budget: null,
        maxConcurrent: 50,
        onStoreFailure: 'closed',
      });
      const limits = {
        tokenLimit: { tokens: 5, period: 'day' },
        budget: { usd: 0.5, period: 'month' },
        maxConcurrent: 3,
        onStoreFailure: 'open',
      };
      expect((await contract.admin('PATCH', `/keys/${id}`, limits)).json).toMatchObject(limits);
      const none = { tokenLimit: null, budget: null, maxConcurrent: null };
      expect(await contract.createKey(none)).toMatchObject(none);
      expect((await contract.admin('PATCH', `/keys/${id}`, none)).json).toMatchObject(none);
    });

    test.each([
      ['tokenLimit.tokens', { tokenLimit: { tokens: 0, period: 'day' } }],
      ['tokenLimit.tokens', { tokenLimit: { tokens: 1.5, period: 'day' } }],
      ['tokenLimit.tokens', { tokenLimit: { tokens: 1e9, period: 'second' } }],
      ['tokenLimit.period', { tokenLimit: { tokens: 1, period: 'year' } }],
      ['budget.usd', { budget: { usd: 0, period: 'day' } }],
      ['budget.usd', { budget: { usd: -1, period: 'day' } }],
      ['budget.timeZone', { budget: { usd: 1, period: 'calendarMonth', timeZone: 'Mars/Olympus' } }],
      ['budget.timeZone', { budget: { usd: 1, period: 'calendarMonth', timeZone: '+01:00' } }],
      ['budget.timeZone', { budget: { usd: 1, period: 'day', timeZone: 'UTC' } }],
      ['maxConcurrent', { maxConcurrent: 0 }],
      ['onStoreFailure', { onStoreFailure: 'maybe' }],
    ])('are checked: %s', async (param, fields) => {
      expectError(await contract.admin('POST', '/keys', { name: 'x', ...fields }), 'invalid_value', param);
    });
  });
}
