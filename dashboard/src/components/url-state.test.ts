import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fromLocalInput, toLocalInput } from './format.ts';
import {
  intervalOf,
  lastSegment,
  RANGES,
  type Range,
  readRange,
  timesOf,
  withChanges,
  writeRange,
} from './url-state.ts';

const timeMs = fc.integer({ min: 1.7e12, max: 1.8e12 });
const custom = fc.tuple(timeMs, fc.integer({ min: 1, max: 1e10 })).map(([fromMs, lengthMs]) => ({
  from: new Date(fromMs).toISOString(),
  to: new Date(fromMs + lengthMs).toISOString(),
}));
const range = fc.oneof(
  fc.constantFrom(...(Object.keys(RANGES) as (keyof typeof RANGES)[])),
  custom,
) as fc.Arbitrary<Range>;
const readerOf = (values: Readonly<Record<string, string>>) => (name: string) => values[name] ?? '';

describe('a range of time', () => {
  it('survives a round trip through the URL', () => {
    fc.assert(fc.property(range, (given) => expect(readRange(readerOf(writeRange(given)))).toEqual(given)));
  });

  it('is the last day if the URL has no valid one', () => {
    for (const values of [
      {},
      { range: 'toString' },
      { range: 'custom' },
      { range: 'custom', from: '2026-11-21', to: '2026-11-20' },
      { range: 'custom', from: 'x', to: 'y' },
    ]) {
      expect(readRange(readerOf(values))).toBe('24h');
    }
  });

  it('by name has its length, ends after now, and stays the same for a minute', () => {
    fc.assert(
      fc.property(timeMs, fc.constantFrom('24h', '7d', '30d', '90d'), (nowMs, name) => {
        const { from, to } = timesOf(name, nowMs);
        expect(Date.parse(to) - Date.parse(from)).toBe(RANGES[name].hours * 3_600_000);
        expect(Date.parse(to)).toBeGreaterThan(nowMs);
        const startOfMinute = Math.floor(nowMs / 60_000) * 60_000;
        expect(timesOf(name, startOfMinute)).toEqual({ from, to });
        expect(timesOf(name, startOfMinute + 59_999)).toEqual({ from, to });
      }),
    );
  });

  it('is shown by hours up to three days, then by days', () => {
    expect(['24h', '7d', '30d', '90d'].map((name) => intervalOf(name as Range))).toEqual(['hour', 'day', 'day', 'day']);
    const from = '2026-11-01T00:00:00.000Z';
    expect(intervalOf({ from, to: '2026-11-04T00:00:00.000Z' })).toBe('hour');
    expect(intervalOf({ from, to: '2026-11-04T00:00:01.000Z' })).toBe('day');
  });
});

describe('a short range', () => {
  const NOW = Date.parse('2026-11-27T10:00:30.000Z');
  const until = (from: string, to: string) => intervalOf({ from, to }, NOW);

  it('is shown by minutes, up to the six hours of full minutes that the API counts', () => {
    expect(['15m', '1h', '6h'].map((name) => intervalOf(name as Range, NOW))).toEqual(['1m', '1m', '5m']);
    expect(until('2026-11-27T04:00:00.000Z', '2026-11-27T10:00:00.000Z')).toBe('5m');
    // Both ends are rounded outwards: 361 minutes.
    expect(until('2026-11-27T04:00:30.000Z', '2026-11-27T10:00:30.000Z')).toBe('hour');
  });

  it('is shown by hours where the minutes of the range before it are no longer kept', () => {
    expect(until('2026-11-20T09:00:00.000Z', '2026-11-20T10:00:00.000Z')).toBe('hour');
  });
});

describe('a field for a time', () => {
  it('returns the second that was entered', () => {
    fc.assert(
      fc.property(timeMs, (ms) => {
        const iso = new Date(Math.floor(ms / 1000) * 1000).toISOString();
        expect(fromLocalInput(toLocalInput(iso))).toBe(iso);
      }),
    );
  });

  it('returns undefined while it is incomplete', () => {
    for (const text of ['', 'x', '2026-11-21T']) expect(fromLocalInput(text)).toBeUndefined();
  });
});

const values = fc.dictionary(fc.stringMatching(/^[a-z]{1,6}$/), fc.string());

describe('search parameters', () => {
  it('keep parameters that are not changed', () => {
    fc.assert(
      fc.property(values, values, (before, changes) => {
        const after = withChanges(new URLSearchParams(before), changes);
        for (const [name, value] of Object.entries({ ...before, ...changes })) {
          const isGone = name in changes && changes[name] === '';
          expect(after.get(name)).toBe(isGone ? null : value.toWellFormed());
        }
      }),
    );
  });
});

it('a name survives a round trip through a path, whatever characters it has', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (name) => {
      expect(lastSegment(`/sessions/${encodeURIComponent(name)}`)).toBe(name);
    }),
  );
  expect(lastSegment('/sessions/100%')).toBe('100%');
});
