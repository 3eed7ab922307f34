import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { byDayOrNight } from '../../../test/support/night.ts';
import { CircuitBreaker, type OpenCircuit, type SharedCircuits } from './circuit-breaker.ts';

const OPEN_MS = 15_000;
const A = { provider: 'a', model: 'm' };

function breakerAt(clock: { time: number }) {
  return new CircuitBreaker({ now: () => clock.time, monotonic: () => clock.time });
}
const fail = (breaker: CircuitBreaker, times: number, target = A, startedAt = 0) => {
  for (let at = 0; at < times; at += 1) breaker.failed(target, startedAt);
};

describe('a circuit', () => {
  it('opens after five failures in a row, for its own provider and model alone', () => {
    const breaker = breakerAt({ time: 0 });
    fail(breaker, 4);
    expect(breaker.decide(A)).toBe('call');
    fail(breaker, 1);
    expect(breaker.decide(A)).toBe('skip');
    expect(breaker.decide({ provider: 'a', model: 'n' })).toBe('call');
    expect(breaker.decide({ provider: 'b', model: 'm' })).toBe('call');
  });

  it('stays closed if there is a success between failures', () => {
    const breaker = breakerAt({ time: 0 });
    for (let at = 0; at < 10; at += 1) {
      fail(breaker, 4);
      breaker.succeeded(A);
    }
    expect(breaker.decide(A)).toBe('call');
  });

  it('is closed by a success, and opened again by one failure of a call that began after it was half open', () => {
    const clock = { time: 0 };
    const breaker = breakerAt(clock);
    fail(breaker, 5);
    clock.time = OPEN_MS;
    fail(breaker, 5, A, OPEN_MS - 1);
    expect(breaker.decide(A)).toBe('trial');
    fail(breaker, 1, A, OPEN_MS);
    expect(breaker.decide(A)).toBe('skip');
    clock.time = 2 * OPEN_MS;
    expect(breaker.decide(A)).toBe('trial');
    breaker.succeeded(A);
    expect([breaker.decide(A), breaker.decide(A)]).toEqual(['call', 'call']);
  });

  it('has no trial for a while after one that was silent, and serves the others', () => {
    const clock = { time: 0 };
    const breaker = breakerAt(clock);
    breaker.silent(A);
    expect(breaker.decide(A)).toBe('call');
    fail(breaker, 5);
    clock.time = OPEN_MS;
    expect(breaker.decide(A)).toBe('trial');
    breaker.silent(A);
    clock.time = 2 * OPEN_MS - 1;
    expect(new Set(Array.from({ length: 100 }, () => breaker.decide(A)))).toEqual(new Set(['last']));
    clock.time = 2 * OPEN_MS;
    expect([breaker.decide(A), breaker.decide(A)]).toEqual(['trial', 'last']);
  });

  it('is listed by model after a failure, until a success', () => {
    const clock = { time: 0 };
    const breaker = breakerAt(clock);
    const other = { provider: 'a', model: 'n' };
    fail(breaker, 5);
    fail(breaker, 1, other);
    fail(breaker, 1, { provider: 'b', model: 'm' });
    expect(breaker.list()).toEqual([
      { provider: 'b', model: 'm', state: 'closed', failures: 1, openUntil: null },
      { provider: 'a', model: 'n', state: 'closed', failures: 1, openUntil: null },
      { provider: 'a', model: 'm', state: 'open', failures: 5, openUntil: '1970-01-01T00:00:15.000Z' },
    ]);
    clock.time = OPEN_MS;
    breaker.succeeded(other);
    expect(breaker.list().at(-1)).toEqual({ ...A, state: 'half_open', failures: 5, openUntil: null });
    breaker.succeeded(A);
    expect(breaker.list().map(({ provider }) => provider)).toEqual(['b']);
  });

  it('is kept for 1,000 models at most: those that were used last', () => {
    const breaker = breakerAt({ time: 0 });
    fail(breaker, 5);
    for (let at = 0; at < 5_000; at += 1) {
      fail(breaker, 1, { provider: 'a', model: `made up ${at}` });
      if (at % 100 === 0) breaker.decide(A);
    }
    expect(breaker.list()).toHaveLength(1_000);
    expect(breaker.decide(A)).toBe('skip');
  });
});

/** What happens to one target, in any order. */
const step = fc.oneof(
  { weight: 6, arbitrary: fc.constant('request' as const) },
  { weight: 2, arbitrary: fc.constant('fail' as const) },
  { weight: 1, arbitrary: fc.constant('succeed' as const) },
  { weight: 1, arbitrary: fc.constant('silent' as const) },
  { weight: 4, arbitrary: fc.constantFrom(1, 50, 99, 100, 500, 1_000, 5_000, 14_999, 15_000) },
);

