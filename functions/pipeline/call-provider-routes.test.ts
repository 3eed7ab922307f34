import { describe, expect, it } from '@jest/globals';
import type { Verdict } from '../control/limits/index.ts';
import type { GatewayError } from '../kernel/errors/index.ts';
import { A, B, PASSING, REFUSAL, SILENT, setUp } from './call-provider.fixture.ts';

describe("the rules of the deployment's route", () => {
  const ROUTE = { models: 'fast' };

  it('limit the calls of one target', async () => {
    const { call, asked } = setUp({ a: [PASSING, PASSING], b: [PASSING] }, undefined, undefined, {
      route: { ...ROUTE, attempts: 2 },
    });
    await call([A, B]);
    expect(asked).toEqual(['a/m', 'a/m', 'b/n', 'b/n']);
  });

  it('end a call without a response head in time, and the next target is called', async () => {
    const { call, asked, pauses, tried } = setUp({}, undefined, undefined, {
      route: { ...ROUTE, timeoutMs: 700 },
      isSlow: true,
    });
    await call([A, B]);
    expect([asked, pauses[0], tried()]).toEqual([['a/m', 'b/n'], 700, 'a/m;provider_timeout, b/n']);
  });

  it('name the route and its attempts in our errors, and leave the refusal of a provider unchanged', async () => {
    const run = async (error: GatewayError) => {
      const { call } = setUp({ a: [error] }, undefined, undefined, { route: { ...ROUTE, attempts: 1 } });
      return call([A]).catch((thrown) => thrown.message);
    };
    expect(await run(SILENT)).toBe("It failed. Attempts of the route 'fast': a/m;provider_timeout.");
    expect(await run(REFUSAL)).toBe('It failed.');
  });
});

describe('a target with a maximum of simultaneous requests', () => {
  const FULL = { ...A, maxConcurrent: 2 };

  function limited() {
    let free = 2;
    const ids: string[] = [];
    const admit = async (id: string): Promise<Verdict> => {
      ids.push(id);
      const settle = async () => {
        free += 1;
      };
      if (free === 0) return { admitted: false } as Verdict;
      free -= 1;
      return { admitted: true, reservation: { settle } } as unknown as Verdict;
    };
    return { limiter: { admit }, ids, free: () => free };
  }

  it('is passed by while it serves as many, until one of these requests ends', async () => {
    const { limiter, ids, free } = limited();
    const calls = [0, 1, 2].map(() => setUp({}, undefined, undefined, { limiter }));
    for (const { call } of calls) await call([FULL, B]);
    expect(calls.map(({ asked }) => asked)).toEqual([['a/m'], ['a/m'], ['b/n']]);
    expect([calls[2]?.tried(), calls[2]?.outcome.calls.count]).toEqual(['a/m;busy, b/n', 1]);
    expect(new Set(ids)).toEqual(new Set(['target_["a","m"]']));
    calls[0]?.lifetime.end();
    expect(free()).toBe(1);
  });

  it('frees its place when its call has failed, once', async () => {
    const { limiter, free } = limited();
    const { call, lifetime } = setUp({ a: [SILENT] }, undefined, undefined, { limiter });
    await call([FULL, B]);
    expect(free()).toBe(2);
    lifetime.end();
    expect(free()).toBe(2);
  });

  it('without another target is a 429, whose message names it', async () => {
    const { limiter } = limited();
    const route = { models: 'fast' };
    const calls = [0, 1, 2].map(() => setUp({}, undefined, undefined, { limiter, route }));
    const [, , third] = await Promise.allSettled(calls.map(({ call }) => call([FULL])));
    expect(third).toMatchObject({
      reason: {
        code: 'rate_limit_exceeded',
        headers: { 'retry-after': '1' },
        message:
          "a/m already serves 2 requests, the maximum of its route. Try again shortly. Attempts of the route 'fast': a/m;busy.",
      },
    });
  });
});
