import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type AlertState, firstState, isFiring, stepOf } from './alert-state.ts';

const NOW = Date.parse('2026-11-30T09:00:00.000Z');
const rule = {
  metric: 'errorRate',
  compare: 'above',
  threshold: 0.05,
  minRequests: 20,
  silencedUntil: null,
} as const;

describe('an alert fires', () => {
  test.each([
    ['above its threshold', rule, 0.051, 20, true],
    ['not at its threshold', rule, 0.05, 20, false],
    ['not without enough requests, and a share of few is not known', rule, 0.5, 19, undefined],
    ['and is not resolved by a share of few requests', rule, 0, 19, undefined],
    ['not by a value that there is not', rule, null, 0, undefined],
    ['by money of enough requests', { ...rule, metric: 'spendUsd', threshold: 10 }, 10.01, 20, true],
    ['not by money of few requests', { ...rule, metric: 'spendUsd', threshold: 10 }, 99, 19, undefined],
    ['no more where few requests cost little', { ...rule, metric: 'spendUsd', threshold: 10 }, 0, 0, false],
    ['by silence, whatever the minimum', { ...rule, metric: 'requests', compare: 'below', threshold: 1 }, 0, 0, true],
    ['not below, at the threshold', { ...rule, metric: 'requests', compare: 'below', threshold: 1 }, 1, 1, false],
    ['at the share of a budget', { ...rule, metric: 'budgetShare', threshold: 0.8 }, 0.8, 0, true],
    ['not before that', { ...rule, metric: 'budgetShare', threshold: 0.8 }, 0.79, 0, false],
  ] as const)('%s', (_, one, value, requests, fires) => expect(isFiring(one, { value, requests })).toBe(fires));
});

describe('a change', () => {
  const after = (read: AlertState, value: number, nowMs = NOW, silencedUntil: string | null = null) =>
    stepOf({ ...rule, silencedUntil }, read, { value, requests: 100 }, nowMs);
  const fired = after(firstState(), 0.2).next as AlertState;

  test('is notified, and kept with its value', () => {
    expect(after(firstState(), 0.2)).toEqual({
      notifies: 'alert.fired',
      next: {
        state: 'firing',
        notified: 'firing',
        since: '2026-11-30T09:00:00.000Z',
        history: [{ at: '2026-11-30T09:00:00.000Z', state: 'firing', value: 0.2, requests: 100, silenced: false }],
        version: 1,
      },
    });
    expect(after(fired, 0, NOW + 60_000)).toMatchObject({
      notifies: 'alert.resolved',
      next: { state: 'ok', version: 2 },
    });
  });

  test('is none while the state is the same', () => {
    expect(after(fired, 0.9)).toEqual({ next: undefined, notifies: undefined });
    expect(after(firstState(), 0)).toEqual({ next: undefined, notifies: undefined });
  });

  test('of a silenced alert is notified once the silence ends, if it still holds', () => {
    const until = new Date(NOW + 60_000).toISOString();
    const silenced = after(firstState(), 0.2, NOW, until);
    expect(silenced).toMatchObject({ notifies: undefined, next: { state: 'firing', notified: 'ok' } });
    const still = after(silenced.next as AlertState, 0.3, NOW + 60_000, until);
    expect(still).toMatchObject({
      notifies: 'alert.fired',
      next: { notified: 'firing', since: '2026-11-30T09:00:00.000Z' },
    });
    expect(after(silenced.next as AlertState, 0, NOW + 60_000, until)).toMatchObject({
      notifies: undefined,
      next: { state: 'ok' },
    });
  });

  test('is one of the last fifty', () => {
    let state = firstState();
    for (let at = 0; at < 60; at += 1) state = after(state, at % 2 === 0 ? 1 : 0).next as AlertState;
    expect([state.history.length, state.history[0]?.state, state.version]).toEqual([50, 'ok', 60]);
  });

  test('is never notified twice, nor with too few requests, whatever is measured', () => {
    const metric = fc.constantFrom('errorRate', 'spendUsd', 'latencyP95', 'findings', 'blockedShare');
    const measured = fc.record({
      value: fc.oneof(fc.constant(null), fc.double({ min: 0, max: 2, noNaN: true })),
      requests: fc.nat({ max: 40 }),
      silenced: fc.boolean(),
    });
    fc.assert(
      fc.property(metric, fc.constantFrom('above', 'below'), fc.array(measured), (of, compare, all) => {
        let state = firstState();
        let notified = 'alert.resolved';
        for (const [at, { silenced, ...one }] of all.entries()) {
          const silencedUntil = silenced ? new Date(NOW + at + 1).toISOString() : null;
          const was = state;
          const step = stepOf({ ...rule, metric: of, compare, threshold: 1, silencedUntil }, was, one, NOW + at);
          state = step.next ?? was;
          if (step.notifies === undefined) continue;
          expect(step.notifies).not.toBe(notified);
          notified = step.notifies;
          expect(silenced).toBe(false);
          if (step.notifies === 'alert.fired' && was.state === 'ok') expect(one.requests).toBeGreaterThanOrEqual(20);
        }
      }),
    );
  });
});