it('for any order of requests and outcomes, trials are one in ten at most, or one a second, and none while it is open', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const clock = { time: 1_000 };
      const breaker = breakerAt(clock);
      let failures = 0;
      let openedAt: number | undefined;
      let pausedUntil = 0;
      let lastTrialAt = Number.NEGATIVE_INFINITY;
      let others = 0;
      for (const one of steps) {
        if (typeof one === 'number') clock.time += one;
        else if (one === 'fail') {
          breaker.failed(A, clock.time);
          // Nothing begins while it is open, so what fails then is older.
          if (openedAt !== undefined && clock.time < openedAt + OPEN_MS) continue;
          failures += 1;
          if (failures >= 5) [openedAt, others, pausedUntil] = [clock.time, 0, 0];
          if (failures >= 5) lastTrialAt = Number.NEGATIVE_INFINITY;
        } else if (one === 'succeed') {
          breaker.succeeded(A);
          [failures, openedAt] = [0, undefined];
        } else if (one === 'silent') {
          breaker.silent(A);
          if (openedAt !== undefined) pausedUntil = clock.time + OPEN_MS;
        } else {
          const decision = breaker.decide(A);
          if (openedAt === undefined) expect(decision).toBe('call');
          else if (clock.time < openedAt + OPEN_MS) expect(decision).toBe('skip');
          else {
            const isDue = clock.time >= lastTrialAt + 1_000 || others >= 9;
            expect(decision).toBe(clock.time >= pausedUntil && isDue ? 'trial' : 'last');
            if (decision === 'trial') [lastTrialAt, others] = [clock.time, 0];
            else others += 1;
          }
        }
      }
    }),
    { numRuns: byDayOrNight(500, 5_000) },
  );
});

describe('circuits that processes share', () => {
  const settled = () => new Promise(setImmediate);

  /** Two processes with one clock and one store. */
  function processes() {
    const clock = { time: 1_000 };
    const store = new Map<string, OpenCircuit>();
    let isAway = false;
    const reach = async <T>(use: () => T) => {
      if (isAway) throw new Error('away');
      return use();
    };
    const shared: SharedCircuits = {
      list: () => reach(() => [...store.values()]),
      opened: (circuit) => reach(() => void store.set(`${circuit.provider}/${circuit.model}`, circuit)),
      closed: ({ provider, model }) => reach(() => void store.delete(`${provider}/${model}`)),
    };
    const lose = () => {
      isAway = true;
    };
    const made = () => {
      const breaker = breakerAt(clock);
      breaker.share(shared);
      return breaker;
    };
    const read = async (breaker: CircuitBreaker) => {
      clock.time += 5_000;
      breaker.prepare();
      await settled();
    };
    return { clock, store, first: made(), second: made(), read, lose };
  }

  it('are open in a process that has not called the target, for as long, and half open then', async () => {
    const { clock, first, second, read } = processes();
    fail(first, 5);
    await read(second);
    expect(second.decide(A)).toBe('skip');
    expect(second.list()).toMatchObject([{ ...A, state: 'open' }]);
    clock.time += 9_999;
    expect(second.decide(A)).toBe('skip');
    clock.time += 1;
    expect(second.decide(A)).toBe('trial');
  });

  it('are half open there once the first has closed its circuit', async () => {
    const { clock, first, second, read, store } = processes();
    fail(first, 5);
    await read(second);
    first.succeeded(A);
    await settled();
    expect(store.size).toBe(0);
    await read(second);
    expect(clock.time).toBeLessThan(1_000 + OPEN_MS);
    expect(second.decide(A)).toBe('trial');
  });

  it('do not stop a process that got a response of the target in the last 15 s', async () => {
    const { first, second, read } = processes();
    second.succeeded(A);
    fail(first, 5);
    await read(second);
    expect(second.decide(A)).toBe('call');
  });

  it('are never open for more than 15 s by a clock that is wrong', async () => {
    const { clock, second, read, store } = processes();
    store.set('a/m', { ...A, failures: 5, openUntil: Number.MAX_SAFE_INTEGER });
    await read(second);
    expect(second.decide(A)).toBe('skip');
    clock.time += OPEN_MS;
    expect(second.decide(A)).toBe('trial');
  });

  it('are those of each process without the store', async () => {
    const { first, second, read, lose } = processes();
    lose();
    fail(first, 5);
    await read(second);
    expect([first.decide(A), second.decide(A)]).toEqual(['skip', 'call']);
  });
});
