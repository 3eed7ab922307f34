import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { boundsOf, monthAt } from './calendar-month.ts';
import { outlivesReservations, windowEndMs, windowOf } from './limits.ts';

const HOUR_MS = 3_600_000;
const ZONES = [
  ...['UTC', 'Europe/Berlin', 'America/New_York', 'America/St_Johns', 'Asia/Kolkata', 'Asia/Kathmandu'],
  ...['Australia/Lord_Howe', 'Pacific/Apia', 'Pacific/Kiritimati', 'America/Havana', 'America/Sao_Paulo'],
  // Clocks change at midnight, in some years on the first of a month.
  ...['America/Asuncion', 'Asia/Beirut', 'Africa/Cairo', 'Asia/Amman', 'America/Santiago', 'Asia/Tehran'],
];
const anyZone = fc.constantFrom(...ZONES);
const anyTime = fc.integer({ min: Date.UTC(2008, 0), max: Date.UTC(2037, 11) });

/** `2026-11` as the zone's clocks show it. */
function monthIn(timeZone: string, ms: number): string {
  const parts = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit' }).formatToParts(ms);
  const partOf = (type: string) => parts.find((part) => part.type === type)?.value;
  return `${partOf('year')}-${partOf('month')}`;
}

describe('a calendar month', () => {
  it('begins when the clocks of its zone first show it, and ends where the next begins', () =>
    fc.assert(
      fc.property(anyZone, anyTime, (zone, ms) => {
        const { startMs, endMs } = monthAt(zone, ms);
        expect(startMs <= ms && ms < endMs).toBe(true);
        expect(monthAt(zone, endMs).startMs).toBe(endMs);
        expect(monthAt(zone, startMs - 1).endMs).toBe(startMs);
        // By Intl: the month is another one just before each bound.
        expect(monthIn(zone, startMs - 1)).not.toBe(monthIn(zone, startMs));
        expect(monthIn(zone, endMs - 1)).not.toBe(monthIn(zone, endMs));
        const days = (endMs - startMs) / (24 * HOUR_MS);
        expect(days).toBeGreaterThan(27.9);
        expect(days).toBeLessThan(31.1);
      }),
      { numRuns: 400 },
    ));

  it('has 28 to 31 days, and an hour more or less where the clocks change', () => {
    const daysOf = (zone: string, year: number, month: number) => {
      const { startMs, endMs } = boundsOf(zone, year, month - 1);
      return (endMs - startMs) / HOUR_MS / 24;
    };
    expect([2, 4, 12].map((month) => daysOf('UTC', 2026, month))).toEqual([28, 30, 31]);
    expect(daysOf('UTC', 2028, 2)).toBe(29);
    expect([3, 10].map((month) => daysOf('Europe/Berlin', 2026, month) * 24)).toEqual([31 * 24 - 1, 31 * 24 + 1]);
    expect(daysOf('Australia/Lord_Howe', 2026, 4) * 24).toBe(30 * 24 + 0.5);
  });

  it('has bounds as its zone has them', () => {
    const iso = ({ startMs, endMs }: { startMs: number; endMs: number }) =>
      [startMs, endMs].map((ms) => new Date(ms).toISOString());
    const at = Date.parse('2026-11-21T09:30:00Z');
    expect(iso(monthAt('Europe/Berlin', at))).toEqual(['2026-10-31T23:00:00.000Z', '2026-11-30T23:00:00.000Z']);
    // Daylight saving time ends on 1 November, after its month has begun.
    expect(iso(monthAt('America/New_York', at))).toEqual(['2026-11-01T04:00:00.000Z', '2026-12-01T05:00:00.000Z']);
    expect(iso(monthAt('Asia/Kolkata', at))).toEqual(['2026-10-31T18:30:00.000Z', '2026-11-30T18:30:00.000Z']);
    // Clocks went forward from 00:00 on 1 October 2017.
    expect(iso(boundsOf('America/Asuncion', 2017, 9))[0]).toBe('2017-10-01T04:00:00.000Z');
  });
});

describe('the window of a budget by calendar month', () => {
  /** As the previous release reads the name of a window: an hour, by its number since 1970. */
  const readBefore = (window: string) => ({
    endMs: (Number(window.slice(1)) + 1) * HOUR_MS,
    isKept: /^[hdmx]/.test(window),
  });

  it('has the same name within a month, another one after it, and that of no hour', () =>
    fc.assert(
      fc.property(anyZone, anyTime, (zone, ms) => {
        const period = `calendarMonth:${zone}` as const;
        const { startMs, endMs } = monthAt(zone, ms);
        const window = windowOf(period, ms);
        expect([startMs, endMs - 1].map((at) => windowOf(period, at))).toEqual([window, window]);
        expect([startMs - 1, endMs].map((at) => windowOf(period, at))).not.toContain(window);
        expect(windowOf('hour', endMs - 1)).not.toBe(window);
        const fullHour = Math.ceil(endMs / HOUR_MS) * HOUR_MS;
        expect(windowEndMs(window)).toBe(fullHour);
        expect(outlivesReservations(window)).toBe(true);
        // The previous release keeps it until the month ends, and its reservations.
        expect(readBefore(window)).toEqual({ endMs: fullHour, isKept: true });
        // It is part of a placeholder's name.
        expect(window).toMatch(/^[a-z0-9]+$/);
      }),
      { numRuns: 200 },
    ));
});
