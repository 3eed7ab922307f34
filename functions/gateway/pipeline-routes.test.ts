import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Scheduler } from '../kernel/tasks/index.ts';
import { world } from './pipeline-routes.fixture.ts';

const MAX_REQUEST_MS = 600_000;
/** Timeouts elapse only where the test says so. */
const stopTimers = () => {
  jest.useFakeTimers({
    doNotFake: ['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'setInterval'],
  });
};
afterEach(() => {
  jest.useRealTimers();
});

describe('a stream that is no longer read', () => {
  it('is settled and recorded when it is cancelled; a late reader gets the error', async () => {
    const { ask, cancel, over, settled, records, calls } = world();
    const response = await ask();
    await over();
    expect([settled, records]).toEqual([[], []]);
    expect(await cancel()).toBe(true);
    await over();
    expect(calls[0]?.signal.aborted).toBe(true);
    expect(settled).toEqual([{ tokens: expect.any(Number), nanoUsd: 0 }]);
    expect(records).toMatchObject([
      {
        state: 'cancelled',
        status: 200,
        errorCode: 'request_cancelled',
        tokens: { input: 1, output: expect.any(Number) },
      },
    ]);
    expect(settled[0]?.tokens).toBe((records[0]?.tokens.input ?? 0) + (records[0]?.tokens.output ?? 0));
    const text = await response.text();
    expect(text).toMatch(/word .*request_cancelled[^\n]*\n\n$/s);
    expect(text).not.toContain('[DONE]');
  });

  it('is settled and recorded when it exceeds the maximum duration', async () => {
    stopTimers();
    const { ask, over, settled, records } = world({ maxRequestMs: MAX_REQUEST_MS });
    const response = await ask();
    jest.advanceTimersByTime(MAX_REQUEST_MS);
    while (records.length === 0) await over();
    expect(settled).toHaveLength(1);
    expect(records).toMatchObject([{ state: 'expired', status: 200, errorCode: 'provider_timeout' }]);
    expect(await response.text()).toMatch(/provider_timeout[^\n]*\n\n$/);
  });

  it('is settled and recorded once when its client leaves, and can no longer be cancelled', async () => {
    const { ask, cancel, over, settled, records } = world();
    const response = await ask();
    await response.body?.cancel();
    await over();
    expect(settled).toHaveLength(1);
    expect(records).toMatchObject([{ state: 'cancelled', status: 200, errorCode: 'request_cancelled' }]);
    expect(await cancel()).toBe(false);
  });
});

describe('a response that begins later than the front door waits', () => {
  // Five seconds of it are the margin.
  const firstByteMs = 5_030;
  beforeEach(stopTimers);

  it('is an error that says what to do, and its call of the provider ends', async () => {
    const { ask, over, records, calls } = world({ isSilent: true, stream: false, firstByteMs });
    const asked = ask();
    while (calls.length === 0) await over();
    jest.advanceTimersByTime(firstByteMs);
    const response = await asked;
    const { error } = (await response.json()) as { error: { code: string; message: string } };
    expect([response.status, error.code]).toEqual([504, 'provider_timeout']);
    expect(error.message).toMatch(/5\.03 seconds.*"stream": true.*distribution\.readTimeoutSeconds/);
    expect(response.headers.get('x-should-retry')).toBe('false');
    await over();
    expect(calls[0]?.signal.aborted).toBe(true);
    expect(records).toMatchObject([{ state: 'expired', status: 504 }]);
  });

  it.each([{ asSpeech: true }, { stream: true }])('is not ended once it has begun: %j', async (options) => {
    const { ask, cancel, over, records } = world({ ...options, firstByteMs });
    const response = await ask();
    jest.advanceTimersByTime(firstByteMs);
    await over();
    expect([response.status, records]).toEqual([200, []]);
    await cancel();
    await response.body?.cancel();
    await over();
  });
});

describe('bytes that are no longer read', () => {
  it('are settled and recorded once when their client leaves, and can no longer be cancelled', async () => {
    const { ask, cancel, over, settled, records, calls } = world({ asSpeech: true });
    const response = await ask();
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'audio/mpeg']);
    await response.body?.cancel();
    await over();
    expect(calls[0]?.signal.aborted).toBe(true);
    expect(settled).toEqual([{ tokens: 4, nanoUsd: 0 }]);
    expect(records).toMatchObject([{ state: 'cancelled', status: 200, tokens: { input: 1, output: 3 } }]);
    expect(await cancel()).toBe(false);
  });

  it.each([
    ['cancelled', 'request_cancelled'],
    ['expired', 'provider_timeout'],
  ])('are broken off without a text when they are %s', async (state, errorCode) => {
    stopTimers();
    const { ask, cancel, over, settled, records } = world({ asSpeech: true, maxRequestMs: MAX_REQUEST_MS });
    const response = await ask();
    if (state === 'cancelled') expect(await cancel()).toBe(true);
    else jest.advanceTimersByTime(MAX_REQUEST_MS);
    while (records.length === 0) await over();
    expect(settled).toHaveLength(1);
    expect(records).toMatchObject([{ state, status: 200, errorCode }]);
    await expect(response.arrayBuffer()).rejects.toThrow();
  });
});

describe('bodies of one key that arrive at the same time', () => {
  const MOST = 50;
  const asking = (count: number, maxConcurrent: number | null) => {
    const arrival = Promise.withResolvers<void>();
    const { ask } = world({ bodyArrives: arrival.promise, maxConcurrent, asSpeech: true });
    const asked = Array.from({ length: count }, ask);
    const statuses = async () => {
      arrival.resolve();
      const all = [...(await Promise.all(asked)), await ask()];
      // A request runs as long as its response is not read.
      await Promise.all(all.map(({ body, bodyUsed }) => bodyUsed || body?.cancel()));
      return all.map(({ status }) => status);
    };
    return { first: Promise.race(asked), statuses };
  };

  it.each([1, 10, MOST])(
    'are as many as requests may run, and 50 at least: maxConcurrent %j',
    async (maxConcurrent) => {
      const { first, statuses } = asking(MOST + 1, maxConcurrent);
      const refusal = await first;
      expect([refusal.status, refusal.headers.get('retry-after')]).toEqual([429, '1']);
      expect(await refusal.json()).toMatchObject({
        error: { code: 'rate_limit_exceeded', details: { limit: maxConcurrent, remaining: 0 } },
      });
      expect((await statuses()).filter((status) => status === 429)).toHaveLength(1);
    },
  );

  it.each([MOST + 10, null])('are not refused below the limit: maxConcurrent %j', async (maxConcurrent) => {
    expect(await asking(MOST + 10, maxConcurrent).statuses()).not.toContain(429);
  });
});

describe('a request with very many values', () => {
  it('lets other requests run while references are searched in it', async () => {
    stopTimers();
    const pausesWith = async (count: number) => {
      let [passedMs, pauses] = [0, 0];
      // Each step takes as long as a slice.
      const scheduler: Scheduler = {
        cpuMs: () => 0,
        monotonic: () => {
          passedMs += 5;
          return passedMs;
        },
        nextTurn: async () => {
          pauses += 1;
        },
      };
      const { ask, over, calls } = world({
        isSilent: true,
        stream: false,
        firstByteMs: 5_100,
        values: Array(count).fill(1),
        scheduler,
      });
      const asked = ask();
      while (calls.length === 0) await over();
      jest.advanceTimersByTime(5_100);
      await asked;
      await over();
      return pauses;
    };
    expect((await pausesWith(10 * 256)) - (await pausesWith(0))).toBeGreaterThanOrEqual(10);
  });
});
