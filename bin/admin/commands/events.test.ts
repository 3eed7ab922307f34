import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { recordOf } from '../../../functions/control/analytics/record.fixture.ts';
import type { RequestRecord } from '../../../functions/kernel/model/index.ts';
import { AdminApiError } from '../admin-client.ts';
import { isPassing, kindOf, RequestTail } from './events.ts';

const T0 = Date.parse('2026-11-21T09:00:00.000Z');
const MINUTE = 60_000;

interface Arrival {
  readonly record: RequestRecord & { object: 'request' };
  /** When its record is in the list. */
  readonly listedMs: number;
}

const blocked = (timeMs: number, listedMs: number): Arrival => ({
  record: {
    object: 'request',
    ...recordOf({ time: new Date(timeMs).toISOString(), state: 'blocked', action: 'block' }),
  },
  listedMs,
});

/** A list as the API gives it at a moment, which may break off anywhere. */
async function* listAt(arrivals: readonly Arrival[], from: string, nowMs: number, breaksAt: number) {
  const there = arrivals.filter(({ record, listedMs }) => listedMs <= nowMs && record.time >= from);
  for (const [at, { record }] of there.entries()) {
    if (at === breaksAt) throw new AdminApiError('unavailable', { status: 503 });
    yield record;
  }
}

describe('a tail of requests', () => {
  const arrivals = fc.array(
    fc
      .record({ at: fc.nat(40 * MINUTE), took: fc.oneof(fc.nat(1_000), fc.nat(15 * MINUTE)) })
      .map(({ at, took }) => blocked(T0 + 1 + at, T0 + 1 + at + took)),
    { maxLength: 40 },
  );
  const pauses = fc.array(fc.oneof(fc.integer({ min: 500, max: 5_000 }), fc.integer({ min: 500, max: 3 * MINUTE })), {
    minLength: 5,
    maxLength: 60,
  });

  it('tells every request once, however late it ends and wherever a look breaks off', async () => {
    await fc.assert(
      fc.asyncProperty(arrivals, pauses, fc.array(fc.nat(8)), async (all, waits, breaks) => {
        let nowMs = T0;
        let breaksAt = Number.NaN;
        const tail = new RequestTail((from) => listAt(all, from, nowMs, breaksAt), T0, T0);
        const told: string[] = [];
        for (const [at, waitMs] of [...waits, ...Array(30).fill(2 * MINUTE)].entries()) {
          // The last looks come to their end.
          breaksAt = at < waits.length ? (breaks[at] ?? Number.NaN) : Number.NaN;
          await tail.look(nowMs).then(
            (records) => told.push(...records.map(({ id }) => id)),
            (error) => expect(isPassing(error)).toBe(true),
          );
          nowMs += waitMs;
        }
        expect(told.sort()).toEqual(all.map(({ record }) => record.id).sort());
      }),
      { numRuns: 60 },
    );
  });

  it('does not tell what was over before, but what only ends now', async () => {
    let nowMs = T0;
    const over = blocked(T0 - MINUTE, T0 - MINUTE);
    const running = blocked(T0 - 10 * MINUTE, T0 + 30_000);
    const tail = new RequestTail((from) => listAt([over, running], from, nowMs, Number.NaN), T0, T0);
    expect(await tail.look(nowMs)).toEqual([]);
    nowMs += 2 * MINUTE;
    expect(await tail.look(nowMs)).toEqual([running.record]);
  });

  it('begins with what came in since the time that is asked for, the oldest first', async () => {
    const all = [blocked(T0 - 3 * MINUTE, T0 - MINUTE), blocked(T0 - 70 * MINUTE, T0), blocked(T0 - 50 * MINUTE, T0)];
    const tail = new RequestTail((from) => listAt(all, from, T0, Number.NaN), T0 - 60 * MINUTE, T0);
    expect(await tail.look(T0)).toEqual([all[2]?.record, all[0]?.record]);
  });
});

it('a request is limited, blocked, a threat, or no matter', () => {
  const finding = { type: 'pii', rule: 'pii/email' } as RequestRecord['findings'][number];
  expect(kindOf(recordOf({ status: 429, state: 'failed' }))).toBe('limited');
  expect(kindOf(recordOf({ state: 'blocked', action: 'block', findings: [finding] }))).toBe('blocked');
  expect(kindOf(recordOf({ action: 'flag', findings: [finding] }))).toBe('threat');
  expect(kindOf(recordOf({ state: 'failed', status: 502 }))).toBeUndefined();
});

it('a refused key ends it, a store that is away does not', () => {
  expect([401, 403, 400].map((status) => isPassing(new AdminApiError('x', { status })))).toEqual([false, false, false]);
  expect(
    [undefined, 429, 503].map((status) => isPassing(new AdminApiError('x', status === undefined ? {} : { status }))),
  ).toEqual([true, true, true]);
});
