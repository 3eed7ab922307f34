import { describe, expect, it } from '@jest/globals';
import { limitExceeded, limitHeaders, toDuration } from './limit-headers.ts';

describe('a duration', () => {
  it.each([
    [0, '0ms'],
    [1, '1ms'],
    [250, '250ms'],
    [999, '999ms'],
    [1_000, '1s'],
    [1_001, '2s'],
    [59_000, '59s'],
    [59_001, '1m0s'],
    [60_000, '1m0s'],
    [360_000, '6m0s'],
    [3_599_000, '59m59s'],
    [3_599_001, '1h0m0s'],
    [3_600_000, '1h0m0s'],
    [90_061_000, '25h1m1s'],
  ])('of %d ms is written as OpenAI writes it: %s', (milliseconds, text) =>
    expect(toDuration(milliseconds)).toBe(text),
  );

  it('is never told shorter than it is', () => {
    for (let ms = 0; ms < 100_000; ms += 37) {
      const [, m = '0', s = '0', milli = '0'] = /^(?:(\d+)m(?!s))?(?:(\d+)s)?(?:(\d+)ms)?$/.exec(
        toDuration(ms),
      ) as RegExpExecArray;
      expect(Number(m) * 60_000 + Number(s) * 1000 + Number(milli)).toBeGreaterThanOrEqual(ms);
    }
  });
});

const KEY = {
  rateLimit: { requests: 100, period: 'hour', burst: 10 },
  tokenLimit: { tokens: 5000, period: 'minute' },
  budget: { usd: 2.5, period: 'day' },
  maxConcurrent: 3,
} as const;
const state = (admitted: boolean, remaining: number, fullInMs: number, nextInMs = 0) => ({
  requests: { admitted, remaining, fullInMs, nextInMs },
  tokens: undefined,
});

describe('the headers', () => {
  it('tell the limit, what is left and when the bucket is full', () => {
    expect(limitHeaders({ rateLimit: KEY.rateLimit }, state(true, 7, 108_000))).toEqual({
      'x-ratelimit-limit-requests': '100',
      'x-ratelimit-remaining-requests': '7',
      'x-ratelimit-reset-requests': '1m48s',
    });
  });

  it('tell the same of tokens where the key has a limit of them', () => {
    const states = { ...state(true, 7, 108_000), tokens: { remaining: 4200, fullInMs: 9_600 } };
    expect(limitHeaders(KEY, states)).toMatchObject({
      'x-ratelimit-limit-tokens': '5000',
      'x-ratelimit-remaining-tokens': '4200',
      'x-ratelimit-reset-tokens': '10s',
    });
  });

  it('never promise anything to a request that was refused', () => {
    // The limiter may know a refusal without knowing the whole state.
    expect(limitHeaders(KEY, state(false, 3, 1))['x-ratelimit-remaining-requests']).toBe('0');
  });
});

describe('the 429', () => {
  const at = Date.parse('2026-01-01T00:00:00.000Z');
  const refused = (limit: 'requests' | 'tokens' | 'budget' | 'concurrent', retryInMs: number) =>
    limitExceeded(KEY, {
      admitted: false,
      states: state(false, 0, 360_000, retryInMs),
      refusal: { limit, retryInMs, resetAtMs: at + retryInMs },
    });

  it('has the body of specification part 7', () => {
    const error = refused('requests', 35_001);
    expect([error.status, error.toBody()]).toEqual([
      429,
      {
        message: 'Rate limit of 100 requests per hour exceeded. Try again in 36 s.',
        type: 'rate_limit_error',
        param: null,
        code: 'rate_limit_exceeded',
        details: { limit: 100, remaining: 0, resetTime: '2026-01-01T00:00:35.001Z' },
      },
    ]);
  });

  it('says in whole seconds when to come back, rounded up, at least one', () => {
    expect(refused('requests', 35_001).headers).toEqual({
      'x-ratelimit-limit-requests': '100',
      'x-ratelimit-remaining-requests': '0',
      'x-ratelimit-reset-requests': '6m0s',
      'retry-after': '36',
    });
    expect(refused('requests', 0).headers['retry-after']).toBe('1');
  });

  it.each([
    ['tokens', 5000, 'Token limit of 5000 tokens per minute exceeded. Try again in 2 s.'],
    ['concurrent', 3, 'Limit of 3 concurrent requests exceeded. Try again in 2 s.'],
  ] as const)('of %s is of the same kind, with its own number', (limit, number, message) => {
    const error = refused(limit, 1_500);
    expect([error.status, error.toBody()]).toMatchObject([
      429,
      { message, type: 'rate_limit_error', code: 'rate_limit_exceeded', details: { limit: number, remaining: 0 } },
    ]);
    expect(error.headers).not.toHaveProperty('x-should-retry');
  });

  it('of a spent budget is another one, which no retry helps', () => {
    const error = refused('budget', 3_600_000);
    expect([error.status, error.toBody()]).toMatchObject([
      429,
      {
        type: 'insufficient_quota',
        code: 'insufficient_quota',
        details: { limit: 2.5, remaining: 0, resetTime: '2026-01-01T01:00:00.000Z' },
      },
    ]);
    expect(error.headers).toMatchObject({ 'x-should-retry': 'false', 'retry-after': '3600' });
  });
});
