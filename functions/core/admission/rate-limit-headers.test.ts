import { describe, expect, it } from '@jest/globals';
import { rateLimitExceeded, rateLimitHeaders, toDuration } from './rate-limit-headers.ts';

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

const LIMIT = { requests: 100, period: 'hour', burst: 10 } as const;

describe('the headers', () => {
  it('tell the limit, what is left and when the bucket is full', () => {
    expect(rateLimitHeaders(LIMIT, { admitted: true, remaining: 7, fullInMs: 108_000, nextInMs: 0 })).toEqual({
      'x-ratelimit-limit-requests': '100',
      'x-ratelimit-remaining-requests': '7',
      'x-ratelimit-reset-requests': '1m48s',
    });
  });

  it('never promise anything to a request that was refused', () => {
    // The limiter may know a refusal without knowing the whole state.
    expect(
      rateLimitHeaders(LIMIT, { admitted: false, remaining: 3, fullInMs: 1, nextInMs: 1 })[
        'x-ratelimit-remaining-requests'
      ],
    ).toBe('0');
  });
});

describe('the 429', () => {
  const at = Date.parse('2026-01-01T00:00:00.000Z');
  const error = rateLimitExceeded(LIMIT, { admitted: false, remaining: 0, fullInMs: 360_000, nextInMs: 35_001 }, at);

  it('has the body of specification part 7', () => {
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
    expect(error.headers).toEqual({
      'x-ratelimit-limit-requests': '100',
      'x-ratelimit-remaining-requests': '0',
      'x-ratelimit-reset-requests': '6m0s',
      'retry-after': '36',
    });
    expect(
      rateLimitExceeded(LIMIT, { admitted: false, remaining: 0, fullInMs: 1, nextInMs: 0 }, at).headers['retry-after'],
    ).toBe('1');
  });
});
