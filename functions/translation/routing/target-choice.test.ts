import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ModelCatalog } from './model-catalog.ts';
import type { Weighted } from './route-model.ts';
import { TargetChoice } from './target-choice.ts';
import { TargetSpeeds } from './target-speeds.ts';

const A = { provider: 'a', model: 'm' };
const B = { provider: 'b', model: 'm' };
const PRICES = { 'a/m': { input: 1, output: 5 }, 'b/m': { input: 2, output: 1 } };

/** Requests whose number is the random draw: 0, 0.01, ... 0.99. */
function setUp({ medians = {} as Record<string, number>, draw = 0.5 } = {}) {
  const state = { draw, medians };
  const choice = new TargetChoice({
    random: () => state.draw,
    models: new ModelCatalog(PRICES),
    speeds: { medianOf: ({ provider }) => state.medians[provider] },
  });
  return { state, choice };
}
const sender = (session?: string, keyId = 'key_1') => ({ keyId, session });

describe('the choice by weight', () => {
  it('is by chance, in proportion to the weights, never one without a weight', () => {
    const { state, choice } = setUp();
    const targets = [
      { ...A, weight: 3 },
      { ...B, weight: 1 },
      { provider: 'c', model: 'm', weight: 0 },
    ];
    const chosen = Array.from({ length: 100 }, (_, at) => {
      state.draw = at / 100;
      return choice.choose({ models: 'x' }, targets, undefined)?.provider;
    });
    expect([chosen.filter((name) => name === 'a').length, chosen.filter((name) => name === 'b').length]).toEqual([
      75, 25,
    ]);
    expect(choice.choose({ models: 'x' }, [{ ...A, weight: 0 }], undefined)).toBeUndefined();
  });

  it('keeps the target of a session, in every process, and that of a key', () => {
    for (const [sticky, one, other] of [
      ['session', sender('s1'), sender('s1')],
      ['key', sender('s1'), sender('s2')],
    ] as const) {
      const draws = [0, 0.3, 0.6, 0.99].map((draw) => setUp({ draw }).choice);
      const chosen = draws.flatMap((choice) =>
        [one, other].map((from) => choice.choose({ models: 'x', sticky }, [A, B], from)?.provider),
      );
      expect(new Set(chosen).size).toBe(1);
    }
  });

  it('is by chance for a request without a session', () => {
    const chosen = [0, 0.99].map(
      (draw) => setUp({ draw }).choice.choose({ models: 'x', sticky: 'session' }, [A, B], sender())?.provider,
    );
    expect(chosen).toEqual(['a', 'b']);
  });

  it('gives sessions to targets by their weights, and moves only those of a target that is removed', () => {
    const { choice } = setUp();
    const targets: Weighted[] = [
      { ...A, weight: 3 },
      { ...B, weight: 1 },
      { provider: 'c', model: 'm', weight: 4 },
    ];
    const all = Array.from({ length: 4_000 }, (_, at) => sender(`s${at}`));
    const route = { models: 'x', sticky: 'session' } as const;
    const before = all.map((from) => choice.choose(route, targets, from)?.provider);
    const share = (name: string) => before.filter((one) => one === name).length / all.length;
    for (const [name, weight] of [
      ['a', 3],
      ['b', 1],
      ['c', 4],
    ] as const)
      expect(share(name)).toBeCloseTo(weight / 8, 1);
    const after = all.map((from) => choice.choose(route, targets.slice(0, 2), from)?.provider);
    expect(before.filter((name, at) => name !== 'c' && after[at] !== name)).toEqual([]);
  });

  it('never chooses anything else than a target with a weight', () => {
    const weights = fc.array(fc.nat({ max: 5 }), { minLength: 1, maxLength: 6 });
    const rules = fc.record({
      choose: fc.constantFrom('weight' as const, 'latency' as const, 'cost' as const),
      sticky: fc.constantFrom('session' as const, 'key' as const, undefined),
    });
    fc.assert(
      fc.property(weights, rules, fc.double({ min: 0, max: 0.999, noNaN: true }), (all, fields, draw) => {
        const targets = all.map((weight, at) => ({ provider: `p${at}`, model: 'm', weight }));
        const { choice } = setUp({ draw, medians: { p0: 3, p1: 2 } });
        const chosen = choice.choose({ models: 'x', ...fields }, targets, sender('s'));
        expect(chosen === undefined).toBe(all.every((weight) => weight === 0));
        if (chosen !== undefined) expect(chosen.weight).toBeGreaterThan(0);
      }),
    );
  });
});

describe('the choice by latency', () => {
  const route = { models: 'x', choose: 'latency' } as const;

  it('is the fastest, and another only once it is 20 % faster', () => {
    const { state, choice } = setUp({ medians: { a: 10, b: 12 } });
    const chosen = () => choice.choose(route, [A, B], undefined)?.provider;
    expect(chosen()).toBe('a');
    state.medians = { a: 10, b: 8.5 };
    expect(chosen()).toBe('a');
    state.medians = { a: 10, b: 7.9 };
    expect(chosen()).toBe('b');
    state.medians = { a: 7, b: 7.9 };
    expect(chosen()).toBe('b');
  });

  it('is by weight for one request in ten, and while no time is known', () => {
    const { state, choice } = setUp({ medians: { a: 10, b: 100 } });
    const chosen = Array.from({ length: 100 }, (_, at) => {
      state.draw = at / 100;
      return choice.choose(
        route,
        [
          { ...A, weight: 1 },
          { ...B, weight: 99 },
        ],
        undefined,
      )?.provider;
    });
    expect(chosen.filter((name) => name === 'b')).toHaveLength(9);
    expect(setUp({ draw: 0.99 }).choice.choose(route, [A, B], undefined)).toEqual(B);
  });

  it('keeps the target of a session in this process', () => {
    const { state, choice } = setUp({ medians: { a: 10, b: 12 } });
    const sticky = { ...route, sticky: 'session' } as const;
    expect(choice.choose(sticky, [A, B], sender('s'))).toEqual(A);
    state.medians = { a: 10, b: 1 };
    expect(choice.choose(sticky, [A, B], sender('s'))).toEqual(A);
    expect(choice.choose(sticky, [A, B], sender('t'))).toEqual(B);
    expect(choice.choose(sticky, [B], sender('s'))).toEqual(B);
  });
});

it('by cost is the cheapest, an unknown price last', () => {
  const { choice } = setUp();
  const cost = { models: 'x', choose: 'cost' } as const;
  const unknown = { provider: 'c', model: 'm' };
  expect(choice.choose(cost, [unknown, A, B], undefined)).toEqual(B);
  expect(choice.choose(cost, [unknown, A], undefined)).toEqual(A);
});

describe('the speed of a target', () => {
  it('is the median per token of the last five minutes, from three calls on', () => {
    const clock = { time: 0 };
    const speeds = new TargetSpeeds({ now: () => 0, monotonic: () => clock.time });
    for (const milliseconds of [100, 900]) speeds.served(A, milliseconds, 10);
    expect(speeds.medianOf(A)).toBeUndefined();
    speeds.served(A, 200, 10);
    expect([speeds.medianOf(A), speeds.medianOf(B)]).toEqual([20, undefined]);
    clock.time = 4 * 60_000;
    for (let at = 0; at < 3; at += 1) speeds.served(A, 500, 0);
    expect(speeds.medianOf(A)).toBe(90);
    clock.time = 5 * 60_000 + 1;
    expect(speeds.medianOf(A)).toBe(500);
    clock.time = 20 * 60_000;
    expect(speeds.medianOf(A)).toBeUndefined();
  });
});
