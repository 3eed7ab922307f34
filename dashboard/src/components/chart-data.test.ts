import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type SessionScore, withTurn } from '../../../functions/control/sessions/index.ts';
import type { RequestRecord, Timeseries } from '../api/client.ts';
import { labelEvery, niceTicks, stack, ticksOf, toOutcomes, topGroups, toRisk, toThreatMix } from './chart-data.ts';

const max = fc.double({ min: 1e-6, max: 1e12, noNaN: true });

describe('the lines of a scale', () => {
  it('start at 0, reach the largest value, and are few', () => {
    fc.assert(
      fc.property(max, fc.integer({ min: 2, max: 8 }), fc.boolean(), (value, count, isWhole) => {
        const ticks = niceTicks(value, count, isWhole);
        expect(ticks[0]).toBe(0);
        expect(ticks.at(-1)).toBeGreaterThanOrEqual(value * (1 - 1e-9));
        expect(ticks.length).toBeLessThanOrEqual(count + 2);
        if (isWhole) expect(ticks.every((tick) => Number.isInteger(tick) || tick > 1e11)).toBe(true);
      }),
    );
  });

  it.each([
    [7, [0, 2, 4, 6, 8]],
    [100, [0, 50, 100]],
    [0.3, [0, 0.1, 0.2, 0.3]],
    [0, [0, 1]],
  ])('of %d read well', (value, ticks) => expect(niceTicks(value, 4, false)).toEqual(ticks));

  it('of scores end at 1 however low these are, and above it for accumulated ones', () => {
    const points = (turn: number) => [{ time: 'a', turn, accumulated: 0.01 }];
    expect(ticksOf('lines', points(0.03), ['turn', 'accumulated'], 1)).toEqual([0, 0.5, 1]);
    expect(ticksOf('lines', points(1.4), ['turn', 'accumulated'], 1).at(-1)).toBeGreaterThanOrEqual(1.4);
    expect(ticksOf('lines', points(0.03), ['turn', 'accumulated'], 0).at(-1)).toBeLessThan(0.1);
  });

  it('of counts are whole, and reach the sum of a column', () => {
    const points = [
      { time: 'a', passed: 1, blocked: 1 },
      { time: 'b', passed: null, blocked: 1 },
    ];
    expect(ticksOf('bars', points, ['passed', 'blocked'], 0)).toEqual([0, 1, 2]);
  });
});

describe('a column', () => {
  it('stacks its known values without gaps', () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.nat(1000))), (values) => {
        const ids = values.map((_, at) => `s${at}`);
        const segments = stack(Object.fromEntries(values.map((value, at) => [`s${at}`, value])), ids);
        expect(segments.at(-1)?.to ?? 0).toBe(values.reduce<number>((sum, value) => sum + (value ?? 0), 0));
        segments.forEach(({ from }, at) => expect(from).toBe(segments[at - 1]?.to ?? 0));
      }),
    );
  });
});

it('labels do not overlap', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 1, max: 2000 }), (columns, widthPx) => {
      const every = labelEvery(columns, widthPx, 60);
      expect((widthPx / columns) * every).toBeGreaterThanOrEqual(60 * (1 - 1e-9));
    }),
  );
});

type Interval = Timeseries['data'][number];

const count = fc.nat(1000);
const types = [
  'jailbreak',
  'prompt_injection',
  'secret',
  'pii',
  'toxicity',
  'obfuscation',
  'code_injection',
  'malicious_url',
];
const interval = fc
  .record({
    blocked: count,
    flagged: count,
    others: count,
    rateLimited: count,
    clientErrors: count,
    serverErrors: count,
    older: fc.nat(20),
    threats: fc.dictionary(fc.constantFrom(...types), fc.integer({ min: 1, max: 50 })),
  })
  .map(({ others, older, ...rest }) => {
    const errors = older + rest.rateLimited + rest.clientErrors + rest.serverErrors;
    return { ...rest, errors, requests: rest.blocked + rest.flagged + others } as unknown as Interval;
  });

const sumOf = (point: object) =>
  Object.values(point).reduce((sum, value) => sum + (typeof value === 'number' ? value : 0), 0);

describe('charts', () => {
  it('count each request once, whatever its outcome', () => {
    fc.assert(
      fc.property(fc.array(interval), (data) => {
        const points = toOutcomes(data);
        expect(points.map(sumOf)).toEqual(data.map(({ requests }) => requests));
        expect(points.every(({ time: _, ...counts }) => Object.values(counts).every((one) => Number(one) >= 0))).toBe(
          true,
        );
      }),
    );
  });

  it('count every finding in one of at most six series', () => {
    fc.assert(
      fc.property(fc.array(interval, { minLength: 1 }), (data) => {
        const { points, series } = toThreatMix(data);
        expect(points.map(sumOf)).toEqual(data.map(({ threats }) => sumOf(threats)));
        expect(series.length).toBeLessThanOrEqual(6);
        expect(new Set(series.map(({ color }) => color)).size).toBe(series.length);
      }),
    );
  });

  it('list groups by number of requests, without requests of no group', () => {
    const groups = [3, 9, 5].map((requests) => ({ requests, group: `g${requests}` }));
    const top = topGroups([...groups, { requests: 100, group: null }] as never[], 2);
    expect(top.map(({ group }) => group)).toEqual(['g9', 'g5']);
  });
});

const turns = fc.array(
  fc.record({
    atMs: fc.integer({ min: 1.7e12, max: 1.7e12 + 1e7 }),
    score: fc.double({ min: 0, max: 1, noNaN: true }),
  }),
);

describe('the risk of a session over its turns', () => {
  it("equals the gateway's score, in any order of records", () => {
    fc.assert(
      fc.property(turns, (given) => {
        const records = given.map(({ atMs, score }, at) => ({
          id: `req_${at}`,
          time: new Date(atMs).toISOString(),
          turnScore: score,
        }));
        const inOrder = given.toSorted((a, b) => a.atMs - b.atMs);
        let known: SessionScore | undefined;
        const expected = inOrder.map(({ atMs, score }) => {
          known = withTurn(known, score, atMs);
          return known.accumulated;
        });
        const points = toRisk(records as unknown as RequestRecord[]);
        points.forEach((point, at) => expect(point.accumulated).toBeCloseTo(expected[at] as number, 9));
        expect(points.map(({ turn }) => turn)).toEqual(inOrder.map(({ score }) => score));
      }),
    );
  });
});
