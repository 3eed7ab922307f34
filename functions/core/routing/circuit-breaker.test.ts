import { describe, expect, it } from '@jest/globals';
import { CircuitBreaker } from './circuit-breaker.ts';

function breakerAt(clock: { time: number }) {
  return new CircuitBreaker({ now: () => clock.time, monotonic: () => clock.time });
}
const fail = (breaker: CircuitBreaker, times: number) => {
  for (let at = 0; at < times; at += 1) breaker.failed('a');
};

describe('a circuit', () => {
  it('opens after five failures in a row, for its own provider alone', () => {
    const breaker = breakerAt({ time: 0 });
    fail(breaker, 4);
    expect(breaker.admits('a')).toBe(true);
    fail(breaker, 1);
    expect([breaker.admits('a'), breaker.admits('b')]).toEqual([false, true]);
  });

  it('stays closed where a success stands between failures', () => {
    const breaker = breakerAt({ time: 0 });
    for (let at = 0; at < 10; at += 1) {
      fail(breaker, 4);
      breaker.succeeded('a');
    }
    expect(breaker.admits('a')).toBe(true);
  });

  it('lets one request try after a while: it closes the circuit, or opens it again', () => {
    const clock = { time: 0 };
    const breaker = breakerAt(clock);
    fail(breaker, 5);
    clock.time = 15_000;
    expect([breaker.admits('a'), breaker.admits('a')]).toEqual([true, false]);
    breaker.failed('a');
    expect(breaker.admits('a')).toBe(false);
    clock.time = 30_000;
    expect(breaker.admits('a')).toBe(true);
    // A request without evidence about the provider leaves the trial to the next.
    breaker.released('a');
    expect(breaker.admits('a')).toBe(true);
    breaker.succeeded('a');
    expect([breaker.admits('a'), breaker.admits('a')]).toEqual([true, true]);
  });

  it('reports its state without admitting a request', () => {
    const clock = { time: 0 };
    const breaker = breakerAt(clock);
    fail(breaker, 5);
    expect([breaker.stateOf('a'), breaker.stateOf('b')]).toEqual(['open', 'closed']);
    clock.time = 15_000;
    expect(breaker.stateOf('a')).toBe('half_open');
    expect([breaker.admits('a'), breaker.stateOf('a')]).toEqual([true, 'half_open']);
    breaker.succeeded('a');
    expect(breaker.stateOf('a')).toBe('closed');
  });
});
