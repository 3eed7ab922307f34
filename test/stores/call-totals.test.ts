import { describe, expect, it } from '@jest/globals';
import { CallTotals } from '../../functions/control/limits/index.ts';
import { availableEngines } from './engines.ts';
import { FakeClock } from './fake-clock.ts';
import { freshName, startLimits } from './limits-setup.ts';

describe.each(availableEngines().map((engine) => [engine.name, engine] as const))('on %s', (_, engine) => {
  const { store } = startLimits(engine);
  const functionsAt = (clock: FakeClock) =>
    Array.from({ length: 4 }, () => new CallTotals(store(clock), (id) => expect(id).toBe('settled')));

  it.each([
    ['a session', 's'],
    ['a UTC day', null],
  ] as const)('sums of %s are reserved exactly, 60 at once in any functions, and settled', async (__, sessionId) => {
    const clock = new FakeClock();
    const functions = functionsAt(clock);
    const total = { keyId: freshName(), rule: 'pay', max: 100, sessionId };
    const ask = (at: number, amount: number) => (functions[at % 4] as CallTotals).reserve(total, amount);
    const reserved = await Promise.all(Array.from({ length: 60 }, (___, at) => ask(at, 9.99)));
    const fitting = reserved.filter(({ fits }) => fits);
    expect(fitting).toHaveLength(10);
    await Promise.all(fitting.map((one, at) => one.settle(at < 4)));
    expect([(await ask(0, 60.05)).fits, (await ask(1, 60.04)).fits, (await ask(2, 0.01)).fits]).toEqual([
      false,
      true,
      false,
    ]);
    clock.time += 86_400_000;
    expect((await ask(3, 60.05)).fits).toBe(sessionId === null);
  });
});
